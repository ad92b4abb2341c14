// Drives the mock model of the AI SDK with a script, and reads what it received, for frameworks that accept such a model.

import * as sdk from 'ai/test';
import type { ObservedCall, ObservedFile, ObservedMessage, ScriptedTurn } from './adapter-harness.ts';

type MockModel = sdk.MockLanguageModelV4;
type CallOptions = MockModel['doGenerateCalls'][number];
type GenerateResult = Awaited<ReturnType<MockModel['doGenerate']>>;
type StreamResult = Awaited<ReturnType<MockModel['doStream']>>;
type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never;

/** The mock model of AI SDK 7, or that of 6, which differs only in how it tags files. */
const MockLanguageModel: typeof sdk.MockLanguageModelV4 =
  sdk.MockLanguageModelV4 ?? Reflect.get(sdk, 'MockLanguageModelV3');

/** Creates a mock model that plays a script, one turn per call. As with a provider's model, a result contains the request. */
export function scriptedModel(script: readonly ScriptedTurn[]): MockModel {
  let turn = 0;
  const next = (): GenerateResult => resultOf(script[turn++]);
  return new MockLanguageModel({
    doGenerate: async ({ prompt }) => ({ ...next(), request: { body: prompt } }),
    doStream: async ({ prompt }) => {
      const { content, finishReason, usage } = next();
      const chunks: StreamPart[] = [
        { type: 'stream-start', warnings: [] },
        ...content.flatMap(chunksOf),
        { type: 'finish', finishReason, usage },
      ];
      return { stream: sdk.simulateReadableStream({ chunks }), request: { body: prompt } };
    },
  });
}

function chunksOf(part: GenerateResult['content'][number], index: number): StreamPart[] {
  const id = String(index);
  if (part.type === 'tool-call') return [part];
  if (part.type !== 'text') return [];
  return [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: part.text },
    { type: 'text-end', id },
  ];
}

function resultOf(turn: ScriptedTurn | undefined): GenerateResult {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  };
  if (turn === undefined) throw new Error('The script is over.');
  if ('text' in turn) {
    return {
      content: [{ type: 'text', text: turn.text }],
      finishReason: { unified: 'stop', raw: undefined },
      usage,
      warnings: [],
    };
  }
  const content = turn.calls.map(({ tool, input, id }) => ({
    type: 'tool-call' as const,
    toolCallId: id ?? crypto.randomUUID(),
    toolName: tool,
    input: JSON.stringify(input),
  }));
  return { content, finishReason: { unified: 'tool-calls', raw: undefined }, usage, warnings: [] };
}

/** Returns the content of each model call, with those of `generate` before those of `stream`. */
export function observedCalls(model: MockModel): readonly ObservedCall[] {
  return [...model.doGenerateCalls, ...model.doStreamCalls].map(observe);
}

function observe({ prompt, tools = [] }: CallOptions): ObservedCall {
  return {
    system: prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n\n'),
    tools: tools.flatMap((tool) =>
      tool.type === 'function'
        ? [{ name: tool.name, description: tool.description ?? '', inputSchema: tool.inputSchema }]
        : [],
    ),
    messages: prompt.flatMap(observeMessage),
    results: resultsOf(prompt).map(textOf),
    files: resultsOf(prompt).flatMap(filesOf),
  };
}

function observeMessage(message: CallOptions['prompt'][number]): readonly ObservedMessage[] {
  const { role } = message;
  if (role === 'system') return [];
  const texts =
    role === 'tool'
      ? resultsOf([message]).map(textOf)
      : message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return [{ role, text: texts.join('\n\n') }];
}

function resultsOf(prompt: CallOptions['prompt']): readonly unknown[] {
  return prompt.flatMap((message) =>
    message.role === 'tool'
      ? message.content.flatMap((part) =>
          part.type === 'tool-result' ? ['value' in part.output ? part.output.value : (part.output.reason ?? '')] : [],
        )
      : [],
  );
}

function textOf(value: unknown): string {
  if (!Array.isArray(value)) return String(value);
  return value.map((part: unknown) => (isRecord(part) && 'text' in part ? String(part['text']) : '')).join('');
}

/** Returns the files in a value. They are tagged data in AI SDK 7, and plain base64 in what Mastra passes to a model. */
function filesOf(value: unknown): readonly ObservedFile[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).flatMap((part) => {
    const { mediaType, data } = part;
    if (mediaType === undefined) return [];
    return [{ mediaType: String(mediaType), data: String(isRecord(data) ? data['data'] : data) }];
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
