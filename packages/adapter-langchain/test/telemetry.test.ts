// OpenTelemetry with createAgent: LangChain has no spans of its own, so those of skills are below the application's.

import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { createAgent } from 'langchain';
import { expect, it } from 'vitest';
import { skillsMiddleware } from '../src/index.ts';
import { activate, modelThatCalls, thread, toolkitOf, user } from './support.ts';

const exporter = new InMemorySpanExporter();
context.setGlobalContextManager(new AsyncLocalStorageContextManager());
const tracer = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }).getTracer('test');

it.each(['invoke', 'stream'])('opens the spans of skills below the request: %s', async (way) => {
  exporter.reset();
  const middleware = [skillsMiddleware(toolkitOf({ tracer }), { about: { agent: 'writer', tenant: 'north' } })];
  const agent = createAgent({ model: modelThatCalls([activate('report')], [{ name: 'notes', args: {} }]), middleware });
  await tracer.startActiveSpan('request', async (span) => {
    if (way === 'invoke') await agent.invoke(user('/mail bob'), thread('one'));
    else for await (const _ of await agent.stream(user('/mail bob'), thread('one')));
    span.end();
  });
  const spans = exporter.getFinishedSpans();
  const request = spans.at(-1)?.spanContext().spanId;
  expect(spans.map(({ name, parentSpanContext }) => [name, parentSpanContext?.spanId === request])).toEqual([
    ['prepare_skills', true],
    ['execute_tool activate_skill report', true],
    ['prepare_skills', true],
    ['execute_tool activate_skill notes', true],
    ['prepare_skills', true],
    ['request', false],
  ]);
  const known = { 'gen_ai.conversation.id': 'one', 'gen_ai.agent.id': 'writer', 'skillful.tenant': 'north' };
  for (const { attributes } of spans.slice(0, -1)) expect(attributes).toMatchObject(known);
  expect(spans.map(({ attributes }) => attributes['skillful.skills.active'])).toEqual([
    ['mail'],
    undefined,
    ['mail', 'report'],
    undefined,
    ['mail', 'report', 'notes'],
    undefined,
  ]);
  expect(JSON.stringify(spans.map(({ attributes, events }) => [attributes, events]))).not.toMatch(/bob|BODY/);
});
