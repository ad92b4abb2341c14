// Measures how long commands take to start, as a multiple of `node -e 0`, and prints a table for the README of the CLI.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../discovery/probes.ts';
import { table } from '../figures.ts';
import { installedVersion } from '../peers.ts';

const { dirname: here } = import.meta;
const runs = Number(process.argv[2] ?? 30);
// Their own folder, because validators look for settings above it.
const skills = mkdtempSync(join(tmpdir(), 'skillful-start-'));
cpSync(join(here, '../../examples/skills'), skills, { recursive: true });

const own = join(here, '../../packages/cli/dist/bin.js');
const peer = (path: string): string => join(here, 'node_modules', path);

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
      [`\`${name} --version\` ${installedVersion(here, name)}`, [program, '--version']],
      [`\`${name} ${args[0]}\`, with ${count}`, [program, ...args]],
    ];
  }),
];

/** Seconds that a program takes: on the clock, and of the processor. */
type Times = readonly [elapsed: number, processor: number];

function measure(args: readonly string[]): Times {
  const script = `TIMEFORMAT='%R %U %S'; time "$@" > /dev/null 2>&1`;
  const environment = { ...process.env, DISABLE_TELEMETRY: '1', DO_NOT_TRACK: '1' };
  const { stderr } = spawnSync('bash', ['-c', script, 'bash', process.execPath, ...args], {
    ...{ cwd: skills, env: environment, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] },
  });
  const [elapsed = Number.NaN, user = Number.NaN, system = Number.NaN] = stderr.trim().split(' ').map(Number);
  return [elapsed, user + system];
}

try {
  const all = [['node -e 0', ['-e', '0']], ...commands] as const;
  for (const [, args] of all) measure(args);
  const times = all.map((): Times[] => []);
  for (let run = 0; run < runs; run += 1) {
    for (const [index, [, args]] of all.entries()) times[index]?.push(measure(args));
  }
  const medians = times.map((each) => [median(each.map(([elapsed]) => elapsed)), median(each.map(([, cpu]) => cpu))]);
  const [base = [], ...others] = medians;
  const rows = commands.map(([name], index) => {
    const ratios = others[index]?.map((time, kind) => (time / (base[kind] ?? Number.NaN)).toFixed(1));
    return [name, ...(ratios ?? [])];
  });
  console.log(table(['command', 'elapsed', 'processor'], rows));
} finally {
  rmSync(skills, { recursive: true, force: true });
}
