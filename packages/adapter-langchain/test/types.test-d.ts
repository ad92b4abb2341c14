import { createToolkit, loadCatalog } from '@skillful/core';
import { createAgent, createMiddleware, fakeModel, HumanMessage, providerStrategy, tool } from 'langchain';
import { expectTypeOf, it } from 'vitest';
import * as z from 'zod/v4';
import { prepareModelCall, skillsMiddleware } from '../src/index.ts';

const toolkit = createToolkit(await loadCatalog([]));
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

it('a model call keeps the type of its tools', async () => {
  const lookup = tool(async () => 'found', {
    name: 'lookup',
    description: 'D.',
    schema: z.object({ query: z.string() }),
  });
  const call = await prepareModelCall(toolkit, { messages: [], tools: [lookup] });
  expectTypeOf(call.tools).toEqualTypeOf<(typeof lookup)[]>();
});
