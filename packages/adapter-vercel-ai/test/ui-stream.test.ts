// What a browser sees of skills while an answer is streamed to it over HTTP.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createToolkit, definePolicy, loadCatalog, memorySource, type SkillNews } from '@skillful/core';
import { processRunner } from '@skillful/core/node';
import { scriptedModel } from '@skillful/testing/ai-sdk';
import {
  createAgentUIStream,
  createUIMessageStream,
  createUIMessageStreamResponse,
  DefaultChatTransport,
  type InferUITools,
  type ModelMessage,
  readUIMessageStream,
  stepCountIs,
  ToolLoopAgent,
  type UIMessage,
} from 'ai';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type SkillDataParts, type SkillTools, withSkills } from '../src/index.ts';
import { isSix } from './read.ts';

type ChatMessage = UIMessage<unknown, SkillDataParts, InferUITools<SkillTools>>;

const skill = (name: string): string =>
  `---\nname: ${name}\ndescription: About ${name}.\n---\n${name.toUpperCase()}-BODY\n`;
const catalog = await loadCatalog([
  memorySource({ 'pdf/SKILL.md': skill('pdf'), 'mail/SKILL.md': skill('mail'), 'memo/SKILL.md': skill('memo') }),
]);
const toolkit = createToolkit(catalog, { tools: { deactivate: true }, reattach: { tokens: 40 } });
const call = (tool: string, name: string) => ({ calls: [{ tool, input: { name } }] });
const done = { text: 'Done.' };

let model = scriptedModel([]);
const server = createServer(async (request, response) => {
  const { messages, slice, approve } = JSON.parse(await text(request));
  const stream = createUIMessageStream<ChatMessage>({
    async execute({ writer }) {
      const settings = withSkills(
        {
          model,
          stopWhen: stepCountIs(6),
          prepareStep: (step: { messages: ModelMessage[] }) => ({
            messages: slice ? step.messages.slice(0, 1) : step.messages,
          }),
          ...(approve === true && { toolApproval: { activate_skill: 'user-approval' as const } }),
        },
        toolkit,
        { ...toolkit.createNewsWriter(writer), about: { tenant: 'north' } },
      );
      writer.merge(await createAgentUIStream({ agent: new ToolLoopAgent(settings), uiMessages: messages }));
    },
  });
  const { body } = createUIMessageStreamResponse({ stream });
  for await (const chunk of body ?? []) response.write(chunk);
  response.end();
});

let address = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** One request of a browser: what it was told on the way, and the message that it shows in the end. */
async function chat(
  messages: ChatMessage[],
  script: Parameters<typeof scriptedModel>[0],
  body: { slice?: boolean; approve?: boolean } = {},
) {
  model = scriptedModel(script);
  const transport = new DefaultChatTransport<ChatMessage>({ api: address });
  const trigger = 'submit-message';
  const chunks = await transport.sendMessages({
    chatId: 'one',
    messageId: undefined,
    abortSignal: undefined,
    trigger,
    messages,
    body,
  });
  const [told, shown] = chunks.tee();
  const news: SkillNews[] = [];
  for await (const chunk of told) if (chunk.type === 'data-skill') news.push(chunk.data as SkillNews);
  let answer: ChatMessage | undefined;
  for await (const message of readUIMessageStream<ChatMessage>({ stream: shown })) answer = message;
  if (answer === undefined) throw new Error('no answer');
  return { news, answer };
}

const user = (text: string): ChatMessage => ({ id: text, role: 'user', parts: [{ type: 'text', text }] });

describe('a browser', () => {
  it('is told what begins and ends, each once, and keeps none of it', async () => {
    const script = [
      call('activate_skill', 'pdf'),
      call('deactivate_skill', 'pdf'),
      call('activate_skill', 'pdf'),
      done,
    ];
    const { news, answer } = await chat([user('/mail bob')], script);
    expect(news).toEqual([
      { type: 'activated', skill: 'mail' },
      { type: 'activated', skill: 'pdf' },
      { type: 'deactivated', skill: 'pdf' },
      { type: 'activated', skill: 'pdf' },
    ]);
    expect(answer.parts.map(({ type }) => type).filter((type) => type !== 'step-start')).toEqual([
      'tool-activate_skill',
      'tool-deactivate_skill',
      'tool-activate_skill',
      'text',
    ]);
  });

  it('is told what is attached again, and what no longer fits', async () => {
    const calls = ['pdf', 'memo'].flatMap((name) => call('activate_skill', name).calls);
    const script = [{ calls }, { calls }, done];
    const { news } = await chat([user('Hi.')], script, { slice: true });
    expect(news).toEqual([
      { type: 'activated', skill: 'pdf' },
      { type: 'activated', skill: 'memo' },
      { type: 'reattached', skill: 'memo' },
      { type: 'left-out', skill: 'pdf' },
      // Asked for again, it is the newest skill.
      { type: 'activated', skill: 'pdf' },
      { type: 'reattached', skill: 'pdf' },
      { type: 'left-out', skill: 'memo' },
    ]);
  });

  it.skipIf(isSix)('is asked for an approval by the part of the tool, whose types it knows', async () => {
    const question = user('Hi.');
    const { answer, news } = await chat([question], [call('activate_skill', 'pdf')], { approve: true });
    const [part] = answer.parts.filter(({ type }) => type === 'tool-activate_skill');
    if (part?.type !== 'tool-activate_skill' || part.state !== 'approval-requested') throw new Error('not asked');
    expect([part.input.name, news]).toEqual(['pdf', []]);
    const approval = { id: part.approval.id, approved: true };
    const parts = answer.parts.map((one) =>
      one === part ? { ...part, state: 'approval-responded' as const, approval } : one,
    );
    const approved = await chat([question, { ...answer, parts }], [done], { approve: true });
    expect(approved.news).toEqual([{ type: 'activated', skill: 'pdf' }]);
  });

  it('is told the question of each call that waits, and the id of the call', async () => {
    const policy = definePolicy({ rules: [{ action: 'activate', actor: 'model', effect: 'ask' }] });
    const asking = createToolkit(catalog, { policy });
    const parts: object[] = [];
    const script = scriptedModel([{ calls: [{ tool: 'activate_skill', input: { name: 'pdf' }, id: 'one' }] }]);
    const news = asking.createNewsWriter({ write: (part) => void parts.push(part) });
    await new ToolLoopAgent(withSkills({ model: script }, asking, news)).generate({ prompt: 'Hi.' });
    const question = expect.stringMatching(/^Let the model follow the skill `builtin:pdf`/);
    const data = { type: 'approval-needed', skill: 'pdf', question, call: 'one' };
    expect(parts).toEqual([{ type: 'data-skill', data, transient: true }]);
  });
});

describe('a script', () => {
  it('is seen at work before it ends', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'skillful-progress-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const source = memorySource({
      'pdf/SKILL.md': skill('pdf'),
      // It goes on only after its first line was seen.
      'pdf/scripts/fill.sh': 'echo one; until [ -e seen ]; do sleep 0.05; done; echo two',
    });
    const policy = definePolicy({ rules: [{ action: 'run', effect: 'allow' }] });
    const runner = processRunner({ directory, timeout: 20_000 });
    const skills = createToolkit(await loadCatalog([source]), { policy, runner });
    const input = { skill: 'pdf', path: 'scripts/fill.sh' };
    const scripted = scriptedModel([{ calls: [{ tool: 'run_skill_script', input, id: 'call_1' }] }, done]);
    const stream = createUIMessageStream<ChatMessage>({
      async execute({ writer }) {
        const settings = { model: scripted, stopWhen: stepCountIs(2) };
        const agent = new ToolLoopAgent(withSkills(settings, skills, skills.createNewsWriter(writer)));
        writer.merge(await createAgentUIStream({ agent, uiMessages: [user('Go.')] }));
      },
    });
    const chunks: unknown[] = [];
    for await (const chunk of stream) {
      if (chunk.type === 'data-skill-progress') await writeFile(join(directory, 'seen'), '');
      if (chunk.type === 'data-skill-progress' || chunk.type === 'tool-output-available') chunks.push(chunk);
    }
    const part = (line: string) => {
      const data = { skill: 'pdf', path: 'scripts/fill.sh', call: 'call_1', stream: 'output', text: line };
      return { type: 'data-skill-progress', data, transient: true };
    };
    const result = expect.objectContaining({ type: 'tool-output-available', toolCallId: 'call_1' });
    expect(chunks).toEqual([part('one\n'), part('two\n'), result]);
  });
});
