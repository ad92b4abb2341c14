// The example skills keep what their instructions promise: files that exist and scripts that work.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '..', 'skills');

describe.each(readdirSync(root))('%s', (skill) => {
  test('names each bundled file in its instructions, and no other', () => {
    const body = readFileSync(join(root, skill, 'SKILL.md'), 'utf8');
    const named = body.match(/\b(?:scripts|references|assets)\/[\w-]+\.\w+/g) ?? [];
    const bundled = readdirSync(join(root, skill), { recursive: true, encoding: 'utf8' }).filter((path) =>
      /\/.*\.\w+$/.test(path),
    );
    expect([...new Set(named)].sort()).toEqual(bundled.sort());
  });
});

function run(script: string, args: readonly string[], options: { cwd?: string; input?: string } = {}) {
  const file = join(root, script);
  const command = script.endsWith('.sh') ? 'sh' : process.execPath;
  const { status, stdout, stderr } = spawnSync(command, [file, ...args], { encoding: 'utf8', ...options });
  return { status, stdout, stderr };
}

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'skillful-examples-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

function temporaryFile(name: string, text: string): string {
  const path = join(temporaryDirectory(), name);
  writeFileSync(path, text);
  return path;
}

test('csv-report profiles quoted fields, a byte order mark, numbers, dates and ragged rows', () => {
  const text =
    '\uFEFFname;price;when\r\n"a; ""b""";1.5;2024-01-01\r\nc;3;2024-02-01\r\n\r\n"x\ny";12;2024-03-01;more\r\n';
  expect(run('csv-report/scripts/profile.mjs', [temporaryFile('data.csv', text)])).toEqual({
    status: 0,
    stdout: [
      '| column | kind | filled | distinct | lowest | highest | mean | median |',
      '| --- | --- | --- | --- | --- | --- | --- | --- |',
      '| name | text | 3 of 3 | 3 | a; "b" | x y |  |  |',
      '| price | number | 3 of 3 | 3 | 1.5 | 12 | 5.5 | 3 |',
      '| when | date | 3 of 3 | 3 | 2024-01-01 | 2024-03-01 |  |  |',
      '',
      '3 rows, 1 of them with more or fewer cells than the header',
      '',
    ].join('\n'),
    stderr: '',
  });
});

test('csv-report says which file it cannot read', () => {
  const { status, stderr } = run('csv-report/scripts/profile.mjs', ['/no/such.csv']);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Cannot read \/no\/such\.csv: ENOENT/);
});

test('incident-review measures the phases and names the marks that are missing', () => {
  const timeline = [
    '- 2025-03-01 23:50 [start] Deployment of 4.2 (pipeline)',
    '- 2025-03-02 00:02 [detected] Alert on failed payments (pager)',
    '- 2025-03-02 00:40 [mitigated] Rolled back (pipeline)',
    '- 2025-03-03 01:00 [resolved] Payments replayed (ticket)',
  ].join('\n');
  expect(run('incident-review/scripts/durations.mjs', [temporaryFile('review.md', timeline)])).toEqual({
    status: 0,
    stdout: [
      'Time to detect: 12 min',
      'Time to respond: unknown: no line is marked [responding]',
      'Time to mitigate: 50 min',
      'Time to resolve: 1 d 1 h 10 min',
      '',
    ].join('\n'),
    stderr: '',
  });
});

test('incident-review refuses a timeline that runs backwards', () => {
  const timeline = '- 2025-03-02 10:00 [start] x\n- 2025-03-02 09:00 [detected] y\n';
  const { status, stdout } = run('incident-review/scripts/durations.mjs', [temporaryFile('review.md', timeline)]);
  expect(status).toBe(1);
  expect(stdout).toContain('Time to detect: impossible: [detected] lies before [start]\n');
});

test('commit-messages accepts a good message', () => {
  const input = 'Retry a refused connection once\n\nThe sidecar starts late.\n\nFixes: #482\n';
  expect(run('commit-messages/scripts/check-message.sh', ['-'], { input })).toEqual({
    status: 0,
    stdout: '',
    stderr: '',
  });
});

test('commit-messages names each problem of a bad message with its line', () => {
  const input = `Fixed the thing.\nat once\n\n${'x'.repeat(80)}\n`;
  expect(run('commit-messages/scripts/check-message.sh', ['-'], { input })).toEqual({
    status: 1,
    stdout: [
      'line 1: the subject ends with a full stop',
      'line 1: "fixed" is not imperative',
      'line 2: an empty line separates the subject from the body',
      'line 4: the line has 80 characters; wrap at 72',
      '',
    ].join('\n'),
    stderr: '',
  });
});

test('release-notes collects the commits since the latest tag by kind, breaking ones first', () => {
  const cwd = temporaryDirectory();
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false'];
  const git = (...args: string[]) => execFileSync('git', [...identity, ...args], { cwd, stdio: 'ignore' });
  const commit = (message: string) => git('commit', '--allow-empty', '--no-verify', '-m', message);
  git('init');
  commit('feat: begin');
  git('tag', 'v1.0.0');
  commit('fix: stop at the end');
  commit('feat(cli)!: print milliseconds\n\nBREAKING CHANGE: multiply `timeout` by 1000');
  commit('Tidy up');
  const { status, stdout } = run('release-notes/scripts/collect-changes.mjs', [], { cwd });
  expect(status).toBe(0);
  expect(stdout.replace(/\([0-9a-f]{7,}\)/g, '(hash)')).toBe(
    [
      '# Changes from v1.0.0 to HEAD: 3',
      '',
      '## Breaking changes',
      '',
      '- **cli**: print milliseconds (hash)',
      '  multiply `timeout` by 1000',
      '',
      '## Fixed',
      '',
      '- stop at the end (hash)',
      '',
      '## Other (most of these a user will not notice)',
      '',
      '- Tidy up (hash)',
      '',
    ].join('\n'),
  );
});
