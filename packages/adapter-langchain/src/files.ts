// Sends the files that tools read behind their results: in a result, some providers refuse a file or take it for text.

import type { ModelProfile } from '@langchain/core/language_models/profile';
import type { ContentBlock, ToolMessage } from '@langchain/core/messages';
import type { FilePlace, SkillToolkit } from '@skillful/core';

/** The text of a result, and what is sent behind it. */
interface Placed {
  readonly text: string;
  readonly behind: readonly ContentBlock.Standard[];
}

/** Returns the files of a result in LangChain's standard form, behind the sentence about them. What was altered is left out. */
export function placeFiles(
  { artifact, text: said, name = '' }: ToolMessage,
  profile: ModelProfile,
  toolkit: SkillToolkit,
): Placed {
  const isOwn = toolkit.tools.some((tool) => tool.name === name);
  const { path, files: stored } = Object(artifact);
  const { files } = toolkit.readResult(name, { text: said, files: isOwn ? stored : [] });
  const { text, behind } = toolkit.placeFiles((mediaType) => placeOf(mediaType, profile), said, files);
  const parts = behind.map(({ mediaType, data }): ContentBlock.Standard => {
    const [kind = ''] = mediaType.split('/');
    if (kind === 'image') return { type: kind, data, mimeType: mediaType };
    // OpenAI and Google know MPEG audio by its older name.
    if (kind === 'audio') return { type: kind, data, mimeType: mediaType.replace('mpeg', 'mp3') };
    return { type: 'file', data, mimeType: mediaType, metadata: { filename: String(path).split('/').at(-1) } };
  });
  return { text, behind: parts.length === 0 ? [] : [{ type: 'text', text }, ...parts] };
}

function placeOf(mediaType: string, { imageInputs, audioInputs, pdfInputs }: ModelProfile): FilePlace {
  // Some providers' packages throw for audio that a model cannot hear.
  if (mediaType.startsWith('audio/')) return audioInputs ? 'message' : 'nowhere';
  return (mediaType.startsWith('image/') ? imageInputs : pdfInputs) === false ? 'nowhere' : 'message';
}
