// The Markdown documents of the repository and the TypeScript in them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles, root } from './workspace.ts';

/** A fenced block of code that is compiled, or of a file that the code needs. */
export interface CodeBlock {
  /** Path of the document, relative to the root. */
  readonly document: string;
  /** Line of the first line of code, counted from 1. */
  readonly line: number;
  readonly code: string;
  /**
   * `program` is run. `test` is a test file for Vitest (the fence says `ts test`), which the test of the packed packages runs.
   * `file` is written to its path (the fence says `md path`), relative to the directory in which the programs run.
   */
  readonly kind: 'program' | 'test' | 'file';
  /** The path of a file. */
  readonly path?: string;
}

/** Every README and every page of `docs/`, relative to the root. */
export const documents: readonly string[] = listFiles(
  'README.md',
  'packages/*/README.md',
  'examples/**/README.md',
  'docs/**/*.md',
);

/** The text of a document. */
export function readDocument(document: string): string {
  return readFileSync(join(root, document), 'utf8');
}

/** Finds the blocks of a document whose fence says `ts` or names a path. */
export function findCodeBlocks(document: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { fence: string; words: readonly string[]; line: number; code: string[] } | undefined;
  for (const [index, text] of readDocument(document).split('\n').entries()) {
    const fence = /^\s*(`{3,}|~{3,})\s*(.*?)\s*$/u.exec(text);
    if (open === undefined) {
      if (fence) open = { fence: fence[1] ?? '', words: (fence[2] ?? '').split(/\s+/u), line: index + 2, code: [] };
    } else if (fence?.[2] === '' && fence[1]?.startsWith(open.fence)) {
      const { words, line } = open;
      const [language, detail] = words;
      const block = { document, line, code: open.code.join('\n') };
      if (language === 'ts') blocks.push({ ...block, kind: detail === 'test' ? 'test' : 'program' });
      else if (detail !== undefined) blocks.push({ ...block, kind: 'file', path: detail });
      open = undefined;
    } else {
      open.code.push(text);
    }
  }
  return blocks;
}
