import { describe, expect, it } from 'vitest';
import {
  cacheSource,
  loadCatalog,
  memorySource,
  readSkillResource,
  type Skill,
  SkillError,
  type SkillResource,
  type SkillSource,
} from '../../src/index.ts';
import { fileSource } from '../../src/node/index.ts';
import { makeTemporaryDirectory, writeTree } from '../node/temporary-directory.ts';

const bytes = (...parts: readonly (string | number)[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'number' ? [part] : [...new TextEncoder().encode(part)])));

async function read(path: string, content: Uint8Array | string, maxBytes?: number): Promise<SkillResource> {
  const source = memorySource({ 'x/SKILL.md': '---\nname: x\ndescription: D.\n---\n', [`x/${path}`]: content });
  const [skill] = (await loadCatalog([source])).skills;
  if (skill === undefined) throw new Error('The skill was not loaded.');
  return readSkillResource(skill, path, { maxBytes });
}

describe('readSkillResource', () => {
  it('also checks the path of a file whose name is composed in another way', async () => {
    const decomposed = 'é.md'.normalize('NFD');
    const source = memorySource({ 'x/SKILL.md': '---\nname: x\ndescription: D.\n---\n', [`x/${decomposed}`]: 'a' });
    const [skill] = (await loadCatalog([source])).skills as [Skill];
    const checkPath = (path: string) => {
      if (path === decomposed) throw new SkillError('resource-unknown', 'Hidden.');
    };
    const path = 'é.md'.normalize('NFC');
    expect((await readSkillResource(skill, path)).text).toBe('a');
    await expect(readSkillResource(skill, path, { checkPath })).rejects.toMatchObject({ code: 'resource-unknown' });
  });

  it('reads below a directory whose accents are stored in another way', async () => {
    const [decomposed, composed] = ['réfs'.normalize('NFD'), 'réfs'];
    const files = { 'x/SKILL.md': '---\nname: x\ndescription: D.\n---\n', [`x/${decomposed}/a.md`]: 'a' };
    const root = await makeTemporaryDirectory();
    await writeTree(root, files);
    for (const source of [memorySource(files), fileSource(root)]) {
      const [skill] = (await loadCatalog([source])).skills as [Skill];
      for (const directories of [[composed], [decomposed]])
        for (const path of [`${composed}/a.md`, `${decomposed}/a.md`])
          expect((await readSkillResource(skill, path, { directories })).text).toBe('a');
      await expect(readSkillResource(skill, 'SKILL.md', { directories: [composed] })).rejects.toMatchObject({
        code: 'resource-outside-skill',
      });
    }
  });

  it.each([undefined, ['refs']])(
    'reads a file once from a source that is cached, with the directories %j',
    async (directories) => {
      const source = memorySource({ 'x/SKILL.md': '---\nname: x\ndescription: D.\n---\n', 'x/refs/a.md': 'a' });
      const reads: string[] = [];
      const counting: SkillSource = {
        ...source,
        readFile: (entry, path, options) => {
          reads.push(path);
          return source.readFile(entry, path, options);
        },
      };
      const [skill] = (await loadCatalog([cacheSource(counting, { maxAge: 60_000 })])).skills as [Skill];
      for (let n = 0; n < 3; n += 1) await readSkillResource(skill, 'refs/a.md', { directories });
      expect(reads.filter((path) => path === 'refs/a.md')).toHaveLength(1);
    },
  );

  it('also checks the directory of a file whose name has other spaces', async () => {
    const file = 'my\u00a0refs/secret.md';
    const source = memorySource({ 'x/SKILL.md': '---\nname: x\ndescription: D.\n---\n', [`x/${file}`]: 'SECRET' });
    const [skill] = (await loadCatalog([source])).skills as [Skill];
    const asked = readSkillResource(skill, 'my refs/secret.md', { directories: ['my refs'] });
    await expect(asked).rejects.toMatchObject({ code: 'resource-unknown' });
    expect(
      (await readSkillResource(skill, 'my refs/secret.md', { directories: ['my refs', 'my\u00a0refs'] })).text,
    ).toBe('SECRET');
  });

  it.each([
    ['a.txt', bytes(0x89, 'PNG\r\n', 0x1a, '\n', 0), 'image/png'],
    ['a.png', bytes(0xff, 0xd8, 0xff, 0xe0), 'image/jpeg'],
    ['a', bytes('GIF89a', 0), 'image/gif'],
    ['a', bytes('RIFF', 0, 0, 0, 0, 'WEBP'), 'image/webp'],
    ['a', bytes('RIFF', 0, 0, 0, 0, 'WAVE'), 'audio/wav'],
    ['a', bytes('ID3', 4, 0), 'audio/mpeg'],
    ['a', bytes(0xff, 0xfb, 0x90, 0), 'audio/mpeg'],
    ['a', bytes('%PDF-1.7\n', 0), 'application/pdf'],
    ['a.md', bytes('%PDF-1.4 of nothing but ASCII'), 'application/pdf'],
    ['a.docx', bytes('PK', 3, 4, 0), 'application/zip'],
    ['a', bytes(0x1f, 0x8b, 8), 'application/gzip'],
    ['a.md', bytes('a', 0, 'b'), 'application/octet-stream'],
    ['a.md', bytes('a', 0xff), 'application/octet-stream'],
    ['a.csv', bytes(0xff, 0xfe, 'a', 0, 0, 0), 'application/octet-stream'],
    ['a.csv', bytes(0xff, 0xfe, 'a'), 'application/octet-stream'],
    ['a.csv', bytes(0x8c, 0x6f, 0x94, 0xef), 'application/octet-stream'],
  ])('tells by its content what %s is (%#)', async (path, data, mediaType) => {
    expect(await read(path, data)).toEqual({ path, mediaType, data });
  });

  it.each([
    ['UTF-16, little end first', [0xff, 0xfe, 0x4c, 0x7d, 0xbb, 0x8c, 0x2c, 0x00, 0x31, 0x00]],
    ['UTF-16, big end first', [0xfe, 0xff, 0x7d, 0x4c, 0x8c, 0xbb, 0x00, 0x2c, 0x00, 0x31]],
    ['UTF-8', [0xef, 0xbb, 0xbf, 0xe7, 0xb5, 0x8c, 0xe8, 0xb2, 0xbb, 0x2c, 0x31]],
  ])('reads a text with a byte order mark: %s', async (_, written) => {
    const data = Uint8Array.from(written);
    expect(await read('a.csv', data)).toEqual({ path: 'a.csv', mediaType: 'text/csv', data, text: '経費,1' });
  });

  it.each([
    ['a.md', 'text/markdown'],
    ['a.JSON', 'application/json'],
    ['a.svg', 'image/svg+xml'],
    ['md', 'text/markdown'],
    ['a.constructor', 'text/plain'],
    ['a.__proto__', 'text/plain'],
  ])('tells by its name what kind of text %s is', async (path, mediaType) => {
    expect(await read(path, 'x')).toEqual({ path, mediaType, data: bytes('x'), text: 'x' });
  });

  it.each(['GIF89a is a format.', 'ID3 tags.', 'RIFF is no WEBP', 'PK'])(
    'takes %j for the text that it is',
    async (text) => {
      expect((await read('a.txt', text)).text).toBe(text);
    },
  );

  it('leaves a byte order mark out of the text and in the bytes', async () => {
    const data = bytes(0xef, 0xbb, 0xbf, 'x');
    expect(await read('a.txt', data)).toEqual({ path: 'a.txt', mediaType: 'text/plain', data, text: 'x' });
  });

  it('reads `SKILL.md` as the text that activation shows, whatever bytes it has', async () => {
    const data = bytes('---\nname: x\ndescription: D.\n---\na', 0, 'b', 0xff, 'c\n');
    const text = '---\nname: x\ndescription: D.\n---\na\0b\ufffdc\n';
    expect(await read('SKILL.md', data)).toEqual({ path: 'SKILL.md', mediaType: 'text/markdown', data, text });
  });

  it('checks the path itself, even if the source does not', async () => {
    const source = memorySource({ 'x/SKILL.md': '---\nname: x\ndescription: D.\n---\n' });
    const [skill] = (await loadCatalog([{ ...source, readFile: async () => bytes('a') }])).skills as [Skill];
    const checkPath = () => {
      throw new SkillError('resource-unknown', 'Hidden.');
    };
    await expect(readSkillResource(skill, 'a.md', { checkPath })).rejects.toMatchObject({ code: 'resource-unknown' });
    await expect(readSkillResource(skill, 'a:b')).rejects.toMatchObject({ code: 'resource-outside-skill' });
    expect((await readSkillResource(skill, 'a:b', { fromListing: true })).text).toBe('a');
  });

  it('refuses a file that is too large, and one outside the skill', async () => {
    await expect(read('a.txt', 'xxxx', 3)).rejects.toMatchObject({ code: 'resource-too-large' });
    await expect(read('../a.txt', 'x')).rejects.toMatchObject({ code: 'resource-outside-skill' });
  });
});
