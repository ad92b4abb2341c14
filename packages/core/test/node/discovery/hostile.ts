// Sets up the hostile cases on a real disk and asks the file source about them.

import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileSource } from '../../../src/node/index.ts';
import { isSkillError } from '../../../src/skill/error.ts';
import type { SkillEntry } from '../../../src/skill/source.ts';

/** One step that puts something on the disk. */
export type Step =
  | '@base'
  | { readonly t: 'file'; readonly p: string; readonly c: string; readonly mode?: string }
  | { readonly t: 'bytes'; readonly p: string; readonly hex: string }
  | { readonly t: 'dir'; readonly p: string; readonly mode?: string }
  | { readonly t: 'symlink' | 'hardlink'; readonly p: string; readonly to: string }
  | { readonly t: 'fifo'; readonly p: string }
  | { readonly t: 'sparse'; readonly p: string; readonly size: number }
  | { readonly t: 'manyFiles' | 'deep'; readonly p: string; readonly n: number }
  | { readonly t: 'rawName'; readonly dir: string; readonly hex: string }
  | { readonly t: 'truncateOn'; readonly p: string; readonly from: number; readonly to: number };

export interface HostileCase {
  readonly id: string;
  readonly title: string;
  readonly op: 'discover' | 'readResource' | 'listResources';
  readonly setup: readonly Step[];
  readonly args: Readonly<Record<string, unknown>>;
  readonly outcome: string;
  readonly code?: string;
  readonly expect: string;
  readonly os: 'all' | 'posix' | 'linux' | 'win32';
  readonly variants?: readonly unknown[];
}

interface Corpus {
  readonly base: readonly Step[];
  readonly cases: readonly HostileCase[];
}

const corpus: Corpus = JSON.parse(
  readFileSync(new URL('../../../../testing/corpus/hostile.json', import.meta.url), 'utf8'),
) as Corpus;

export const hostileCases: readonly HostileCase[] = corpus.cases;

/** Writes the files of a case to the disk; a million files are 3,000 here, which exceeds the same limit. */
export function setUp(root: string, steps: readonly Step[]): void {
  for (const step of steps) {
    if (step === '@base') {
      setUp(root, corpus.base);
      continue;
    }
    const path = join(root, step.t === 'rawName' ? step.dir : step.p);
    mkdirSync(dirname(path), { recursive: true });
    switch (step.t) {
      case 'file':
        writeFileSync(path, step.c);
        if (step.mode !== undefined) chmodSync(path, Number.parseInt(step.mode, 8));
        break;
      case 'bytes':
        writeFileSync(path, Buffer.from(step.hex, 'hex'));
        break;
      case 'dir':
        mkdirSync(path, { recursive: true });
        if (step.mode !== undefined) chmodSync(path, Number.parseInt(step.mode, 8));
        break;
      case 'symlink':
        symlinkSync(step.to, path);
        break;
      case 'hardlink':
        linkSync(join(root, step.to), path);
        break;
      case 'fifo':
        execFileSync('mkfifo', [path]);
        break;
      case 'sparse':
        writeFileSync(path, '');
        truncateSync(path, step.size);
        break;
      case 'manyFiles':
        mkdirSync(path, { recursive: true });
        for (let n = 0; n < Math.min(step.n, 3000); n += 1) writeFileSync(join(path, `${n}`), '');
        break;
      case 'deep':
        mkdirSync(join(path, 'd/'.repeat(step.n)), { recursive: true });
        break;
      case 'rawName':
        writeFileSync(Buffer.concat([Buffer.from(`${path}/`), Buffer.from(step.hex, 'hex')]), '');
        break;
      case 'truncateOn':
        writeFileSync(path, 'x'.repeat(step.from));
        break;
    }
  }
}

/** Returns the value of an argument, which the corpus may describe instead of containing it. */
export function argumentOf(value: unknown): unknown {
  if (typeof value === 'string' && value.startsWith('@repeat:')) {
    const [, unit = '', count = '0', tail = ''] = value.split(':');
    return unit.repeat(Number(count)) + tail;
  }
  if (typeof value !== 'object' || value === null) return value;
  if ('$number' in value) return value.$number;
  if ('$null' in value) return null;
  if ('$url' in value) return new URL(String(value.$url));
  if ('$buffer' in value) return Buffer.from(String(value.$buffer), 'hex');
  if ('$js' in value) return changingText();
  return value;
}

/** What the corpus describes as a program: an object whose text is harmless only the first time. */
function changingText(): object {
  let asked = 0;
  return { toString: () => (asked++ > 0 ? '../pdf-secret/key' : 'SKILL.md') };
}

/** The result of one case, short enough to be compared as a whole. */
export type Outcome =
  | { readonly refused: string; readonly message: string }
  | { readonly text: string }
  | { readonly skills: readonly string[]; readonly diagnostics: readonly string[] }
  | { readonly files: readonly string[]; readonly truncated: boolean };

export async function discover(root: string): Promise<Outcome> {
  const { entries, diagnostics } = await fileSource(root).list();
  return {
    skills: entries.map(({ directory }) => directory.slice(root.length + 1)),
    diagnostics: diagnostics.map(({ code, location }) => `${code} ${location.slice(root.length + 1)}`),
  };
}

/** Reads a file of the skill `pdf`; the path may be any kind of value. */
export async function readResource(root: string, path: unknown): Promise<Outcome> {
  const source = fileSource(root, { depth: 1 });
  try {
    return { text: new TextDecoder().decode(await source.readFile(await findPdf(root), path as string)) };
  } catch (error) {
    if (isSkillError(error)) return { refused: error.code, message: error.message };
    throw error;
  }
}

export async function listResources(root: string): Promise<Outcome> {
  const { files, truncated } = await fileSource(root, { depth: 1 }).listFiles(await findPdf(root));
  return { files: files.map(({ path }) => path), truncated };
}

async function findPdf(root: string): Promise<SkillEntry> {
  const { entries } = await fileSource(root, { depth: 1 }).list();
  const pdf = entries.find(({ directory }) => directory === join(root, 'pdf'));
  if (pdf === undefined) throw new Error('The set-up has no skill `pdf`.');
  return pdf;
}
