// Sends the files that tools read after the results, because some providers refuse files in a result or take them for text.

import type { ModelProfile } from '@langchain/core/language_models/profile';
import type { ContentBlock } from '@langchain/core/messages';
import type { FilePlace, SkillToolPart } from '@skillful/core';

/** Returns a file in LangChain's standard form. */
export function createBlock({ mediaType: mimeType, data, filename }: SkillToolPart): ContentBlock.Standard {
  const [kind] = mimeType.split('/');
  if (kind === 'image') return { type: kind, data, mimeType };
  // OpenAI and Google know MPEG audio by its older name.
  if (kind === 'audio') return { type: kind, data, mimeType: mimeType.replace('mpeg', 'mp3') };
  return { type: 'file', data, mimeType, metadata: { filename } };
}

/** Returns where a model can read a file. */
export function placeOf(mediaType: string, { imageInputs, audioInputs, pdfInputs }: ModelProfile): FilePlace {
  // Some providers' packages throw if a model does not support audio.
  if (mediaType.startsWith('audio/')) return audioInputs ? 'message' : 'nowhere';
  return (mediaType.startsWith('image/') ? imageInputs : pdfInputs) === false ? 'nowhere' : 'message';
}
