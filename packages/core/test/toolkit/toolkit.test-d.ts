// What an application and an adapter rely on in the types of the toolkit; checked by tsc, never run.

import { expectTypeOf } from 'vitest';
import {
  type Catalog,
  createToolkit,
  definePolicy,
  type EventContext,
  type Preparation,
  type SkillContext,
  type SkillEvent,
  type SkillState,
  type SkillTool,
  type SkillToolkit,
  type SkillToolResult,
} from '../../src/index.ts';

declare const catalog: Catalog;
declare const toolkit: SkillToolkit;
declare const tool: SkillTool;

// Clients of providers, such as OpenAI's and Anthropic's, type schemas like this.
expectTypeOf(tool.inputSchema).toExtend<Record<string, unknown>>();

expectTypeOf(createToolkit(catalog)).toEqualTypeOf<SkillToolkit>();
createToolkit(async ({ request, signal }) => {
  expectTypeOf(request).toBeUnknown();
  expectTypeOf(signal).toEqualTypeOf<AbortSignal | undefined>();
  return catalog;
});
const ofTenant = createToolkit<{ tenant: string }>(({ request }) => {
  expectTypeOf(request).toEqualTypeOf<{ tenant: string }>();
  return catalog;
});
expectTypeOf(ofTenant).toEqualTypeOf<SkillToolkit<{ tenant: string }>>();
ofTenant.prepare([], { request: { tenant: 'north' } });
// @ts-expect-error a tenant is a string
ofTenant.prepare([], { request: { tenant: 7 } });
const ofTeam = createToolkit<{ team: string }>(catalog, {
  policy: ({ request }) => {
    expectTypeOf(request).toEqualTypeOf<{ team: string }>();
    return definePolicy();
  },
  consent: {
    store: ({ request }) => {
      expectTypeOf(request).toEqualTypeOf<{ team: string }>();
      return new Map();
    },
  },
});
expectTypeOf(ofTeam).toEqualTypeOf<SkillToolkit<{ team: string }>>();
createToolkit(catalog, {
  mode: 'direct',
  placement: 'system',
  preload: ['pdf'],
  toolNames: { activate: 'use_skill' },
  tools: { deactivate: true },
  plan: { budget: { tokens: 1_000 }, format: 'xml', show: ({ name }) => (name === 'pdf' ? 'pinned' : undefined) },
  onEvent: (event) => {
    expectTypeOf(event).toExtend<SkillEvent>();
    expectTypeOf(event.about).toEqualTypeOf<EventContext | undefined>();
  },
});
// @ts-expect-error a mode that does not exist
createToolkit(catalog, { mode: 'tools' });
// @ts-expect-error a misspelt option
createToolkit(catalog, { preloads: ['pdf'] });
// @ts-expect-error a tool that does not exist
createToolkit(catalog, { toolNames: { load: 'load_skill' } });
// @ts-expect-error no way to show a skill
createToolkit(catalog, { plan: { show: () => 'visible' } });

expectTypeOf(tool.execute).parameters.toEqualTypeOf<[input: unknown, context?: SkillContext | undefined]>();
expectTypeOf(tool.execute).returns.resolves.toEqualTypeOf<SkillToolResult>();
expectTypeOf(toolkit.prepare([])).resolves.toEqualTypeOf<Preparation>();
expectTypeOf(toolkit.decide({ activate: ['pdf'], deactivate: [] }, [])).resolves.toEqualTypeOf<SkillState>();
// @ts-expect-error a decision is an object
toolkit.decide(['pdf'], []);
// @ts-expect-error a decision about nothing that exists
toolkit.decide({ end: ['pdf'] }, []);

declare const result: SkillToolResult;
if (result.details.kind === 'activation') expectTypeOf(result.details.digest).toBeString();
// @ts-expect-error only an activation has a digest
result.details.digest;
