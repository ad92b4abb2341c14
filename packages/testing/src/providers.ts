// Plays the providers of models, and checks how a framework sends them the files of a skill.

import { createToolkit, loadCatalog, memorySource, type SkillToolkit } from '@skillful/core';
import { expect, onTestFinished, vi } from 'vitest';

/** The kinds of files that the skill bundles. */
export type FileKind = 'PNG' | 'PDF' | 'MP3';

/** What a provider answers, and what it should receive. */
export interface ProviderScript {
  /** An answer that calls the tool for each file of the skill. */
  readonly calls: object;
  /** An answer with text. */
  readonly words: object;
  /** The part of a request for each file that the provider accepts. */
  readonly parts: Readonly<Partial<Record<FileKind, object>>>;
}

const starts = { PNG: '\x89PNG\r\n\x1a\n', PDF: '%PDF-1.7\n', MP3: 'ID3\x03' };
const bytesOf = (kind: FileKind) => Uint8Array.from(`${starts[kind]}\0\xff${'x'.repeat(30)}`, (c) => c.charCodeAt(0));
const paths: Readonly<Record<FileKind, string>> = { PNG: 'seal.png', PDF: 'guide.pdf', MP3: 'sound.mp3' };
const plain = 'Just words.';

/** Returns a file of the skill in base64. */
export function base64(kind: FileKind): string {
  return Buffer.from(bytesOf(kind)).toString('base64');
}

/** Creates a toolkit for a skill with an image, a PDF, a recording and a text. */
export async function toolkitWithFiles(): Promise<SkillToolkit> {
  const source = memorySource({
    'kit/SKILL.md': '---\nname: kit\ndescription: A kit.\n---\nBody.\n',
    ...Object.fromEntries(Object.entries(paths).map(([kind, path]) => [`kit/${path}`, bytesOf(kind as FileKind)])),
    'kit/plain.txt': plain,
  });
  return createToolkit(await loadCatalog([source]));
}

const name = 'read_skill_resource';
const reads = [paths.PNG, 'plain.txt', paths.PDF, paths.MP3].map((path) => ({ skill: 'kit', path }));
const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, prompt_tokens: 1, completion_tokens: 1 };
const dataUrl = (type: string, kind: FileKind) => `data:${type};base64,${base64(kind)}`;
const imageUrl = dataUrl('image/png', 'PNG');
const document = { filename: paths.PDF, file_data: dataUrl('application/pdf', 'PDF') };

/** The chat completions of OpenAI. */
export const openaiChat: ProviderScript = {
  calls: chat({
    tool_calls: reads.map((args, index) => {
      return { id: `c${index}`, type: 'function', function: { name, arguments: JSON.stringify(args) } };
    }),
  }),
  words: chat({ content: 'Done.' }),
  parts: { PNG: { type: 'image_url', image_url: { url: imageUrl } }, PDF: { type: 'file', file: document } },
};

/** The Responses API of OpenAI. */
export const openaiResponses: ProviderScript = {
  calls: response(
    reads.map((args, index) => {
      const call = { id: `fc_${index}`, call_id: `c${index}`, name, arguments: JSON.stringify(args) };
      return { type: 'function_call', status: 'completed', ...call };
    }),
  ),
  words: response([
    {
      ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
      content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
    },
  ]),
  parts: { PNG: { type: 'input_image', image_url: imageUrl }, PDF: { type: 'input_file', ...document } },
};

/** The Messages API of Anthropic. */
export const anthropic: ProviderScript = {
  calls: message(
    reads.map((input, index) => ({ type: 'tool_use', id: `c${index}`, name, input })),
    'tool_use',
  ),
  words: message([{ type: 'text', text: 'Done.' }], 'end_turn'),
  parts: {
    PNG: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64('PNG') } },
    PDF: { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: base64('PDF') } },
  },
};

/** The content generation of Google. */
export const google: ProviderScript = {
  calls: candidate(reads.map((args) => ({ functionCall: { name, args } }))),
  words: candidate([{ text: 'Done.' }]),
  parts: {
    PNG: { inlineData: { mimeType: 'image/png', data: base64('PNG') } },
    PDF: { inlineData: { mimeType: 'application/pdf', data: base64('PDF') } },
    MP3: { inlineData: { mimeType: 'audio/mpeg', data: base64('MP3') } },
  },
};

function chat(said: object): object {
  const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: null, ...said } };
  return { id: crypto.randomUUID(), object: 'chat.completion', created: 1, model: 'm', usage, choices: [choice] };
}

function response(output: readonly object[]): object {
  return { id: crypto.randomUUID(), object: 'response', created_at: 1, status: 'completed', model: 'm', usage, output };
}

function message(content: readonly object[], stop_reason: string): object {
  return { id: crypto.randomUUID(), type: 'message', role: 'assistant', model: 'm', usage, content, stop_reason };
}

function candidate(parts: readonly object[]): object {
  return { candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts } }] };
}

/** Answers the requests of the rest of a test, one after the other, and returns a list of what they contain. */
export function answerRequests(...answers: readonly object[]): readonly unknown[] {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    sent.push(JSON.parse(input instanceof Request ? await input.text() : String(init?.body)));
    return Response.json(answers[sent.length - 1]);
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  return sent;
}

/** Checks that a request contains each file once as the right part, or a sentence that the file cannot be given to the model. */
export function expectFiles(request: unknown, parts: ProviderScript['parts']): void {
  const found = objectsIn(request);
  const words = JSON.stringify(request);
  for (const kind of ['PNG', 'PDF', 'MP3'] as const) {
    const part = parts[kind];
    expect(words.split(base64(kind)).length - 1).toBe(part === undefined ? 0 : 1);
    if (part !== undefined) expect(found).toContainEqual(expect.objectContaining(part));
    const resultText = new RegExp(`\`${paths[kind]}\` of skill \`kit\` is not text: [^.]*\\.([^"]*)"`);
    expect(resultText.exec(words)?.[1]).toBe(part === undefined ? ' This model cannot read it.' : '');
  }
  expect(words).toContain(plain);
}

/** Returns all objects in a value, so that a part is found wherever a provider puts it. */
function objectsIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}
