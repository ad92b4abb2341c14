// Files of skills, followed to the HTTP request that each provider's own package sends.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createToolkit, loadCatalog, memorySource } from '@skillful/core';
import { type ModelMessage, stepCountIs, ToolLoopAgent, wrapLanguageModel } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skillsMiddleware, skillTools, withSkills } from '../src/index.ts';
import { timesIn } from './read.ts';

const starts = { PNG: '\x89PNG\r\n\x1a\n', PDF: '%PDF-1.7\n', MP3: 'ID3\x03' };
type Kind = keyof typeof starts;
const bytesOf = (kind: Kind) => Buffer.from(`${starts[kind]}\0\xff${'x'.repeat(30)}`, 'latin1');
const base64 = (kind: Kind) => bytesOf(kind).toString('base64');
const dataUrl = (type: string, kind: Kind) => `data:${type};base64,${base64(kind)}`;
const names = { PNG: 'seal.png', PDF: 'guide.pdf', MP3: 'sound.mp3' };
const source = memorySource({
  'kit/SKILL.md': '---\nname: kit\ndescription: A kit.\n---\nBody.\n',
  'kit/seal.png': bytesOf('PNG'),
  'kit/guide.pdf': bytesOf('PDF'),
  'kit/sound.mp3': bytesOf('MP3'),
  'kit/plain.txt': 'Just words.',
});
const toolkit = createToolkit(await loadCatalog([source]));
const name = 'read_skill_resource';
const reads = ['seal.png', 'plain.txt', 'guide.pdf', 'sound.mp3'].map((path) => ({ skill: 'kit', path }));

/** What the stub answers next, and what it was sent. */
let answers: object[] = [];
let sent: unknown[] = [];
const server = createServer(async (request, response) => {
  sent.push(JSON.parse(await text(request)));
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answers.shift()));
});
let baseURL = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => server.close());

interface Provider {
  readonly model: () => Parameters<typeof wrapLanguageModel>[0]['model'];
  /** An answer with calls of the tool. */
  readonly calls: object;
  readonly words: object;
  /** What the request contains of each file. */
  readonly parts: Partial<Record<Kind, object>>;
}

const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, prompt_tokens: 1, completion_tokens: 1 };
const chat = (message: object) => ({
  id: 'x',
  created: 1,
  model: 'm',
  usage,
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: null, ...message } }],
});
const response = (output: readonly object[]) => ({ id: 'x', created_at: 1, model: 'm', usage, output });
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
const googleAnswers = {
  calls: candidate(reads.map((args) => ({ functionCall: { name, args } }))),
  words: candidate([{ text: 'Done.' }]),
};
const image = { inlineData: { mimeType: 'image/png', data: base64('PNG') } };
const document = { inlineData: { mimeType: 'application/pdf', data: base64('PDF') } };
const recording = { inlineData: { mimeType: 'audio/mpeg', data: base64('MP3') } };

const providers: Readonly<Record<string, Provider>> = {
  'OpenAI chat': {
    model: () => createOpenAI({ baseURL, apiKey: 'k' }).chat('gpt-5'),
    calls: chat({
      tool_calls: reads.map((args, index) => ({
        id: `c${index}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      })),
    }),
    words: chat({ content: 'Done.' }),
    parts: {
      PNG: { type: 'image_url', image_url: { url: dataUrl('image/png', 'PNG') } },
      PDF: { type: 'file', file: { filename: 'guide.pdf', file_data: dataUrl('application/pdf', 'PDF') } },
    },
  },
  'OpenAI responses': {
    model: () => createOpenAI({ baseURL, apiKey: 'k' }).responses('gpt-5'),
    calls: response(
      reads.map((args, index) => ({
        type: 'function_call',
        id: `fc_${index}`,
        call_id: `c${index}`,
        name,
        arguments: JSON.stringify(args),
      })),
    ),
    words: response([
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
      },
    ]),
    parts: {
      PNG: { type: 'input_image', image_url: dataUrl('image/png', 'PNG') },
      PDF: { type: 'input_file', filename: 'guide.pdf', file_data: dataUrl('application/pdf', 'PDF') },
    },
  },
  Anthropic: {
    model: () => createAnthropic({ baseURL, apiKey: 'k' })('claude-sonnet-4-5'),
    calls: message(
      reads.map((input, index) => ({ type: 'tool_use', id: `c${index}`, name, input })),
      'tool_use',
    ),
    words: message([{ type: 'text', text: 'Done.' }], 'end_turn'),
    parts: {
      PNG: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64('PNG') } },
      PDF: { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: base64('PDF') } },
    },
  },
  'Google with Gemini 2': {
    model: () => createGoogle({ baseURL, apiKey: 'k' })('gemini-2.5-flash'),
    ...googleAnswers,
    parts: { PNG: image, PDF: document, MP3: recording },
  },
  'Google with Gemini 3': {
    model: () => createGoogle({ baseURL, apiKey: 'k' })('gemini-3-pro'),
    ...googleAnswers,
    parts: { PNG: image, PDF: document, MP3: recording },
  },
};

/** All objects in a value, so that a part is found wherever a provider has it. */
function objectsIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}

/** Checks that each file is there once, as the part that it should be, or in words. */
function expectFiles(request: unknown, parts: Provider['parts']): void {
  const found = objectsIn(request);
  const words = JSON.stringify(request);
  for (const kind of ['PNG', 'PDF', 'MP3'] as const) {
    const part = parts[kind];
    expect(timesIn(words, base64(kind))).toBe(part === undefined ? 0 : 1);
    if (part !== undefined) expect(found).toContainEqual(expect.objectContaining(part));
    const [, ending] =
      new RegExp(`\`${names[kind]}\` of skill \`kit\` is not text: [^.]*\\.([^"]*)"`).exec(words) ?? [];
    expect(ending).toBe(part === undefined ? ' This model cannot be given it.' : '');
  }
  expect(words).toContain('Just words.');
}

describe.each(Object.entries(providers))('%s', (_, { model, calls, words, parts }) => {
  it('gets files as its own parts, once each, and a sentence about the others', async () => {
    answers = [calls, words, words];
    sent = [];
    const settings = withSkills({ model: model(), stopWhen: stepCountIs(5) }, toolkit);
    const agent = new ToolLoopAgent(settings);
    const messages: ModelMessage[] = [{ role: 'user', content: 'Read the kit.' }];
    messages.push(...(await agent.generate({ messages })).responseMessages, { role: 'user', content: 'Thanks.' });
    await agent.generate({ messages: JSON.parse(JSON.stringify(messages)) });
    expect(sent).toHaveLength(3);
    for (const request of sent.slice(1)) expectFiles(request, parts);
  });

  it('gets the same from the middleware', async () => {
    answers = [calls, words];
    sent = [];
    const wrapped = wrapLanguageModel({ model: model(), middleware: skillsMiddleware(toolkit) });
    const tools = skillTools(toolkit);
    await new ToolLoopAgent({ model: wrapped, tools, stopWhen: stepCountIs(5) }).generate({ prompt: 'Read the kit.' });
    expectFiles(sent[1], parts);
  });
});
