// Skills beside what else an application gives to an agent: approvals, output objects, telemetry.

import { createToolkit, loadCatalog, memorySource, type SkillState } from '@skillful/core';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import {
  generateText,
  jsonSchema,
  type ModelMessage,
  Output,
  stepCountIs,
  streamText,
  type Telemetry,
  ToolLoopAgent,
  tool,
} from 'ai';
import { describe, expect, it, vi } from 'vitest';
import { activeSkills, decide, prepareModelCall, skillsMiddleware, skillTools, withSkills } from '../src/index.ts';
import { isSix, messagesOf, read, timesIn } from './read.ts';

const source = memorySource({
  'report/SKILL.md': '---\nname: report\ndescription: Writes reports.\n---\nREPORT-BODY\n',
});
const toolkit = createToolkit(await loadCatalog([source]));
const activate = { tool: 'activate_skill', input: { name: 'report' } };
const publish = { tool: 'publish', input: { title: 'Q3' } };
const done = { text: 'Done.' };
const stopWhen = stepCountIs(10);
const asJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

function createPublish(ran: string[], needsApproval?: boolean) {
  return tool({
    description: 'Publishes.',
    inputSchema: jsonSchema<{ title: string }>({ type: 'object', properties: { title: { type: 'string' } } }),
    ...(needsApproval !== undefined && { needsApproval }),
    execute: async ({ title }) => {
      ran.push(title);
      return 'published';
    },
  });
}

describe.skipIf(isSix)('toolApproval', () => {
  const ask = { publish: 'user-approval' as const };
  const asking = ({ toolCall }: { toolCall: { toolName: string } }) =>
    toolCall.toolName === 'publish' ? ('user-approval' as const) : undefined;

  it.each([
    ['by tool', ask, true],
    ['by tool', ask, false],
    ['as a function', asking, true],
    ['as a function', asking, false],
  ])('%s pauses the run, and the skill is still there after the answer', async (_, toolApproval, approved) => {
    const ran: string[] = [];
    const model = scriptedModel([{ calls: [activate] }, { calls: [publish] }, done]);
    const settings = withSkills({ model, tools: { publish: createPublish(ran) }, toolApproval, stopWhen }, toolkit);
    const messages: ModelMessage[] = [{ role: 'user', content: 'Publish the report.' }];
    const asked = await new ToolLoopAgent(settings).generate({ messages });
    expect(ran).toEqual([]);
    const [request] = asked.content.filter((part) => part.type === 'tool-approval-request');
    if (request === undefined) throw new Error('nothing to approve');
    messages.push(...(await messagesOf(asked)), {
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId: request.approvalId, approved }],
    });
    const { text } = await new ToolLoopAgent(settings).generate({ messages: asJson(messages) });
    expect([text, ran]).toEqual(['Done.', approved ? ['Q3'] : []]);
    expect(read(model).map((call) => timesIn(call, 'REPORT-BODY'))).toEqual([0, 1, 1]);
  });

  it('may deny an activation: the model is told, and nothing is active', async () => {
    const model = scriptedModel([{ calls: [activate] }, done]);
    const toolApproval = { activate_skill: { type: 'denied' as const, reason: 'Not now.' } };
    const { text } = await generateText({
      ...withSkills({ model, toolApproval, stopWhen }, toolkit),
      prompt: 'Make a report.',
    });
    expect([text, timesIn(read(model)[1], 'REPORT-BODY'), timesIn(read(model)[1], 'Not now.')]).toEqual([
      'Done.',
      0,
      1,
    ]);
  });
});

describe('an output object', () => {
  const output = Output.object({
    schema: jsonSchema<{ pages: number }>({ type: 'object', properties: { pages: { type: 'number' } } }),
  });
  const script = [{ calls: [activate] }, { text: '{"pages":3}' }];
  const prompt = 'Make a report.';

  it('is what the run ends with after an activation', async () => {
    const [called, streamed, agents] = [script, script, script].map(scriptedModel);
    if (called === undefined || streamed === undefined || agents === undefined) throw new Error('no models');
    const settings = { output, stopWhen };
    const outputs = [
      (await generateText({ ...withSkills({ ...settings, model: called }, toolkit), prompt })).output,
      await streamText({ ...withSkills({ ...settings, model: streamed }, toolkit), prompt }).output,
      (await new ToolLoopAgent(withSkills({ ...settings, model: agents }, toolkit)).generate({ prompt })).output,
    ];
    expect(outputs).toEqual(Array(3).fill({ pages: 3 }));
    for (const model of [called, streamed, agents]) {
      expect(read(model).map((call) => timesIn(call, 'REPORT-BODY'))).toEqual([0, 1]);
      for (const { responseFormat } of [...model.doGenerateCalls, ...model.doStreamCalls]) {
        expect(responseFormat?.type).toBe('json');
      }
    }
  });
});

describe('telemetry', () => {
  it.skipIf(isSix)('is told of skill tools like of all others, and of what the model really read', async () => {
    const told: unknown[] = [];
    const integration: Telemetry = {
      onStart: ({ functionId }) => void told.push(['start', functionId]),
      onLanguageModelCallStart: ({ messages }) =>
        void told.push(['model', timesIn(JSON.stringify(messages), 'REPORT-BODY')]),
      onToolExecutionStart: ({ toolCall }) => void told.push(['tool', toolCall.toolName]),
      onToolExecutionEnd: ({ toolCall, toolOutput }) => void told.push(['end', toolCall.toolName, toolOutput.type]),
    };
    const model = scriptedModel([{ calls: [activate] }, done]);
    const telemetry = { functionId: 'writer', integrations: [integration] };
    await new ToolLoopAgent(withSkills({ model, telemetry, stopWhen }, toolkit)).generate({ prompt: 'Make a report.' });
    expect(told).toEqual([
      ['start', 'writer'],
      ['model', 0],
      ['tool', 'activate_skill'],
      ['end', 'activate_skill', 'tool-result'],
      ['model', 1],
    ]);
  });
});

describe('needsApproval', () => {
  it('counts beside skills, whose own tools need none', async () => {
    const ran: string[] = [];
    const model = scriptedModel([{ calls: [activate, publish] }, done]);
    const settings = withSkills({ model, tools: { publish: createPublish(ran, true) }, stopWhen }, toolkit);
    const { content } = await generateText({ ...settings, prompt: 'Publish.' });
    expect(content.map(({ type }) => type)).toEqual(['tool-call', 'tool-call', 'tool-result', 'tool-approval-request']);
    expect([ran, observedCalls(model).length]).toEqual([[], 1]);
  });
});

describe('a misspelt option', () => {
  const options: object = { mentoins: false };
  const refused = expect.objectContaining({ code: 'options-invalid', message: expect.stringContaining('`mentoins`') });

  it.each([
    ['withSkills', () => withSkills({}, toolkit, options)],
    ['skillTools', () => skillTools(toolkit, options)],
    ['skillsMiddleware', () => skillsMiddleware(toolkit, options)],
  ])('is refused by %s', (_, create) => {
    expect(create).toThrow(refused);
  });

  it('is refused by prepareModelCall, which then stores no state', async () => {
    const onState = vi.fn();
    await expect(prepareModelCall(toolkit, { ...options, messages: [], onState })).rejects.toThrow(refused);
    expect(onState).not.toHaveBeenCalled();
  });

  it('is refused by decide and activeSkills, which would forget what was decided before', async () => {
    const sate: object = { sate: await decide(toolkit, {}, []) };
    const misspelt = expect.objectContaining({ code: 'options-invalid', message: expect.stringContaining('`sate`') });
    await expect(decide(toolkit, {}, [], sate)).rejects.toThrow(misspelt);
    await expect(activeSkills(toolkit, [], sate)).rejects.toThrow(misspelt);
  });

  it.each([['{}'], [Promise.resolve({})], [[]]])(
    'is a state that is not an object, and would be replaced: %j',
    async (given) => {
      const state = given as object as SkillState;
      const message = expect.stringContaining('`state` must be an object');
      const wrong = expect.objectContaining({ code: 'options-invalid', message });
      expect(() => withSkills({}, toolkit, { state })).toThrow(wrong);
      await expect(decide(toolkit, {}, [], { state })).rejects.toThrow(wrong);
      await expect(prepareModelCall(toolkit, { messages: [], state })).rejects.toThrow(wrong);
    },
  );
});
