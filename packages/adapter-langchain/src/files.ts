// Keeps the files that tools read out of their results, where many a provider takes none, or takes them for text.

import type { ModelProfile } from '@langchain/core/language_models/profile';
import { type BaseMessage, type ContentBlock, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { SkillToolPart } from '@skillful/core';

/** Adds a message of the user behind each group of tool results, which nothing may separate, with the files of these. */
export function placeFiles(messages: readonly BaseMessage[], profile: ModelProfile): BaseMessage[] {
  let parts: ContentBlock.Standard[] = [];
  return messages.flatMap((message, index) => {
    if (!ToolMessage.isInstance(message)) return [message];
    parts = [...parts, ...filesOf(message, profile)];
    if (parts.length === 0 || ToolMessage.isInstance(messages[index + 1])) return [message];
    const files = new HumanMessage({ contentBlocks: parts });
    parts = [];
    return [message, files];
  });
}

/** The files in the form that every integration translates, behind the sentence about them. */
function filesOf({ artifact, text }: ToolMessage, profile: ModelProfile): ContentBlock.Standard[] {
  const { skillful: files, path } = Object(artifact);
  const given = Array.isArray(files) ? files.filter((file) => isFile(file) && isAccepted(file, profile)) : [];
  const parts = given.map(({ mediaType, data }: SkillToolPart) => ({
    type: (/^(?:image|audio)/.exec(mediaType)?.[0] ?? 'file') as 'image' | 'audio' | 'file',
    // OpenAI and Google know MPEG audio by its older name.
    mimeType: mediaType === 'audio/mpeg' ? 'audio/mp3' : mediaType,
    data,
    metadata: { filename: String(path).split('/').at(-1) },
  }));
  return parts.length === 0 ? [] : [{ type: 'text', text }, ...parts];
}

/** Some integrations throw for audio: a model gets it only if its profile says so. */
function isAccepted({ mediaType }: SkillToolPart, { imageInputs, pdfInputs, audioInputs }: ModelProfile): boolean {
  if (mediaType.startsWith('audio/')) return audioInputs === true;
  return (mediaType.startsWith('image/') ? imageInputs : pdfInputs) !== false;
}

function isFile(file: unknown): file is SkillToolPart {
  const { mediaType, data } = Object(file);
  return typeof mediaType === 'string' && typeof data === 'string';
}
