// Proves the documents: their TypeScript compiles and runs, and their links lead somewhere.

import { cpSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CodeBlock, documents, findCodeBlocks, readDocument } from './documents.ts';
import { run } from './run.ts';
import { temporaryDirectory } from './temporary.ts';
import { listFiles, publishedPackages, root } from './workspace.ts';

const blocks = documents.flatMap(findCodeBlocks);
const directory = temporaryDirectory();

// Each block becomes a file in a folder that has every package of the workspace and, in ./skills, the skills of the
// examples. The code keeps the line that it has in the document, so that an error names the right one.
const fileOf = ({ document, line }: CodeBlock): string => `${document.split('/').join('.')}.${line}.ts`;
symlinkSync(join(root, 'test/node_modules'), join(directory, 'node_modules'), 'dir');
if (existsSync(join(root, 'examples/skills'))) {
  cpSync(join(root, 'examples/skills'), join(directory, 'skills'), { recursive: true });
}
writeFileSync(join(directory, 'package.json'), JSON.stringify({ type: 'module' }));
for (const block of blocks) {
  writeFileSync(join(directory, fileOf(block)), '\n'.repeat(block.line - 1) + block.code);
}
const compilerOptions = {
  noEmit: true,
  isolatedDeclarations: false,
  declaration: false,
  moduleDetection: 'force',
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
};
const configuration = { extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['*.ts'] };
writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(configuration));

describe('code in documents', () => {
  it('is there to be tested', () => {
    expect(blocks.map(({ document }) => document)).toContain('README.md');
  });

  it('compiles', async () => {
    const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], directory);
    expect(stdout).toBe('');
  });

  it.each(blocks.filter(({ runs }) => runs))('runs: $document line $line', async (block) => {
    const { code, stderr } = await run(process.execPath, [fileOf(block)], directory);
    expect(code, stderr).toBe(0);
  });
});

describe('documents', () => {
  it.each(['.', ...publishedPackages.map(({ folder }) => `packages/${folder}`)])(
    '%s has a README with code by line 20',
    (folder) => {
      const document = folder === '.' ? 'README.md' : `${folder}/README.md`;
      expect(documents).toContain(document);
      const lines = readDocument(document).split('\n').slice(0, 20);
      expect(lines.filter((line) => line.startsWith('```'))).not.toEqual([]);
    },
  );

  it.each([...new Set([...documents, ...listFiles('*.md')])])('%s links only to files that exist', (document) => {
    const targets = [...readDocument(document).matchAll(/\]\((?!https?:|mailto:|#)([^)\s#]+)/gu)].map(
      (match) => match[1] ?? '',
    );
    const missing = targets.filter((target) => !existsSync(join(root, dirname(document), decodeURI(target))));
    expect(missing).toEqual([]);
  });
});
