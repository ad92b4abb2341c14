// Sources that each break one promise. `testSource` must notice each of them.

import { posix } from 'node:path';
import { memorySource, type SkillDirectory, type SkillSource } from '@skillful/core';
import { testSource } from '../../src/index.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;
type Fault = (good: SkillSource, files: Files) => Partial<SkillSource>;

/** Reads files that the good source does not find, by the path in all files that `locate` returns. */
function readMore(locate: (skill: SkillDirectory, path: string, files: Files) => string | undefined): Fault {
  return (good, files) => ({
    async readFile(skill, path, options) {
      try {
        return await good.readFile(skill, path, options);
      } catch (error) {
        const content = files[locate(skill, path, files) ?? ''];
        if (content === undefined) throw error;
        return Buffer.from(content as string);
      }
    },
  });
}

const faults: Readonly<Record<string, Fault>> = {
  'contains by the beginning of a path': readMore(({ directory }, path) => {
    const real = posix.join(directory, path);
    return real.startsWith(directory) ? real : undefined;
  }),
  'decodes a path after its check': readMore(({ directory }, path) =>
    path.includes('%') ? posix.join(directory, decodeURIComponent(path)) : undefined,
  ),
  'normalises a path after its check': readMore(({ directory }, path) =>
    path.includes('\uff0e') ? posix.join(directory, path.normalize('NFKC')) : undefined,
  ),
  'finds a file in any skill': readMore((_, path, files) => Object.keys(files).find((key) => key.endsWith(`/${path}`))),
  'cuts a path at NUL': (good) => ({
    readFile: (skill, path, options) => good.readFile(skill, path.split('\0')[0] ?? '', options),
  }),
  'takes a backslash as a separator': (good) => ({
    readFile: (skill, path, options) => good.readFile(skill, path.replaceAll('\\', '/'), options),
  }),
  'resolves `..` inside the skill': (good) => ({
    readFile: (skill, path, options) => good.readFile(skill, path && posix.normalize(path), options),
  }),
  'trims a path': (good) => ({ readFile: (skill, path, options) => good.readFile(skill, path.trim(), options) }),
  'remembers the skill of the last call': (good) => {
    let last: SkillDirectory;
    return {
      async readFile(skill, path, options) {
        last = skill;
        await Promise.resolve();
        return good.readFile(last, path, options);
      },
    };
  },
  'lists by the beginning of a path': (good, files) => ({
    async listFiles(skill, options) {
      const listed = await good.listFiles(skill, options);
      const beside = Object.keys(files).filter((path) => /^\w/.test(path.slice(skill.directory.length)));
      const more = beside.filter((path) => path.startsWith(skill.directory) && !path.endsWith('SKILL.md'));
      return { ...listed, files: [...more.map((path) => ({ path, bytes: 1 })), ...listed.files] };
    },
  }),
  'sorts by the rules of a language': (good) => ({
    async listFiles(skill, options) {
      const listed = await good.listFiles(skill, options);
      return { ...listed, files: [...listed.files].sort((one, other) => one.path.localeCompare(other.path)) };
    },
  }),
  'leaves out empty files': (good) => ({
    async listFiles(skill, options) {
      const listed = await good.listFiles(skill, options);
      return { ...listed, files: listed.files.filter(({ bytes }) => bytes > 0) };
    },
  }),
  'removes a byte order mark': (good) => ({
    async readFile(skill, path, options) {
      const bytes = await good.readFile(skill, path, options);
      return bytes[0] === 0xef ? bytes.subarray(3) : bytes;
    },
  }),
  'changes line ends': (good) => ({
    async readFile(skill, path, options) {
      const bytes = await good.readFile(skill, path, options);
      return bytes.filter((byte) => byte !== 13 || !path.endsWith('.md'));
    },
  }),
  'says that no skill has files': (good) => ({
    async list(options) {
      const listing = await good.list(options);
      return { ...listing, entries: listing.entries.map((entry) => ({ ...entry, hasFiles: false })) };
    },
  }),
  'leaves out what is known': (good) => ({
    async list(options) {
      const listing = await good.list(options);
      return { ...listing, entries: listing.entries.filter(({ directory }) => !options?.known?.has(directory)) };
    },
  }),
};

for (const [name, fault] of Object.entries(faults)) {
  testSource({
    name,
    create(files) {
      const good = memorySource(files);
      return { ...good, ...fault(good, files) };
    },
  });
}
