// Looking again: what did not change costs two calls a skill, and whatever was added, changed or removed is noticed.

import { link, mkdir, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Catalog, loadCatalog } from '../../../src/catalog/catalog.ts';
import { createFileSource } from '../../../src/node/discovery/file-source.ts';
import { type FileSystem, nodeFileSystem } from '../../../src/node/disk/file-system.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

const restricting = 'policy:\n  allow_implicit_invocation: false\n';
const allowing = 'policy:\n  allow_implicit_invocation: true\n';
const sidecar = 'agents/openai.yaml';

/** What the model may not activate, and what is reported. */
function stateOf({ skills, diagnostics }: Catalog) {
  return {
    hidden: skills.filter(({ properties }) => properties.disableModelInvocation).map(({ name }) => name),
    codes: diagnostics.map(({ code }) => code),
  };
}

const nothing = { hidden: [], codes: [] };
const hidden = { hidden: ['x'], codes: [] };
const twin = { hidden: [], codes: ['skill-file-twin'] };

describe.skipIf(process.platform !== 'linux')('a second load', () => {
  it('looks at a skill and at its directory, and at nothing else', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'x/SKILL.md': skillText('x'), 'y/SKILL.md': skillText('y'), [`y/${sidecar}`]: allowing });
    await setTimeout(60);
    const looked: string[] = [];
    const note =
      <Rest extends readonly unknown[], Result>(call: (path: string, ...rest: Rest) => Result) =>
      (path: string, ...rest: Rest): Result => {
        looked.push(path.slice(root.length + 1));
        return call(path, ...rest);
      };
    const { lstat, lstatIfThere, exists, open } = nodeFileSystem;
    const counting: FileSystem = {
      ...nodeFileSystem,
      lstat: note(lstat),
      lstatIfThere: note(lstatIfThere),
      exists: note(exists),
      open: note(open),
    };
    const source = createFileSource(counting, root, {});
    const first = await loadCatalog([source]);
    looked.length = 0;
    expect(await loadCatalog([source], { previous: first })).toBe(first);
    expect(looked.filter((path) => path.startsWith('x'))).toEqual(['x/SKILL.md', 'x']);
    expect(looked.filter((path) => path.startsWith('y'))).toEqual(['y/SKILL.md', 'y', `y/${sidecar}`, 'y/skill.md']);
  });

  it('asks who the user is as often for three skills as for one', async () => {
    const root = await makeTemporaryDirectory();
    const asked = vi.spyOn(process, 'geteuid');
    onTestFinished(() => asked.mockRestore());
    const counts: number[][] = [];
    for (const names of [['x'], ['y', 'z']]) {
      for (const name of names) await writeTree(root, { [`${name}/SKILL.md`]: skillText(name) });
      await setTimeout(60);
      asked.mockClear();
      const source = createFileSource(nodeFileSystem, root, {});
      const previous = await loadCatalog([source]);
      const first = asked.mock.calls.length;
      await loadCatalog([source], { previous });
      counts.push([first, asked.mock.calls.length - first]);
    }
    expect(counts[1]).toEqual(counts[0]);
    expect(counts[0]?.every((count) => count > 0)).toBe(true);
  });

  it('reads on from a copy with the same files if a link now leads there', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { '.v1/SKILL.md': skillText('x'), '.v2/notes.md': '', current: { link: '.v1' } });
    await link(join(root, '.v1/SKILL.md'), join(root, '.v2/SKILL.md'));
    await setTimeout(60);
    const source = createFileSource(nodeFileSystem, root, {});
    const previous = await loadCatalog([source]);
    await unlink(join(root, 'current'));
    await symlink('.v2', join(root, 'current'));
    const { skills } = await loadCatalog([source], { previous });
    expect(skills.map(({ identity }) => identity)).toEqual([join(root, '.v2')]);
  });

  it('keeps no more of a changed skill in memory than its head', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'x/SKILL.md': skillText('x'), 'y/SKILL.md': skillText('y') });
    await setTimeout(60);
    const source = createFileSource(nodeFileSystem, root, {});
    const { entries } = await source.list();
    await writeTree(root, { 'x/SKILL.md': skillText('x', 'Changed.') });
    const known = new Map(entries.map((entry) => [entry.directory, entry]));
    const heads = (await source.list({ known })).entries.map(({ head }) => head);
    expect(heads.map(({ length }) => length > 0)).toEqual([true, false]);
    expect(heads.map(({ buffer }) => buffer.byteLength)).toEqual(heads.map(({ length }) => length));
  });

  it.each<[string, Parameters<typeof writeTree>[1], (skill: string) => Promise<unknown>, object, object]>([
    ['a sidecar in a new directory', {}, (x) => writeTree(x, { [sidecar]: restricting }), nothing, hidden],
    [
      'a sidecar in a directory that was there',
      { 'x/agents': { directory: 0o755 } },
      (x) => writeFile(join(x, sidecar), restricting),
      nothing,
      hidden,
    ],
    [
      'a sidecar behind a link that led nowhere',
      { 'x/agents': { link: 'others' } },
      (x) => writeTree(x, { 'others/openai.yaml': restricting }),
      nothing,
      hidden,
    ],
    [
      'a sidecar by renaming its directory',
      { 'x/Agents/openai.yaml': restricting },
      (x) => rename(join(x, 'Agents'), join(x, 'agents')),
      nothing,
      hidden,
    ],
    [
      'other words in a sidecar',
      { [`x/${sidecar}`]: allowing },
      (x) => writeFile(join(x, sidecar), restricting),
      nothing,
      hidden,
    ],
    ['a sidecar that is gone', { [`x/${sidecar}`]: restricting }, (x) => unlink(join(x, sidecar)), hidden, nothing],
    [
      'a sidecar that is gone with its directory',
      { [`x/${sidecar}`]: restricting },
      (x) => rm(join(x, 'agents'), { recursive: true }),
      hidden,
      nothing,
    ],
    ['a `skill.md`', {}, (x) => writeFile(join(x, 'skill.md'), 'Other.'), nothing, twin],
    ['a `skill.md` that is gone', { 'x/skill.md': 'Other.' }, (x) => unlink(join(x, 'skill.md')), twin, nothing],
    [
      'a `skill.md` that was a broken link',
      { 'x/skill.md': { link: 'deep/other.md' }, 'x/deep': { directory: 0o755 } },
      (x) => writeFile(join(x, 'deep/other.md'), 'Other.'),
      nothing,
      twin,
    ],
    ['a `skill.md` that is a link', {}, (x) => symlink('../other', join(x, 'skill.md')), nothing, twin],
  ])('notices %s', async (_, tree, change, before, after) => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'skills/x/SKILL.md': skillText('x'), 'skills/other': '' });
    await writeTree(join(root, 'skills'), tree);
    await setTimeout(60);
    const source = createFileSource(nodeFileSystem, join(root, 'skills'), {});
    const first = await loadCatalog([source]);
    expect(stateOf(first)).toEqual(before);
    await change(join(root, 'skills/x'));
    const second = await loadCatalog([source], { previous: first });
    expect(stateOf(second)).toEqual(after);
    expect(stateOf(await loadCatalog([source], { previous: second }))).toEqual(after);
  });

  it('notices a sidecar after other files were added', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'x/SKILL.md': skillText('x') });
    await setTimeout(60);
    const source = createFileSource(nodeFileSystem, root, {});
    const first = await loadCatalog([source]);
    await mkdir(join(root, 'x/agents'));
    const second = await loadCatalog([source], { previous: first });
    expect(second).toBe(first);
    await writeFile(join(root, 'x', sidecar), restricting);
    expect(stateOf(await loadCatalog([source], { previous: second }))).toEqual(hidden);
  });

  it('notices a sidecar that was added in the second of the first load, on a disk that counts seconds', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'x/SKILL.md': skillText('x') });
    await setTimeout(60);
    const second = Math.floor(Date.now() / 1000) * 1000;
    const counting: FileSystem = {
      ...nodeFileSystem,
      lstat: (path) => Object.assign(nodeFileSystem.lstat(path), { ctimeMs: second, mtimeMs: second }),
    };
    const source = createFileSource(counting, root, {});
    const first = await loadCatalog([source]);
    await writeTree(root, { [`x/${sidecar}`]: restricting });
    expect(stateOf(await loadCatalog([source], { previous: first }))).toEqual(hidden);
  });
});
