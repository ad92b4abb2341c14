// What an application relies on in the types of this package; checked by tsc, never run.

import type { DynamicStructuredTool } from '@langchain/core/tools';
import type { SkillToolkit } from '@skillful/core';
import { createAgent, fakeModel } from 'langchain';
import { expectTypeOf } from 'vitest';
import { decide, type SkillsMiddleware, type SkillsUpdate, skillsMiddleware, skillTools } from '../src/index.ts';

declare const toolkit: SkillToolkit;

expectTypeOf(skillsMiddleware(toolkit)).toEqualTypeOf<SkillsMiddleware>();
expectTypeOf(skillTools(toolkit)).toEqualTypeOf<DynamicStructuredTool[]>();
const agent = createAgent({ model: fakeModel(), middleware: [skillsMiddleware(toolkit)] });
const config = { configurable: { thread_id: 'one' }, context: { tenant: 'north' } };
expectTypeOf(decide(toolkit, { activate: ['pdf'] })).resolves.toEqualTypeOf<SkillsUpdate>();
expectTypeOf(decide(toolkit, { deactivate: ['pdf'] }, { agent, config })).resolves.toEqualTypeOf<SkillsUpdate>();
// @ts-expect-error a decision is an object
decide(toolkit, ['pdf']);
// @ts-expect-error what keeps no state cannot record a decision
decide(toolkit, { activate: ['pdf'] }, { agent: fakeModel(), config });
// @ts-expect-error a catalog is no toolkit
skillsMiddleware({ skills: [] });
