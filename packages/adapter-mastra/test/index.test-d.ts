// What an application relies on in the types of this package; checked by tsc, never run.

import { Agent, type AgentConfig, type ToolsInput } from '@mastra/core/agent';
import { type InputProcessor, ToolCallFilter } from '@mastra/core/processors';
import type { SkillToolkit } from '@skillful/core';
import { expectTypeOf } from 'vitest';
import { type AgentMemory, decide, filterExceptSkills, skillsProcessor, skillTools, withSkills } from '../src/index.ts';

declare const toolkit: SkillToolkit;
declare const memory: AgentMemory;

const config = withSkills({ id: 'writer', name: 'writer', instructions: 'You write.', model: 'openai/gpt-5' }, toolkit);
expectTypeOf(config).toEqualTypeOf<AgentConfig<'writer'>>();
expectTypeOf(new Agent(config).id).toEqualTypeOf<'writer'>();
expectTypeOf(skillTools(toolkit, { memory })).toEqualTypeOf<ToolsInput>();
expectTypeOf(skillsProcessor(toolkit)).toEqualTypeOf<InputProcessor>();
expectTypeOf(filterExceptSkills(toolkit, (exclude) => new ToolCallFilter({ exclude }))).toEqualTypeOf<InputProcessor>();
expectTypeOf(decide(toolkit, { activate: ['pdf'] }, { memory, threadId: 'one' })).resolves.toBeVoid();
// @ts-expect-error a decision is an object
decide(toolkit, ['pdf'], { memory, threadId: 'one' });
// @ts-expect-error a decision needs a thread
decide(toolkit, { activate: ['pdf'] });
// @ts-expect-error an agent without a model
withSkills({ id: 'writer', name: 'writer', instructions: 'You write.' }, toolkit);
