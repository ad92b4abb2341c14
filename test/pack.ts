// Packs the published packages exactly as a release does: with pnpm, which writes the manifest that npm will see.

import { basename, join } from 'node:path';
import { runWell } from './run.ts';
import { publishedPackages, type WorkspacePackage } from './workspace.ts';

/** A published package and its tarball. */
export interface PackedPackage extends WorkspacePackage {
  readonly tarball: string;
}

/** Packs every published package into a directory. Build them first. */
export async function packPackages(directory: string): Promise<readonly PackedPackage[]> {
  const packed: PackedPackage[] = [];
  for (const entry of publishedPackages) {
    const command = ['-y', 'pnpm@12', '--silent', 'pack', '--json', '--pack-destination', directory];
    const { filename } = JSON.parse(await runWell('npx', command, entry.directory)) as { filename: string };
    packed.push({ ...entry, tarball: join(directory, basename(filename)) });
  }
  return packed;
}
