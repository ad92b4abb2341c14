// Bun and Deno do what Node does: with files and processes, and with each adapter in its framework's agent.

import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { writeGreetingSkill } from './consumer.ts';
import { runWell } from './run.ts';
import { temporaryDirectory } from './temporary.ts';
import { root } from './workspace.ts';

const skills = temporaryDirectory();
writeGreetingSkill(skills);

/** Checks whether a program is installed; in CI, it must be. */
function isInstalled(command: string): boolean {
  const isFound = spawnSync(command, ['--version']).status === 0;
  const install = `${command} is NOT INSTALLED: npm install --global --allow-scripts=${command} ${command}`;
  if (!isFound && process.env['CI'] === 'true') throw new Error(install);
  if (!isFound) process.stderr.write(`${install}. Its tests are SKIPPED.\n`);
  return isFound;
}

describe.each([
  ['bun', ['run']],
  ['deno', ['run', '--allow-all', '--node-modules-dir=manual']],
])('%s', (command, options) => {
  const isFound = isInstalled(command);

  it.skipIf(!isFound)('reads, refuses, runs and writes files as Node does', async () => {
    const program = 'test/runtimes-program.ts';
    const told = JSON.parse(await runWell(command, [...options, program, temporaryDirectory()], root));
    expect(told).toEqual(JSON.parse(await runWell(process.execPath, [program, temporaryDirectory()], root)));
  });

  it.skipIf(!isFound)('runs the command as Node does', async () => {
    const list = ['packages/cli/dist/bin.js', 'list', '--root', skills, '--json'];
    const told = JSON.parse(await runWell(command, [...options, ...list], root));
    expect(told).toEqual(JSON.parse(await runWell(process.execPath, list, root)));
  });

  it.skipIf(!isFound).each(['core', 'adapter-langchain', 'adapter-vercel-ai', 'adapter-mastra'])(
    'gives an agent the same text with %s',
    async (name) => {
      const program = `test/consumers/${name}.ts`;
      const told = JSON.parse(await runWell(command, [...options, program, skills], root));
      expect(told).toEqual(JSON.parse(await runWell(process.execPath, [program, skills], root)));
    },
  );
});

it.skipIf(!isInstalled('deno'))('deno reads skills with only the rights to read and to know its user', async () => {
  const options = ['run', '--no-prompt', '--allow-read', '--allow-sys=uid', '--node-modules-dir=manual'];
  const program = ['test/consumers/core.ts', skills];
  const told = JSON.parse(await runWell('deno', [...options, ...program], root));
  expect(told).toEqual(JSON.parse(await runWell(process.execPath, program, root)));
});
