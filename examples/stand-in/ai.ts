// The stand-in as a language model of the AI SDK, which Mastra also accepts.

import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';
import { respond } from './respond.ts';
import { announce, type Reply, type Turn } from './turn.ts';

type Generate = MockLanguageModelV4['doGenerate'];
type CallOptions = Parameters<Generate>[0];
type Result = Awaited<ReturnType<Generate>>;
type StreamPart =
  Awaited<ReturnType<MockLanguageModelV4['doStream']>> extends { stream: ReadableStream<infer Part> } ? Part : never;
type Message = CallOptions['prompt'][number];
type ToolOutput = Extract<Extract<Message, { role: 'tool' }>['content'][number], { type: 'tool-result' }>['output'];

/** Creates the stand-in on the AI SDK's own mock model, with and without streaming. */
export function standInModel(reply: (turn: Turn) => Reply = respond): MockLanguageModelV4 {
  const generate = async (options: CallOptions): Promise<Result> => {
    const turn = readTurn(options);
    announce(turn);
    return toResult(reply(turn), turn.results.length);
  };
  return new MockLanguageModelV4({
    provider: 'examples',
    modelId: 'stand-in',
    doGenerate: generate,
    doStream: async (options) => ({
      stream: simulateReadableStream({ chunks: toChunks(await generate(options)), initialDelayInMs: null }),
    }),
  });
}

function readTurn({ prompt, tools = [] }: CallOptions): Turn {
  const start = prompt.findLastIndex(({ role }) => role === 'user');
  const inputs = new Map<string, unknown>();
  const results: Turn['results'][number][] = [];
  for (const { role, content } of prompt.slice(start + 1)) {
    if (role !== 'assistant' && role !== 'tool') continue;
    for (const part of content) {
      if (part.type === 'tool-call') inputs.set(part.toolCallId, part.input);
      if (part.type === 'tool-result') {
        results.push({ tool: part.toolName, input: inputs.get(part.toolCallId), text: readOutput(part.output) });
      }
    }
  }
  return {
    system: prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n\n'),
    tools: tools.flatMap((tool) =>
      tool.type === 'function'
        ? [{ name: tool.name, description: tool.description ?? '', inputSchema: tool.inputSchema }]
        : [],
    ),
    request: readRequest(prompt[start]),
    results,
  };
}

function readRequest(message: Message | undefined): string {
  if (message?.role !== 'user') return '';
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function readOutput(output: ToolOutput): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value;
    case 'content':
      return output.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    default:
      return JSON.stringify(output);
  }
}

function toResult(reply: Reply, calls: number): Result {
  const unknown = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
  const usage = { inputTokens: unknown, outputTokens: { total: undefined, text: undefined, reasoning: undefined } };
  if ('text' in reply) {
    const finishReason = { unified: 'stop', raw: undefined } as const;
    return { content: [{ type: 'text', text: reply.text }], finishReason, usage, warnings: [] };
  }
  const { tool, input } = reply;
  return {
    content: [{ type: 'tool-call', toolCallId: `call-${calls + 1}`, toolName: tool, input: JSON.stringify(input) }],
    finishReason: { unified: 'tool-calls', raw: undefined },
    usage,
    warnings: [],
  };
}

function toChunks({ content, finishReason, usage, warnings }: Result): StreamPart[] {
  const parts = content.flatMap((part): StreamPart[] => {
    if (part.type === 'tool-call') return [part];
    if (part.type !== 'text') return [];
    const [id, words] = ['text', part.text.split(/(?<=\n)/)];
    return [
      { type: 'text-start', id },
      ...words.map((delta): StreamPart => ({ type: 'text-delta', id, delta })),
      { type: 'text-end', id },
    ];
  });
  return [{ type: 'stream-start', warnings }, ...parts, { type: 'finish', finishReason, usage }];
}
