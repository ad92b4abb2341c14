// Runs the code of all documents in one process, because each framework takes seconds to load.

import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { answer } from './provider.ts';

/** What became of one block. */
export interface Outcome {
  readonly file: string;
  /** What it wrote to the console. */
  readonly output: string;
  /** Why it failed. */
  readonly error?: string;
}

/** Runs one block, in its own directory as the working directory. */
async function runBlock(file: string): Promise<Outcome> {
  const lines: string[] = [];
  const write = (...values: readonly unknown[]): void => void lines.push(format(...values));
  Object.assign(console, { log: write, info: write, warn: write, error: write, dir: write });
  process.chdir(dirname(file));
  try {
    await import(pathToFileURL(file).href);
    return { file, output: lines.join('\n') };
  } catch (error) {
    return { file, output: lines.join('\n'), error: format(error) };
  }
}

const [report = '', ...files] = process.argv.slice(2);
Object.assign(process.env, { HOME: dirname(report), OPENAI_API_KEY: 'key', AI_GATEWAY_API_KEY: 'key' });
// A base of somebody's own would be asked instead of the stand-in.
for (const name of ['OPENAI_BASE_URL', 'AI_GATEWAY_BASE_URL']) delete process.env[name];
const { fetch } = globalThis;
globalThis.fetch = (input, init) => {
  const request = new Request(input, init);
  return /^http:\/\/(localhost|127\.0\.0\.1):/u.test(request.url) ? fetch(request) : answer(request);
};

const outcomes: Outcome[] = [];
for (const file of files) outcomes.push(await runBlock(file));
writeFileSync(report, JSON.stringify(outcomes));

// A program that ends by itself leaves nothing open.
setTimeout(() => process.exit(1), 20_000).unref();
