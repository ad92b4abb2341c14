// Does one action and writes every change that it made to the disk, in order.

import fs, { type PathLike } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import type { DiskChange } from './disk-image.ts';

const [, , base = '', action = ''] = process.argv;
const real = { ...fs };
const changes: DiskChange[] = [];
const opened = new Map<number, string>();

/** The path relative to the recorded directory; `undefined` for any other. */
function within(path: PathLike): string | undefined {
  const place = relative(base, String(path));
  return place.startsWith('..') ? undefined : place;
}

function record(path: PathLike, change: (place: string) => DiskChange): void {
  const place = within(path);
  if (place !== undefined) changes.push(change(place));
}

function removeTree(path: string): void {
  const status = real.lstatSync(path, { throwIfNoEntry: false });
  if (status === undefined) return;
  if (status.isDirectory()) for (const name of real.readdirSync(path)) removeTree(join(path, name));
  record(path, (place) => ({ do: 'remove', path: place }));
  if (status.isDirectory()) real.rmdirSync(path);
  else real.unlinkSync(path);
}

const recorded = {
  mkdirSync(path: PathLike, options?: { readonly recursive?: boolean; readonly mode?: number }) {
    const missing: string[] = [];
    if (options?.recursive === true) {
      for (let one = String(path); !real.existsSync(one); one = dirname(one)) missing.unshift(one);
      for (const one of missing) recorded.mkdirSync(one);
      return missing[0];
    }
    real.mkdirSync(path);
    record(path, (place) => ({ do: 'make-directory', path: place }));
    return undefined;
  },
  openSync(path: PathLike, flags: string | number, mode?: number) {
    const descriptor = real.openSync(path, flags, mode);
    opened.set(descriptor, String(path));
    if (flags === 'wx') record(path, (place) => ({ do: 'create', path: place }));
    return descriptor;
  },
  writeSync(descriptor: number, data: string | Uint8Array, offset?: number) {
    const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data.subarray(offset ?? 0);
    const written = real.writeSync(descriptor, bytes);
    const path = opened.get(descriptor);
    const hex = Buffer.from(bytes.subarray(0, written)).toString('hex');
    if (path !== undefined) record(path, (place) => ({ do: 'write', path: place, hex }));
    return written;
  },
  fsyncSync(descriptor: number) {
    real.fsyncSync(descriptor);
    const path = opened.get(descriptor);
    if (path !== undefined) record(path, (place) => ({ do: 'sync', path: place }));
  },
  renameSync(from: PathLike, to: PathLike) {
    real.renameSync(from, to);
    if (dirname(String(from)) !== dirname(String(to))) throw new Error('A rename across directories is not modelled.');
    record(from, (place) => ({ do: 'rename', path: place, to: basename(String(to)) }));
  },
  unlinkSync(path: PathLike) {
    real.unlinkSync(path);
    record(path, (place) => ({ do: 'remove', path: place }));
  },
  rmSync: (path: PathLike) => removeTree(String(path)),
};
Object.assign(fs, recorded);
syncBuiltinESMExports();

const { replaceFile } = await import('../../../src/node/disk/write.ts');
const { writeSkill } = await import('../../../src/node/manage/create-skill.ts');
const { removeSkill } = await import('../../../src/node/manage/remove-skill.ts');
const { setSkillEnabled } = await import('../../../src/node/manage/settings.ts');
const { fileSource } = await import('../../../src/node/discovery/file-source.ts');
const { loadCatalog } = await import('../../../src/catalog/catalog.ts');

const root = join(base, 'skills');
const actions: ReadonlyMap<string, () => Promise<unknown>> = new Map<string, () => Promise<unknown>>([
  ['create', () => writeSkill(root, { name: 'x', description: 'New.', instructions: 'x'.repeat(5000) })],
  [
    'remove',
    async () => {
      const { skills } = await loadCatalog([fileSource(root, { scope: 'user' })]);
      for (const skill of skills) await removeSkill(skill);
    },
  ],
  ['file', () => replaceFile(join(root, 'README.md'), 'About skills.')],
  ['disable', () => setSkillEnabled('user:new', false, { home: base, environment: {} })],
]);
await actions.get(action)?.();
real.writeSync(1, JSON.stringify(changes));
