// Which files of a tool's answer a provider takes, and in which form.

import type { Part } from './conversation.ts';

/** Creates an edit of files for a model. One that cannot be taken leaves the sentence beside it; 7 has a form of its own. */
export function fileEditor(model: unknown, isSeven: boolean): (part: Part) => readonly Part[] {
  const provider = typeof model === 'object' && model !== null && 'provider' in model ? String(model.provider) : '';
  return (part) => {
    const { type, mediaType, data } = part;
    if (type !== 'file-data' && type !== 'file') return [part];
    // Chat completions have no files in answers of tools: providers would write the bytes as text.
    if (/\.(?:chat|completion)$/.test(provider)) return [];
    if (provider.endsWith('.responses') && String(mediaType).startsWith('audio/')) return [];
    // The AI SDK 6 knows one form of a file; 7 prefers another and warns of the old one.
    return isSeven && type === 'file-data' ? [{ ...part, type: 'file', data: { type: 'data', data } }] : [part];
  };
}
