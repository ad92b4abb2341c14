// Messages that a user sends while a run of the AI SDK 7 goes on.

import { createToolkit, loadCatalog, memorySource, type SkillState } from '@skillful/core';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import * as sdk from 'ai';
import { generateText, jsonSchema, type ModelMessage, stepCountIs, streamText, tool } from 'ai';
import { expect, it } from 'vitest';
import { withSkills } from '../src/index.ts';
import { isSix, readCalls, timesIn } from './read.ts';

const source = memorySource({
  'report/SKILL.md': '---\nname: report\ndescription: Writes reports.\n---\nREPORT-BODY\n',
  'mail/SKILL.md': '---\nname: mail\ndescription: Writes mails.\n---\nMAIL-BODY to $ARGUMENTS.\n',
});
const toolkit = createToolkit(await loadCatalog([source]));
const lookUp = { calls: [{ tool: 'lookup', input: {} }] };
const activate = { calls: [{ tool: 'activate_skill', input: { name: 'report' } }] };
const done = { text: 'Done.' };

it.skipIf(isSix).each(['generateText', 'streamText'])(
  'a steering message that names a skill is delivered, and the skill stays with it: %s',
  async (how) => {
    const steering = sdk.experimental_createSteering();
    const outcomes: Promise<sdk.Experimental_SteeringOutcome>[] = [];
    const lookup = tool({
      inputSchema: jsonSchema<object>({ type: 'object', properties: {} }),
      execute: async () => {
        if (outcomes.length === 0) outcomes.push(steering.steer('/mail bob'));
        return 'found';
      },
    });
    const model = scriptedModel([lookUp, activate, lookUp, done, done]);
    const messages: ModelMessage[] = [{ role: 'user', content: 'Hi.' }];
    let state: SkillState | undefined;
    const run = (options = {}) => {
      const onState = (next: SkillState) => {
        state = next;
      };
      const settings = withSkills({ model, tools: { lookup }, stopWhen: stepCountIs(5) }, toolkit, { state, onState });
      return how === 'generateText'
        ? generateText({ ...settings, ...options, messages })
        : streamText({ ...settings, ...options, messages });
    };
    for (const { experimental_steeringMessages: steered = [], response } of await (
      await run({ experimental_steering: steering })
    ).steps)
      messages.push(...steered, ...response.messages);
    expect(await Promise.all(outcomes)).toMatchObject([{ type: 'delivered', stepNumber: 1 }]);
    messages.push({ role: 'user', content: 'Go on.' });
    await (await run()).text;
    const calls = readCalls(model);
    expect(calls.map((lines) => timesIn(lines.join('\n'), 'MAIL-BODY to bob.'))).toEqual([0, 1, 1, 1, 1]);
    for (const [index, lines] of calls.slice(1, -1).entries())
      expect(lines.slice(0, calls[index]?.length)).toEqual(calls[index]);
    // In the next turn, what the user said and the instructions are parts of one message.
    const texts = observedCalls(model).map((call) => call.messages.map(({ text }) => text).join('\n\n'));
    expect(texts.at(-1)?.startsWith(texts.at(-2) ?? '?')).toBe(true);
  },
);
