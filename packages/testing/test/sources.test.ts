// The sources of the core under the contract of all sources.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { memorySource, readerSource } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { afterAll } from 'vitest';
import { testSource } from '../src/index.ts';

const directories: string[] = [];
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))));

testSource({ name: 'memorySource', create: (files) => memorySource(files) });

testSource({
  name: 'readerSource',
  create(files) {
    const directories = Object.keys(files).flatMap((path) => /^([^/]+)\/SKILL\.md$/.exec(path)?.[1] ?? []);
    const contents = new Map(
      Object.entries(files).map(([path, content]) => [path, Buffer.from(content as string | Uint8Array<ArrayBuffer>)]),
    );
    return readerSource(
      {
        list: async () => directories,
        listFiles: async (directory) =>
          [...contents.keys()].flatMap((path) =>
            path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : [],
          ),
        read: async (directory, path) => contents.get(`${directory}/${path}`),
      },
      { id: 'reader' },
    );
  },
});

testSource({
  name: 'fileSource',
  async create(files) {
    const root = await mkdtemp(join(tmpdir(), 'skillful-source-'));
    directories.push(root);
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    }
    return fileSource(root);
  },
});
