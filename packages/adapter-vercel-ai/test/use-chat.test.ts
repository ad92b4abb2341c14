// The SDK's own chat, as `useChat` has it in a browser, with a server of this package: people are asked, answer, and go on.

import { createToolkit, definePolicy, loadCatalog, memorySource, type SkillState } from '@skillful/core';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import {
  AbstractChat,
  type ChatState,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from 'ai';
import { afterAll, expect, it } from 'vitest';
import { serveChat } from './serve.ts';

const catalog = await loadCatalog([
  memorySource({
    'report/SKILL.md': '---\nname: report\ndescription: Writes reports.\n---\nREPORT-BODY\n',
    'notes/SKILL.md': '---\nname: notes\ndescription: Writes notes.\n---\nNOTES-BODY\n',
  }),
]);
const policy = definePolicy({ rules: [{ actor: 'model', action: 'activate', effect: 'ask' }] });
const toolkit = createToolkit(catalog, { policy });
const states = new Map<string, SkillState>();
type Turns = Parameters<typeof scriptedModel>[0];
let answers: Turns[] = [];
let model = scriptedModel([]);

const { address, stop } = await serveChat(toolkit, states, () => {
  model = scriptedModel(answers.shift() ?? []);
  return model;
});
afterAll(stop);

/** The chat of `useChat`, without the rendering. */
class Chat extends AbstractChat<UIMessage> {
  constructor(id: string) {
    const state: ChatState<UIMessage> = {
      status: 'ready',
      error: undefined,
      messages: [],
      pushMessage: (message) => state.messages.push(message),
      popMessage: () => state.messages.pop(),
      replaceMessage: (index, message) => {
        state.messages[index] = message;
      },
      snapshot: structuredClone,
    };
    super({
      id,
      state,
      transport: new DefaultChatTransport({ api: address }),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
  }
}

const call = (...names: readonly string[]): Turns => [
  { calls: names.map((name) => ({ tool: 'activate_skill', input: { name } })) },
];
const done: Turns = [{ text: 'Done.' }];
const results = () => observedCalls(model).at(-1)?.results ?? [];

/** The calls of the last answer that wait for the person, in order. */
function questions(chat: Chat): readonly { readonly id: string }[] {
  return (chat.lastMessage?.parts ?? []).flatMap((part) =>
    'approval' in part && part.state === 'approval-requested' && part.approval !== undefined ? [part.approval] : [],
  );
}

/** Waits for the answer that follows a decision by itself. */
async function settled(chat: Chat): Promise<void> {
  while (chat.status !== 'ready' || answers.length > 0) {
    if (chat.error !== undefined) throw chat.error;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

it('agrees to one skill and not to the other, and goes on with the one', async () => {
  const chat = new Chat('two');
  answers = [call('report', 'notes'), done];
  await chat.sendMessage({ text: 'Go.' });
  const [report, notes] = questions(chat);
  await chat.addToolApprovalResponse({ id: report?.id ?? '', approved: true });
  await chat.addToolApprovalResponse({ id: notes?.id ?? '', approved: false, reason: 'Not now.' });
  await settled(chat);
  const both = [expect.stringContaining('REPORT-BODY'), 'Not now.'];
  expect(results().toSorted()).toEqual(both);
  answers = [done];
  await chat.sendMessage({ text: 'Go on.' });
  expect(results().toSorted()).toEqual(both);
  expect(Object.keys(states.get('two')?.skills ?? {})).toEqual(['report']);
});

it('is not asked again if an answer is generated anew: the skill is active already', async () => {
  const chat = new Chat('anew');
  answers = [call('report'), done];
  await chat.sendMessage({ text: 'Go.' });
  await chat.addToolApprovalResponse({ id: questions(chat)[0]?.id ?? '', approved: true });
  await settled(chat);
  answers = [[...call('report'), ...done]];
  await chat.regenerate();
  expect(questions(chat)).toEqual([]);
  expect(results()).toEqual([expect.stringContaining('Already active')]);
  expect(JSON.stringify(observedCalls(model).at(-1)).split('REPORT-BODY')).toHaveLength(2);
});

it('discards an answer: its skills stay, or go with the state that it left', async () => {
  for (const [id, isTakenBack] of [
    ['kept', false],
    ['taken-back', true],
  ] as const) {
    const chat = new Chat(id);
    const before = { skills: {} };
    answers = [call('report'), done];
    await chat.sendMessage({ text: 'Go.' });
    await chat.addToolApprovalResponse({ id: questions(chat)[0]?.id ?? '', approved: true });
    await settled(chat);
    if (isTakenBack) states.set(id, before);
    answers = [done];
    await chat.regenerate();
    const times = JSON.stringify(observedCalls(model).at(-1)).split('REPORT-BODY').length - 1;
    expect([times, Object.keys(states.get(id)?.skills ?? {})]).toEqual(isTakenBack ? [0, []] : [1, ['report']]);
  }
});

it('does not answer, and writes something else', async () => {
  const chat = new Chat('ignores');
  answers = [call('report')];
  await chat.sendMessage({ text: 'Go.' });
  expect(questions(chat)).toHaveLength(1);
  answers = [done];
  await chat.sendMessage({ text: 'Never mind.' });
  expect([chat.status, chat.error]).toEqual(['ready', undefined]);
  expect(states.get('ignores')?.skills).toEqual({});
});

it('names the skill instead of answering', async () => {
  const chat = new Chat('names');
  answers = [call('report')];
  await chat.sendMessage({ text: 'Go.' });
  answers = [done];
  await chat.sendMessage({ text: '/report' });
  expect([chat.status, chat.error]).toEqual(['ready', undefined]);
  expect(Object.keys(states.get('names')?.skills ?? {})).toEqual(['report']);
});
