// What every command does: help, wrong usage, pipes, and a standard output that is only the result.

import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { binary, makePlace, runProcess, skillText, writeTree } from './command.ts';

const commands = [
  'list',
  'show',
  'read',
  'prompt',
  'run',
  'search',
  'validate',
  'doctor',
  'explain',
  'instructions',
  'init',
  'new',
  'remove',
  'enable',
  'disable',
  'open',
  'trust',
  'untrust',
];

describe('--help', () => {
  it.each(commands)('of %s has an example and exits with 0', async (command) => {
    const { skillful } = await makePlace();
    const { code, stdout, stderr } = await skillful(command, '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`\\nExample:\\n  \\$ skillful ${command}\\b`, 'u'));
    expect(await skillful('help', command)).toEqual({ code, stdout, stderr });
  });

  it('without a command names every command', async () => {
    const { skillful } = await makePlace();
    const { code, stdout } = await skillful('--help');
    const named = [...stdout.matchAll(/^ {2}([a-z]+) /gmu)].map((match) => match[1]);
    expect({ code, named }).toEqual({ code: 0, named: [...commands, 'help'] });
    expect(stdout).toContain('\nExample:\n  $ skillful list');
  });
});

describe('wrong usage', () => {
  it.each([
    [['list', '--rot', 'x'], "error: unknown option '--rot'\n(Did you mean --root?)\n"],
    [
      ['--client', 'claude', 'list'],
      "error: unknown option '--client'\nOptions come after the command, as in `skillful list --root skills`. Run `skillful --help` for usage.\n",
    ],
    [['show'], "error: missing required argument 'name'\n"],
    [['read', 'pdf'], "error: missing required argument 'path'\n"],
    [['lst'], "error: unknown command 'lst'\n(Did you mean list?)\n"],
    [['help', 'lst'], "error: unknown command 'lst'\n"],
    [['l\u001b[2Jt'], "error: unknown command 'l\\u{1b}[2Jt'\n"],
    [
      ['list', '--depth', 'deep'],
      "error: option '--depth <levels>' argument 'deep' is invalid. Expected a whole number of at least 1.\n",
    ],
    [['list', '--root', 'nowhere'], 'error: Directory `nowhere` does not exist. Check `--root`.\n'],
    [['list', '--root', 'file'], 'error: Directory `file` cannot be read: not a directory. Check `--root`.\n'],
    [['list', '--cwd', 'nowhere'], 'error: Directory `nowhere` does not exist. Check `--cwd`.\n'],
    [['list', '--root', ''], 'error: The path is empty. For the working directory, write `.`.\n'],
    [['list', '--cwd', ''], 'error: The path is empty. For the working directory, write `.`.\n'],
    [['list', '--root', 'a\0'], 'error: The path `a\\u{0}` contains a NUL character, which no path has.\n'],
    [['validate', 'a\0'], 'error: The path `a\\u{0}` contains a NUL character, which no path has.\n'],
    [['trust', ''], 'error: The path is empty. For the working directory, write `.`.\n'],
    [['untrust', ''], 'error: The path is empty. For the working directory, write `.`.\n'],
    [['validate', '--fix', ''], 'error: The path is empty. For the working directory, write `.`.\n'],
    [
      ['list', '--root', '.', '--client', 'claude'],
      "error: option '--client <name>' cannot be used with option '--root <dir>'\n",
    ],
  ])('%j gets a sentence and exit code 2', async (args, words) => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { file: '' });
    const { code, stdout, stderr } = await skillful(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.slice(0, words.length)).toBe(words);
  });
});

it('takes a `--` before the command, which package managers pass on', async () => {
  const { work, skillful } = await makePlace();
  await writeTree(work, { 's/a/SKILL.md': skillText('a') });
  expect(await skillful('--', 'list', '--root', 's', '--json')).toEqual(
    await skillful('list', '--root', 's', '--json'),
  );
  expect(await skillful('--', '--version')).toEqual(await skillful('--version'));
  expect(await skillful('--')).toEqual(await skillful());
});

describe('--json', () => {
  it.each([
    [['show', 'weather', '--json'], 1, 'skill-unknown'],
    [['list', '--root', 'nowhere', '--json'], 2, 'source-failed'],
    [['list', '--rot', '--json'], 2, 'usage'],
    [['remove', 'weather', '--json'], 1, 'skill-unknown'],
    [['validate', '.', '--format', 'json', '--baseline', 'none'], 2, 'source-failed'],
    [['validate', '.', '--format=json', '--baseline', 'none'], 2, 'source-failed'],
    [['validate', '.', '--format', 'sarif', '--json'], 2, 'usage'],
    [['validate', '.', '--json', '--format', 'text'], 2, 'usage'],
    [['validate', '.', '--format', 'sarif', '--format', 'json', '--json'], 2, 'usage'],
    [['list', '--root', '.', '--client', 'all', '--json'], 2, 'usage'],
  ])('prints one document even for %j', async (args, code, error) => {
    const { skillful } = await makePlace();
    const outcome = await skillful(...args);
    const output = JSON.parse(outcome.stdout);
    expect({ code: outcome.code, output }).toEqual({
      code,
      // Without the word `error`, which is for people.
      output: { ok: false, error: { code: error, message: expect.stringMatching(/^(?!error)./u) } },
    });
  });
});

it('takes one format that is asked for twice', async () => {
  const { work, skillful } = await makePlace();
  await writeTree(work, { 'a/SKILL.md': skillText('a') });
  const { code, stdout } = await skillful('validate', 'a', '--format', 'json', '--json');
  expect([code, JSON.parse(stdout).ok]).toEqual([0, true]);
});

it('refuses two formats, in whatever order and however they are asked for', async () => {
  const { work, skillful } = await makePlace();
  await writeTree(work, { 'a/SKILL.md': skillText('a') });
  const options = [
    ['--format=sarif', '--format=json'],
    ['--format=github', '--json'],
    ['--json', '--format=sarif'],
  ];
  for (const formats of options) {
    const { code, stderr } = await skillful('validate', 'a', ...formats);
    expect([code, stderr.split('\n', 1)]).toEqual([2, [expect.stringMatching(/^error: only one format .*, not `/u)]]);
  }
});

describe('a working directory that was deleted', () => {
  const script = 'mkdir gone; cd gone; rmdir "$PWD"; exec "$0" --conditions=skillful-source "$@"';
  const run = async (...args: string[]) => {
    const { home, work } = await makePlace();
    const environment = { PATH: process.env['PATH'] ?? '', HOME: home };
    return runProcess('bash', ['-c', script, process.execPath, binary, ...args], work, environment);
  };
  const message = 'The working directory does not exist any more. Change to another directory.';

  it.each([['list'], ['validate', '.'], ['init'], ['new', 'x'], ['instructions']])(
    'is a sentence and exit code 2 for %s',
    async (...args) => {
      expect(await run(...args)).toEqual({ code: 2, stdout: '', stderr: `error: ${message}\n` });
    },
  );

  it('is a JSON document with --json, and no matter for what needs no directory', async () => {
    const { code, stdout } = await run('list', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([2, { ok: false, error: { code: 'source-failed', message } }]);
    expect([(await run('--help')).code, (await run('explain', 'name-missing')).code]).toEqual([0, 0]);
  });
});

describe.runIf(existsSync('/dev/full'))('output to a full disk', () => {
  const full = async (redirect: string, ...args: string[]) => {
    const { home, work } = await makePlace();
    await writeTree(work, { 's/a/SKILL.md': skillText('a') });
    const script = `"$0" --conditions=skillful-source "$@" ${redirect}`;
    const environment = { PATH: process.env['PATH'] ?? '', HOME: home };
    return runProcess('bash', ['-c', script, process.execPath, binary, ...args], work, environment);
  };

  it.each([
    [['list', '--root', 's']],
    [['list', '--root', 's', '--json']],
    [['validate', 's']],
    [['show', 'a', '--root', 's']],
    [['--help']],
    [['explain', 'name-missing']],
  ])('ends %j in one sentence and exit code 2', async (args) => {
    expect(await full('> /dev/full', ...args)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: The output could not be written (ENOSPC). Check where it goes.\n',
    });
  });

  it('ends quietly if there is nowhere left to say it', async () => {
    expect(await full('> /dev/full 2>&1', 'list', '--root', 's')).toEqual({ code: 2, stdout: '', stderr: '' });
  });
});

describe('a pipe', () => {
  it('that is closed early is not a failure, and causes no message', async () => {
    const { home, work } = await makePlace();
    const names = Array.from({ length: 300 }, (_, index) => `skill-${index}`);
    const description = 'word '.repeat(180).trim();
    await writeTree(
      work,
      Object.fromEntries(names.map((name) => [`s/${name}/SKILL.md`, skillText(name, description)])),
    );
    const script = 'set -o pipefail; "$0" --conditions=skillful-source "$1" list --root s | head -n 1';
    const outcome = await runProcess('bash', ['-c', script, process.execPath, binary], work, {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
    });
    expect(outcome).toEqual({ code: 0, stdout: 'NAME       SCOPE    DESCRIPTION\n', stderr: '' });
  });
});
