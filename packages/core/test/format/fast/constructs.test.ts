import { describe, expect, it } from 'vitest';
import { parseFast } from '../../../src/format/fast/frontmatter.ts';
import { compareReaders } from './slow.ts';
import { damaged, frontmatters } from './texts.ts';

// SKILLFUL_FUZZ_RUNS makes a longer run.
const runs = Number(process.env.SKILLFUL_FUZZ_RUNS ?? 1_500);

describe.each([...frontmatters])('%s', (_name, texts) => {
  it('is read as by the YAML parser, or left to it', () => {
    expect(compareReaders(texts, runs).clean).toBeGreaterThan(runs / 8);
  });

  it('is so after damage', () => {
    expect(compareReaders(damaged(texts), runs).clean).toBeGreaterThan(runs / 16);
  });
});

describe('hostile frontmatter', () => {
  const length = 1 << 18;
  const long = (part: string) => part.repeat(length / part.length);
  const lines = (content: string) => `${' '.repeat(256)}${content}\n`.repeat(1_000);

  it.each([
    ['a quote without an end', `a: "${long('x')}`],
    ['a quote with backslashes and without an end', `a: "${long('\\')}`],
    ['a quote with spaces and without an end', `a: '${long(' ')}`],
    ['empty lines below a key', `a:\n${lines('')}`],
    ['empty lines in a text', `a: b\n${lines('')}`],
    ['empty lines in quotes without an end', `a: "b\n${lines('')}`],
    ['empty lines in a block', `a: |\n  b\n${lines('')}`],
    ['empty lines in brackets without an end', `a: [\n${lines('')}`],
    ['a text over many lines', `a: b\n${lines('c')}`],
    ['many comments', lines('# c')],
    ['many keys below each other', Array.from({ length: 400 }, (_, level) => `${' '.repeat(level)}a:\n`).join('')],
    ['many lists in each other', `a:\n${'- '.repeat(190)}${long('x')}`],
    ['many brackets in each other', `a: ${'['.repeat(200)}${long('x')}`],
    ['many words in brackets', `a: [${long('x ')}`],
    ['a number sign far after a word in brackets', `a: [x${long(' ')}#`],
    ['many colons', `a${long(':')}`],
    ['many colons in quotes', `"a${long(':')}`],
    ['spaces and tabs in a text', `a: x${long(' \t')}x`],
    ['spaces before a comment', `a: x${long(' ')}#`],
    ['many dashes', `a: ${long('-')}`],
    ['many digits', `a: 1${long('0')}x`],
    ['a stray line below many others', `a: b\n${lines('c')}d`],
    ['many stray lines', `a: b\n${'c\n'.repeat(100_000)}`],
    ['many fields with mistakes', 'a: b: c\n'.repeat(200)],
    ['text after the header of a block', `a: | ${long('x ')}`],
    ['a header of many digits', `a: |${long('1')} x`],
    ['tabs after a value', `a: "b${long('\t')}"x`],
  ])('is read in linear time: %s', (_name, text) => {
    // A reader in quadratic time would take minutes, and the test would time out.
    const read = parseFast(text, 2);
    if (read !== undefined) expect(read.fields.length).toBeGreaterThan(0);
  });
});
