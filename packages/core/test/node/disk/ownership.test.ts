import { afterEach, describe, expect, it, vi } from 'vitest';
import { type FileSystem, nodeFileSystem } from '../../../src/node/disk/file-system.ts';
import { findHazard, isPrivate } from '../../../src/node/disk/ownership.ts';

const [caller, stranger] = [4_000, 65_534];

/** A file system in which every path has one owner and one mode, or is not there. */
const filesOf = (uid: number, mode: number): FileSystem => ({
  ...nodeFileSystem,
  stat: (path) => Object.assign(nodeFileSystem.stat('/'), { uid, mode }, path.includes('missing') && fail()),
});

function fail(): never {
  throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe.skipIf(process.platform === 'win32')('the owner of a directory', () => {
  it.each([
    ['its own', process.geteuid?.() ?? 0, 0o40700, undefined, true],
    ['that of root', 0, 0o40755, undefined, true],
    ['that of another user', stranger, 0o40755, 'another user owns it', false],
    ['one that everyone can write to', 0, 0o40777, 'everyone can write to it', false],
    // Nobody can exchange the files of others there, but everyone can add some.
    ['one like /tmp', 0, 0o41777, undefined, false],
  ])('knows %s', (_, uid, mode, hazard, isOurs) => {
    const files = filesOf(uid, mode);
    expect([findHazard(files, '/x'), isPrivate(files, '/x')]).toEqual([hazard, isOurs]);
    // A directory that does not exist is as good as its parent.
    expect([findHazard(files, '/missing'), isPrivate(files, '/missing')]).toEqual([undefined, true]);
  });

  it.each([0, 1_000])('is also the user who called sudo, but only for root: as the user %i', (user) => {
    vi.spyOn(process, 'geteuid').mockReturnValue(user);
    vi.stubEnv('SUDO_UID', String(caller));
    const files = filesOf(caller, 0o40755);
    const isRoot = user === 0;
    expect(findHazard(filesOf(0, 0o40755), '/x')).toBeUndefined();
    expect([findHazard(files, '/x') === undefined, isPrivate(files, '/x')]).toEqual([isRoot, isRoot]);
  });

  it('counts from a directory up to a chosen one, even to the root of the file system', () => {
    const owners = new Map([['/', stranger]]);
    const files: FileSystem = {
      ...nodeFileSystem,
      stat: (path) => Object.assign(nodeFileSystem.stat('/'), { uid: owners.get(path) ?? 0, mode: 0o40755 }),
    };
    expect(findHazard(files, '/a/b/c', '/a')).toBeUndefined();
    expect(findHazard(files, '/a/b/c', '/')).toBe('another user owns a directory above it');
    owners.clear();
    expect(findHazard(files, '/a/b/c', '/')).toBeUndefined();
    owners.set('/a', stranger);
    expect(findHazard(files, '/a/b/c', '/a')).toBe('another user owns a directory above it');
  });
});
