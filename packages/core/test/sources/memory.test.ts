import { describe, expect, it } from 'vitest';
import { loadCatalog, memorySource } from '../../src/index.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const pdf = { directory: 'pdf', location: 'pdf/SKILL.md' };

describe('memorySource', () => {
  it('lists the outermost directories with a SKILL.md, in the order of their paths', async () => {
    const source = memorySource({
      'zip/SKILL.md': 'Z',
      'pdf/SKILL.md': 'P',
      'pdf/sub/SKILL.md': 'S',
      'pdf/agents/openai.yaml': 'policy: {}',
      'other/readme.md': 'R',
      'SKILL.md': 'No directory.',
    });
    expect(await source.list()).toEqual({
      entries: [
        { ...pdf, head: bytes('P'), bytes: 1, hasFiles: true, sidecar: bytes('policy: {}') },
        { directory: 'zip', location: 'zip/SKILL.md', head: bytes('Z'), bytes: 1, hasFiles: false },
      ],
      diagnostics: [expect.objectContaining({ code: 'skill-directory-missing', location: 'SKILL.md' })],
    });
    expect(await source.listFiles(pdf)).toEqual({
      files: [{ path: 'agents/openai.yaml', bytes: 10 }],
      truncated: false,
    });
  });

  it('gives the same catalog each time, because its files never change', async () => {
    const files = { 'pdf/SKILL.md': '---\nname: pdf\ndescription: Reads PDFs.\n---\n', 'zip.md': '' };
    const source = memorySource(files);
    const catalog = await loadCatalog([source]);
    expect(await loadCatalog([source], { previous: catalog })).toBe(catalog);
    expect(await loadCatalog([source])).toBe(catalog);
    expect(await loadCatalog([memorySource(files)], { previous: catalog })).not.toBe(catalog);
  });

  it('reports a file that would make a skill if it were called SKILL.md, and one that is taken for the other', async () => {
    const source = memorySource({
      'zip/skill.md': 'Z',
      'pdf/SKILL.md': 'P',
      'pdf/skill.md': 'a file of pdf',
      'pdf/assets/Skill.md': 'another one',
      'csv/sub/Skill.MD': 'C',
      'my-skill.md': 'no skill',
      'txt/SKILL.md.txt': 'T',
    });
    const { entries, diagnostics } = await source.list();
    expect(entries.map(({ directory }) => directory)).toEqual(['pdf']);
    expect(diagnostics.map(({ code, source, location, message }) => [code, source, location, message])).toEqual([
      ['skill-file-case', 'memory', 'csv/sub/Skill.MD', 'The file is called `Skill.MD`, expected `SKILL.md`.'],
      ['skill-file-case', 'memory', 'txt/SKILL.md.txt', 'The file is called `SKILL.md.txt`, expected `SKILL.md`.'],
      ['skill-file-case', 'memory', 'zip/skill.md', 'The file is called `skill.md`, expected `SKILL.md`.'],
      ['skill-file-twin', 'memory', 'pdf/SKILL.md', '`skill.md` is next to `SKILL.md` and is not read.'],
    ]);
  });

  it('says of a SKILL.md without a directory that it is not read', async () => {
    const files = { 'SKILL.md': 'S', 'csv:SKILL.md': 'C', 'pdf\\SKILL.md': 'P', 'skill.md': 's' };
    const { diagnostics } = await memorySource(files).list();
    const message = (file: string) => `\`${file}\` is in no directory, so it is not read.`;
    expect(diagnostics.map(({ code, location, message }) => [code, location, message])).toEqual([
      ['skill-directory-missing', 'SKILL.md', message('SKILL.md')],
      ['skill-directory-missing', 'csv:SKILL.md', message('csv:SKILL.md')],
      ['skill-directory-missing', 'pdf\\SKILL.md', message('pdf\\SKILL.md')],
      ['skill-directory-missing', 'skill.md', message('skill.md')],
    ]);
  });

  it.each([5, null, undefined, {}, [1, 2]])('refuses the content %j, which is neither text nor bytes', (content) => {
    expect(() => memorySource({ 'pdf/SKILL.md': content as unknown as string })).toThrow(
      expect.objectContaining({
        code: 'options-invalid',
        message: expect.stringMatching(/^The content of `pdf\/SKILL\.md` is .*, expected text or a Uint8Array\.$/),
      }),
    );
  });

  it('has a name, a level and trust that can be set', () => {
    const { id, scope, trusted } = memorySource({}, { id: 'mine', scope: 'user', trusted: false });
    expect({ id, scope, trusted }).toEqual({ id: 'mine', scope: 'user', trusted: false });
    const { id: named, scope: level, trusted: isTrusted } = memorySource({});
    expect([named, level, isTrusted]).toEqual(['memory', 'builtin', true]);
  });

  it('is not changed by what is done to its input or its output afterwards', async () => {
    const content = bytes('abc');
    const files: Record<string, string | Uint8Array> = { 'pdf/SKILL.md': 'P', 'pdf/a': content };
    const source = memorySource(files);
    content[0] = 0;
    files['pdf/b'] = 'new';
    (await source.readFile(pdf, 'a'))[1] = 0;
    expect(await source.readFile(pdf, 'a')).toEqual(bytes('abc'));
    expect((await source.listFiles(pdf)).files).toEqual([{ path: 'a', bytes: 3 }]);
  });

  it('treats paths such as `__proto__` and `constructor` as files', async () => {
    const source = memorySource({
      '__proto__/SKILL.md': '---\nname: proto\ndescription: D.\n---\n',
      'constructor/SKILL.md': 'x',
    });
    const { skills } = await loadCatalog([source]);
    expect(skills.map(({ name, directory }) => [name, directory])).toEqual([['proto', '__proto__']]);
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('SKILL.md');
  });

  it('refuses what it does not contain', async () => {
    const source = memorySource({ 'pdf/SKILL.md': 'P', 'pdf/a': 'abc', 'zip/SKILL.md': 'Z' });
    const refusal = (path: string, options?: { maxBytes: number }) =>
      source.readFile(pdf, path, options).catch((error: { code: string }) => error.code);
    expect(await refusal('b')).toBe('resource-unknown');
    expect(await refusal('../zip/SKILL.md')).toBe('resource-outside-skill');
    expect(await refusal('a', { maxBytes: 2 })).toBe('resource-too-large');
    await expect(source.listFiles({ directory: 'none', location: '' })).rejects.toMatchObject({
      code: 'skill-unknown',
    });
    expect(await source.readFile(pdf, './a', { length: 2 })).toEqual(bytes('ab'));
  });

  it('lists and reads names that no disk could store, and leaves out what would lead out of the skill', async () => {
    const source = memorySource({ 'pdf/SKILL.md': 'P', 'pdf/a\n': 'odd', 'pdf/x/../b': 'up', 'pdf/\0': 'nul' });
    expect(await source.listFiles(pdf)).toEqual({
      files: [{ path: 'a\n', bytes: 3 }],
      truncated: false,
      refused: ['\0', 'x/../b'],
    });
    expect(await source.readFile(pdf, 'a\n', { fromListing: true })).toEqual(bytes('odd'));
    await expect(source.readFile(pdf, 'a\n')).rejects.toMatchObject({ code: 'resource-outside-skill' });
    await expect(source.readFile(pdf, 'b\n', { fromListing: true })).rejects.toThrow(
      'There is no file `b\\n` in the skill.',
    );
  });

  it('lists no files of file managers, as a directory on disk does', async () => {
    const source = memorySource({
      'pdf/SKILL.md': 'P',
      'pdf/.DS_Store': '',
      'pdf/.localized': '',
      'pdf/Icon\r': '',
      'pdf/refs/._a.md': '',
      'pdf/refs/a.md': 'A',
    });
    expect(await source.listFiles(pdf)).toEqual({ files: [{ path: 'refs/a.md', bytes: 1 }], truncated: false });
  });

  it('takes the directories that an archive lists for no files', async () => {
    const source = memorySource({ 'pdf/': '', 'pdf/SKILL.md': 'P', 'pdf/refs/': '', 'pdf/refs/a.md': 'A' });
    expect(await source.listFiles(pdf)).toEqual({ files: [{ path: 'refs/a.md', bytes: 1 }], truncated: false });
  });

  it('does nothing once the signal is aborted', async () => {
    const source = memorySource({ 'pdf/SKILL.md': 'P' });
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(source.list({ signal })).rejects.toThrow('stopped');
    await expect(source.listFiles(pdf, { signal })).rejects.toThrow('stopped');
    await expect(source.readFile(pdf, 'SKILL.md', { signal })).rejects.toThrow('stopped');
  });
});
