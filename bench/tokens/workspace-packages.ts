// Puts the built packages of this repository beside the installed frameworks, so that all contenders share one copy of each.

import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const here = import.meta.dirname;
const packages = join(here, '..', '..', 'packages');
const modules = join(here, 'node_modules');
const folders = ['core', 'adapter-langchain', 'adapter-mastra', 'adapter-vercel-ai'];

/** Returns the commands that have to be run before anything can be measured. */
export async function missingSteps(): Promise<readonly string[]> {
  const { dependencies } = JSON.parse(await readFile(join(here, 'package.json'), 'utf8'));
  const installed = Object.keys(dependencies).every((name) => existsSync(join(modules, name)));
  const built = folders.every((folder) => existsSync(join(packages, folder, 'dist', 'index.js')));
  return [...(installed ? [] : ['npm --prefix bench/tokens install']), ...(built ? [] : ['npx -y pnpm@12 run build'])];
}

/** Copies the built files, as an installation would; a link would find other copies of the frameworks. */
export async function placeWorkspacePackages(): Promise<void> {
  for (const folder of folders) {
    const { name, version, type, exports } = JSON.parse(await readFile(join(packages, folder, 'package.json'), 'utf8'));
    const target = join(modules, name);
    await rm(target, { recursive: true, force: true });
    await mkdir(target, { recursive: true });
    await cp(join(packages, folder, 'dist'), join(target, 'dist'), { recursive: true });
    await writeFile(join(target, 'package.json'), JSON.stringify({ name, version, type, exports }));
  }
}
