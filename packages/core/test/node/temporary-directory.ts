// A directory on the real disk for one test, removed afterwards.

import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Makes an empty directory whose path has no link in it. */
export async function makeTemporaryDirectory(): Promise<string> {
  const path = await mkdtemp(join(await realpath(tmpdir()), 'skillful-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Writes files, given as path and content; `{ link }` makes a symbolic link, `{ directory: mode }` an empty directory. */
export async function writeTree(
  root: string,
  tree: Readonly<Record<string, string | Uint8Array | { readonly link: string } | { readonly directory: number }>>,
): Promise<void> {
  for (const [name, content] of Object.entries(tree)) {
    const path = join(root, name);
    await mkdir(dirname(path), { recursive: true });
    if (typeof content === 'string' || content instanceof Uint8Array) await writeFile(path, content);
    else if ('link' in content) await symlink(content.link, path);
    else {
      await mkdir(path, { recursive: true });
      await chmod(path, content.directory);
    }
  }
}

/** The text of a valid `SKILL.md`. */
export function skillText(name: string, body = '# Title\n'): string {
  return `---\nname: ${name}\ndescription: About ${name}.\n---\n${body}`;
}
