// Turns a call of a skill's name, as if it were a tool, into the activation that the model meant.

import type { SkillToolkit } from '@skillful/core';
import type { LanguageModelMiddleware } from 'ai';

type WrapGenerate = NonNullable<LanguageModelMiddleware['wrapGenerate']>;
type WrapStream = NonNullable<LanguageModelMiddleware['wrapStream']>;
type CallOptions = Parameters<WrapGenerate>[0]['params'];
type Content = Awaited<ReturnType<WrapGenerate>>['content'];
type StreamPart = Awaited<ReturnType<WrapStream>>['stream'] extends ReadableStream<infer Part> ? Part : never;
type CallPart = Extract<Content[number], { type: 'tool-call' }>;

/** Recovers the calls in the content of an answer. */
export async function recoverContent(
  content: Content,
  params: CallOptions,
  toolkit: SkillToolkit,
  request: unknown,
): Promise<Content> {
  const recovered = await Promise.all(
    content.map(async (part) => (part.type === 'tool-call' ? await recoverPart(part, params, toolkit, request) : part)),
  );
  return recovered;
}

/** Recovers the calls in a stream; the pieces of the input that the model wrote for such a call are left out. */
export function recoverStream(
  params: CallOptions,
  toolkit: SkillToolkit,
  request: unknown,
): TransformStream<StreamPart, StreamPart> {
  const dropped = new Set<string>();
  return new TransformStream({
    async transform(part, controller) {
      if (part.type === 'tool-input-start' && (await isRecoverable(part.toolName, params, toolkit, request))) {
        dropped.add(part.id);
      } else if (part.type === 'tool-call') {
        controller.enqueue(await recoverPart(part, params, toolkit, request));
      } else if (!('id' in part && dropped.has(String(part.id)))) {
        controller.enqueue(part);
      }
    },
  });
}

async function recoverPart(
  part: CallPart,
  params: CallOptions,
  toolkit: SkillToolkit,
  request: unknown,
): Promise<CallPart> {
  if (isOffered(part.toolName, params)) return part;
  const call = await toolkit.recoverCall({ name: part.toolName, input: part.input }, { request });
  return call === undefined ? part : { ...part, toolName: call.name, input: JSON.stringify(call.input) };
}

async function isRecoverable(
  name: string,
  params: CallOptions,
  toolkit: SkillToolkit,
  request: unknown,
): Promise<boolean> {
  return !isOffered(name, params) && (await toolkit.recoverCall({ name, input: {} }, { request })) !== undefined;
}

function isOffered(name: string, { tools = [] }: CallOptions): boolean {
  return tools.some((tool) => tool.name === name);
}
