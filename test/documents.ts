// The Markdown documents of the repository and the TypeScript in them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles, root } from './workspace.ts';

/** A fenced block of TypeScript. */
export interface CodeBlock {
  /** Path of the document, relative to the root. */
  readonly document: string;
  /** Line of the first line of code, counted from 1. */
  readonly line: number;
  readonly code: string;
  /** False if the fence says `no-run`: the block is compiled only. */
  readonly runs: boolean;
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

/** Finds the blocks of a document whose fence says `ts`. */
export function findCodeBlocks(document: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { fence: string; words: readonly string[]; line: number; code: string[] } | undefined;
  for (const [index, text] of readDocument(document).split('\n').entries()) {
    const fence = /^\s*(`{3,}|~{3,})\s*(.*?)\s*$/u.exec(text);
    if (open === undefined) {
      if (fence) open = { fence: fence[1] ?? '', words: (fence[2] ?? '').split(/\s+/u), line: index + 2, code: [] };
    } else if (fence?.[2] === '' && fence[1]?.startsWith(open.fence)) {
      const { words, line, code } = open;
      if (words[0] === 'ts') blocks.push({ document, line, code: code.join('\n'), runs: !words.includes('no-run') });
      open = undefined;
    } else {
      open.code.push(text);
    }
  }
  return blocks;
}
