// What a disk may contain after a power cut: any part of what was never synced may be missing, and data may be torn.

import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A change that a program made to the disk; paths are relative to the recorded directory. */
export type DiskChange =
  | { readonly do: 'make-directory' | 'create' | 'sync' | 'remove'; readonly path: string }
  | { readonly do: 'write'; readonly path: string; readonly hex: string }
  | { readonly do: 'rename'; readonly path: string; readonly to: string };

/** A file, a link or a directory, apart from the names by which it is reached. */
type Node =
  | { readonly kind: 'file'; readonly synced: Uint8Array; readonly written: Uint8Array }
  | { readonly kind: 'link'; readonly to: string }
  | { readonly kind: 'directory' };

/** Names of one directory that change to other nodes, all at once or not at all. */
interface NameChange {
  readonly directory: number;
  readonly names: ReadonlyMap<string, number | undefined>;
}

/** A disk at one moment: its nodes, the synced names, and changes of names that may be lost. */
interface Disk {
  readonly nodes: ReadonlyMap<number, Node>;
  readonly synced: readonly NameChange[];
  readonly pending: readonly NameChange[];
}

type Names = Map<number, Map<string, number>>;

/** The content of a disk: text of files, targets of links behind `->`, and `undefined` for directories. */
export type DiskImage = ReadonlyMap<string, string | undefined>;

const top = 0;

/** Reads a directory as a disk on which everything is synced. */
export function readDisk(path: string): Disk {
  const nodes = new Map<number, Node>([[top, { kind: 'directory' }]]);
  const synced: NameChange[] = [];
  function read(directory: string, parent: number): void {
    for (const name of readdirSync(directory)) {
      const place = join(directory, name);
      const status = lstatSync(place);
      const node = nodes.size;
      if (status.isDirectory()) nodes.set(node, { kind: 'directory' });
      else if (status.isSymbolicLink()) nodes.set(node, { kind: 'link', to: readlinkSync(place) });
      else nodes.set(node, { kind: 'file', synced: readFileSync(place), written: readFileSync(place) });
      synced.push({ directory: parent, names: new Map([[name, node]]) });
      if (status.isDirectory()) read(place, node);
    }
  }
  read(path, top);
  return { nodes, synced, pending: [] };
}

/** Returns the disk before the first change, and after each of them. */
export function replay(start: Disk, changes: readonly DiskChange[]): readonly Disk[] {
  const disks = [start];
  for (const change of changes) disks.push(apply(disks.at(-1) ?? start, change));
  return disks;
}

function apply({ nodes, synced, pending }: Disk, change: DiskChange): Disk {
  const names = namesAfter([...synced, ...pending]);
  const parent = find(names, dirname(change.path));
  const name = basename(change.path);
  const next = new Map(nodes);
  const rename = (changed: ReadonlyMap<string, number | undefined>): Disk => ({
    nodes: next,
    synced,
    pending: [...pending, { directory: parent, names: changed }],
  });
  const empty = new Uint8Array(0);
  switch (change.do) {
    case 'make-directory':
      next.set(nodes.size, { kind: 'directory' });
      return rename(new Map([[name, nodes.size]]));
    case 'create':
      next.set(nodes.size, { kind: 'file', synced: empty, written: empty });
      return rename(new Map([[name, nodes.size]]));
    case 'remove':
      return rename(new Map([[name, undefined]]));
    case 'rename':
      return rename(
        new Map([
          [name, undefined],
          [change.to, find(names, change.path)],
        ]),
      );
    case 'write': {
      const file = fileAt(nodes, find(names, change.path));
      const written = new Uint8Array([...file.written, ...Buffer.from(change.hex, 'hex')]);
      next.set(find(names, change.path), { ...file, written });
      return { nodes: next, synced, pending };
    }
    case 'sync': {
      const node = find(names, change.path);
      if (nodes.get(node)?.kind === 'directory') {
        const settled = pending.filter(({ directory }) => directory === node);
        const others = pending.filter(({ directory }) => directory !== node);
        return { nodes, synced: [...synced, ...settled], pending: others };
      }
      const file = fileAt(nodes, node);
      next.set(node, { ...file, synced: file.written });
      return { nodes: next, synced, pending };
    }
  }
}

function fileAt(nodes: Disk['nodes'], node: number): Extract<Node, { readonly kind: 'file' }> {
  const file = nodes.get(node);
  if (file?.kind !== 'file') throw new Error('What is written to is no file.');
  return file;
}

function namesAfter(changes: readonly NameChange[]): Names {
  const names: Names = new Map();
  for (const { directory, names: changed } of changes) {
    const here = names.get(directory) ?? new Map<string, number>();
    names.set(directory, here);
    for (const [name, node] of changed) {
      if (node === undefined) here.delete(name);
      else here.set(name, node);
    }
  }
  return names;
}

function find(names: Names, path: string): number {
  if (path === '.' || path === '') return top;
  const node = names.get(find(names, dirname(path)))?.get(basename(path));
  if (node === undefined) throw new Error(`There is no ${path}.`);
  return node;
}

/** Returns everything that a disk may contain after a cut at this moment, each once. */
export function imagesOf({ nodes, synced, pending }: Disk): readonly DiskImage[] {
  const images = new Map<string, DiskImage>();
  for (let chosen = 0; chosen < 2 ** pending.length; chosen += 1) {
    const names = namesAfter([...synced, ...pending.filter((_, index) => (chosen >> index) % 2 === 1)]);
    for (const part of [0, 0.5, 1]) {
      const image = render(nodes, names, part);
      images.set(JSON.stringify([...image]), image);
    }
  }
  return [...images.values()];
}

/** Renders a disk that received only a part of what was not synced. */
function render(nodes: Disk['nodes'], names: Names, part: number): DiskImage {
  const image = new Map<string, string | undefined>();
  function draw(directory: number, path: string): void {
    for (const [name, id] of names.get(directory) ?? []) {
      const place = join(path, name);
      const node = nodes.get(id);
      if (node?.kind === 'file') {
        const arrived = node.synced.length + Math.floor((node.written.length - node.synced.length) * part);
        image.set(place, new TextDecoder().decode(node.written.subarray(0, arrived)));
      } else image.set(place, node?.kind === 'link' ? `-> ${node.to}` : undefined);
      if (node?.kind === 'directory') draw(id, place);
    }
  }
  draw(top, '');
  return image;
}

/** Writes an image to an empty directory, dated a day ago, because the power was off for a while. */
export function writeImage(base: string, image: DiskImage): void {
  const yesterday = Date.now() / 1000 - 86_400;
  for (const [path, content] of image) {
    const place = join(base, path);
    if (content === undefined) mkdirSync(place);
    else if (content.startsWith('-> ')) symlinkSync(content.slice(3), place);
    else writeFileSync(place, content);
  }
  for (const [path, content] of [...image].reverse())
    if (content?.startsWith('-> ') !== true) utimesSync(join(base, path), yesterday, yesterday);
}
