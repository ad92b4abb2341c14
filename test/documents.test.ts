// Proves the documents: their TypeScript compiles and runs, and their links lead somewhere.

import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeHarness } from './consumer.ts';
import { type CodeBlock, documents, findCodeBlocks, readDocument } from './documents.ts';
import type { Outcome } from './documents-program.ts';
import { run } from './run.ts';
import { temporaryDirectory } from './temporary.ts';
import { listFiles, publishedPackages, root } from './workspace.ts';

const blocks = documents.flatMap(findCodeBlocks);
const directory = temporaryDirectory();

// Each document has a folder with the skills of the examples in ./skills and the files that it shows. Each block becomes a
// file there, and keeps the line that it has in the document, so that an error names the right one.
const folderOf = (document: string): string => join(directory, document.split('/').join('.'));
const fileOf = ({ document, path, line }: CodeBlock): string => join(folderOf(document), path ?? `line-${line}.ts`);
writeBlocks();
writeHarness(folderOf('packages/testing/README.md'));
writeProject();

function writeBlocks(): void {
  for (const document of new Set(blocks.map((block) => block.document))) {
    cpSync(join(root, 'examples/skills'), join(folderOf(document), 'skills'), { recursive: true });
  }
  for (const block of blocks) {
    mkdirSync(dirname(fileOf(block)), { recursive: true });
    writeFileSync(fileOf(block), block.kind === 'file' ? `${block.code}\n` : '\n'.repeat(block.line - 1) + block.code);
  }
}

/** Makes the directory a project with all packages of the workspace, in which the blocks can be compiled and run. */
function writeProject(): void {
  symlinkSync(join(root, 'test/node_modules'), join(directory, 'node_modules'), 'dir');
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ type: 'module' }));
  const compilerOptions = {
    noEmit: true,
    isolatedDeclarations: false,
    declaration: false,
    moduleDetection: 'force',
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const configuration = { extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['*/*.ts'] };
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(configuration));
}

const programs = blocks.filter(({ kind }) => kind === 'program');
const report = join(directory, 'report.json');
const { code, stderr } = await run(
  process.execPath,
  [join(root, 'test/documents-program.ts'), report, ...programs.map(fileOf)],
  directory,
);
const outcomes = existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as readonly Outcome[]) : [];
const outcomeOf = (block: CodeBlock): Outcome =>
  outcomes.find(({ file }) => file === fileOf(block)) ?? {
    file: fileOf(block),
    output: '',
    error: `it did not run: ${stderr}`,
  };

const quickStarts = [
  'README.md',
  ...publishedPackages
    .filter(({ folder }) => folder.startsWith('adapter-'))
    .map(({ folder }) => `packages/${folder}/README.md`),
];

describe('code in documents', () => {
  it('compiles', async () => {
    const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], directory);
    expect(stdout).toBe('');
  });

  it.each(programs)('runs: $document line $line', (block) => {
    const { error, output } = outcomeOf(block);
    expect(error, output).toBeUndefined();
  });

  it('ends by itself', () => expect(code, stderr).toBe(0));

  it.each(quickStarts)('of the quick start in %s prints what the document shows', (document) => {
    const block = programs.find((each) => each.document === document);
    const [, shown = ''] = /^```js\n(.*?)^```$/msu.exec(readDocument(document)) ?? [];
    // The cost of an activation depends on where the skill is.
    const steady = (output: string): string =>
      output.replace(/ \/\/ .*|(?<=(?:run|call): ').*(?=')|(?<=by: 'model',\n {2}tokens: )\d+/gu, '');
    expect(steady(block ? outcomeOf(block).output : '')).toBe(`${steady(shown)}Done.`);
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
