// The entries of the core outside `node/` run everywhere: they reach no Node module, and work without Node's globals.

import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { runWell } from './run.ts';
import { readImports } from './source-imports.ts';
import { type Manifest, packages, root } from './workspace.ts';

const [core] = packages.filter(({ folder }) => folder === 'core');
const entry = join(core?.directory ?? '', 'dist/index.js');

/** Follows every import from a file; in a package, it follows what a runtime other than Node would load. */
function reach(
  file: string,
  reached: Map<string, readonly string[]> = new Map(),
): ReadonlyMap<string, readonly string[]> {
  if (reached.has(file)) return reached;
  const specifiers = readImports(file).map(({ specifier }) => specifier);
  reached.set(file, specifiers);
  for (const specifier of specifiers) {
    if (specifier.startsWith('.')) reach(join(dirname(file), specifier), reached);
    else if (!builtinModules.includes(specifier) && !specifier.startsWith('node:'))
      reach(neutralEntry(specifier), reached);
  }
  return reached;
}

function neutralEntry(name: string): string {
  const directory = join(core?.directory ?? '', 'node_modules', name);
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;
  const target = manifest.exports['.'];
  return join(directory, typeof target === 'string' ? target : (target?.default ?? ''));
}

it.each(['index.js', 'authoring.js', 'extending.js'])('reaches no Node module from %s of the core', (name) => {
  const reached = [...reach(join(dirname(entry), name))];
  const named = reached.flatMap(([file, specifiers]) =>
    specifiers
      .filter((specifier) => specifier.startsWith('node:') || builtinModules.includes(specifier))
      .map((specifier) => `${relative(root, file)} imports ${specifier}`),
  );
  const files = reached.map(([file]) => relative(root, file));
  expect(files).toContain(`packages/core/dist/${name}`);
  expect(
    files.filter((file) => !/^packages\/core\/dist\/(index|authoring|extending|shared\/[a-z-]+)\.js$/u.test(file)),
  ).toEqual([]);
  expect(named).toEqual([]);
});

it('offers a skill and activates it with only the globals of the web', async () => {
  const program = join(root, 'test/neutral-program.ts');
  const output = await runWell(process.execPath, ['--experimental-vm-modules', '--no-warnings', program, entry], root);
  expect(JSON.parse(output)).toEqual({
    names: ['greeting'],
    tools: ['activate_skill', 'read_skill_resource', 'list_skill_resources'],
    activated: true,
    read: true,
  });
});
