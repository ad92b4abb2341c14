import { execFileSync, spawn } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Bash } from 'just-bash';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  justBashSandbox,
  loadCatalog,
  loadScriptPlan,
  type ScriptRunner,
  type Skill,
  type SkillSource,
  sandboxRunner,
} from '../../../src/index.ts';
import { bubblewrapRunner, fileSource, processRunner } from '../../../src/node/index.ts';
import type { ScriptPiece } from '../../../src/scripts/plan.ts';
import { pretendPlatform } from '../pretend-platform.ts';
import { makeTemporaryDirectory } from '../temporary-directory.ts';

const hasBubblewrap = existsSync('/usr/bin/bwrap');
if (!hasBubblewrap && process.env.CI === 'true') throw new Error('bwrap is NOT INSTALLED: apt-get install bubblewrap');
if (!hasBubblewrap) process.stderr.write('bwrap is NOT INSTALLED, so the tests of the sandbox are SKIPPED.\n');

async function skillWith(files: Readonly<Record<string, string>>): Promise<{ skill: Skill; directory: string }> {
  const root = await makeTemporaryDirectory();
  const directory = join(root, 'x');
  for (const [path, content] of Object.entries({
    'SKILL.md': '---\nname: x\ndescription: d\n---\nBody.',
    ...files,
  })) {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  const { skills } = await loadCatalog([fileSource(root)]);
  const [skill] = skills;
  if (skill === undefined) throw new Error('no skill');
  return { skill, directory };
}

async function run(
  runner: ScriptRunner,
  script: string,
  { path = 'scripts/a.sh', ...call }: { path?: string; arguments?: readonly string[]; input?: string } = {},
) {
  const { skill } = await skillWith({ [path]: script });
  return runner.run(await loadScriptPlan(skill, { path, ...call }));
}

// A directory of its own, because other processes may run scripts, too.
const temporary = mkdtempSync(join(tmpdir(), 'skillful-runs-'));
process.env.TMPDIR = temporary;
// Below `/tmp`, so it is no better place than the temporary directory.
process.env.XDG_CACHE_HOME = temporary;
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

const packageRoot = join(import.meta.dirname, '../../..');

const leftovers = () => readdirSync(temporary).filter((name) => name.startsWith('skillful-script-'));

const runners: [string, (options?: Parameters<typeof processRunner>[0]) => ScriptRunner][] = [
  ['processRunner', processRunner],
  ...(hasBubblewrap ? [['bubblewrapRunner', bubblewrapRunner] as [string, typeof processRunner]] : []),
];

it.runIf(process.platform === 'linux')('a run fails, and not this process, if no file may be opened any more', () => {
  const program = join(import.meta.dirname, 'exhausted-program.ts');
  const command = 'ulimit -n 64 && exec "$0" --conditions=skillful-source --disable-warning=ExperimentalWarning "$1"';
  const endings = execFileSync('sh', ['-c', command, process.execPath, program], { encoding: 'utf8' }).split('\n');
  expect(new Set(endings)).toContain('script-unsupported: The script could not be started (EMFILE).');
});

afterEach(() => vi.unstubAllEnvs());

describe.each(runners)('%s', (name, create) => {
  afterEach(() => expect(leftovers()).toEqual([]));

  it('G02: passes arguments literally: there is no shell', async () => {
    const hostile = '; touch /tmp/pwn; $(touch /tmp/pwn) `touch /tmp/pwn` | cat\nnewline';
    const result = await run(create(), 'printf %s "$1"', { arguments: [hostile] });
    expect(result).toEqual({ exitCode: 0, output: hostile, errors: '', truncated: false, timedOut: false });
    expect(existsSync('/tmp/pwn')).toBe(false);
  });

  it.each([
    ['scripts/a.pl', 'print "pl $ARGV[0]"', 'pl 1'],
    ['scripts/a.mjs', 'console.log("js", process.argv[2]);', 'js 1'],
    ['scripts/a', '#!/usr/bin/env bash\nif [[ 1 == 1 ]]; then echo "bash $1"; fi', 'bash 1'],
    ['scripts/a.txt', '#!/bin/sh\necho "sh $1"', 'sh 1'],
  ])('finds what runs %s', async (path, script, output) => {
    expect((await run(create(), script, { path, arguments: ['1'] })).output.trim()).toBe(output);
  });

  it.each([
    ['#!/bin/bash -e', 'false\necho "went on"', ''],
    ['#!/usr/bin/env -S bash -e -u', 'echo "$nothing"\necho "went on"', ''],
    ['#!/usr/bin/env bash # -e', 'false\necho "went on"', 'went on\n'],
    ['#!/opt/unknown -e', 'false\necho "went on"', 'went on\n'],
  ])('gives the program the options of the first line: %s', async (line, script, output) => {
    expect((await run(create(), `${line}\n${script}`)).output).toBe(output);
  });

  it('lets a script start another one of its skill, whether or not that could be executed before', async () => {
    const { skill } = await skillWith({
      'scripts/a.sh': '"$SKILL_DIR/scripts/b" 1; "$SKILL_DIR/data" || echo "no program"',
      'scripts/b': '#!/bin/sh\necho "b $1"',
      data: '# data',
    });
    const { output } = await create().run(await loadScriptPlan(skill, { path: 'scripts/a.sh' }));
    expect(output).toBe('b 1\nno program\n');
  });

  it.each([undefined, '', 'C', 'de_DE.ISO-8859-1'])('lets a script write UTF-8 if LANG is %s', async (language) => {
    vi.stubEnv('LANG', language);
    expect((await run(create(), 'echo "$LANG"')).output).toBe('C.UTF-8\n');
  });

  it('keeps a language in UTF-8', async () => {
    vi.stubEnv('LANG', 'de_AT.utf8');
    expect((await run(create(), 'echo "$LANG"')).output).toBe('de_AT.utf8\n');
  });

  it.each(['scripts/a.bat', 'scripts/a.CMD', 'scripts/a.exe', 'scripts/a'])('G04: refuses %s', async (path) => {
    await expect(run(create(), 'true', { path })).rejects.toMatchObject({ code: 'script-unsupported' });
  });

  it('G12: gives a script few variables', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-test');
    vi.stubEnv('NODE_OPTIONS', '');
    const { output } = await run(
      create({ environment: { REGION: 'eu' } }),
      'env -0 | tr "\\0" "\\n" | cut -d= -f1 | sort',
    );
    const names = output
      .trim()
      .split('\n')
      .filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name));
    expect(names).toEqual(['HOME', 'LANG', 'PATH', 'REGION', 'SKILL_DIR', 'TMPDIR']);
  });

  it.each([
    ...[
      'LD_PRELOAD',
      'NODE_OPTIONS',
      'PYTHONPATH',
      'BASH_ENV',
      'PERL5OPT',
      'GIT_SSH_COMMAND',
      '_JAVA_OPTIONS',
      'ld_preload',
    ],
    ...['BASH_FUNC_ls%%', 'GCONV_PATH', 'OPENSSL_CONF', 'ZDOTDIR', 'PHPRC', 'PHP_INI_SCAN_DIR'],
    ...['BUN_OPTIONS', 'DOTNET_STARTUP_HOOKS', 'CORECLR_PROFILER_PATH', 'PSModulePath'],
    ...['GEM_PATH', 'BUNDLE_GEMFILE', 'DENO_DIR', 'FPATH', 'PS4', 'GLIBC_TUNABLES', 'LOCPATH', 'COMPlus_Profiler'],
    ...['', 'PATH=/tmp', 'A\0B'],
  ])('G14: refuses the variable %s', (name) => {
    expect(() => create({ environment: { [name]: 'x' } })).toThrow(
      expect.objectContaining({ code: 'options-invalid' }),
    );
  });

  it('G05: ends a script that takes too long, and all that it started', async () => {
    const marker = `sleep 98765`;
    const result = await run(create({ timeout: 500 }), `${marker} &\n${marker}`);
    expect(result.timedOut).toBe(true);
    await setTimeout(100);
    expect(processes()).not.toContain(marker);
  });

  it('G06: does not wait for a process that keeps the output open', async () => {
    const marker = 'sleep 87654';
    const result = await run(create({ timeout: 20_000 }), `${marker} &\nexit 0`);
    expect(result).toMatchObject({ exitCode: 0, timedOut: false });
    await setTimeout(100);
    expect(processes()).not.toContain(marker);
  });

  it('loses no output if this process is busy when a script ends', async () => {
    const { skill } = await skillWith({ 'scripts/first.sh': 'echo 1', 'scripts/second.sh': 'sleep 0.1; echo 2' });
    const first = await loadScriptPlan(skill, { path: 'scripts/first.sh' });
    const second = await loadScriptPlan(skill, { path: 'scripts/second.sh' });
    // The second script ends while this process handles the output of the first. So this process notices its end before its
    // output, and is then busy for longer than it waits for output.
    const onOutput = () => {
      block(400);
      setImmediate(() => block(150));
    };
    const both = Promise.all([create().run(second), create().run(first, { onOutput })]);
    block(25);
    expect(await both).toMatchObject([{ output: '2\n' }, { output: '1\n' }]);
  });

  it('does not say that a script took too long if it ended while this process was busy', async () => {
    const { skill } = await skillWith({ 'scripts/a.sh': 'echo 1; sleep 0.1' });
    const plan = await loadScriptPlan(skill, { path: 'scripts/a.sh' });
    const result = await create({ timeout: 1000 }).run(plan, { onOutput: () => block(1500) });
    expect(result).toMatchObject({ exitCode: 0, timedOut: false });
  });

  it('G10: keeps the beginning and the end of a flood, of each stream apart', async () => {
    const flood = 'echo first; head -c 3000000 /dev/zero | tr "\\0" x; echo last';
    const cut = /^first\nx+\n\[\d+ bytes left out\]\nx+last\n$/;
    const long = await run(create({ maxOutput: 1000 }), `${flood}; echo oops >&2`);
    expect(long).toMatchObject({ output: expect.stringMatching(cut), errors: 'oops\n', truncated: true });
    const wrong = await run(create({ maxOutput: 1000 }), `{ ${flood}; } >&2; echo fine`);
    expect(wrong).toMatchObject({ output: 'fine\n', errors: expect.stringMatching(cut), truncated: true });
    expect(Math.max(long.output.length, wrong.errors.length)).toBeLessThanOrEqual(1100);
  });

  it('G17: gives no input, or the one of the call', async () => {
    expect((await run(create(), 'read x; echo "got:$x"')).output).toBe('got:\n');
    expect((await run(create(), 'read x; echo "got:$x"', { input: 'hello\n' })).output).toBe('got:hello\n');
    expect((await run(create(), 'exit 3', { input: 'x'.repeat(1_000_000) })).exitCode).toBe(3);
  });

  it('G16: passes on no file that this process has open', async () => {
    const path = join(await makeTemporaryDirectory(), 'open');
    writeFileSync(path, 'SECRET');
    const descriptor = openSync(path, 'r');
    const { output } = await run(create(), 'ls -l /proc/self/fd');
    closeSync(descriptor);
    expect(output).toContain('/dev/null');
    expect(output).not.toContain('/open\n');
  });

  it.runIf(process.platform === 'linux')('passes on no file that was open when this process began', async () => {
    const secret = join(await makeTemporaryDirectory(), 'secret');
    writeFileSync(secret, 'SECRET');
    const entry = new URL('../../../src/node/index.ts', import.meta.url).href;
    const program = `
      import * as runners from ${JSON.stringify(entry)};
      const script = new TextEncoder().encode('cat <&90; echo end');
      const plan = { skill: 'x', path: 'scripts/a.bash', arguments: [], files: new Map([['scripts/a.bash', script]]), digest: '' };
      process.stdout.write((await runners[${JSON.stringify(name)}]().run(plan)).output);`;
    const node = [process.execPath, '--conditions=skillful-source', '--input-type=module', '-e', program];
    // With few free descriptors, so that only those that are open can be replaced.
    const shell = `ulimit -n 256; exec 90< ${secret} 200< ${secret}; exec "$@"`;
    const output = execFileSync('bash', ['-c', shell, 'bash', ...node], { encoding: 'utf8' });
    expect(output).toBe('end\n');
  });

  it('G19: runs the bytes that were planned, though the file was changed', async () => {
    const { skill, directory } = await skillWith({
      'scripts/a.sh': '. "$SKILL_DIR/scripts/b.sh"',
      'scripts/b.sh': 'echo good',
    });
    const plan = await loadScriptPlan(skill, { path: 'scripts/a.sh' });
    writeFileSync(join(directory, 'scripts/a.sh'), 'echo evil');
    writeFileSync(join(directory, 'scripts/b.sh'), 'echo evil');
    expect((await create().run(plan)).output).toBe('good\n');
  });

  it('G23: leaves no listener on a signal that many runs share, and ends a run that it aborts', async () => {
    const { skill } = await skillWith({ 'scripts/a.sh': 'true', 'scripts/b.sh': 'sleep 76543' });
    const controller = new AbortController();
    const { signal } = controller;
    const plan = await loadScriptPlan(skill, { path: 'scripts/a.sh' });
    await create().run(plan, { signal });
    const before = openFiles();
    for (let round = 0; round < 15; round += 1) await create().run(plan, { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(openFiles()).toBeLessThan(before + 15);
    const running = create().run(await loadScriptPlan(skill, { path: 'scripts/b.sh' }), { signal });
    await setTimeout(200);
    controller.abort(new Error('stop'));
    await expect(running).rejects.toThrow('stop');
    await setTimeout(100);
    expect(processes()).not.toContain('sleep 76543');
  });

  it.each([
    ['\0', '`scripts/a.sh` cannot be run: an argument contains NUL.'],
    [
      'x'.repeat(3_000_000),
      'The script could not be started: its arguments are too long. Pass long text as its input.',
    ],
  ])('answers an argument that no program takes in words (%#)', async (argument, message) => {
    await expect(run(create(), 'true', { arguments: [argument] })).rejects.toMatchObject({
      code: 'script-unsupported',
      message,
    });
  });

  it('takes a timeout without end as one', async () => {
    expect(await run(create({ timeout: Infinity }), 'sleep 0.1; echo done')).toMatchObject({ output: 'done\n' });
  });

  it('keeps to the smallest limits of the output', async () => {
    const { output, truncated } = await run(create({ maxOutput: 0 }), 'echo hello');
    expect({ output, truncated }).toEqual({ output: '\n[6 bytes left out]\n', truncated: true });
  });

  it.runIf(process.platform === 'linux')('keeps nothing open for a process that outlives its script', async () => {
    const before = openFiles();
    const script = 'exec 3<&0; setsid sh -c "sleep 2; exit" <&3 3<&- >/dev/null 2>&1 & sleep 0.1; echo done';
    expect((await run(create(), script, { input: 'x'.repeat(5_000_000) })).output).toBe('done\n');
    expect(openFiles()).toBeLessThanOrEqual(before);
  });

  it.each([{ timout: 5 }, { directory: '' }])('refuses the options %j', (options) => {
    expect(() => create(options)).toThrow(expect.objectContaining({ code: 'options-invalid' }));
  });

  it('works in a directory with a relative path', async () => {
    const directory = await makeTemporaryDirectory();
    const result = await run(create({ directory: relative(process.cwd(), directory) }), 'echo made > file');
    expect(readFileSync(join(directory, 'file'), 'utf8')).toBe('made\n');
    expect(result.deleted).toBeUndefined();
  });

  it('says what a script left in a working directory that is deleted', async () => {
    const { deleted } = await run(
      create(),
      'mkdir out .cache; echo x > report.pdf; echo x > out/a; echo wrote report.pdf',
    );
    expect(deleted).toEqual(['out', 'report.pdf']);
    expect((await run(create(), 'touch $(seq 300)')).deleted).toHaveLength(100);
    expect((await run(create(), 'rm -rf "$HOME" 2>/dev/null; true')).deleted).toBeUndefined();
  });

  it('does not name a directory that is missing, because a model reads the answer', async () => {
    const message = 'The script could not be started: its working directory does not exist.';
    await expect(run(create({ directory: '/nowhere/secret' }), 'true')).rejects.toMatchObject({ message });
  });

  it('G22: survives a script that deletes its own directory', async () => {
    expect((await run(create(), 'cd /; rm -rf "$HOME" "$SKILL_DIR" 2>/dev/null; echo done')).output).toBe('done\n');
  });

  it('leaves nothing of directories that are too deep for a path', async () => {
    const script = `descend() { for i in $(seq 15); do mkdir $1 && cd $1; done; }
      name=$(printf %0200d 0)
      mkdir "$HOME/one" "$HOME/two"
      cd "$HOME/one" && descend $name && touch file && chmod 500 .
      cd "$HOME/two" && descend $name && mv "$HOME/one" . && chmod 500 . && echo made`;
    expect((await run(create(), script)).output).toBe('made\n');
  });

  it('ends a script, and not this process, if the listener fails', async () => {
    const { skill } = await skillWith({ 'scripts/a.sh': 'echo one; echo two >&2; sleep 43210' });
    const plan = await loadScriptPlan(skill, { path: 'scripts/a.sh' });
    const onOutput = vi.fn(() => {
      throw new Error('nobody listens');
    });
    await expect(create().run(plan, { onOutput })).rejects.toThrow('nobody listens');
    expect(onOutput).toHaveBeenCalledTimes(1);
  });

  it('runs nothing if the signal is aborted already', async () => {
    const directory = await makeTemporaryDirectory();
    const { skill } = await skillWith({ 'scripts/a.sh': 'touch made' });
    const plan = await loadScriptPlan(skill, { path: 'scripts/a.sh' });
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(create({ directory }).run(plan, { signal })).rejects.toThrow('too late');
    expect(readdirSync(directory)).toEqual([]);
  });

  it('prefers the variables of the application', async () => {
    const runner = create({ environment: { LANG: 'de_DE.UTF-8' } });
    expect((await run(runner, 'echo "$LANG"')).output).toBe('de_DE.UTF-8\n');
  });

  it.runIf(existsSync('/usr/bin/python3'))('tells what a Python script writes while it is written', async () => {
    const script = 'import time\nprint("one ✓")\ntime.sleep(9)';
    const { skill } = await skillWith({ 'scripts/a.py': script });
    const controller = new AbortController();
    const pieces: string[] = [];
    const onOutput = ({ text }: ScriptPiece) => {
      pieces.push(text);
      if (text.endsWith('\n')) controller.abort(new Error('seen'));
    };
    const plan = await loadScriptPlan(skill, { path: 'scripts/a.py' });
    await expect(create().run(plan, { onOutput, signal: controller.signal })).rejects.toThrow('seen');
    expect(pieces.join('')).toBe('one ✓\n');
  });

  it('tells what is written while it is written', async () => {
    const half = "printf '\\342\\234'; sleep 0.3; printf '\\223'";
    const { skill } = await skillWith({ 'scripts/a.sh': `echo one; sleep 0.3; echo two >&2; sleep 0.3; ${half}` });
    const pieces: ScriptPiece[] = [];
    await create().run(await loadScriptPlan(skill, { path: 'scripts/a.sh' }), {
      onOutput: (piece) => pieces.push(piece),
    });
    expect(pieces.filter(({ text }) => text !== '')).toEqual([
      { stream: 'output', text: 'one\n' },
      { stream: 'errors', text: 'two\n' },
      { stream: 'output', text: '✓' },
    ]);
  });
});

/** Keeps this process from doing anything else for some milliseconds. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** How many files this process has open; nobody can tell everywhere. */
function openFiles(): number {
  return existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0;
}

function processes(): string {
  return execFileSync('ps', ['-eo', 'stat,args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => !line.startsWith('Z'))
    .join('\n');
}

function isPrivate(directory: string): boolean {
  const parent = dirname(directory);
  return (statSync(directory).mode & 0o002) === 0 && (parent === directory || isPrivate(parent));
}

/** The repository itself may be in a directory that everyone can write to. */
const privatePlace = [join(packageRoot, 'node_modules'), homedir()].find((place) => {
  try {
    accessSync(place, constants.W_OK);
    return isPrivate(place);
  } catch {
    return false;
  }
});
if (privatePlace === undefined) {
  process.stderr.write(
    'SKIPPED: everyone can write above this repository and above the home, so no place is out of their reach.\n',
  );
}

describe('processRunner', () => {
  it('G15: looks for no program in the working directory', async () => {
    const directory = await makeTemporaryDirectory();
    writeFileSync(join(directory, 'perl'), '#!/bin/sh\necho hijacked', { mode: 0o755 });
    vi.stubEnv('PATH', `.:${process.env.PATH}`);
    const script = 'print "real\\n"; print grep { !m{^/} } split /:/, $ENV{PATH}';
    const result = await run(processRunner({ directory }), script, { path: 'scripts/a.pl' });
    expect(result.output).toBe('real\n');
  });

  it.skipIf(process.platform === 'win32')(
    'starts a program by the path in `PATH`, because the program of a virtual environment is a link',
    async () => {
      const directory = await makeTemporaryDirectory();
      writeFileSync(join(directory, 'real'), '#!/bin/sh\necho "$0"', { mode: 0o755 });
      symlinkSync('real', join(directory, 'python3'));
      vi.stubEnv('PATH', `${directory}:${process.env.PATH}`);
      const result = await run(processRunner(), 'print()', { path: 'scripts/a.py' });
      expect(result.output).toBe(`${join(directory, 'python3')}\n`);
    },
  );

  it.skipIf(process.platform === 'win32').each([
    ['python', 'python3'],
    ['python3', 'python'],
  ])('starts Python by its other name if a script wants `%s`, which is missing or empty', async (wanted, other) => {
    const [first, second] = [await makeTemporaryDirectory(), await makeTemporaryDirectory()];
    writeFileSync(join(second, other), '#!/bin/sh\necho three', { mode: 0o755 });
    vi.stubEnv('PATH', [first, second].join(delimiter));
    const call = [`#!/usr/bin/env ${wanted}\n`, { path: 'scripts/a' }] as const;
    expect((await run(processRunner(), ...call)).output).toBe('three\n');
    // As on Windows, where it leads to the Store.
    writeFileSync(join(first, wanted), '', { mode: 0o755 });
    expect((await run(processRunner(), ...call)).output).toBe('three\n');
    vi.stubEnv('PATH', first);
    expect((await run(processRunner(), ...call)).output).toBe('');
  });

  it('leads a script to its own directories, also by the variables of Windows', async () => {
    vi.stubEnv('PATHEXT', '.COM;.EXE');
    vi.stubEnv('APPDATA', homedir());
    const script = `import { existsSync } from 'node:fs';
      const { HOME, HOMEDRIVE, HOMEPATH, PATHEXT, ...others } = process.env;
      const names = ['USERPROFILE', 'TEMP', 'TMP', 'APPDATA', 'LOCALAPPDATA'];
      const places = names.map((name) => [existsSync(others[name]), others[name].replace(HOME, '~').replaceAll('\\\\', '/')]);
      console.log(JSON.stringify([PATHEXT, HOMEDRIVE + HOMEPATH === HOME, places]));`;
    pretendPlatform('win32');
    const { output, deleted } = await run(processRunner(), script, { path: 'scripts/a.mjs' });
    const places = ['~', '~', '~', '~/AppData/Roaming', '~/AppData/Local'].map((place) => [true, place]);
    expect([JSON.parse(output), deleted]).toEqual([['.COM;.EXE', true, places], undefined]);
  });

  it.runIf(process.platform !== 'win32' && privatePlace !== undefined)(
    'finds nothing that another user put into the temporary directory, and removes what a killed process left a month ago',
    async () => {
      const shared = mkdtempSync(join(temporary, 'shared-'));
      chmodSync(shared, 0o1777);
      mkdirSync(join(shared, 'node_modules/evil'), { recursive: true });
      writeFileSync(join(shared, 'node_modules/evil/index.js'), 'module.exports = "hijacked";');
      writeFileSync(
        join(shared, 'package.json'),
        '{ "type": "module", "imports": { "#own": "./node_modules/evil/index.js" } }',
      );
      const cache = mkdtempSync(join(privatePlace ?? '', '.skillful-cache-'));
      const month = Date.now() / 1000 - 30 * 24 * 3600;
      for (const [name, time] of [
        ['script-killed', month],
        ['script-running', month + 6 * 24 * 3600],
        ['other', month],
      ] as const) {
        mkdirSync(join(cache, `skillful/skillful-${name}/home`), { recursive: true });
        utimesSync(join(cache, `skillful/skillful-${name}`), time, time);
      }
      vi.stubEnv('TMPDIR', shared);
      const script = `const { dirname } = require('node:path');
      for (const name of ['evil', '#own']) try { console.log(require(name)); } catch ({ code }) { console.log(code); }
      console.log(dirname(dirname(process.env.SKILL_DIR)));`;
      const places: string[] = [];
      for (const home of [cache, shared]) {
        vi.stubEnv('XDG_CACHE_HOME', home);
        places.push((await run(processRunner(), script, { path: 'scripts/a.js' })).output);
      }
      const left = readdirSync(join(cache, 'skillful'));
      rmSync(cache, { recursive: true });
      // Without a better place, it is still the temporary directory.
      const missing = 'MODULE_NOT_FOUND';
      expect([places, left]).toEqual([
        [`${missing}\n${missing}\n${cache}/skillful\n`, `hijacked\n${missing}\n${shared}\n`],
        ['skillful-other', 'skillful-script-running'],
      ]);
    },
  );
});

/** Returns the arguments with which another process of Node runs a script, and prints its output. */
function programFor(runner: string, script: string): readonly string[] {
  const entry = new URL('../../../src/node/index.ts', import.meta.url).href;
  const program = `
    import { ${runner} } from ${JSON.stringify(entry)};
    const files = new Map([['scripts/a.sh', new TextEncoder().encode(${JSON.stringify(script)})]]);
    const plan = { skill: 'x', path: 'scripts/a.sh', arguments: [], files, digest: '' };
    process.stdout.write((await ${runner}().run(plan)).output);`;
  return ['--conditions=skillful-source', '--input-type=module', '-e', program];
}

describe.runIf(process.platform === 'linux')('a run without the right to enter every directory', () => {
  it.each(runners.map(([name]) => name))('of %s leaves nothing, whatever the script locked', (name) => {
    const home = mkdtempSync(join(temporary, 'locked-'));
    const script = 'mkdir -p a/b/c d && echo x > a/b/c/x && chmod 000 a/b/c a/b a d . && echo locked';
    const options = programFor(name, script);
    // Root enters every directory unless it gives up that right.
    const isRoot = process.getuid?.() === 0;
    const rights = ['--bounding-set', '-dac_override,-dac_read_search', process.execPath];
    const [command, given] = isRoot ? ['setpriv', [...rights, ...options]] : [process.execPath, options];
    const output = execFileSync(command, given, { env: { ...process.env, TMPDIR: home }, encoding: 'utf8' });
    expect([output, readdirSync(home)]).toEqual(['locked\n', []]);
  });
});

it.each(['darwin', 'win32'] as const)('bubblewrapRunner says on %s that it needs Linux', (platform) => {
  pretendPlatform(platform);
  const message = '`bubblewrapRunner` needs Linux. Use `sandboxRunner`, or `processRunner` for skills that you trust.';
  expect(() => bubblewrapRunner()).toThrow(expect.objectContaining({ code: 'options-invalid', message }));
});

describe.skipIf(!hasBubblewrap)('bubblewrapRunner', () => {
  it('shows a script no files but its own, and lets it change none', async () => {
    const secret = join(await makeTemporaryDirectory(), 'secret');
    writeFileSync(secret, 'SECRET');
    const script = [
      `cat ${secret} /etc/passwd /etc/shadow ${homedir()}/.profile`,
      'ls /root /var /work',
      'echo x > "$SKILL_DIR/scripts/a.sh"',
      'echo x > /usr/pwn',
    ].join(' 2>&1\n');
    const { output } = await run(bubblewrapRunner(), script);
    expect(output).not.toContain('SECRET');
    expect(output).not.toContain('root:');
    expect(output.match(/No such file|Read-only file system/g)?.length).toBeGreaterThanOrEqual(6);
    expect(existsSync('/usr/pwn')).toBe(false);
  });

  it('G13: has no network and sees no process of the host', async () => {
    const server = createServer((_, response) => response.end('REACHED')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    vi.stubEnv('OPENAI_API_KEY', 'sk-test');
    const script = `const get = await fetch('http://127.0.0.1:${port}').then((r) => r.text(), (e) => 'refused');
      console.log(get);
      const { readdirSync, readFileSync } = await import('node:fs');
      for (const id of readdirSync('/proc').filter((name) => /^\\d+$/.test(name)))
        try { console.log(readFileSync('/proc/' + id + '/environ', 'utf8')); } catch {}`;
    const { output } = await run(bubblewrapRunner(), script, { path: 'scripts/a.mjs' });
    server.close();
    expect(output).toMatch(/^refused\n/);
    expect(output).not.toContain('sk-test');
  });

  it('shares no namespace and no session with this process, and the network only if it is allowed', async () => {
    const names = ['cgroup', 'ipc', 'mnt', 'net', 'pid', 'uts'];
    const places = names.map((name) => `/proc/self/ns/${name}`);
    const script = `readlink ${places.join(' ')}; cut -d ' ' -f 6 /proc/self/stat; ls /etc/hosts 2>&1`;
    for (const network of [false, true]) {
      const { output } = await run(bubblewrapRunner({ network }), script);
      const [hosts, session, ...links] = output.trim().split('\n').reverse();
      const shared = places.filter((place) => links.includes(readlinkSync(place)));
      // A session outside of the sandbox has the id 0 in it.
      expect([shared, session === '0', hosts === '/etc/hosts']).toEqual([
        network ? ['/proc/self/ns/net'] : [],
        false,
        network,
      ]);
    }
  });

  it('shows only the settings that the programs of the system need, such as fonts for documents', async () => {
    const needed =
      'ImageMagick-6 ImageMagick-7 alternatives ca-certificates/extracted fonts ld.so.cache libreoffice localtime passwd pki/tls ssl texmf';
    const { output } = await run(bubblewrapRunner(), 'LC_ALL=C ls /etc | grep -v java');
    const existing = needed.split(' ').filter((name) => existsSync(`/etc/${name}`));
    expect(output.trim().split('\n')).toEqual(existing.map((name) => name.replace(/\/.*/, '')));
  });

  it.runIf(existsSync('/usr/bin/java'))('lets Java start, which has its settings in `/etc`', async () => {
    const code =
      'class A { public static void main(String[] a) { System.out.println(new java.security.SecureRandom()); } }';
    const { output, errors } = await run(bubblewrapRunner(), `echo '${code}' > A.java; java A.java; ls /etc/java*`);
    expect([errors, output]).toEqual(['', expect.stringContaining('NativePRNG')]);
    expect(output).not.toContain('management');
  });

  it('finds programs inside a script where it finds those for scripts', async () => {
    const { output } = await run(bubblewrapRunner(), 'echo "$PATH"');
    expect(output.split(':').slice(0, 3)).toEqual(['/usr/local/bin', '/usr/bin', '/bin']);
  });

  it('gives the user of a script a name, without which some programs do not start, whatever the umask is', async () => {
    const mask = process.umask(0o077);
    onTestFinished(() => void process.umask(mask));
    const script = 'id -un; cat /etc/passwd; rm /etc/passwd 2> /dev/null || echo kept';
    for (const directory of [undefined, await makeTemporaryDirectory()]) {
      const { output } = await run(bubblewrapRunner({ directory }), script);
      expect(output).toMatch(/^script\nscript:x:(\d+):\1::\/home:\/bin\/sh\nkept\n$/);
    }
  });

  it('shows the certificates of the system, and no private key', async () => {
    const { output } = await run(bubblewrapRunner(), 'ls /etc/ssl');
    expect(output).toContain('certs');
    expect(output).not.toContain('private');
  });

  it('leaves the superuser no way to undo it, and no setting of the kernel to change', async () => {
    const script = `grep -c '^Cap.*0000000000000000$' /proc/self/status
      for place in /usr /bin /skill /proc /dev/null; do
        mount -o remount,bind,rw $place && echo "remounted $place"
        unshare --user --mount mount -o remount,bind,rw $place && echo "remounted $place in a namespace"
        umount -l $place && echo "unmounted $place"
      done
      touch /usr/pwn && echo written
      touch /skill/pwn && echo written to the skill
      (exec 3>> /proc/sys/kernel/core_pattern) && echo opened a setting of the kernel
      echo x > /dev/null && cat /dev/null && head -c 4 /dev/zero | wc -c`;
    for (const directory of [undefined, await makeTemporaryDirectory()]) {
      const { output } = await run(bubblewrapRunner({ directory }), script);
      const isWritten = existsSync('/usr/pwn');
      rmSync('/usr/pwn', { force: true });
      expect([output, isWritten]).toEqual(['5\n4\n', false]);
    }
  });

  it('lets no script change the devices of the machine, though root owns them', async () => {
    const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty'].map((name) => `/dev/${name}`);
    const before = devices.map((path) => statSync(path).mode);
    const script = `chmod 600 ${devices.join(' ')} /dev/stdin /proc/self/fd/0 /proc/1/fd/* 2>/dev/null
      touch -d 2001-01-01 /dev/full 2>/dev/null
      perl -e 'open F, "<", $_ and chmod 0600, *F for @ARGV; chmod 0600, *STDIN' ${devices.join(' ')}
      echo x > /dev/null && head -c 4 /dev/urandom | wc -c
      read line || echo no input`;
    const outputs: string[] = [];
    // In a directory of its own, a script of root is root.
    const working = bubblewrapRunner({ directory: await makeTemporaryDirectory() });
    for (const input of [undefined, ''])
      outputs.push((await run(working, script, { ...(input === '' && { input }) })).output);
    outputs.push((await run(bubblewrapRunner(), script)).output);
    const after = devices.map((path) => statSync(path).mode);
    // Before anything is expected, because a failure must not leave the machine with changed devices.
    for (const [index, path] of devices.entries()) chmodSync(path, before[index] ?? 0o666);
    expect([outputs, after]).toEqual([Array.from({ length: 3 }, () => '4\nno input\n'), before]);
  });

  it('keeps the keys of the session, such as tickets and passwords, from a script', async () => {
    const [addKey = 0, keyctl = 0] = { x64: [248, 250], arm64: [217, 219] }[process.arch as 'x64'] ?? [];
    const words = 'my ($user, $name, $secret, $got) = ("user", "probe", "SECRET", "\\0" x 6);';
    // The session gets a key, as a login does, before the program starts that runs scripts.
    const session = `${words} syscall(${keyctl}, 1, 0); syscall(${addKey}, $user, $name, $secret, 6, -3); exec @ARGV`;
    const look = `#!/usr/bin/perl\n${words}
      my $key = syscall(${keyctl}, 10, -3, $user, $name, 0);
      syscall(${keyctl}, 11, $key, $got, 6);
      print "$key $got ", syscall(${addKey}, $user, $name, $name, 5, -3);`;
    const entry = new URL('../../../src/node/index.ts', import.meta.url).href;
    const program = `
      import * as runners from ${JSON.stringify(entry)};
      const files = new Map([['scripts/a.pl', new TextEncoder().encode(${JSON.stringify(look)})]]);
      const plan = { skill: 'x', path: 'scripts/a.pl', arguments: [], files, digest: '' };
      for (const name of ['processRunner', 'bubblewrapRunner']) console.log((await runners[name]().run(plan)).output);`;
    const node = [process.execPath, '--conditions=skillful-source', '--input-type=module', '-e', program];
    const output = execFileSync('perl', ['-e', session, ...node], { encoding: 'utf8' });
    expect(output).toMatch(/^\d+ SECRET \d+\n-1 \0{6} -1\n$/);
  });

  it('gives a script no user namespace, in which it would have all capabilities', async () => {
    const [unshare = 0, clone = 0] = { x64: [272, 56], arm64: [97, 220] }[process.arch as 'x64'] ?? [];
    const script = `#!/usr/bin/perl
      my ($user, $mount, $child) = (0x10000000, 0x20000, 17);
      $| = 1;
      sub try {
        my ($call, @given) = @_;
        my $id = syscall($call, @given);
        exit if $id == 0 && $call != ${unshare};
        print $id < 0 ? "no\\n" : "yes\\n";
      }
      try(${clone}, $user | $child, 0, 0, 0, 0);
      try(${clone}, $user | $mount | $child, 0, 0, 0, 0);
      try(435, pack("Q8", $user, 0, 0, 0, $child, 0, 0, 0), 64);
      system "unshare --user echo yes 2>/dev/null || echo no";
      try(${unshare}, $user);
      system "/bin/sh", "-c", "echo a child";
      system "node", "-e", "new worker_threads.Worker('console.log(\`a thread\`)', { eval: true })";`;
    const outputOf = async (runner: ScriptRunner) => (await run(runner, script, { path: 'scripts/a.pl' })).output;
    const rest = 'a child\na thread\n';
    expect(await outputOf(processRunner())).toBe(`${'yes\n'.repeat(5)}${rest}`);
    expect(await outputOf(bubblewrapRunner())).toBe(`${'no\n'.repeat(5)}${rest}`);
  });

  it('gives a script no socket that leads out of its network, such as to the host of a virtual machine', async () => {
    const [socket = 0] = { x64: [41], arm64: [198] }[process.arch as 'x64'] ?? [];
    const script = `#!/usr/bin/perl
      my ($ring, $stream, $packet) = ("\0" x 120, 1, 3);
      print syscall(${socket}, $_, $_ == 16 ? $packet : $stream, 0) < 0 ? "$_ no\n" : "$_ yes\n" for (1, 2, 16, 40);
      print syscall(425, 4, $ring) < 0 ? "ring no\n" : "ring yes\n";`;
    const outputOf = async (runner: ScriptRunner) => (await run(runner, script, { path: 'scripts/a.pl' })).output;
    for (const network of [false, true])
      expect(await outputOf(bubblewrapRunner({ network }))).toBe('1 yes\n2 yes\n16 yes\n40 no\nring no\n');
    expect(await outputOf(processRunner())).toContain('2 yes\n16 yes\n');
  });

  it('gives a script of root memory to share, as any other user has it', async () => {
    expect((await run(bubblewrapRunner(), 'echo shared > /dev/shm/a && cat /dev/shm/a')).output).toBe('shared\n');
  });

  it('G07: ends even a process that left its group', async () => {
    await run(bubblewrapRunner(), 'setsid sleep 65432 >/dev/null 2>&1 &\nexit 0');
    await setTimeout(200);
    expect(processes()).not.toContain('sleep 65432');
  });

  it.each([
    // Each process stays, because the kernel's limit may otherwise end the bomb before it is counted.
    ['scripts/a.sh', '#!/bin/sh\nf(){ f|f& exec sleep 50; };f'],
    ['scripts/a.pl', 'while (1) { fork }'],
  ])(
    'G08: ends a fork bomb in %s, while the host keeps serving',
    async (path, bomb) => {
      const server = createServer((_, response) => response.end('served')).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      let isRunning = true;
      const running = run(bubblewrapRunner({ processes: 64 }), bomb, { path }).finally(() => {
        isRunning = false;
      });
      const served: string[] = [];
      while (isRunning) served.push(await fetch(`http://127.0.0.1:${port}`).then((response) => response.text()));
      expect(await running).toMatchObject({ exitCode: undefined, timedOut: false, tooManyProcesses: true });
      server.close();
      expect(new Set(served)).toEqual(new Set(['served']));
      await vi.waitFor(() => expect(processes()).not.toContain(`/skill/${path}`), 2_000);
    },
    30_000,
  );

  it.each([0, -1, Number.NaN])('refuses a limit of %s processes, which would be none', (processes) => {
    expect(() => bubblewrapRunner({ processes })).toThrow(expect.objectContaining({ code: 'options-invalid' }));
  });

  it('counts threads, and not the processes of the host', async () => {
    const threads = `const { Worker } = require('node:worker_threads');
      for (let count = 0; count < 40; count += 1) new Worker('setTimeout(() => {}, 5000)', { eval: true });`;
    const sleeps = 'for i in $(seq 40); do sleep 1 & done; wait; echo done';
    const call = { path: 'scripts/a.js' };
    expect(await run(bubblewrapRunner({ processes: 40 }), threads, call)).toMatchObject({ tooManyProcesses: true });
    expect(await run(bubblewrapRunner({ processes: 41 }), sleeps)).toMatchObject({ output: 'done\n' });
    expect(await run(bubblewrapRunner({ processes: Infinity }), sleeps)).toMatchObject({ output: 'done\n' });
  });

  // In a container with users of its own, root is no more than one of them.
  const isRoot = process.getuid?.() === 0 && /4294967295$/m.test(readFileSync('/proc/self/uid_map', 'utf8'));
  it.runIf(isRoot)('makes a script of root somebody else, except in a directory of yours', async () => {
    const directory = await makeTemporaryDirectory();
    const script = 'id -u; id -G; touch /tmp/x /home/y && echo written';
    expect((await run(bubblewrapRunner(), script)).output).toMatch(/^(2\d{9})\n\1\nwritten\n$/);
    expect((await run(bubblewrapRunner({ directory }), script)).output).toMatch(/^0\n0.*\nwritten\n$/);
  });

  it('keeps the user where another one does not exist, or where this process may not change to it', () => {
    const node = [process.execPath, ...programFor('bubblewrapRunner', 'id -u > x; cat x')];
    const places = [
      ['unshare', '--user', '--map-root-user'],
      ...(isRoot ? [['setpriv', '--bounding-set=-sys_admin']] : []),
    ];
    for (const [command = '', ...options] of places)
      expect(execFileSync(command, [...options, ...node], { encoding: 'utf8' })).toBe('0\n');
  });

  it('G24: ends with the process that runs it, however that dies', async () => {
    const home = await makeTemporaryDirectory();
    const entry = new URL('../../../src/node/index.ts', import.meta.url).href;
    const program = `
      import { bubblewrapRunner } from ${JSON.stringify(entry)};
      const files = new Map([['scripts/a.sh', new TextEncoder().encode('echo up; sleep 54321')]]);
      const plan = { skill: 'x', path: 'scripts/a.sh', arguments: [], files, digest: '' };
      await bubblewrapRunner().run(plan, { onOutput: ({ text }) => process.stdout.write(text) });`;
    const options = ['--conditions=skillful-source', '--input-type=module', '-e', program];
    const host = spawn(process.execPath, options, { env: { ...process.env, TMPDIR: home } });
    await once(host.stdout, 'data');
    expect(processes()).toContain('sleep 54321');
    host.kill('SIGKILL');
    await vi.waitFor(() => expect(processes()).not.toContain('sleep 54321'), 5_000);
  });

  // Runs a program of this user in which a script says what it can do, with a command that takes away rights.
  const runWith = (command: readonly [string, ...string[]]) => {
    const entry = new URL('../../../src/node/index.ts', import.meta.url).href;
    const script = 'echo up; chmod 600 /dev/null && echo changed; mount -o remount,bind,rw /usr && echo mounted';
    const program = `
      import { bubblewrapRunner } from ${JSON.stringify(entry)};
      const files = new Map([['scripts/a.sh', new TextEncoder().encode('exec 2> /home/errors; ${script}')]]);
      const plan = { skill: 'x', path: 'scripts/a.sh', arguments: [], files, digest: '' };
      const ending = await bubblewrapRunner().run(plan).catch(({ code, message, cause }) => ({ code, message, cause }));
      process.stdout.write(JSON.stringify(ending));`;
    const options = ['--conditions=skillful-source', '--input-type=module', '-e', program];
    const [name, ...given] = command;
    return JSON.parse(execFileSync(name, [...given, process.execPath, ...options], { encoding: 'utf8' }));
  };
  const withoutRights = ['setpriv', '--bounding-set', '-sys_admin'] as const;

  it.runIf(isRoot)('works for root of a container, which has no right to mount but can create namespaces', () => {
    expect(runWith([...withoutRights])).toMatchObject({ output: 'up\n', errors: '' });
  });

  it.runIf(isRoot)('says that there is no sandbox, instead of a result of a script that never ran', () => {
    const noNamespaces = `echo 0 > /proc/sys/user/max_user_namespaces; exec ${withoutRights.join(' ')} "$@"`;
    expect(runWith(['unshare', '--user', '--map-root-user', 'sh', '-c', noNamespaces, 'sh'])).toEqual({
      code: 'script-unsupported',
      message: 'The sandbox could not be set up.',
      cause: expect.stringMatching(/^(?:bwrap|unshare): /),
    });
  });

  it.each(['exit 1', 'exit 127', 'kill -9 $$', 'no-such-program', 'bwrap --bind'])(
    'returns the result of a script that fails by itself: %s',
    async (script) => {
      const { exitCode } = await run(bubblewrapRunner(), script);
      expect(exitCode).toBeGreaterThan(0);
    },
  );

  it('lets a script work in the directory that it is given', async () => {
    const directory = await makeTemporaryDirectory();
    writeFileSync(join(directory, 'in.txt'), 'in');
    const { output } = await run(bubblewrapRunner({ directory }), 'pwd; cat in.txt; echo out > out.txt');
    expect(output).toBe('/work\nin');
    expect(readdirSync(directory).sort()).toEqual(['in.txt', 'out.txt']);
  });
});

describe('loadScriptPlan', () => {
  it.each([
    ['scripts/../../../../bin/sh', 'resource-outside-skill'],
    ['SKILL.md', 'resource-unknown'],
    ['notes/a.sh', 'resource-unknown'],
    ['scripts/none.sh', 'resource-unknown'],
    ['scripts', 'resource-unknown'],
  ])('G01: refuses %s', async (path, code) => {
    const { skill } = await skillWith({ 'scripts/a.sh': '', 'notes/a.sh': '' });
    await expect(loadScriptPlan(skill, { path })).rejects.toMatchObject({ code });
  });

  it.each([
    { arguments: '--all' },
    { arguments: [7] },
    { arguments: null },
    { arguments: Promise.resolve(['--all']) },
    { input: 7 },
    { input: null },
    { input: Promise.resolve('text') },
  ])('refuses %j', async (call) => {
    const { skill } = await skillWith({ 'scripts/a.sh': 'cat' });
    await expect(loadScriptPlan(skill, { path: 'scripts/a.sh', ...(call as object) })).rejects.toMatchObject({
      code: 'options-invalid',
    });
  });

  it('G20: refuses a script that is a link out of its skill', async () => {
    const { skill, directory } = await skillWith({ 'scripts/a.sh': '' });
    symlinkSync('/usr/bin/env', join(directory, 'scripts/b.sh'));
    await expect(loadScriptPlan(skill, { path: 'scripts/b.sh' })).rejects.toMatchObject({
      code: expect.stringMatching(/^resource-/),
    });
  });

  it.each(['../pwn', 'scripts/../../pwn', '/tmp/pwn', '', 'scripts//pwn'])(
    'refuses a source that lists the file %j, and so does a runner',
    async (path) => {
      const { skill } = await skillWith({ 'scripts/a.sh': 'true' });
      const source: SkillSource = {
        ...skill.source,
        listFiles: async () => ({
          files: [
            { path, bytes: 1 },
            { path: 'scripts/a.sh', bytes: 4 },
          ],
          truncated: false,
        }),
        readFile: async () => new TextEncoder().encode('true'),
      };
      const outside = { code: 'resource-outside-skill' };
      await expect(loadScriptPlan({ ...skill, source }, { path: 'scripts/a.sh' })).rejects.toMatchObject(outside);
      const content = new TextEncoder().encode('true');
      const files = new Map([
        ['scripts/a.sh', content],
        [path, content],
      ]);
      const plan = { skill: 'x', path: 'scripts/a.sh', arguments: [], files, digest: '' };
      const inMemory = sandboxRunner(() => justBashSandbox(new Bash()), { name: 'just-bash' });
      for (const runner of [...runners.map(([, create]) => create()), inMemory]) {
        await expect(runner.run(plan)).rejects.toMatchObject(outside);
      }
      const written = ['/tmp/pwn', join(temporary, 'pwn')].filter((place) => existsSync(place));
      expect([written, leftovers()]).toEqual([[], []]);
    },
  );

  it('has a digest that changes with any file of the skill', async () => {
    const { skill, directory } = await skillWith({ 'scripts/a.sh': '', 'data/x.txt': '1' });
    const before = await loadScriptPlan(skill, { path: 'scripts/a.sh' });
    expect(before.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect((await loadScriptPlan(skill, { path: 'scripts/a.sh' })).digest).toBe(before.digest);
    writeFileSync(join(directory, 'data/x.txt'), '2');
    expect((await loadScriptPlan(skill, { path: 'scripts/a.sh' })).digest).not.toBe(before.digest);
  });
});
