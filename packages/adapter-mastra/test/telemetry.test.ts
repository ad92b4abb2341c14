// OpenTelemetry with Mastra's own spans, which its bridge makes OpenTelemetry's.

import { Agent } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { Mastra } from '@mastra/core/mastra';
import { Observability } from '@mastra/observability';
import { OtelBridge } from '@mastra/otel-bridge';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { createToolkit, loadCatalog, memorySource } from '@skillful/core';
import { scriptedModel } from '@skillful/testing/ai-sdk';
import { expect, it } from 'vitest';
import { withSkills } from '../src/index.ts';

const exporter = new InMemorySpanExporter();
context.setGlobalContextManager(new AsyncLocalStorageContextManager());
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
const tracer = trace.getTracer('test');

const source = memorySource({
  'report/SKILL.md': '---\nname: report\ndescription: Writes reports.\n---\nREPORT-BODY\n',
  'mail/SKILL.md': '---\nname: mail\ndescription: Writes mails.\n---\nMAIL-BODY to $ARGUMENTS.\n',
});
const toolkit = createToolkit(await loadCatalog([source]), { tracer });
const script = [{ calls: [{ tool: 'activate_skill', input: { name: 'report' } }] }, { text: 'Done.' }];

it.each(['generate', 'stream'] as const)('opens the spans of skills below those of Mastra: %s', async (way) => {
  exporter.reset();
  const model = scriptedModel(script) as unknown as MastraModelConfig;
  const config = { id: 'writer', name: 'writer', instructions: 'You are kind.', model };
  const agents = { writer: new Agent(withSkills(config, toolkit, { about: { tenant: 'north' } })) };
  const observability = new Observability({ configs: { otel: { serviceName: 'test', bridge: new OtelBridge() } } });
  const agent = new Mastra({ agents, observability, logger: false }).getAgent('writer');
  await tracer.startActiveSpan('request', async (span) => {
    await (await agent[way]('/mail bob', { maxSteps: 5 })).text;
    span.end();
  });
  await observability.shutdown();
  const all = exporter.getFinishedSpans();
  const own = all.filter(({ name }) => /^prepare_skills|^execute_tool .* report$/.test(name));
  const path = own.map(({ name, attributes, parentSpanContext }) => {
    const parent = all.find((span) => span.spanContext().spanId === parentSpanContext?.spanId);
    expect(attributes).toMatchObject({ 'gen_ai.agent.id': 'writer', 'skillful.tenant': 'north' });
    expect(JSON.stringify(attributes)).not.toMatch(/bob|BODY/);
    return [name, parent?.name];
  });
  expect(path).toEqual([
    ['prepare_skills', 'chat mock-model-id'],
    ['execute_tool activate_skill report', 'execute_tool activate_skill'],
    ['prepare_skills', 'chat mock-model-id'],
  ]);
});
