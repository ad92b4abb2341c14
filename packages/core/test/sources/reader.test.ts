import { expect, it, vi } from 'vitest';
import { activateSkill, loadCatalog, readerSource, readSkillResource, type SkillReader } from '../../src/index.ts';

const encode = (name: string): Uint8Array =>
  new TextEncoder().encode(`---\nname: ${name}\ndescription: Does ${name}.\n---\n`);

it('loads the other skills if one of them cannot be read', async () => {
  const reader: SkillReader = {
    list: async () => ['notes', 'broken', 'gone', 'drafts'],
    listFiles: async () => [],
    read: async (directory, path) => {
      if (directory === 'gone') return undefined;
      if (directory === 'broken') throw new Error('the server said no');
      return path === 'SKILL.md' ? encode(directory) : undefined;
    },
  };
  const { skills, diagnostics } = await loadCatalog([readerSource(reader, { id: 'bucket' })]);
  expect(skills.map(({ name }) => name)).toEqual(['drafts', 'notes']);
  expect(diagnostics.map(({ code, source, location, message }) => [code, source, location, message])).toEqual([
    ['skill-file-unreadable', 'bucket', 'broken/SKILL.md', '`SKILL.md` could not be read: the server said no.'],
    [
      'skill-file-unreadable',
      'bucket',
      'gone/SKILL.md',
      '`SKILL.md` could not be read: the reader found no such file.',
    ],
  ]);
});

it('takes text, as most databases have it', async () => {
  const files = new Map([
    ['SKILL.md', '---\nname: größe\ndescription: Misst.\n---\nMiss.'],
    ['references/maß.md', 'Meter'],
  ]);
  const reader: SkillReader = {
    list: async () => ['größe'],
    listFiles: async () => [...files.keys()],
    read: async (_directory, path) => files.get(path),
  };
  const [skill] = (await loadCatalog([readerSource(reader, { id: 'table' })])).skills;
  if (skill === undefined) throw new Error('expected a skill');
  const { text } = await activateSkill(skill);
  expect(text).toContain('\nMiss.\n');
  expect((await readSkillResource(skill, 'references/maß.md')).text).toBe('Meter');
});

it('reads some skills and files at once, not all of them', async () => {
  let [reading, most] = [0, 0];
  const reader: SkillReader = {
    list: async () => Array.from({ length: 100 }, (_, index) => `s${index}`),
    listFiles: async () => Array.from({ length: 100 }, (_, index) => `${index}.md`),
    async read(directory, path) {
      reading += 1;
      most = Math.max(most, reading);
      await new Promise((resolve) => setImmediate(resolve));
      reading -= 1;
      return path === 'agents/openai.yaml' ? undefined : encode(directory);
    },
  };
  const source = readerSource(reader, { id: 'bucket' });
  const { skills } = await loadCatalog([source]);
  expect([skills.length, most]).toEqual([100, 16]);
  most = 0;
  const { files } = await source.listFiles({ directory: 's1', location: 's1/SKILL.md' });
  expect([files.length, most]).toEqual([100, 16]);
});

it.each(['SKILL.md', 'agents/openai.yaml'])('ends with the reason of the signal while it reads %s', async (last) => {
  const reason = new Error('enough');
  const controller = new AbortController();
  const reader: SkillReader = {
    list: async () => ['notes'],
    listFiles: async () => [],
    async read(directory, path) {
      if (path !== last) return encode(directory);
      controller.abort(reason);
      throw new Error('closed');
    },
  };
  await expect(readerSource(reader, { id: 'bucket' }).list({ signal: controller.signal })).rejects.toBe(reason);
});

it('reads no file to list it if the reader gives its size', async () => {
  const read: string[] = [];
  const reader: SkillReader = {
    list: async () => ['notes'],
    listFiles: async () => ['SKILL.md', { path: 'b.md', bytes: 7 }, { path: '../c.md', bytes: 1 }, 'a.md'],
    async read(directory, path) {
      read.push(path);
      return encode(directory);
    },
  };
  const source = readerSource(reader, { id: 'bucket' });
  const listing = await source.listFiles({ directory: 'notes', location: 'notes/SKILL.md' });
  const files = [
    { path: 'a.md', bytes: encode('notes').length },
    { path: 'b.md', bytes: 7 },
  ];
  expect([listing, read]).toEqual([{ files, truncated: false, refused: ['../c.md'] }, ['a.md']]);
});

it('takes the empty objects with which a bucket marks directories for no files', async () => {
  const reader: SkillReader = {
    list: async () => ['notes'],
    listFiles: async () => ['', 'SKILL.md', 'refs/', 'refs/a.md'],
    read: async (_, path) => (path === '' || path.endsWith('/') ? new Uint8Array() : encode('notes')),
  };
  const source = readerSource(reader, { id: 'bucket' });
  const [skill] = (await loadCatalog([source])).skills;
  expect(skill && (await source.listFiles(skill))).toEqual({
    files: [{ path: 'refs/a.md', bytes: encode('notes').length }],
    truncated: false,
  });
});

it('lists the other files if one of them cannot be read, and says nothing of the machine', async () => {
  const reader: SkillReader = {
    list: async () => ['notes'],
    listFiles: async () => ['references/b.md', '../c.md', 'references/a.md'],
    read: async (_, path) => {
      if (path.endsWith('a.md')) throw new Error('EACCES: /srv/private/a.md');
      return path === 'agents/openai.yaml' ? undefined : encode('notes');
    },
  };
  const [skill] = (await loadCatalog([readerSource(reader, { id: 'bucket' })])).skills;
  if (skill === undefined) throw new Error('no skill');
  expect(await skill.source.listFiles(skill)).toEqual({
    files: [{ path: 'references/b.md', bytes: encode('notes').length }],
    truncated: false,
    refused: ['../c.md', 'references/a.md'],
  });
  await expect(skill.source.readFile(skill, 'references/a.md')).rejects.toMatchObject({
    code: 'resource-unreadable',
    message: '`references/a.md` could not be read.',
  });
});

it('blames the right file if the reader rejects for files that do not exist', async () => {
  const reader: SkillReader = {
    list: async () => ['notes'],
    listFiles: async () => [],
    read: async (directory, path) => {
      if (path !== 'SKILL.md') throw new Error('no such key');
      return encode(directory);
    },
  };
  const { skills, diagnostics } = await loadCatalog([readerSource(reader, { id: 'bucket' })]);
  expect(skills.map(({ properties }) => properties.disableModelInvocation)).toEqual([true]);
  expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ['sidecar-invalid', '`agents/openai.yaml` could not be read: no such key; only users can activate the skill.'],
  ]);
});

it.each([
  ['a blob', 'a value of type object', new Blob(['text'])],
  ['a number', 'a value of type number', 5],
])('loads the other skills if the reader returns %s for one', async (_, what, content) => {
  const reader: SkillReader = {
    list: async () => ['notes', 'odd'],
    listFiles: async () => [],
    read: async (directory, path) => {
      if (directory === 'odd') return content as unknown as Uint8Array;
      return path === 'SKILL.md' ? encode(directory) : null;
    },
  };
  const { skills, diagnostics } = await loadCatalog([readerSource(reader, { id: 'bucket' })]);
  expect(skills.map(({ name }) => name)).toEqual(['notes']);
  expect(diagnostics.map(({ location, message }) => [location, message])).toEqual([
    ['odd/SKILL.md', `\`SKILL.md\` could not be read: the reader returned ${what}, expected text or a Uint8Array.`],
  ]);
});

it.each([
  [undefined, 'undefined, expected a list of paths'],
  [null, 'null, expected a list of paths'],
  [{ paths: [] }, 'a value of type object, expected a list of paths'],
  [[null], 'a directory that is not text'],
  [[1], 'a directory that is not text'],
])('keeps what it had if the reader lists %j', async (junk, what) => {
  let listed: unknown = ['notes'];
  const reader: SkillReader = {
    list: async () => listed as string[],
    listFiles: async () => [],
    read: async (directory, path) => (path === 'SKILL.md' ? encode(directory) : undefined),
  };
  const source = readerSource(reader, { id: 'bucket' });
  const previous = await loadCatalog([source]);
  listed = junk;
  const { skills, diagnostics } = await loadCatalog([source], { previous });
  expect([skills.map(({ name }) => name), diagnostics.map(({ message }) => message)]).toEqual([
    ['notes'],
    [`The source failed: the reader listed ${what}; its last good result was kept.`],
  ]);
});

it.each([Number.NaN, -1, 0.5, '</skill_content>', null])(
  'reads a file whose size the reader says is %j',
  async (bytes) => {
    const reader: SkillReader = {
      list: async () => [],
      listFiles: async () => [{ path: 'a.md', bytes: bytes as number }],
      read: async () => encode('notes'),
    };
    const { files } = await readerSource(reader, { id: 'bucket' }).listFiles({
      directory: 'a',
      location: 'a/SKILL.md',
    });
    expect(files).toEqual([{ path: 'a.md', bytes: encode('notes').length }]);
  },
);

it.each([
  [undefined, 'the reader listed undefined, expected a list of paths'],
  ['a.md', 'the reader listed a value of type string, expected a list of paths'],
  [[null], 'the reader listed a file without a path'],
  [[{ bytes: 1 }], 'the reader listed a file without a path'],
  [new Array(2), 'the reader listed a file without a path'],
])('says what a reader lists instead of files: %j', async (junk, message) => {
  const reader: SkillReader = {
    list: async () => ['notes'],
    listFiles: async () => junk as string[],
    read: async (directory) => encode(directory),
  };
  const source = readerSource(reader, { id: 'bucket' });
  await expect(source.listFiles({ directory: 'notes', location: '' })).rejects.toThrow(message);
});

it('says that a reader lists holes', async () => {
  const reader: SkillReader = {
    list: async () => new Array(2),
    listFiles: async () => [],
    read: async () => undefined,
  };
  const { diagnostics } = await loadCatalog([readerSource(reader, { id: 'bucket' })]);
  expect(diagnostics.map(({ message }) => message)).toEqual([
    'The source failed: the reader listed a directory that is not text.',
  ]);
});

it('reads nothing in a directory with `..`, which a store could take for one of another tenant, and says so', async () => {
  const read = vi.fn(async (directory: string, path: string) => (path === 'SKILL.md' ? encode(directory) : undefined));
  const list = async () => ['../b/plans', 'a/../../b', 'c\\..\\d', '..', 'a..b'];
  const source = readerSource({ list, listFiles: async () => [], read }, { id: 'bucket' });
  const { entries, diagnostics } = await source.list();
  expect([entries.map(({ directory }) => directory), read.mock.calls.map(([directory]) => directory)]).toEqual([
    ['a..b'],
    ['a..b', 'a..b'],
  ]);
  expect(diagnostics.map(({ code }) => code)).toEqual(Array(4).fill('skill-file-unreadable'));
  expect(diagnostics[0]?.message).toContain('the name of its directory contains `..`');
});

it('reads the `ArrayBuffer` of a response, and takes `null` for no file, as stores return them', async () => {
  const read = async (directory: string, path: string) =>
    path === 'SKILL.md' ? encode(directory).slice().buffer : null;
  const source = readerSource({ list: async () => ['pdf'], listFiles: async () => ['SKILL.md'], read }, { id: 'r2' });
  expect((await loadCatalog([source])).skills.map(({ name }) => name)).toEqual(['pdf']);
});

it('says which listed files do not exist, such as keys with the directory before them', async () => {
  const read = async (directory: string, path: string) => (path === 'SKILL.md' ? encode(directory) : undefined);
  const listFiles = async () => ['pdf/references/a.md', { path: 'known.md', bytes: 3 }];
  const { skills } = await loadCatalog([
    readerSource({ list: async () => ['pdf'], listFiles, read }, { id: 'bucket' }),
  ]);
  const [skill] = skills;
  if (skill === undefined) throw new Error('no skill');
  expect(await skill.source.listFiles(skill)).toEqual({
    files: [{ path: 'known.md', bytes: 3 }],
    truncated: false,
    refused: ['pdf/references/a.md'],
  });
});
