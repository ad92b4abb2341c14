// Proves what npm will get: the tarballs pass publint and attw, and work in an empty folder with one framework.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { filterProblems } from '@arethetypeswrong/core/problems';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { describe, expect, it } from 'vitest';
import {
  frameworksOf,
  installPackages,
  isInstalled,
  runAsCommonJs,
  runConsumer,
  runSuites,
  writeGreetingSkill,
} from './consumer.ts';
import { type PackedPackage, packPackages } from './pack.ts';
import { run, runWell } from './run.ts';
import { temporaryDirectory } from './temporary.ts';
import type { Manifest } from './workspace.ts';

const packed = await packPackages(temporaryDirectory());
const core = packageIn('core');
const adapters = packed.filter(({ folder }) => folder.startsWith('adapter-'));
const cli = packageIn('cli');

/** What the programs print: the prompt, the tools and the result of an activation. */
interface Output {
  readonly system: string;
  readonly tools: readonly string[];
  readonly activation: string;
}

/** Files without a source file: code that several entries share, bundled licenses, and what says that declarations are CommonJS. */
const isBundled = (file: string): boolean =>
  /^package\/dist\/(shared\/[a-z0-9_-]+\.js|(commander|yaml)\.LICENSE|commonjs\/package\.json)$/u.test(file);

describe.each(packed)('the tarball of $manifest.name', ({ folder, manifest, directory, tarball }) => {
  const bytes = readFileSync(tarball);

  it('passes publint', async () => {
    const pack = { tarball: new Uint8Array(bytes).buffer };
    const { messages, pkg } = await publint({ pack, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it('has types that resolve for every consumer', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)));
    if (!analysis.types) throw new Error(`${manifest.name} has no types`);
    const problems = (['node16-cjs', 'node16-esm', 'bundler'] as const).flatMap((resolutionKind) =>
      filterProblems(analysis, { resolutionKind }),
    );
    // Node lets programs in CommonJS load ES modules.
    expect(problems.filter(({ kind }) => kind !== 'CJSResolvesToESM')).toEqual([]);
  });

  it('contains what a user needs and nothing else', async () => {
    const files = (await runWell('tar', ['tzf', tarball], directory)).trim().split('\n');
    const needed = ['package/LICENSE', 'package/README.md', 'package/package.json'];
    if (folder === 'core' || folder === 'cli') needed.push('package/dist/yaml.LICENSE');
    if (folder === 'cli') needed.push('package/dist/commander.LICENSE');
    expect(files).toEqual(expect.arrayContaining(needed));
    const allowed =
      /^package\/(LICENSE|README\.md|CHANGELOG\.md|package\.json|dist\/.+|(corpus|schema)\/[a-z.-]+\.json)$/u;
    expect(files.filter((file) => !allowed.test(file))).toEqual([]);
    const sourceOf = (file: string): string =>
      file.replace(/^package\/dist\/(?:commonjs\/)?(.+?)(\.d)?\.[jt]s$/u, 'src/$1.ts');
    const built = files.filter((file) => file.startsWith('package/dist/') && !isBundled(file));
    const stale = built.filter((file) => !existsSync(join(directory, sourceOf(file))));
    expect(stale, 'remove dist and build again').toEqual([]);
  });

  it('has no workspace protocol, no catalog protocol, no source file and no install script', async () => {
    const text = await runWell('tar', ['xzOf', tarball, 'package/package.json'], directory);
    const published = JSON.parse(text) as Manifest;
    expect(text).not.toMatch(/workspace:|catalog:/u);
    expect(JSON.stringify(published.exports)).not.toMatch(/skillful-source|\.\/src\//u);
    const installScripts = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish'];
    expect(Object.keys(published.scripts ?? {}).filter((name) => installScripts.includes(name))).toEqual([]);
    expect(published.engines?.node).toMatch(/^>=\d+/u);
  });
});

describe('outside the workspace', () => {
  const skills = temporaryDirectory();
  writeGreetingSkill(skills);
  const anchors = temporaryDirectory();
  mkdirSync(join(anchors, 'pdf'));
  writeFileSync(join(anchors, 'pdf/SKILL.md'), '---\nname: &name pdf\ndescription: Reads.\n---\nGo.\n');
  // Not zod: every framework brings it along.
  const allFrameworks = new Set(adapters.flatMap(frameworksOf).filter((name) => name !== 'zod'));
  const fromCore = inNewFolder(core, [core]);

  it('the core works alone', async () => {
    const { system, tools, activation } = await fromCore;
    expect(tools).toEqual(['activate_skill', 'read_skill_resource']);
    expect(system).toContain('- greeting: Greets people.');
    expect(activation).toContain('Say hello in the way of references/ways.md.');
  });

  it.each(adapters)('$manifest.name works with only its framework, and says what the core says', async (adapter) => {
    const directory = temporaryDirectory();
    const output = await inNewFolder(adapter, [core, adapter], directory);
    const outputOfCore = await fromCore;
    expect(output).toEqual({ ...outputOfCore, system: `You are kind.\n\n${outputOfCore.system}` });
    expect(await runAsCommonJs(directory, adapter.folder, [skills])).toEqual(output);
  });

  it('the command of the CLI works', async () => {
    const directory = temporaryDirectory();
    await installPackages(directory, [cli]);
    const binary = join(directory, 'node_modules/.bin/skillful');
    const listed = await run(binary, ['list', '--root', skills, '--trust', '--json'], directory);
    const unknown = await run(binary, ['show', 'no-such-skill', '--root', skills, '--trust'], directory);
    const names = (JSON.parse(listed.stdout) as { skills: { name: string }[] }).skills.map(({ name }) => name);
    expect({ code: listed.code, names, unknown: [unknown.code, unknown.stdout] }).toEqual({
      code: 0,
      names: ['greeting'],
      unknown: [1, ''],
    });
  });

  it.each([
    [['--help'], ['bin.js', 'shared/start.js']],
    [
      ['list', '--root', skills],
      ['bin.js', 'shared/start.js', 'shared/list.js', 'shared/skills.js', 'shared/flat.js'],
    ],
    [
      ['validate', skills],
      [
        'bin.js',
        'shared/start.js',
        'shared/validate.js',
        'shared/skills.js',
        'shared/read-up-to.js',
        'shared/overlooked.js',
        'shared/flat.js',
        'shared/write.js',
      ],
    ],
    [
      ['list', '--root', anchors],
      ['bin.js', 'shared/start.js', 'shared/list.js', 'shared/skills.js', 'shared/flat.js', 'shared/yaml.js'],
    ],
  ])('skillful %j loads nothing that only other commands need', async (args, loaded) => {
    const report = `import { registerHooks } from 'node:module';
registerHooks({ load: (url, context, next) => (process.stderr.write(url + '\\n'), next(url, context)) });`;
    const flag = `--import=data:text/javascript,${encodeURIComponent(report)}`;
    const { stderr } = await run(process.execPath, [flag, join(cli.directory, 'dist/bin.js'), ...args], skills);
    expect([...stderr.matchAll(/\/cli\/dist\/(\S+)/gu)].map(([, file]) => file)).toEqual(loaded);
  });

  it.each(['start', 'list', 'validate', 'skills'])('%s.js is quick to load', (name) => {
    const text = readFileSync(join(cli.directory, 'dist/shared', `${name}.js`), 'utf8');
    expect({
      beyondAscii: text.match(/[^\0-\x7f]/g),
      // At the top of a module, where V8 looks each class up whether a text needs it or not.
      classesOfUnicode: text.match(/^\S.*(?<!\\)\\p\{.*$/gm),
    }).toEqual({ beyondAscii: null, classesOfUnicode: null });
  });

  it('the contract suites test an adapter in another project', async () => {
    const directory = temporaryDirectory();
    await installPackages(directory, [core, packageIn('testing'), packageIn('adapter-vercel-ai')]);
    const outcome = await runSuites(directory, 'adapter-vercel-ai');
    expect({ ...outcome, passed: outcome.passed > 200 }).toEqual({ passed: true, failed: [], types: '' });
  });

  async function inNewFolder(
    entry: PackedPackage,
    installed: readonly PackedPackage[],
    directory = temporaryDirectory(),
  ): Promise<Output> {
    await installPackages(directory, installed);
    const foreign = [...allFrameworks].filter((name) => !frameworksOf(entry).includes(name));
    expect(foreign.filter((name) => isInstalled(directory, name))).toEqual([]);
    return runConsumer(directory, entry.folder, [skills]);
  }
});

function packageIn(folder: string): PackedPackage {
  const found = packed.find((entry) => entry.folder === folder);
  if (!found) throw new Error(`no published package in packages/${folder}`);
  return found;
}
