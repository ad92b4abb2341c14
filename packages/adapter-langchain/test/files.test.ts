// Files of skills, followed to the request that each provider's own integration sends.

import { ChatAnthropic } from '@langchain/anthropic';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { ChatGoogle } from '@langchain/google';
import { MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { createToolkit, loadCatalog, memorySource } from '@skillful/core';
import { ClearToolUsesEdit, contextEditingMiddleware, createAgent } from 'langchain';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { skillsMiddleware } from '../src/index.ts';
import { bodiesIn, given, modelThatCalls, thread, toolkitOf, user } from './support.ts';

const starts = { PNG: '\x89PNG\r\n\x1a\n', PDF: '%PDF-1.7\n', MP3: 'ID3\x03' };
const bytes = (kind: keyof typeof starts) => Buffer.from(`${starts[kind]}\0\xff${'x'.repeat(30)}`, 'latin1');
const base64 = (kind: keyof typeof starts) => bytes(kind).toString('base64');
const source = memorySource({
  'kit/SKILL.md': '---\nname: kit\ndescription: A kit.\n---\nBody.\n',
  'kit/seal.png': bytes('PNG'),
  'kit/guide.pdf': bytes('PDF'),
  'kit/sound.mp3': bytes('MP3'),
  'kit/plain.txt': 'Just words.',
});
const toolkit = createToolkit(await loadCatalog([source]));
const reads = ['seal.png', 'plain.txt', 'guide.pdf', 'sound.mp3'].map((path) => ({ skill: 'kit', path }));
const name = 'read_skill_resource';

interface Provider {
  readonly model: () => BaseChatModel;
  /** An answer with calls of the tool. */
  readonly calls: object;
  readonly words: object;
  /** What the parts of the files are in the request. */
  readonly parts: readonly object[];
}

const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, prompt_tokens: 1, completion_tokens: 1 };
const dataUrl = (type: string, kind: keyof typeof starts) => `data:${type};base64,${base64(kind)}`;

const chat = (message: object) => ({
  id: 'x',
  object: 'chat.completion',
  model: 'm',
  usage,
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: null, ...message } }],
});
const openAiCalls = chat({
  tool_calls: reads.map((args, index) => ({
    id: `c${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  })),
});
const answerOf = (output: readonly object[]) => ({
  id: 'x',
  object: 'response',
  status: 'completed',
  model: 'm',
  usage,
  output,
});
const message = (content: readonly object[], stop_reason: string) => ({
  id: 'x',
  type: 'message',
  role: 'assistant',
  model: 'm',
  usage,
  content,
  stop_reason,
});
const candidate = (parts: readonly object[]) => ({
  candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts } }],
});

const providers: Readonly<Record<string, Provider>> = {
  'OpenAI chat': {
    model: () => new ChatOpenAI({ model: 'gpt-5', apiKey: 'k', useResponsesApi: false }),
    calls: openAiCalls,
    words: chat({ content: 'Done.' }),
    parts: [
      { type: 'image_url', image_url: { url: dataUrl('image/png', 'PNG') } },
      { type: 'file', file: { filename: 'guide.pdf', file_data: dataUrl('application/pdf', 'PDF') } },
    ],
  },
  'OpenAI chat with audio': {
    model: () => new ChatOpenAI({ model: 'gpt-realtime-2.1', apiKey: 'k', useResponsesApi: false }),
    calls: openAiCalls,
    words: chat({ content: 'Done.' }),
    parts: [
      { type: 'image_url', image_url: { url: dataUrl('image/png', 'PNG') } },
      { type: 'file', file: { filename: 'guide.pdf', file_data: dataUrl('application/pdf', 'PDF') } },
      { type: 'input_audio', input_audio: { format: 'mp3', data: base64('MP3') } },
    ],
  },
  'OpenAI responses': {
    model: () => new ChatOpenAI({ model: 'gpt-5', apiKey: 'k', useResponsesApi: true }),
    calls: answerOf(
      reads.map((args, index) => ({
        type: 'function_call',
        id: `fc_${index}`,
        call_id: `c${index}`,
        name,
        arguments: JSON.stringify(args),
        status: 'completed',
      })),
    ),
    words: answerOf([
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
      },
    ]),
    parts: [
      { type: 'input_image', image_url: dataUrl('image/png', 'PNG') },
      { type: 'input_file', filename: 'guide.pdf', file_data: dataUrl('application/pdf', 'PDF') },
    ],
  },
  Anthropic: {
    model: () => new ChatAnthropic({ model: 'claude-sonnet-4-5', apiKey: 'k' }),
    calls: message(
      reads.map((input, index) => ({ type: 'tool_use', id: `c${index}`, name, input })),
      'tool_use',
    ),
    words: message([{ type: 'text', text: 'Done.' }], 'end_turn'),
    parts: [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64('PNG') } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: base64('PDF') } },
    ],
  },
  Google: {
    model: () => new ChatGoogle({ model: 'gemini-2.5-flash', apiKey: 'k' }),
    calls: candidate(reads.map((args) => ({ functionCall: { name, args } }))),
    words: candidate([{ text: 'Done.' }]),
    parts: [
      { inlineData: { mimeType: 'image/png', data: base64('PNG') } },
      { inlineData: { mimeType: 'application/pdf', data: base64('PDF') } },
      { inlineData: { mimeType: 'audio/mp3', data: base64('MP3') } },
    ],
  },
};

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Answers each request with the next of the answers, and returns what was sent. */
function stubFetch(answers: readonly object[]): readonly unknown[] {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (input: string | Request, init?: RequestInit) => {
    sent.push(JSON.parse(input instanceof Request ? await input.text() : String(init?.body)));
    return Response.json(answers[sent.length - 1]);
  });
  return sent;
}

/** All objects in a value, so that a part is found wherever a provider has it. */
function objectsIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}

const times = (text: string, part: string): number => text.split(part).length - 1;

describe.each(Object.entries(providers))('%s', (_, { model, calls, words, parts }) => {
  it('gets files as its own parts, once each, and a sentence about the others', async () => {
    const sent = stubFetch([calls, words, words]);
    const checkpointer = new MemorySaver();
    const agent = createAgent({ model: model(), checkpointer, middleware: [skillsMiddleware(toolkit)] });
    await agent.invoke(user('Read the kit.'), thread('one'));
    await agent.invoke(user('Thanks.'), thread('one'));
    for (const request of sent.slice(1)) {
      const found = objectsIn(request);
      for (const part of parts) expect(found).toContainEqual(expect.objectContaining(part));
      const text = JSON.stringify(request);
      const known = JSON.stringify(parts);
      for (const kind of ['PNG', 'PDF', 'MP3'] as const)
        expect(times(text, base64(kind))).toBe(times(known, base64(kind)));
      for (const path of ['seal.png', 'guide.pdf', 'sound.mp3'])
        expect(text).toMatch(new RegExp(`${path}[^.]*is not text`));
      expect(text).toContain('Just words.');
    }
  });
});

describe('a file', () => {
  const read = { name, args: { skill: 'report', path: 'assets/seal.png' } };

  it('stays the same as JSON, and leaves the context with the result', async () => {
    const model = modelThatCalls([read]);
    const edits = [new ClearToolUsesEdit({ trigger: { messages: 6 }, keep: { messages: 0 } })];
    const middleware = [contextEditingMiddleware({ edits }), skillsMiddleware(toolkitOf())];
    const agent = createAgent({ model, checkpointer: new MemorySaver(), middleware });
    await agent.invoke(user('Read it.'), thread('one'));
    const shown = given(model).map(({ type }) => type);
    expect(shown).toEqual(['system', 'human', 'ai', 'tool', 'human']);
    await agent.invoke(user('Go on.'), thread('one'));
    await agent.invoke(user('Go on.'), thread('one'));
    expect(JSON.stringify(given(model))).not.toContain('mimeType');
    expect(bodiesIn(model)).toEqual([]);
  });

  it.each([[7], [[7]], [[{ mediaType: 'image/png' }]], [{ length: 1 }]])(
    'that was altered to %j is left out',
    async (files) => {
      const model = modelThatCalls([read]);
      const agent = createAgent({
        model,
        checkpointer: new MemorySaver(),
        middleware: [skillsMiddleware(toolkitOf())],
      });
      const { messages } = await agent.invoke(user('Read it.'), thread('one'));
      const result = messages.find(({ type }) => type === 'tool');
      Object.assign(result ?? {}, { artifact: { path: 'assets/seal.png', files } });
      await agent.graph.updateState(thread('one'), { messages: [result] });
      await agent.invoke(user('Go on.'), thread('one'));
      expect(given(model).map(({ type }) => type)).toEqual(['system', 'human', 'ai', 'tool', 'ai', 'human']);
      expect(given(model)[3]?.text).toContain('is not text');
    },
  );
});
