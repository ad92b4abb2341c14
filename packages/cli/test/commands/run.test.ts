// `skillful run`: a real script, the policy of the project, and the person at the terminal.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { binary, makePlace, type Place, skillText, writeTree } from '../command.ts';

const hasBubblewrap = existsSync('/usr/bin/bwrap');
if (!hasBubblewrap && process.env['CI'] === 'true')
  throw new Error('bwrap is NOT INSTALLED: apt-get install bubblewrap');
if (!hasBubblewrap) process.stderr.write('bwrap is NOT INSTALLED, so the test of its sandbox is SKIPPED.\n');

/** Creates a trusted project with a configuration and a skill. */
async function makeProject(configuration: object, rules: readonly object[] = []): Promise<Place> {
  const place = await makePlace();
  await writeTree(place.work, {
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.skillful/config.json': JSON.stringify(configuration),
    'policy.json': JSON.stringify({ rules }),
    '.agents/skills/pdf/SKILL.md': skillText('pdf'),
    '.agents/skills/pdf/secret.txt': 'secret',
    '.agents/skills/pdf/scripts/show.sh': 'printf "<%s>" "$@"; echo "an error" >&2\n',
    '.agents/skills/pdf/scripts/count.sh': 'wc -c\n',
    '.agents/skills/pdf/scripts/fail.sh': 'exit 3\n',
    '.agents/skills/pdf/scripts/write.sh': 'ls "$SKILL_DIR"; echo text > made.txt\n',
    '.agents/skills/pdf/scripts/wait.sh': 'echo $$ > "$1"; sleep 60\n',
  });
  await place.skillful('trust');
  return place;
}

describe('run', () => {
  it('runs a script with the runner of the configuration, and passes its words on as they are', async () => {
    const { skillful } = await makeProject({ runner: 'process' });
    const words = ['a b', '$HOME', '*', "it's"];
    expect(await skillful('run', 'pdf', 'scripts/show.sh', ...words, '--yes', '--', '--yes', '-x')).toEqual({
      code: 0,
      stdout: [...words, '--yes', '-x'].map((word) => `<${word}>`).join(''),
      stderr: 'an error\n',
    });
  });

  it('passes the standard input on only with --stdin, and only text', async () => {
    const { skillfulIn } = await makeProject({ runner: 'process' });
    const run = async (stdin: readonly Uint8Array[], ...options: readonly string[]) => {
      const { code, stdout, stderr } = await skillfulIn(
        { stdin: Readable.from(stdin) },
        ...['run', 'pdf', 'scripts/count.sh', '--yes', ...options],
      );
      return [code, stdout.trim(), stderr];
    };
    const text = [Buffer.from('caf'), Buffer.from('é\n')];
    expect(await run(text, '--stdin')).toEqual([0, '6', '']);
    expect(await run(text)).toEqual([0, '0', '']);
    expect(await run([], '--stdin')).toEqual([0, '0', '']);
    const refused = (reason: string) => [2, '', `error: The standard input ${reason}\n`];
    expect(await run([Buffer.from([0xff])], '--stdin')).toEqual(
      refused('is not UTF-8 text. Pass a file to the script instead.'),
    );
    const endless = Array.from({ length: 20 }, () => Buffer.alloc(1024 * 1024, 'x'));
    expect(await run(endless, '--stdin')).toEqual(refused('has more than 16 MiB.'));
  });

  it('says how the script ended if not with 0: exit code 1', async () => {
    const { work, skillful } = await makeProject({ runner: 'process' });
    expect(await skillful('run', 'pdf', 'scripts/fail.sh', '--yes')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: The script ended with exit code 3.\n',
    });
    expect(await skillful('run', 'pdf', 'scripts/wait.sh', join(work, 'pid'), '--yes', '--timeout', '1')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: The script took more than 1 second.\n',
    });
  });

  it('says which files are deleted, unless they are in a given directory', async () => {
    const { work, skillful } = await makeProject({ runner: 'process' });
    const listed = 'SKILL.md\nscripts\nsecret.txt\n';
    expect(await skillful('run', 'pdf', 'scripts/write.sh', '--yes')).toEqual({
      code: 0,
      stdout: listed,
      stderr: 'Deleted with its working directory: made.txt. To keep files, pass `--directory`.\n',
    });
    await writeTree(work, { 'out/readme.md': '' });
    const kept = await skillful('run', 'pdf', 'scripts/write.sh', '--yes', '--directory', 'out');
    expect([kept, await readFile(join(work, 'out/made.txt'), 'utf8')]).toEqual([
      { code: 0, stdout: listed, stderr: '' },
      'text\n',
    ]);
    const empty = await skillful('run', 'pdf', 'scripts/write.sh', '--yes', '--directory', '');
    expect([empty.code, empty.stderr]).toEqual([
      2,
      'error: The path is empty. For the working directory, write `.`.\n',
    ]);
    const missing = await skillful('run', 'pdf', 'scripts/write.sh', '--yes', '--directory', 'nowhere');
    expect([missing.code, missing.stderr]).toEqual([
      2,
      'error: Directory `nowhere` does not exist. Check `--directory`.\n',
    ]);
  });

  it.skipIf(!hasBubblewrap)('runs it in a sandbox if an option says so', async () => {
    const { work, skillful } = await makeProject({ runner: 'process' });
    const marker = join(work, 'pid');
    const args = ['scripts/wait.sh', marker, '--runner', 'bubblewrap', '--yes', '--timeout', '1'];
    const { code, stderr } = await skillful('run', 'pdf', ...args);
    expect([code, existsSync(marker), stderr.split('\n').slice(-2)]).toEqual([
      1,
      false,
      ['error: The script took more than 1 second.', ''],
    ]);
  });

  it('leaves standard output to the script, whose `--json` it may be', async () => {
    const { skillful } = await makeProject({});
    const { code, stdout } = await skillful('run', 'pdf', 'scripts/show.sh', '--', '--json');
    expect([code, stdout]).toEqual([1, '']);
  });

  it('says how to choose a runner if there is none', async () => {
    const { work, skillful } = await makeProject({});
    const marker = join(work, 'pid');
    for (const options of [[], ['--root', '.agents/skills']]) {
      const { code, stderr } = await skillful('run', 'pdf', 'scripts/wait.sh', marker, '--yes', ...options);
      expect([code, stderr, existsSync(marker)]).toEqual([
        1,
        'error: No runner is chosen. Pass `--runner bubblewrap` for a sandbox (Linux), or `--runner process` for a skill that you trust. A project can set `"runner"` in `.skillful/config.json`.\n',
        false,
      ]);
    }
  });

  it('asks the person unless a rule decides, and runs nothing without an answer', async () => {
    const { work, skillful, skillfulIn } = await makeProject({ runner: 'process' });
    const questions: string[] = [];
    const answer = async (words: string) => {
      const ask = async (question: string) => {
        questions.push(question);
        return words;
      };
      const { code, stdout, stderr } = await skillfulIn({ ask }, 'run', 'pdf', './scripts/show.sh', 'a');
      return [code, stdout, stderr];
    };
    const no = [1, '', 'Nothing was run.\n'];
    expect([await answer('y'), await answer(' YES '), await answer(''), await answer('yep')]).toEqual([
      [0, '<a>', 'an error\n'],
      [0, '<a>', 'an error\n'],
      no,
      no,
    ]);
    expect(new Set(questions)).toEqual(new Set(['Run `scripts/show.sh` of project:pdf in .agents/skills/pdf? [y/N] ']));
    // What a person agrees to is read before the question.
    const changed = async () => {
      await writeFile(join(work, '.agents/skills/pdf/scripts/show.sh'), 'echo changed\n');
      return 'y';
    };
    expect((await skillfulIn({ ask: changed }, 'run', 'pdf', 'scripts/show.sh', 'a')).stdout).toBe('<a>');
    expect(await skillful('run', 'pdf', 'scripts/show.sh')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'error: You must agree before `scripts/show.sh` of project:pdf in .agents/skills/pdf runs. Run the command at a terminal, or pass `--yes`.\n',
    });
  });

  it('runs what a rule allows the user without a question, never what it denies, and hides files that it denies', async () => {
    const rules = [
      { actor: 'user', action: 'run', path: ['scripts/fail.sh', 'secret.txt'], effect: 'deny', reason: 'it is broken' },
      { actor: 'user', action: 'run', skill: 'pdf', effect: 'allow' },
    ];
    const { skillful } = await makeProject({ runner: 'process', policy: 'policy.json' }, rules);
    expect((await skillful('run', 'pdf', 'scripts/show.sh', 'a')).stdout).toBe('<a>');
    expect(await skillful('run', 'pdf', './scripts/fail.sh', '--yes')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: The policy denies you to run `scripts/fail.sh` of project:pdf: it is broken.\n',
    });
    expect((await skillful('run', 'pdf', 'scripts/write.sh')).stdout).toBe('SKILL.md\nscripts\n');
  });

  it('runs no script of an untrusted project, and none that does not exist', async () => {
    const { skillful } = await makeProject({ runner: 'process' });
    const unknown = await skillful('run', 'pdf', 'fail.sh', '--yes');
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      'error: `pdf` has no script `fail.sh`. Scripts are below `scripts/`. Run `skillful show pdf` to see its files.\n',
    ]);
    expect((await skillful('run', 'pdf', '../outside.sh', '--yes')).code).toBe(1);
    await skillful('untrust');
    const { code, stderr } = await skillful('run', 'pdf', 'scripts/show.sh', '--yes', '--runner', 'process');
    expect([code, stderr.split('\n').at(-2)]).toEqual([
      1,
      'error: No skill `pdf`, but this project was not read, because it is not trusted.',
    ]);
  });

  it('takes no runner that does not exist', async () => {
    const { skillful } = await makeProject({ runner: 'docker' });
    expect((await skillful('run', 'pdf', 'scripts/show.sh', '--runner', 'docker')).code).toBe(2);
    const { code, stderr } = await skillful('run', 'pdf', 'scripts/show.sh');
    expect([code, stderr.includes('`runner` must be one of bubblewrap, process')]).toEqual([1, true]);
  });

  // `pnpm run skillful -- run` passes on the `--`.
  it.each([[], ['--']])(
    'ends the script if it is interrupted, and leaves nothing of it behind: %j',
    async (...first) => {
      const { home, work } = await makeProject({ runner: 'process' });
      const marker = join(work, 'pid');
      const args = ['--conditions=skillful-source', binary, ...first, 'run', 'pdf', 'scripts/wait.sh', marker, '--yes'];
      await writeTree(home, { 'tmp/readme.md': '' });
      const env = { PATH: process.env['PATH'], HOME: home, TMPDIR: join(home, 'tmp') };
      const child = spawn(process.execPath, args, { cwd: work, env });
      onTestFinished(() => void child.kill('SIGKILL'));
      const pid = await vi.waitFor(
        async () => {
          const written = Number(await readFile(marker, 'utf8'));
          expect(written).toBeGreaterThan(1);
          return written;
        },
        { timeout: 20_000 },
      );
      let errors = '';
      child.stderr.on('data', (chunk: Buffer) => {
        errors += chunk;
      });
      const ended = new Promise((resolve) => child.once('close', (_, signal) => resolve(signal)));
      child.kill('SIGINT');
      expect([await ended, errors, await readdir(join(home, 'tmp'))]).toEqual(['SIGINT', '', ['readme.md']]);
      await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 20_000 });
    },
  );

  it('a signal also ends waiting for the standard input', async () => {
    const { home, work } = await makeProject({ runner: 'process' });
    const args = ['--conditions=skillful-source', binary, 'run', 'pdf', 'scripts/show.sh', '--stdin', '--yes'];
    const child = spawn(process.execPath, args, { cwd: work, env: { PATH: process.env['PATH'], HOME: home } });
    onTestFinished(() => void child.kill('SIGKILL'));
    let shown = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        shown += chunk;
      });
    }
    const ended = new Promise((resolve) => child.once('close', (_, signal) => resolve(signal)));
    // More than the pipe takes, so that it has been read from when all is written.
    await new Promise((resolve) => child.stdin.write('x'.repeat(2 ** 20), resolve));
    child.kill('SIGTERM');
    expect([await ended, shown]).toEqual(['SIGTERM', '']);
  });

  it('a signal also ends the question, and then nothing runs', async () => {
    const { home, work } = await makeProject({ runner: 'process' });
    const terminal = 'process.stdin.isTTY = process.stderr.isTTY = true;';
    const flags = ['--conditions=skillful-source', `--import=data:text/javascript,${encodeURIComponent(terminal)}`];
    const child = spawn(process.execPath, [...flags, binary, 'run', 'pdf', 'scripts/show.sh', 'a'], {
      cwd: work,
      env: { PATH: process.env['PATH'], HOME: home },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let shown = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        shown += chunk;
      });
    }
    const ended = new Promise((resolve) => child.once('close', (_, signal) => resolve(signal)));
    await vi.waitFor(() => expect(shown).toContain('[y/N] '), { timeout: 20_000 });
    child.kill('SIGTERM');
    expect([await ended, shown.split('[y/N] ').at(-1)]).toEqual([
      'SIGTERM',
      expect.stringContaining('Nothing was run.'),
    ]);
  });
});
