import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFast } from '../../../src/format/fast/frontmatter.ts';
import type { FrontmatterFields } from '../../../src/format/repair.ts';
import { mistaken } from './mistakes.ts';
import { compareReaders, parseSlowly } from './slow.ts';
import { damaged, frontmatters } from './texts.ts';
import { oneOf } from './values.ts';

// SKILLFUL_FUZZ_RUNS makes a longer run.
const runs = Number(process.env.SKILLFUL_FUZZ_RUNS ?? 4_000);
const constructs = fc.oneof(...frontmatters.values());
const broken = oneOf('description: a: b\n¦x: "a" b\n¦c: **d**\n¦e: | f\n¦g: h\n- i\n');

describe('mistakes are repaired as `yaml` and a reading field by field would', () => {
  it('alone and together', () => {
    expect(compareReaders(mistaken, runs).repaired).toBeGreaterThan(runs / 20);
  });

  it('after damage', () => {
    expect(compareReaders(damaged(mistaken), runs).repaired).toBeGreaterThan(runs / 40);
  });

  it('among fields of every construct', () => {
    const among = fc.tuple(constructs, broken, constructs).map((parts) => parts.join(''));
    expect(compareReaders(among, runs).repaired).toBeGreaterThan(runs / 100);
    expect(compareReaders(damaged(among), runs).repaired).toBeGreaterThan(runs / 200);
  });
});

const manyKeys = (count: number, value: string): string =>
  Array.from({ length: count }, (_, index) => `k${index}${value.length}:${value}\n`).join('');

const withField = (field: string): string => `name: pdf\n${field}\n\n# comment\nlicense: MIT\n`;

const repairsIn = (read: FrontmatterFields | undefined) => read?.repairs.map(({ code, text }) => [code, text]);

describe('parseFast repairs', () => {
  it.each([
    ['a colon', 'description: Use when: asked', 'value-unquoted', 'Use when: asked'],
    ['text after a block header', 'description: | Reads\n  files', 'block-header-text', 'Reads\nfiles'],
    ['text after the closing quote', 'description: "PDF" files', 'value-misquoted', '"PDF" files'],
    ['two quotations', 'description: "A" and "B"', 'value-misquoted', '"A" and "B"'],
    ['a quotation in quotes', 'description: "a "b" c"', 'value-misquoted', 'a "b" c'],
    ['an apostrophe in quotes', "description: 'the users' data'", 'value-misquoted', "the users' data"],
    ['a comma after the closing quote', 'description: "PDF",', 'value-misquoted', 'PDF'],
    ['a quote that an unindented line closes', "description: 'PDF\nfiles'", 'value-misquoted', 'PDF files'],
    ['text in bold', 'description: **PDF** files', 'value-unquoted', '**PDF** files'],
    ['an at sign', 'description: @pdf', 'value-unquoted', '@pdf'],
    ['a backtick', 'description: `pdf` files', 'value-unquoted', '`pdf` files'],
    ['a dash', 'description: - pdf', 'value-unquoted', '- pdf'],
    ['a line that is not indented', 'description: PDF\nfiles', 'value-unquoted', 'PDF files'],
    ['list items that are not indented', 'description: PDF\n- files', 'value-unquoted', 'PDF - files'],
    ['a colon and a no-break space', 'description: a: b\nx: c\u00a0', 'value-unquoted', 'a: b'],
    ['bold text that is not indented', 'description: PDF\n**files**', 'value-unquoted', 'PDF **files**'],
  ])('%s', (_title, field, code, repaired) => {
    const text = withField(field);
    const read = parseFast(text, 2);
    expect(repairsIn(read)).toEqual([[code, repaired]]);
    expect(read).toEqual(parseSlowly(text));
  });

  it.each([
    ['a colon below', 'description: Reads\n  files: all', 'value-unquoted', 'Reads files: all'],
    ['lines below the closing quote', 'description: "PDF"\n  files', 'value-misquoted', '"PDF" files'],
    ['a quote that is never closed', 'description: "PDF', 'value-misquoted', 'PDF'],
    ['text after brackets', 'description: [beta] pdf', 'value-unquoted', '[beta] pdf'],
    ['lists one after the other', 'argument-hint: [a] [b]', 'value-unquoted', '[a] [b]'],
  ])('nothing as rare as %s, which is read field by field', (_title, field, code, repaired) => {
    const text = withField(field);
    expect(parseFast(text, 2)).toBeUndefined();
    expect(repairsIn(parseSlowly(text))).toEqual([[code, repaired]]);
  });

  it.each([
    ['a colon in a comment', 'description: PDF # all: files'],
    ['a comment after the closing quote', 'description: "PDF" # files'],
    ['a list that is not indented', 'description:\n- files'],
    ['brackets and a comment', 'description: [PDF] # files'],
  ])('nothing in %s', (_title, field) => {
    expect(parseFast(`name: pdf\n${field}\nlicense: MIT\n`, 2)?.repairs).toEqual([]);
  });

  it.each([
    ['a tab', 'description: a: b\n\tc'],
    ['a key without a space', 'license:MIT\ndescription: a: b'],
    ['a key in quotes', '"description": a: b'],
    ['the same key above', 'license: MIT\nlicense: a: b'],
    ['a key of several words', 'use when: asked\ndescription: a: b'],
    ['a field that is no text', 'allowed-tools: a: b'],
    ['a name with brackets', 'name: [a] b'],
    ['a list inside a list without end', 'description: [a, [b'],
    ['a comment below a comment', 'description: "a" # b\n  # c'],
    ['a colon after brackets', 'description: [a]:'],
    ['an escaped quote at the end of a line', 'description: "a\\"\nlicense: "MIT"'],
    ['an escaped quote further down', 'description: "a\n  b\\"\nlicense: "MIT"'],
    ['an escaped line end', 'description: "a\\\n\n  b" # c'],
    ['more keys than are allowed', `${manyKeys(150, '')}${manyKeys(107, ' **a')}`],
    ['the end of a document', 'description: a\n...\nb'],
    ['a colon on a line of its own', 'description: a\nb\n  : c'],
    ['a comment above a value that goes on without indentation', 'description:\n\n# c\n  a\nb'],
    ['the same key below, with a space', 'description: a: b\nx: y\ndescription : c'],
    ['a key in braces that ends below', 'xy: {"b\n ",d}'],
    ['an escaped quote at the end', 'description: "a\nlicense: \\"'],
  ])('nothing that has %s', (_title, field) => {
    expect(parseFast(field.endsWith('\\"') ? field : `${field}\n`, 2)).toBeUndefined();
  });
});
