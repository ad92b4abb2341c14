// Nothing is exported by accident: every name, value or type, is in a snapshot, and the README of its package names the values.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runWell } from './run.ts';
import { readExports } from './source-imports.ts';
import { publishedPackages, root, type WorkspacePackage } from './workspace.ts';

interface Entry {
  /** As it is imported: `@skillful/core/node`. */
  readonly specifier: string;
  readonly javascript: string;
  readonly declarations: string;
}

function entriesOf({ directory, manifest }: WorkspacePackage): readonly Entry[] {
  return Object.entries(manifest.exports).flatMap(([path, target]) =>
    typeof target === 'string'
      ? []
      : [
          {
            specifier: `${manifest.name}${path.slice(1)}`,
            javascript: join(directory, target.default ?? ''),
            declarations: join(directory, target.types ?? ''),
          },
        ],
  );
}

/** The values that an entry really has, in a separate process without the test runner's module loading. */
async function valuesOf({ javascript }: Entry): Promise<readonly string[]> {
  const url = JSON.stringify(pathToFileURL(javascript).href);
  const program = `process.stdout.write(JSON.stringify(Object.keys(await import(${url}))))`;
  return JSON.parse(await runWell(process.execPath, ['--input-type=module', '--eval', program], root)) as string[];
}

/** Every name in the declarations of an entry; `export *` is not allowed, because it has no names. */
function namesOf({ declarations }: Entry): readonly string[] {
  const names = readExports(declarations);
  expect(names, `${declarations} spells its exports out`).not.toContain('*');
  return names;
}

/** What the README of a package names: as `name`, as the call of it, or in a block of code. */
function namedBy({ directory }: WorkspacePackage): ReadonlySet<string> {
  const text = readFileSync(join(directory, 'README.md'), 'utf8');
  const blocks = text.match(/^```ts.*?^```/gmsu) ?? [];
  const inline = [...text.matchAll(/`(\w+)(?=`|\()/gu)].map(([, name = '']) => name);
  return new Set([...inline, ...blocks.flatMap((block) => block.match(/\w+/gu) ?? [])]);
}

describe.each(publishedPackages)('the README of $manifest.name', (published) => {
  it('names every value that the package exports', async () => {
    const values = (await Promise.all(entriesOf(published).map(valuesOf))).flat();
    expect(values.filter((value) => !namedBy(published).has(value))).toEqual([]);
  });
});

it('the tables in the README of the core call nothing that the core does not export', async () => {
  const core = publishedPackages.filter(({ folder }) => folder === 'core');
  const values = (await Promise.all(core.flatMap(entriesOf).map(valuesOf))).flat();
  const rows = core.flatMap(
    ({ directory }) => readFileSync(join(directory, 'README.md'), 'utf8').match(/^\| .*/gmu) ?? [],
  );
  const calls = rows.flatMap((row) =>
    [...(row.split(' | ')[1] ?? '').matchAll(/`(\w+)(?=`|\()/gu)].map(([, name]) => name),
  );
  expect(calls.length).toBeGreaterThan(40);
  expect(calls.filter((name) => !values.includes(name ?? ''))).toEqual([]);
});

describe.each(publishedPackages.flatMap(entriesOf))('$specifier', (entry) => {
  it('exports what the snapshot says; a change of it needs a changeset and the documents', async () => {
    expect(existsSync(entry.javascript), 'the packages have to be built').toBe(true);
    const values = await valuesOf(entry);
    const types = namesOf(entry).filter((name) => !values.includes(name));
    expect({ values: values.toSorted(), types: types.toSorted() }).toMatchSnapshot();
  });
});
