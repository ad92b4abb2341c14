import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutPage as cutPageInTurns, type Page, type PageRange } from '../../src/text/page.ts';

const pageCharacters = 40_000;

function cutPage(text: string, range: PageRange = {}): Promise<Page | undefined> {
  return cutPageInTurns(text, range, () => undefined);
}

const anyText = fc
  .array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\n', '\r\n', '😀')))
  .map((parts) => parts.join(''));

/** Reads a text from its first page to its last, as a model does that follows the way on. */
async function readAll(text: string, limit?: number): Promise<string> {
  let read = '';
  let line = 1;
  let character = 0;
  for (;;) {
    const page = await cutPage(text, { line, character, limit });
    if (page === undefined) return read;
    read += `${page.text}${page.nextCharacter === undefined ? '\n' : ''}`;
    if (page.nextLine === undefined) return read;
    line = page.nextLine;
    character = page.nextCharacter ?? 0;
  }
}

describe('cutPage', () => {
  it('returns a short text whole', async () => {
    expect(await cutPage('a\nb\n')).toEqual({ text: 'a\nb', firstLine: 1, lastLine: 2, totalLines: 2 });
    expect(await cutPage('a\nb')).toEqual(await cutPage('a\nb\n'));
    expect(await cutPage('')).toEqual({ text: '', firstLine: 1, lastLine: 1, totalLines: 1 });
  });

  it.each(['\r\n', '\r'])('counts lines that end with %j', async (end) => {
    expect(await cutPage(`a${end}b${end}`)).toEqual(await cutPage('a\nb\n'));
  });

  it('returns some lines and the place of the next ones', async () => {
    expect(await cutPage('a\nb\nc\nd', { line: 2, limit: 2 })).toEqual({
      text: 'b\nc',
      firstLine: 2,
      lastLine: 3,
      totalLines: 4,
      nextLine: 4,
    });
    expect((await cutPage('a\nb\nc', { line: 2, lastLine: 2 }))?.text).toBe('b');
  });

  it.each([8, 1e6, Number.MAX_SAFE_INTEGER])(
    'is no longer if it begins at character %d of a shorter line',
    async (character) => {
      const text = 'short\n'.repeat(pageCharacters);
      expect((await cutPage(text, { character }))?.text.length).toBeLessThanOrEqual(pageCharacters);
      expect((await cutPage('short\nlast', { character }))?.text).toBe('short\nlast');
    },
  );

  it('returns nothing past the end', async () => {
    expect(await cutPage('a\nb\n', { line: 3 })).toBeUndefined();
    expect(await cutPage('a\nb\nc', { line: 3, lastLine: 2 })).toBeUndefined();
  });

  it('returns a very long line in parts, and cuts no character in two', async () => {
    const line = `${'x'.repeat(pageCharacters - 1)}😀${'y'.repeat(10)}`;
    const first = await cutPage(`${line}\nlast`);
    expect({ ...first, text: first?.text.length }).toEqual({
      text: pageCharacters - 1,
      firstLine: 1,
      lastLine: 1,
      totalLines: 2,
      nextLine: 1,
      nextCharacter: pageCharacters - 1,
    });
    expect((await cutPage(`${line}\nlast`, { line: 1, character: pageCharacters - 1 }))?.text).toBe(
      '😀yyyyyyyyyy\nlast',
    );
    expect((await cutPage('😀', { character: 1 }))?.text).toBe('😀');
  });

  it('returns no more than a page at once', async () => {
    const text = `${'x'.repeat(99)}\n`.repeat(1000);
    expect(await cutPage(text)).toMatchObject({ lastLine: 400, nextLine: 401, totalLines: 1000 });
  });

  it('loses nothing when it is read to the end', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.integer({ min: 1, max: 3 }), async (text, limit) => {
        expect(await readAll(text, limit)).toBe(`${text.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '')}\n`);
      }),
    );
    const long = `${'😀'.repeat(50_000)}\nb\n${'c'.repeat(90_000)}\n`;
    expect(await readAll(long)).toBe(long);
  });
});
