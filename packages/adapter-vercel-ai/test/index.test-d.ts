// What an application relies on in the types of this package; checked by tsc, never run.

import type { SkillToolkit } from '@skillful/core';
import { generateText, type LanguageModelMiddleware, type ModelMessage, ToolLoopAgent, type ToolSet } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { expectTypeOf } from 'vitest';
import { decide, pruneExceptSkills, skillsMiddleware, skillTools, withSkills } from '../src/index.ts';

declare const toolkit: SkillToolkit;
const model = new MockLanguageModelV4();

expectTypeOf(skillsMiddleware(toolkit, { request: 'north' })).toEqualTypeOf<LanguageModelMiddleware>();
expectTypeOf(skillTools(toolkit)).toEqualTypeOf<ToolSet>();
const settings = withSkills({ model, temperature: 0 }, toolkit, { request: { tenant: 'north' } });
expectTypeOf(settings.temperature).toBeNumber();
expectTypeOf(settings.tools).toEqualTypeOf<ToolSet>();
new ToolLoopAgent(settings);
expectTypeOf(generateText({ ...settings, prompt: 'Hello.' })).resolves.toHaveProperty('text');
expectTypeOf(decide(toolkit, { activate: ['pdf'] }, { request: 'north' })).resolves.toEqualTypeOf<ModelMessage[]>();
expectTypeOf(pruneExceptSkills(toolkit, { messages: [], toolCalls: 'all' })).toEqualTypeOf<ModelMessage[]>();
// @ts-expect-error a decision is an object
decide(toolkit, ['pdf']);
// @ts-expect-error settings without a model
withSkills({ temperature: 0 }, toolkit);
// @ts-expect-error a misspelt option
withSkills({ model }, toolkit, { requests: 'north' });
// @ts-expect-error a way to prune that the AI SDK does not have
pruneExceptSkills(toolkit, { messages: [], toolCalls: 'some' });
