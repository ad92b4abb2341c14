// What a browser may see of the result of a tool.

import type { StoredResult } from '../conversation/stored.ts';
import type { SkillToolDetails, SkillToolResult } from './tools/tool.ts';

/** A result without its text and its files: names, digests and sizes. */
export type RedactedResult = SkillToolDetails & {
  /** Whether the call did nothing except explain how to call correctly. */
  readonly isError: boolean;
  /** Length of the text that the model was given. */
  readonly characters: number;
  readonly files: readonly { readonly mediaType: string; readonly bytes: number }[];
};

/** A result as it is kept where clients read it. */
export interface KeptResult extends StoredResult {
  readonly details: RedactedResult;
}

/** Returns what a browser may see of a result. */
export function redactResult({ text, parts, isError, details }: SkillToolResult): RedactedResult {
  const files = parts.map(({ mediaType, data }) => ({ mediaType, bytes: atob(data).length }));
  return { ...details, isError, characters: text.length, files };
}
