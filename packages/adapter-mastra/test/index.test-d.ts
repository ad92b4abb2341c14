// What an application relies on in the types of this package; checked by tsc, never run.

import { Agent, type AgentConfig, type ToolsInput } from '@mastra/core/agent';
import type { InputProcessor } from '@mastra/core/processors';
import { RequestContext } from '@mastra/core/request-context';
import { createTool } from '@mastra/core/tools';
import type { Workspace } from '@mastra/core/workspace';
import type { ActiveSkill, SkillToolkit } from '@skillful/core';
import { expectTypeOf } from 'vitest';
import {
  type AgentMemory,
  activeSkills,
  decide,
  type SkillStore,
  skillsProcessor,
  skillTools,
  withSkills,
  workspaceSkills,
} from '../src/index.ts';

declare const toolkit: SkillToolkit;
declare const memory: AgentMemory;
declare const store: SkillStore;
declare const workspace: Workspace;

const lookup = createTool({ id: 'lookup', description: 'Looks up.', execute: async () => 'found' });
const given = { id: 'writer' as const, name: 'writer', instructions: 'You write.', model: 'openai/gpt-5' };
const config = withSkills({ ...given, tools: { lookup } }, toolkit, {
  mentions: false,
  about: { tenant: 'acme' },
  store,
});
export const checked: AgentConfig<'writer', { lookup: typeof lookup }> = config;
const agent = new Agent(config);
expectTypeOf(agent.id).toEqualTypeOf<'writer'>();
const direct = new Agent(withSkills({ id: 'writer', name: '', instructions: '', model: 'openai/gpt-5' }, toolkit));
expectTypeOf(direct.id).toEqualTypeOf<'writer'>();
expectTypeOf(agent.listTools()).toExtend<{ lookup: unknown } | Promise<{ lookup: unknown }>>();
expectTypeOf(skillTools(toolkit, { memory })).toEqualTypeOf<ToolsInput>();
expectTypeOf(skillsProcessor(toolkit, { about: () => ({ tenant: 'acme' }) })).toEqualTypeOf<InputProcessor>();
expectTypeOf(decide(toolkit, { activate: ['pdf'] }, { memory, threadId: 'one' })).resolves.toBeVoid();
expectTypeOf(activeSkills(toolkit, { store, threadId: 'one' })).resolves.toEqualTypeOf<readonly ActiveSkill[]>();
// A request whose values have types, as Mastra's own calls accept it.
const requestContext = new RequestContext<{ tenant: string }>();
activeSkills(toolkit, { memory, threadId: 'one', requestContext });
withSkills(given, toolkit, { about: (request?: typeof requestContext) => ({ tenant: request?.get('tenant') }) });
workspaceSkills(workspace, requestContext);
// The request of a catalog function is Mastra's.
declare const ofTenant: SkillToolkit<typeof requestContext>;
withSkills(given, ofTenant);
activeSkills(ofTenant, { memory, threadId: 'one', requestContext });
// Also as the part that the function uses.
declare const ofAnyKey: SkillToolkit<{ get(key: string): unknown }>;
withSkills(given, ofAnyKey);
declare const ofRow: SkillToolkit<{ tenant: string }>;
// @ts-expect-error a plain object
withSkills(given, ofRow);
// @ts-expect-error a plain object
skillsProcessor(ofRow);
// @ts-expect-error a decision is an object
decide(toolkit, ['pdf'], { memory, threadId: 'one' });
// @ts-expect-error a decision needs a thread
decide(toolkit, { activate: ['pdf'] });
// @ts-expect-error an agent without a model
withSkills({ id: 'writer', name: 'writer', instructions: 'You write.' }, toolkit);
withSkills(given, toolkit, { about: { tenant: 7 } });
// @ts-expect-error an event contains no objects
withSkills(given, toolkit, { about: { tenant: {} } });
