// The AI SDK's own mock model, which Mastra takes, too: it plays what it is told and keeps every prompt.

import { MockLanguageModelV4 } from 'ai/test';
import {
  type Act,
  defineTool,
  type ModelCall,
  type Segment,
  type ToolCall,
  toSteps,
  type Wording,
} from './contender.ts';

type Generate = MockLanguageModelV4['doGenerate'];
type CallOptions = Parameters<Generate>[0];
type Result = Awaited<ReturnType<Generate>>;
type Message = CallOptions['prompt'][number];

export interface ScriptedModel {
  readonly model: MockLanguageModelV4;
  /** Adds what to play next. */
  play(acts: readonly Act[]): void;
  /** Returns the calls since it was last called. */
  takeCalls(): readonly ModelCall[];
}

/** Creates a mock model without a script. */
export function scriptedModel(wording: Wording): ScriptedModel {
  const script: (ToolCall | string)[] = [];
  let calls: ModelCall[] = [];
  const model = new MockLanguageModelV4({
    doGenerate: async (options) => {
      calls.push(readCall(options));
      return resultOf(script.shift());
    },
  });
  return {
    model,
    play: (acts) => script.push(...toSteps(acts, wording)),
    takeCalls() {
      const taken = calls;
      calls = [];
      return taken;
    },
  };
}

function resultOf(step: ToolCall | string | undefined): Result {
  if (step === undefined) throw new Error('The script is over: the agent called the model once more than expected.');
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  };
  if (typeof step === 'string') {
    const content = [{ type: 'text' as const, text: step }];
    return { content, finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] };
  }
  const call = { toolCallId: crypto.randomUUID(), toolName: step.tool, input: JSON.stringify(step.input) };
  const content = [{ type: 'tool-call' as const, ...call }];
  return { content, finishReason: { unified: 'tool-calls', raw: undefined }, usage, warnings: [] };
}

function readCall({ prompt, tools = [] }: CallOptions): ModelCall {
  const definitions = tools.flatMap((tool) =>
    tool.type === 'function' ? [defineTool(tool.name, tool.description, tool.inputSchema)] : [],
  );
  return [...definitions, ...prompt.flatMap(readMessage)];
}

function readMessage(message: Message): readonly Segment[] {
  if (message.role === 'system') return [{ kind: 'system', text: message.content }];
  return message.content.flatMap((part): readonly Segment[] => {
    if (part.type === 'text') return [{ kind: message.role === 'user' ? 'user' : 'assistant', text: part.text }];
    if (part.type === 'tool-call')
      return [{ kind: 'call', tool: part.toolName, text: `${part.toolName}${JSON.stringify(part.input)}` }];
    if (part.type !== 'tool-result') return [];
    const { output } = part;
    const value = 'value' in output ? output.value : output;
    return [{ kind: 'result', tool: part.toolName, text: typeof value === 'string' ? value : JSON.stringify(value) }];
  });
}
