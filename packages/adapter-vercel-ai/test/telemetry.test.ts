// OpenTelemetry with the AI SDK's own spans: a tool of skills is below the SDK's execute_tool.

import { OpenTelemetry } from '@ai-sdk/otel';
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { createToolkit, loadCatalog, memorySource } from '@skillful/core';
import { scriptedModel } from '@skillful/testing/ai-sdk';
import { generateText, stepCountIs, ToolLoopAgent, wrapLanguageModel } from 'ai';
import { expect, it } from 'vitest';
import { skillsMiddleware, skillTools, withSkills } from '../src/index.ts';

const exporter = new InMemorySpanExporter();
context.setGlobalContextManager(new AsyncLocalStorageContextManager());
const tracer = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }).getTracer('test');

const source = memorySource({
  'report/SKILL.md': '---\nname: report\ndescription: Writes reports.\n---\nREPORT-BODY\n',
  'mail/SKILL.md': '---\nname: mail\ndescription: Writes mails.\n---\nMAIL-BODY to $ARGUMENTS.\n',
});
const toolkit = createToolkit(await loadCatalog([source]), { tracer });
const telemetry = { integrations: [new OpenTelemetry({ tracer })], recordInputs: false, recordOutputs: false };
const about = { thread: 'one', tenant: 'north' };
const script = [{ calls: [{ tool: 'activate_skill', input: { name: 'report' } }] }, { text: 'Done.' }];

/** The spans of skills, each with its parent. */
function spansOfSkills() {
  const all = exporter.getFinishedSpans();
  const own = all.filter(({ name }) => /^prepare_skills|^execute_tool .* report$/.test(name));
  return own.map(({ name, attributes, parentSpanContext }) => {
    const parent = all.find((span) => span.spanContext().spanId === parentSpanContext?.spanId);
    expect(attributes).toMatchObject({ 'gen_ai.conversation.id': 'one', 'skillful.tenant': 'north' });
    expect(attributes['gen_ai.tool.call.id']).toBe(parent?.attributes['gen_ai.tool.call.id']);
    expect(JSON.stringify(attributes)).not.toMatch(/bob|BODY/);
    return [name, parent?.name, attributes['gen_ai.agent.id']];
  });
}

const within = (run: () => Promise<unknown>) =>
  tracer.startActiveSpan('request', async (span) => {
    exporter.reset();
    await run();
    span.end();
  });

it.each(['generate', 'stream'] as const)(
  'opens the span of a tool below that of the SDK, and that of a model call below the request: %s',
  async (way) => {
    const settings = { id: 'writer', model: scriptedModel(script), stopWhen: stepCountIs(5), telemetry };
    const agent = new ToolLoopAgent(withSkills(settings, toolkit, { about }));
    await within(async () => (await agent[way]({ prompt: '/mail bob' })).text);
    expect(spansOfSkills()).toEqual([
      ['prepare_skills', 'request', 'writer'],
      ['execute_tool activate_skill report', 'execute_tool activate_skill', 'writer'],
      ['prepare_skills', 'request', 'writer'],
    ]);
  },
);

it('opens the span of a model call below that of the SDK if skills come with the model', async () => {
  const model = wrapLanguageModel({ model: scriptedModel(script), middleware: skillsMiddleware(toolkit, { about }) });
  const tools = skillTools(toolkit, { about });
  await within(() => generateText({ model, tools, prompt: '/mail bob', stopWhen: stepCountIs(5), telemetry }));
  expect(spansOfSkills()).toEqual([
    ['prepare_skills', 'chat mock-model-id', undefined],
    ['execute_tool activate_skill report', 'execute_tool activate_skill', undefined],
    ['prepare_skills', 'chat mock-model-id', undefined],
  ]);
});
