import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { chmod, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { loadCatalog } from '../../../src/catalog/catalog.ts';
import {
  clientPreset,
  fileSource,
  isTrustedProject,
  loadInstructionFiles,
  setSkillEnabled,
  writeSkill,
} from '../../../src/node/index.ts';
import { settingsPath, updateSettings } from '../../../src/node/manage/settings.ts';
import { isNewFile, realCalls, replaceCalls } from '../disk/replace-calls.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

/** Files of the huge directory; `SKILLFUL_FILES=1000000` for the long run. */
const fileCount = Number(process.env.SKILLFUL_FILES ?? 5000);

async function makeRoot(): Promise<string> {
  const root = await makeTemporaryDirectory();
  for (let n = 0; n < 50; n += 1) await writeTree(root, { [`s${n}/SKILL.md`]: skillText(`s${n}`) });
  return root;
}

describe('a separate process', () => {
  const program = fileURLToPath(new URL('../discovery/list-program.ts', import.meta.url));
  const flags = ['--conditions=skillful-source', '--disable-warning=ExperimentalWarning'];

  it.each([
    ['X23: with one thread in the pool', [], { UV_THREADPOOL_SIZE: '1' }],
    ['X21: whose intrinsics are frozen', ['--frozen-intrinsics'], {}],
  ])('%s finds and reads every skill', async (_, more, environment) => {
    const root = await makeRoot();
    const options = { env: { ...process.env, NODE_OPTIONS: '', ...environment } };
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, ...more, program, root], options);
    expect(stdout).toBe('50 50');
  });
});

it('X21: objects with a polluted prototype change nothing in listing, settings and loading', async () => {
  const root = await makeRoot();
  const options = { home: root, environment: {} };
  Object.defineProperty(Object.prototype, 'polluted', {
    value: 'x',
    enumerable: true,
    configurable: true,
    writable: true,
  });
  const load = async () => {
    await setSkillEnabled('user:a', false, options);
    return loadCatalog([fileSource(root)]);
  };
  const { skills, diagnostics } = await load().finally(() => Reflect.deleteProperty(Object.prototype, 'polluted'));
  expect([skills.length, diagnostics]).toEqual([50, []]);
  expect(Object.keys(skills[0]?.properties.extensions ?? {})).toEqual([]);
  expect(JSON.parse(await readFile(settingsPath(options), 'utf8'))).toEqual({
    skills: { 'user:a': { enabled: false } },
  });
});

describe('X19: a host whose callback', () => {
  const failure = new Error('un\u202edecided');
  const wordless = Object.create(null) as object;

  /** What a client offers of a project that the callback decides about, and of its user, and what it says. */
  async function ask(answer: () => unknown, signal?: AbortSignal) {
    const top = await makeTemporaryDirectory();
    await writeTree(top, {
      'work/.agents/skills/a/SKILL.md': skillText('a'),
      'work/AGENTS.md': 'Of the project.',
      'home/.agents/skills/own/SKILL.md': skillText('own'),
      'home/.agents/AGENTS.md': 'Of the user.',
    });
    const trusted = answer as () => boolean;
    const options = { cwd: join(top, 'work'), trusted, environment: { HOME: join(top, 'home') }, signal };
    const decision = await isTrustedProject(options.cwd, trusted, { signal }).catch((error: unknown) => error);
    const { skills, diagnostics } = await loadCatalog(await clientPreset('agents', options));
    const instructions = await loadInstructionFiles(options);
    return {
      decision,
      skills: skills.map(({ name }) => name),
      text: instructions.text,
      problems: [diagnostics, instructions.diagnostics].map((all) => all.map(({ code }) => code)),
      reason: diagnostics[0]?.message.split(', so nothing here was read: ')[1],
    };
  }

  it.each([
    [
      'throws',
      () => {
        throw failure;
      },
      'the callback `trusted` failed with `un\\u{202e}decided`.',
      failure,
    ],
    ['rejects', () => Promise.reject(failure), 'the callback `trusted` failed with `un\\u{202e}decided`.', failure],
    [
      'rejects without words',
      () => Promise.reject(wordless),
      'the callback `trusted` failed with a value of type object.',
      wordless,
    ],
    [
      'answers "yes"',
      () => 'yes',
      'the callback `trusted` returned a value of type string, expected a boolean.',
      undefined,
    ],
    ['answers 1', () => 1, 'the callback `trusted` returned a value of type number, expected a boolean.', undefined],
    [
      'answers {}',
      () => ({}),
      'the callback `trusted` returned a value of type object, expected a boolean.',
      undefined,
    ],
    ['answers nothing', () => {}, 'the callback `trusted` returned undefined, expected a boolean.', undefined],
    ['answers null', async () => null, 'the callback `trusted` returned null, expected a boolean.', undefined],
  ])('%s about trust gets only the user’s skills, and the reason', async (_, answer, reason, cause) => {
    const { decision, ...offered } = await ask(answer);
    expect(offered).toEqual({
      skills: ['own'],
      text: 'Instructions from ~/.agents/AGENTS.md:\n\nOf the user.\n',
      problems: [
        ['trust-undecided', 'source-untrusted'],
        ['trust-undecided', 'source-untrusted'],
      ],
      reason,
    });
    expect(decision).toMatchObject({ name: 'SkillError', code: 'trust-undecided' });
    expect((decision as Error).cause).toBe(cause);
  });

  it('gets no trust if `trusted` is neither a boolean, a list nor a callback', async () => {
    const cwd = await makeTemporaryDirectory();
    const options = { cwd, trusted: 'yes' as unknown as boolean, environment: { HOME: cwd } };
    const { diagnostics } = await loadCatalog(await clientPreset('agents', options));
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'Skillful could not decide whether to trust this, so nothing here was read: `trusted` is a value of type string, expected a boolean, a list or a callback.',
    ]);
    expect(await isTrustedProject(cwd, [7 as unknown as string, cwd])).toBe(true);
  });

  it('never returns is waited for until the signal is aborted', async () => {
    const hang = vi.fn(() => new Promise<boolean>(() => {}));
    const cwd = await makeTemporaryDirectory();
    const options = { cwd, trusted: hang, environment: { HOME: cwd } };
    for (const load of [
      (signal: AbortSignal) => clientPreset('agents', { ...options, signal }),
      (signal: AbortSignal) => loadInstructionFiles({ ...options, signal }),
      (signal: AbortSignal) => isTrustedProject(cwd, hang, { signal }),
    ]) {
      const controller = new AbortController();
      const loading = load(controller.signal);
      controller.abort(failure);
      await expect(loading).rejects.toBe(failure);
      await expect(load(AbortSignal.abort(failure))).rejects.toBe(failure);
    }
    expect(hang).toHaveBeenCalledTimes(3);
  });
});

describe('the settings', () => {
  it('are the old or the new ones after a power cut that loses everything unsynced', async () => {
    const home = await makeTemporaryDirectory();
    const options = { home, environment: {} };
    await setSkillEnabled('user:old', false, options);
    const path = settingsPath(options);
    const old = await readFile(path, 'utf8');
    // What a rename puts in place must have been synced before, or a cut would leave an empty file under the name.
    const synced = new Set<number>();
    const paths = new Map<string, number>();
    const unsafe: string[] = [];
    replaceCalls({
      openSync(file: string, flags: string | number, mode?: number) {
        const descriptor = realCalls.openSync(file, flags, mode);
        if (isNewFile(file, flags)) paths.set(file, descriptor);
        synced.delete(descriptor);
        return descriptor;
      },
      writeSync(descriptor: number, bytes: Uint8Array, offset: number) {
        synced.delete(descriptor);
        return realCalls.writeSync(descriptor, bytes, offset);
      },
      fsyncSync(descriptor: number) {
        realCalls.fsyncSync(descriptor);
        synced.add(descriptor);
      },
      renameSync(from: string, to: string) {
        if (!synced.has(paths.get(from) ?? -1) || dirname(from) !== dirname(to)) unsafe.push(to);
        realCalls.renameSync(from, to);
      },
    });
    await updateSettings(options, (stored) => Object.assign(stored, { theme: 'new' }));
    expect([paths.size, unsafe]).toEqual([2, []]);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ ...JSON.parse(old), theme: 'new' });
  });
});

describe.runIf(process.platform !== 'win32')('a directory that cannot be written to', () => {
  it('X24: refuses with a code, and is read as before', async () => {
    const root = await makeRoot();
    await chmod(root, 0o555);
    const isSuperuser = process.getuid?.() === 0;
    if (isSuperuser) process.seteuid?.(65_534);
    try {
      await expect(writeSkill(root, { name: 'new', description: 'd' })).rejects.toMatchObject({
        code: 'write-failed',
      });
      expect((await loadCatalog([fileSource(root)])).skills).toHaveLength(50);
    } finally {
      if (isSuperuser) process.seteuid?.(0);
      await chmod(root, 0o755);
    }
  });
});

describe('a directory of very many files', { timeout: 600_000 }, () => {
  it('B17, L05: in a root or a skill is read up to a limit, and the rest is reported', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'a/SKILL.md': skillText('a'), 'a/many/x': '', 'b/SKILL.md': skillText('b') });
    for (const directory of [join(root, 'a/many'), root]) {
      for (let n = 0; n < fileCount; n += 1) writeFileSync(join(directory, `f${n}`), '');
    }
    const memory = process.memoryUsage().rss;
    const source = fileSource(root);
    const { entries, diagnostics } = await source.list();
    const a = entries.find(({ directory }) => directory === join(root, 'a'));
    if (a === undefined) throw new Error('The skill was not found.');
    const listing = await source.listFiles(a);
    expect(process.memoryUsage().rss - memory).toBeLessThan(32 * 2 ** 20);
    expect([listing.files.length <= 2000, listing.truncated]).toEqual([true, true]);
    expect(diagnostics.map(({ code }) => code)).toEqual(fileCount > 99_990 ? ['scan-truncated'] : []);
  });
});

it('L02: a reload of many skills opens none of them', async () => {
  const root = await makeRoot();
  await setTimeout(80);
  const first = await loadCatalog([fileSource(root)]);
  const second = await loadCatalog([fileSource(root)], { previous: first });
  expect(second.skills.map(({ name, properties }) => [name, properties])).toEqual(
    first.skills.map(({ name, properties }) => [name, properties]),
  );
  expect(second.skills.every(({ properties }, n) => properties === first.skills[n]?.properties)).toBe(true);
});
