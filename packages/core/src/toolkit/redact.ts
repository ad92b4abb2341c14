// Redacts tool results for browsers and other clients.

import type { SkillToolPart, StoredResult } from '../conversation/stored.ts';
import type { SkillToolDetails, SkillToolResult } from './tools/tool.ts';

/** A result as a client gets it. It contains names, digests and sizes, and only with `outputs: 'full'` also texts and files. */
export type RedactedResult = SkillToolDetails & {
  /** Whether the call did nothing except explain how to call correctly. */
  readonly isError: boolean;
  /** Length of the text that the model received. */
  readonly characters: number;
  readonly text?: string;
  readonly files: readonly (Pick<SkillToolPart, 'mediaType'> & Partial<SkillToolPart> & { readonly bytes: number })[];
};

/** A result in the form that is stored where clients can read it. */
export interface KeptResult extends StoredResult {
  readonly details: RedactedResult;
}

/** Returns the part of a result that a browser may see, or with `'full'` everything. */
export function redactResult(
  { text, files: whole, isError, details }: SkillToolResult,
  outputs?: 'redacted' | 'full',
): RedactedResult {
  const isFull = outputs === 'full';
  const files = whole.map((file) => ({
    ...(isFull && file),
    mediaType: file.mediaType,
    bytes: atob(file.data).length,
  }));
  return { ...details, isError, characters: text.length, ...(isFull && { text }), files };
}
