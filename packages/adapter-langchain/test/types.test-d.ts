import { createToolkit, loadCatalog } from '@skillful/core';
import { createAgent, createMiddleware, fakeModel, HumanMessage, providerStrategy, tool } from 'langchain';
import { expectTypeOf, it } from 'vitest';
import * as z from 'zod/v4';
import { prepareModelCall, skillsMiddleware } from '../src/index.ts';

const catalog = await loadCatalog([]);
const toolkit = createToolkit(catalog);
const Context = z.object({ tenant: z.string() });
const counter = createMiddleware({ name: 'Counter', stateSchema: z.object({ count: z.number().default(0) }) });

it('an agent keeps the types of its context, its state and its response', async () => {
  const agent = createAgent({
    model: fakeModel(),
    contextSchema: Context,
    responseFormat: providerStrategy({ schema: z.object({ city: z.string() }) }),
    middleware: [counter, skillsMiddleware(toolkit)],
  });
  const input = { messages: [new HumanMessage('Hello.')] };
  const result = await agent.invoke(input, { context: { tenant: 'north' } });
  expectTypeOf(result.structuredResponse).toEqualTypeOf<{ city: string }>();
  expectTypeOf(result.count).toEqualTypeOf<number>();
  // @ts-expect-error a tenant is a string
  await agent.invoke(input, { context: { tenant: 7 } });
});

it('the context of an agent is the request of its catalog function', async () => {
  const ofTenant = createToolkit<z.infer<typeof Context>>(({ request }) => {
    expectTypeOf(request).toEqualTypeOf<{ tenant: string }>();
    return catalog;
  });
  const about = ({ tenant }: { tenant: string }) => ({ tenant });
  const agent = createAgent({ model: fakeModel(), middleware: [counter, skillsMiddleware(ofTenant, { about })] });
  const input = { messages: [new HumanMessage('Hello.')] };
  const result = await agent.invoke(input, { context: { tenant: 'north' } });
  expectTypeOf(result.count).toEqualTypeOf<number>();
  // @ts-expect-error a tenant is a string
  await agent.invoke(input, { context: { tenant: 7 } });
  // @ts-expect-error the catalog function needs a tenant
  await agent.stream(input, { configurable: { thread_id: 'one' } });
  const contextSchema = Context.extend({ user: z.string() });
  const richer = createAgent({ model: fakeModel(), contextSchema, middleware: [skillsMiddleware(ofTenant)] });
  await richer.invoke(input, { context: { tenant: 'north', user: 'ada' } });
  // @ts-expect-error the agent needs a user
  await richer.invoke(input, { context: { tenant: 'north' } });
});

it('a model call keeps the type of its tools', async () => {
  const lookup = tool(async () => 'found', {
    name: 'lookup',
    description: 'D.',
    schema: z.object({ query: z.string() }),
  });
  const call = await prepareModelCall(toolkit, { messages: [], tools: [lookup] });
  expectTypeOf(call.tools).toEqualTypeOf<(typeof lookup)[]>();
});

it('an agent knows the calls of its own tools and of the skill tools', () => {
  const lookup = tool(async () => 'found', { name: 'lookup', schema: z.object({ query: z.string() }) });
  const agent = createAgent({ model: fakeModel(), tools: [lookup], middleware: [skillsMiddleware(toolkit)] });
  type Tool = (typeof agent)['~agentTypes']['Tools'][number];
  expectTypeOf<Extract<Tool, { name: 'lookup' }>['schema']>().toEqualTypeOf<(typeof lookup)['schema']>();
  type Activation = z.input<Extract<Tool, { name: 'activate_skill' }>['schema']>;
  expectTypeOf<Activation>().toEqualTypeOf<{ name: string; arguments?: string }>();
});
