// Enforces the architecture: the floors inside the core, and which package may import which.

import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readExports, readFunctions, readImports, readUndocumented, type SourceImport } from './source-imports.ts';
import { listFiles, packages, publishedPackages, root } from './workspace.ts';

// The floors of packages/core/src, from the ground up: a file imports its own room, or a room on a lower floor.
const floors: readonly (readonly string[])[] = [
  ['text', 'runtime', 'diagnostics'],
  ['skill'],
  ['format', 'node/disk'],
  ['sources', 'catalog', 'scripts', 'search', 'node/environment'],
  ['disclosure', 'policy', 'node/discovery'],
  ['conversation', 'node/clients', 'node/manage', 'node/scripts'],
  ['toolkit'],
];
const entries: readonly string[] = ['authoring.ts', 'extending.ts', 'index.ts', 'node/index.ts'];
const core = 'packages/core/src';

/** Everything that is published, except the contract suites, which run agents in separate processes. */
const products = ['packages/core/src/**/*.ts', 'packages/cli/src/**/*.ts', 'packages/adapter-*/src/**/*.ts'];

interface Import extends SourceImport {
  readonly file: string;
  /** The imported file, relative to the root, if the specifier is a path. */
  readonly target: string | undefined;
}

function importsOf(...patterns: readonly string[]): readonly Import[] {
  return listFiles(...patterns).flatMap((file) =>
    readImports(join(root, file)).map((entry) => ({
      ...entry,
      file,
      target: entry.specifier.startsWith('.') ? posix.join(posix.dirname(file), entry.specifier) : undefined,
    })),
  );
}

const place = ({ file, line, specifier }: Import): string => `${file}:${line} imports ${specifier}`;
const isNodeModule = (specifier: string): boolean =>
  specifier.startsWith('node:') || builtinModules.includes(specifier.replace(/\/.*/u, ''));
const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** The room of a file of the core: its folder, below `node/` the folder in that. */
function roomOf(file: string | undefined): string | undefined {
  return file === undefined ? undefined : /^packages\/core\/src\/(node\/[^/]+|[^/]+)\/[^/]/u.exec(file)?.[1];
}

const floorOf = (room: string | undefined): number => floors.findIndex((rooms) => rooms.includes(room ?? ''));

describe('inside the core', () => {
  it('has a room for every file except the entries', () => {
    const homeless = listFiles(`${core}/**/*.ts`).filter((file) => floorOf(roomOf(file)) < 0);
    expect(homeless.map((file) => posix.relative(core, file))).toEqual(entries);
  });

  it('lets a file import only its own room, or one on a lower floor', () => {
    const upward = importsOf(`${core}/**/*.ts`).filter(({ file, target }) => {
      const from = roomOf(file);
      const to = roomOf(target);
      return floorOf(from) >= 0 && from !== to && floorOf(from) <= floorOf(to);
    });
    expect(upward.map(place)).toEqual([]);
  });

  it('is listed in docs/architecture.md, every room on its floor', () => {
    const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
    const expected = floors.flatMap((rooms, index) => rooms.map((room) => `${index + 1} ${room}`)).sort();
    const rows = [...page.matchAll(/^\| (\d) \| `([^`]+)\/` \|/gmu)].map(([, floor, room]) => `${floor} ${room}`);
    expect(rows.sort()).toEqual(expected);
  });

  it('has no file over 250 lines', () => {
    const lines = (file: string): number => readFileSync(join(root, file), 'utf8').split('\n').length - 1;
    expect(listFiles('packages/*/src/**/*.ts').filter((file) => lines(file) > 250)).toEqual([]);
  });

  it('keeps the Node entry out of the root entry, and the index out of every file', () => {
    const wrong = importsOf(`${core}/**/*.ts`).filter(({ file, target }) => {
      if (target === `${core}/index.ts`) return true;
      return target?.startsWith(`${core}/node/`) && !file.startsWith(`${core}/node/`);
    });
    expect(wrong.map(place)).toEqual([]);
  });

  it('names Node modules only below node/', () => {
    const wrong = importsOf(`${core}/**/*.ts`).filter(
      ({ file, specifier }) => isNodeModule(specifier) && !file.startsWith(`${core}/node/`),
    );
    expect(wrong.map(place)).toEqual([]);
  });
});

describe('inside the command line', () => {
  it('lets a room import only itself or lower rooms, and no room the entries', () => {
    const rooms = ['terminal', 'loading', 'checking', 'commands'];
    const ground = ['command-line.ts', 'version.ts'];
    const floorIn = (path: string | undefined): number => {
      const [room = ''] = path?.replace('packages/cli/src/', '').split('/') ?? [];
      if (ground.includes(room)) return -1;
      return rooms.includes(room) ? rooms.indexOf(room) : rooms.length;
    };
    const upward = importsOf('packages/cli/src/**/*.ts').filter(
      ({ file, target }) => target !== undefined && floorIn(file) < floorIn(target),
    );
    expect(upward.map(place)).toEqual([]);
  });
});

describe('the benchmarks', () => {
  it('import only what exists, because no compiler checks those whose dependencies are not installed', () => {
    const missing = importsOf('bench/**/*.ts').flatMap(({ file, line, target = '', names }) => {
      if (!target.endsWith('.ts')) return [];
      const exported = readExports(join(root, target));
      return names.filter((name) => !exported.includes(name)).map((name) => `${file}:${line} imports ${name}`);
    });
    expect(missing).toEqual([]);
  });
});

/** Packages that the build bundles into ours, by folder. */
const bundled: ReadonlyMap<string, readonly string[]> = new Map([
  ['core', ['yaml']],
  ['cli', ['@skillful/core', 'commander']],
]);

describe('between packages', () => {
  it.each(publishedPackages)('lets $manifest.name import only what it declares', ({ folder, manifest }) => {
    // A computed import names no package; another test below decides whether it is allowed.
    const declared = new Set([
      '(computed)',
      ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
      ...(bundled.get(folder) ?? []).filter((name) => manifest.devDependencies?.[name] !== undefined),
    ]);
    const wrong = importsOf(`packages/${folder}/src/**/*.ts`).filter(
      ({ specifier, target }) =>
        target === undefined && !isNodeModule(specifier) && !declared.has(packageOf(specifier)),
    );
    expect(wrong.map(place)).toEqual([]);
  });

  it.each(packages)('keeps the relative imports of $manifest.name inside it', ({ folder }) => {
    const wrong = importsOf(`packages/${folder}/src/**/*.ts`).filter(
      ({ target }) => target !== undefined && !target.startsWith(`packages/${folder}/src/`),
    );
    expect(wrong.map(place)).toEqual([]);
  });

  it('lets adapters import the core as types only, and no other package of ours', () => {
    const wrong = importsOf('packages/adapter-*/src/**/*.ts').filter(
      ({ specifier, typeOnly }) =>
        packageOf(specifier).startsWith('@skillful/') && !(specifier === '@skillful/core' && typeOnly),
    );
    expect(wrong.map(place)).toEqual([]);
  });

  it('name functions by what they do: no I/O behind `create*` or `plan*`, and no mere calculation behind `read*`', () => {
    const calculates = /^(?:create|parse|validate|plan|render|format)[A-Z]/u;
    const reads = /^(?:load|read|list)[A-Z]/u;
    // Here, one turn reads many files.
    const maySync = /^packages\/(?:core\/src\/node|cli\/src)\//u;
    const wrong = listFiles('packages/*/src/**/*.ts').flatMap((file) =>
      readFunctions(join(root, file))
        .filter(({ name, isAsync }) => (isAsync ? calculates.test(name) : reads.test(name) && !maySync.test(file)))
        .map(({ name }) => `${file}: ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('describes everything that a file exports, but no type of options, because its function does', () => {
    // The first line of each of these files says what its two tables contain.
    const tables = /^packages\/core\/src\/diagnostics\/codes\//u;
    const wrong = listFiles('packages/*/src/**/*.ts')
      .filter((file) => !tables.test(file))
      .flatMap((file) => readUndocumented(join(root, file)).map((name) => `${file}: ${name}`));
    expect(wrong.filter((name) => !name.endsWith('Options'))).toEqual([]);
  });

  it('has no way to load code from a skill', () => {
    const evaluators = ['(computed)', 'node:vm', 'node:module', 'node:worker_threads'];
    const wrong = importsOf(...products).filter(({ specifier }) => evaluators.includes(specifier));
    expect(wrong.map(place)).toEqual([]);
    const withoutImport = listFiles(...products).filter((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return evaluators.some((name) => text.includes(`getBuiltinModule('${name}')`));
    });
    // It keeps the compiled code of the command itself.
    expect(withoutImport).toEqual(['packages/cli/src/bin.ts']);
  });

  it('starts a process only to ask git what has changed, to show a directory to its user, and to run and end scripts', () => {
    const starting = importsOf(...products).filter(({ specifier }) => specifier === 'node:child_process');
    expect(starting.map(({ file }) => file)).toEqual([
      'packages/cli/src/checking/changed.ts',
      'packages/cli/src/commands/open.ts',
      'packages/core/src/node/scripts/end-group.ts',
      'packages/core/src/node/scripts/run-command.ts',
    ]);
  });
});
