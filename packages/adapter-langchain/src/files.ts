// Sends the files that tools read behind their results: in a result, some providers refuse a file or take it for text.

import type { ModelProfile } from '@langchain/core/language_models/profile';
import type { ContentBlock, ToolMessage } from '@langchain/core/messages';
import type { SkillToolkit } from '@skillful/core';

/** Returns the files of a result in LangChain's standard form, behind the sentence about them. What was altered is left out. */
export function filesOf(
  { artifact, text, name = '' }: ToolMessage,
  profile: ModelProfile,
  { tools, readResult }: SkillToolkit,
): ContentBlock.Standard[] {
  if (tools.every((tool) => tool.name !== name)) return [];
  const { path, files: stored } = Object(artifact);
  const { files } = readResult(name, { text, files: stored });
  const parts = files.flatMap(({ mediaType, data }): ContentBlock.Standard[] => {
    const [kind = ''] = mediaType.split('/');
    // OpenAI and Google know MPEG audio by its older name. Some providers' packages throw for audio that a model cannot hear.
    if (kind === 'audio')
      return profile.audioInputs ? [{ type: kind, data, mimeType: mediaType.replace('mpeg', 'mp3') }] : [];
    if (kind === 'image') return profile.imageInputs === false ? [] : [{ type: kind, data, mimeType: mediaType }];
    const filename = String(path).split('/').at(-1);
    return profile.pdfInputs === false ? [] : [{ type: 'file', data, mimeType: mediaType, metadata: { filename } }];
  });
  return parts.length === 0 ? [] : [{ type: 'text', text }, ...parts];
}
