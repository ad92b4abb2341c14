// Measures how much processor time commands need to start, beside `node -e 0`, and prints a table for the README of the CLI.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { dirname: here } = import.meta;
const runs = Number(process.argv[2] ?? 30);
// Their own folder, because validators look for settings above it.
const skills = mkdtempSync(join(tmpdir(), 'skillful-start-'));
cpSync(join(here, '../../examples/skills'), skills, { recursive: true });

const own = join(here, '../../packages/cli/dist/bin.js');
const peer = (path: string): string => join(here, 'node_modules', path);
const versionOf = (name: string): string => JSON.parse(readFileSync(peer(`${name}/package.json`), 'utf8')).version;

const commands: readonly (readonly [name: string, args: readonly string[]])[] = [
  ['`skillful --version`', [own, '--version']],
  ['`skillful --help`', [own, '--help']],
  ['`skillful list`, with 6 skills', [own, 'list', '--root', skills]],
  ['`skillful validate`, with 6 skills', [own, 'validate', skills]],
  ...[
    ['skills-ref', 'dist/cli.js', ['validate', join(skills, 'release-notes')], '1 skill'] as const,
    ['skill-check', 'bin/skill-check.js', ['check', skills, '--no-security-scan'], '6 skills'] as const,
    ['skill-tools', 'dist/cli.js', ['validate', skills], '6 skills'] as const,
    ['skills', 'bin/cli.mjs', ['add', skills, '--list'], '6 skills'] as const,
  ].flatMap(([name, path, args, count]): (readonly [string, readonly string[]])[] => {
    const program = peer(`${name}/${path}`);
    return [
      [`\`${name} --version\` ${versionOf(name)}`, [program, '--version']],
      [`\`${name} ${args[0]}\`, with ${count}`, [program, ...args]],
    ];
  }),
];

/** Returns the processor time of a program in seconds, of the user and the system. */
function measure(args: readonly string[]): number {
  const script = `TIMEFORMAT='%U %S'; time "$@" > /dev/null 2>&1`;
  const environment = { ...process.env, DISABLE_TELEMETRY: '1', DO_NOT_TRACK: '1' };
  const { stderr } = spawnSync('bash', ['-c', script, 'bash', process.execPath, ...args], {
    ...{ cwd: skills, env: environment, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] },
  });
  return stderr
    .trim()
    .split(' ')
    .map(Number)
    .reduce((sum, part) => sum + part, 0);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

try {
  const all = [['node -e 0', ['-e', '0']], ...commands] as const;
  for (const [, args] of all) measure(args);
  const times = all.map((): number[] => []);
  for (let run = 0; run < runs; run += 1) {
    for (const [index, [, args]] of all.entries()) times[index]?.push(measure(args));
  }
  const [base = Number.NaN, ...medians] = times.map(median);
  const rows = commands.map(([name], index) => `| ${name} | ${((medians[index] ?? 0) / base).toFixed(1)} |`);
  console.log(['| command | × |', '|---|--:|', ...rows].join('\n'));
} finally {
  rmSync(skills, { recursive: true, force: true });
}
