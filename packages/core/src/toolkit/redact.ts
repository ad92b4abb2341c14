// Redacts tool results for browsers and other clients.

import type { StoredResult } from '../conversation/stored.ts';
import type { SkillToolDetails, SkillToolResult } from './tools/tool.ts';

/** A result without its text and its files. It contains names, digests and sizes. */
export type RedactedResult = SkillToolDetails & {
  /** Whether the call did nothing except explain how to call correctly. */
  readonly isError: boolean;
  /** Length of the text that the model received. */
  readonly characters: number;
  readonly files: readonly { readonly mediaType: string; readonly bytes: number }[];
};

/** A result in the form that is stored where clients can read it. */
export interface KeptResult extends StoredResult {
  readonly details: RedactedResult;
}

/** Returns the part of a result that a browser may see. */
export function redactResult({ text, files: whole, isError, details }: SkillToolResult): RedactedResult {
  const files = whole.map(({ mediaType, data }) => ({ mediaType, bytes: atob(data).length }));
  return { ...details, isError, characters: text.length, files };
}
