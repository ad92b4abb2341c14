import { expect, it } from 'vitest';
import { loadCatalog, readerSource, type SkillReader } from '../../src/index.ts';

const encode = (name: string): Uint8Array =>
  new TextEncoder().encode(`---\nname: ${name}\ndescription: Does ${name}.\n---\n`);

it('loads the other skills if one of them cannot be read', async () => {
  const reader: SkillReader = {
    list: async () => ['notes', 'broken', 'drafts'],
    listFiles: async () => [],
    read: async (directory, path) => {
      if (directory === 'broken') throw new Error('the server said no');
      return path === 'SKILL.md' ? encode(directory) : undefined;
    },
  };
  const { skills, diagnostics } = await loadCatalog([readerSource(reader, { id: 'bucket' })]);
  expect(skills.map(({ name }) => name)).toEqual(['drafts', 'notes']);
  expect(diagnostics.map(({ code, location, message }) => [code, location, message])).toEqual([
    ['skill-file-unreadable', 'broken/SKILL.md', '`SKILL.md` could not be read: the server said no.'],
  ]);
});

it('reads some skills at once, not all of them', async () => {
  let [reading, most] = [0, 0];
  const reader: SkillReader = {
    list: async () => Array.from({ length: 100 }, (_, index) => `s${index}`),
    listFiles: async () => [],
    async read(directory, path) {
      reading += 1;
      most = Math.max(most, reading);
      await new Promise((resolve) => setImmediate(resolve));
      reading -= 1;
      return path === 'SKILL.md' ? encode(directory) : undefined;
    },
  };
  const { skills } = await loadCatalog([readerSource(reader, { id: 'bucket' })]);
  expect([skills.length, most]).toEqual([100, 16]);
});

it('ends with the reason of the signal', async () => {
  const reason = new Error('enough');
  const controller = new AbortController();
  const reader: SkillReader = {
    list: async () => ['notes'],
    listFiles: async () => [],
    async read() {
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
