import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseSkill } from '../../src/format/parse.ts';
import { createRandom, generate, judge, mutate, shrink } from './fuzz.ts';

// SKILLFUL_FUZZ_SECONDS makes a longer run, SKILLFUL_FUZZ_SEED repeats one; in CI each run begins with the same files.
const seconds = Number(process.env.SKILLFUL_FUZZ_SECONDS ?? 8);
const seed = Number(process.env.SKILLFUL_FUZZ_SEED ?? (process.env.CI === undefined ? Date.now() % 2 ** 31 : 20261121));

const corpus: { readonly cases: readonly { readonly text?: string }[] } = JSON.parse(
  readFileSync(new URL('../../../testing/corpus/format.json', import.meta.url), 'utf8'),
);
const texts = corpus.cases.flatMap(({ text }) => (text === undefined ? [] : [text]));

function verdict(text: string): string | undefined {
  try {
    return judge(text);
  } catch (error) {
    return `it throws ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}

describe('reading any file', () => {
  it(`keeps every promise (seed ${seed})`, { timeout: seconds * 1000 + 60_000 }, () => {
    const random = createRandom(seed);
    const pool = [...texts];
    const end = performance.now() + seconds * 1000;
    let count = 0;
    let loaded = 0;
    while (performance.now() < end) {
      const parent = random(3) === 0 ? generate(random) : (pool[random(pool.length)] ?? '');
      const text = random(3) === 0 ? parent : mutate(parent, pool[random(pool.length)] ?? '', random);
      const problem = verdict(text);
      if (problem !== undefined) {
        const short = shrink(text);
        expect.fail(`seed ${seed}, file ${count}: ${verdict(short) ?? problem}\n${JSON.stringify(short)}`);
      }
      count += 1;
      if (parseSkill(text).properties !== undefined) loaded += 1;
      // What is still readable is worth changing further.
      if (random(10) === 0) pool[random(pool.length)] = text;
      if (random(500) === 0) pool.splice(0, texts.length, ...texts);
    }
    process.stdout.write(`fuzz: seed ${seed}, ${count} files, ${loaded} read, in ${seconds} s\n`);
    // A generator whose files are all refused, or all read, tests little.
    expect(loaded / count).toBeGreaterThan(0.1);
    expect(loaded / count).toBeLessThan(0.95);
  });
});
