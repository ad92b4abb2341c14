// Sends the files that tools read behind their results: in a result, some providers refuse a file or take it for text.

import type { ModelProfile } from '@langchain/core/language_models/profile';
import { type BaseMessage, type ContentBlock, HumanMessage, ToolMessage } from '@langchain/core/messages';
import * as z from 'zod/v4';

/** What a tool leaves in the artifact of its result, which no provider is sent. */
const stored = z.object({ path: z.string(), files: z.array(z.object({ mediaType: z.string(), data: z.string() })) });

/** Adds a message of the user behind each group of tool results, which nothing may separate. */
export function placeFiles(messages: readonly BaseMessage[], profile: ModelProfile): BaseMessage[] {
  let parts: ContentBlock.Standard[] = [];
  return messages.flatMap((message, index) => {
    if (!ToolMessage.isInstance(message)) return [message];
    parts.push(...partsOf(message, profile));
    if (parts.length === 0 || ToolMessage.isInstance(messages[index + 1])) return [message];
    const contentBlocks = parts;
    parts = [];
    return [message, new HumanMessage({ contentBlocks })];
  });
}

/** The files in LangChain's standard form, behind the sentence about them. What was altered is left out. */
function partsOf({ artifact, text }: ToolMessage, profile: ModelProfile): ContentBlock.Standard[] {
  const { path = '', files = [] } = stored.safeParse(artifact).data ?? {};
  const parts = files.flatMap(({ mediaType, data }): ContentBlock.Standard[] => {
    const [kind = ''] = mediaType.split('/');
    // OpenAI and Google know MPEG audio by its older name. Some providers' packages throw for audio that a model cannot hear.
    if (kind === 'audio')
      return profile.audioInputs ? [{ type: kind, data, mimeType: mediaType.replace('mpeg', 'mp3') }] : [];
    const filename = path.split('/').at(-1);
    if (kind === 'image') return profile.imageInputs === false ? [] : [{ type: kind, data, mimeType: mediaType }];
    return profile.pdfInputs === false ? [] : [{ type: 'file', data, mimeType: mediaType, metadata: { filename } }];
  });
  return parts.length === 0 ? [] : [{ type: 'text', text }, ...parts];
}
