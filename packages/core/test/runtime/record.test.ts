import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadCatalog } from '../../src/catalog/catalog.ts';
import { isBuffer, isBytes, isError, isPromise, isRecord } from '../../src/runtime/record.ts';
import { memorySource } from '../../src/sources/memory.ts';

afterEach(() => void vi.unstubAllGlobals());

describe.each([
  ['this realm', (code: string): unknown => new Function(`return ${code}`)()],
  ['another realm', (code: string): unknown => runInNewContext(code)],
])('a value of %s', (_, evaluate) => {
  const told = (code: string) => {
    const value = evaluate(code);
    return [isBytes, isBuffer, isError, isPromise, isRecord].filter((is) => is(value)).map(({ name }) => name);
  };

  it.each([
    ['new Uint8Array(2)', ['isBytes', 'isRecord']],
    ['new Uint16Array(2)', ['isRecord']],
    ['new ArrayBuffer(2)', ['isBuffer', 'isRecord']],
    ['new RangeError()', ['isError', 'isRecord']],
    ['Promise.resolve()', ['isPromise']],
    ['(async () => {})()', ['isPromise']],
    ['[]', []],
    ['null', []],
  ])('is told apart: %s', (code, expected) => {
    expect(told(code)).toEqual(expected);
  });
});

it('loads skills even if the class of promises was replaced, as by zone.js', async () => {
  vi.stubGlobal('Promise', class extends Promise<unknown> {});
  const text = '---\nname: pdf\ndescription: Reads.\n---\nGo.\n';
  const source = memorySource({ 'pdf/SKILL.md': text });
  // Cut heads, so the rest of each is read by an async function.
  const list = async () => {
    const { entries, ...rest } = await source.list();
    return { ...rest, entries: entries.map((entry) => ({ ...entry, head: entry.head.subarray(0, 10) })) };
  };
  const { skills, diagnostics } = await loadCatalog([{ ...source, list }]);
  expect([skills.map(({ name }) => name), diagnostics]).toEqual([['pdf'], []]);
});
