import { chmod, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { loadCatalog } from '../../../src/catalog/catalog.ts';
import { resolveSkill } from '../../../src/catalog/resolve.ts';
import {
  type InstalledPackage,
  type PackageSourcesOptions,
  packageSources,
  settingsId,
} from '../../../src/node/index.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

const manifest = (name: string, dependencies: readonly string[] = [], more: object = {}): string =>
  JSON.stringify({
    name,
    version: '1.0.0',
    dependencies: Object.fromEntries(dependencies.map((key) => [key, '*'])),
    ...more,
  });

async function makeProject(): Promise<string> {
  const root = await makeTemporaryDirectory();
  await writeTree(root, {
    'package.json': manifest('app', ['b', 'plain', 'missing', '../evil', '.hidden', 'broken'], {
      optionalDependencies: { '@scope/a': '*' },
      devDependencies: { dev: '*' },
    }),
    'evil/package.json': manifest('evil'),
    'evil/skills/evil/SKILL.md': skillText('evil'),
    'skills/own/SKILL.md': skillText('own'),
    'node_modules/app': { link: '..' },
    'node_modules/b/package.json': manifest('b', ['deep', '@scope/a', 'app'], { devDependencies: { unused: '*' } }),
    'node_modules/b/skills/pdf/SKILL.md': skillText('pdf'),
    'node_modules/b/skills/group/too-deep/SKILL.md': skillText('too-deep'),
    'node_modules/b/skills/out': { link: '../../../evil/skills/evil' },
    'node_modules/.store/a/package.json': manifest('@scope/a'),
    'node_modules/.store/a/skills/docs/SKILL.md': skillText('docs'),
    'node_modules/@scope/a': { link: '../.store/a' },
    'node_modules/plain/package.json': manifest('plain'),
    'node_modules/.hidden/package.json': manifest('.hidden'),
    'node_modules/.hidden/skills/hidden/SKILL.md': skillText('hidden'),
    'node_modules/broken/package.json': '{',
    'node_modules/broken/skills/x/SKILL.md': skillText('x'),
    'node_modules/b/node_modules/deep/package.json': manifest('deep', ['b']),
    'node_modules/b/node_modules/deep/skills/deep/SKILL.md': skillText('deep'),
    'node_modules/dev/package.json': manifest('not\nits name', [], { version: '1\n2' }),
    'node_modules/dev/skills/test/SKILL.md': skillText('test'),
    'node_modules/unused/package.json': manifest('unused'),
    'node_modules/unused/skills/unused/SKILL.md': skillText('unused'),
    'src/deep/file.ts': '',
  });
  return root;
}

async function found(cwd: string, options: PackageSourcesOptions = {}): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const source of await packageSources({ cwd, ...options })) {
    const { entries, diagnostics } = await source.list();
    const names = entries.map(({ directory }) => directory.split('/').at(-1));
    lines.push(`${source.id} ${names.join()} ${diagnostics.map(({ code }) => code).join()}`.trim());
  }
  return lines;
}

it('finds the skills of direct dependencies, with the package and its version as origin', async () => {
  const root = await makeProject();
  const expected = ['npm:@scope/a@1.0.0 docs', 'npm:b@1.0.0 pdf skill-outside-root', 'npm:dev@unknown test'];
  expect(await found(root)).toEqual(expected);
  expect(await found(join(root, 'src/deep'))).toEqual(expected);
});

it('includes dependencies of dependencies only with `transitive`, each package once', async () => {
  const root = await makeProject();
  expect(await found(root, { transitive: true })).toEqual([
    'npm:@scope/a@1.0.0 docs',
    'npm:b@1.0.0 pdf skill-outside-root',
    'npm:dev@unknown test',
    'npm:deep@1.0.0 deep',
  ]);
});

it('lets the host decide about each package', async () => {
  const root = await makeProject();
  const directories: Record<string, string> = {};
  const trusted = ({ name, directory }: InstalledPackage): boolean => {
    directories[name] = directory;
    return name.startsWith('@scope/');
  };
  const sources = await packageSources({ cwd: root, trusted });
  expect(directories['@scope/a']).toBe(await realpath(join(root, 'node_modules/.store/a')));
  expect(sources.map(({ id, scope, trusted }) => [id, scope, trusted])).toEqual([
    ['npm:@scope/a@1.0.0', 'package', true],
    ['npm:b@1.0.0', 'package', false],
    ['npm:dev@unknown', 'package', false],
  ]);
});

it('reads nothing of a package if its trust is undecided, and says why', async () => {
  const root = await makeProject();
  const decisions: Readonly<Record<string, () => Promise<boolean>>> = {
    '@scope/a': () => Promise.resolve(true),
    b: () => Promise.reject(new Error('no answer')),
  };
  const trusted = ({ name }: InstalledPackage) => decisions[name]?.() ?? ('yes' as unknown as boolean);
  const { skills, diagnostics } = await loadCatalog(await packageSources({ cwd: root, trusted }));
  expect(new Set(skills.map(({ source }) => source.id))).toEqual(new Set(['npm:@scope/a@1.0.0']));
  expect(
    diagnostics.map(({ code, source, message }) => [code, source, message.split(', so nothing here was read: ')[1]]),
  ).toEqual([
    ['trust-undecided', 'npm:b@1.0.0', 'the callback `trusted` failed with `no answer`.'],
    [
      'trust-undecided',
      'npm:dev@unknown',
      'the callback `trusted` returned a value of type string, expected a boolean.',
    ],
  ]);
});

it('asks about one package after the other, until the signal is aborted', async () => {
  const root = await makeProject();
  const asked: string[] = [];
  const answers = new Map<string, boolean>([
    ['@scope/a', false],
    ['b', true],
  ]);
  const controller = new AbortController();
  const trusted = async ({ name }: InstalledPackage): Promise<boolean> => {
    asked.push(`${name} asked`);
    await setImmediate();
    asked.push(`${name} answered`);
    return answers.get(name) ?? new Promise(() => controller.abort(new Error('enough')));
  };
  await expect(packageSources({ cwd: root, trusted, signal: controller.signal })).rejects.toThrow('enough');
  expect(asked).toEqual(['@scope/a', 'b', 'dev'].flatMap((name) => [`${name} asked`, `${name} answered`]));
  answers.set('dev', true);
  const sources = await packageSources({ cwd: root, trusted });
  expect(sources.map((source) => [source.id, source.trusted])).toEqual([
    ['npm:@scope/a@1.0.0', false],
    ['npm:b@1.0.0', true],
    ['npm:dev@unknown', true],
  ]);
});

it('finds nothing if there is no package', async () => {
  const root = await makeTemporaryDirectory();
  expect(await found(root)).toEqual(['packages']);
});

it('distinguishes skills of the same name by their packages', async () => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, {
    'package.json': manifest('app', ['@scope/a', 'b']),
    'node_modules/@scope/a/package.json': manifest('@scope/a'),
    'node_modules/@scope/a/skills/pdf/SKILL.md': skillText('pdf'),
    'node_modules/b/package.json': manifest('b'),
    'node_modules/b/skills/pdf/SKILL.md': skillText('pdf'),
  });
  const catalog = await loadCatalog(await packageSources({ cwd: root }));
  const skills = [...catalog.skills, ...catalog.shadowed.map(({ skill }) => skill)];
  expect(skills.map(settingsId)).toEqual(['package:@scope/a/pdf', 'package:b/pdf']);
  for (const name of ['b/pdf', 'package:b/pdf']) {
    expect(resolveSkill(catalog, name)).toEqual({ kind: 'found', skill: skills[1] });
  }
});

it.runIf(process.platform !== 'win32')(
  'searches above the repository or the package only where no other user can write',
  async () => {
    const top = await makeTemporaryDirectory();
    await writeTree(top, {
      'package.json': manifest('evil', ['evil']),
      'node_modules/evil/package.json': manifest('evil'),
      'node_modules/evil/skills/evil/SKILL.md': skillText('evil'),
      'plain/src/file.ts': '',
      'packed/package.json': manifest('mine', ['evil']),
      'repo/.git': { directory: 0o755 },
    });
    const at = (path: string) => found(join(top, path));
    // In the project itself, everyone may write, as in a container.
    const shared = await makeProject();
    await chmod(join(shared, 'node_modules'), 0o777);
    expect(await found(shared)).toHaveLength(3);
    const evil = ['npm:evil@1.0.0 evil'];
    const none = ['packages'];
    expect([await at('plain/src'), await at('packed'), await at('repo')]).toEqual([evil, evil, none]);
    await chmod(top, 0o777);
    expect([await at('plain/src'), await at('packed'), await at('repo')]).toEqual([none, none, none]);
  },
);
