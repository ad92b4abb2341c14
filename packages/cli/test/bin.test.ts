// What only the process of the command does: it reports its own crashes, and a Node that is too old.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { binary, makePlace, runProcess, skillText, writeTree } from './command.ts';

it('a crash prints where it happened, and nothing that controls a terminal', async () => {
  const { home, work } = await makePlace();
  const broken = `JSON.parse = () => { throw new Error('a \\u001b[2J\\u009b b'); };`;
  const flags = ['--conditions=skillful-source', `--import=data:text/javascript,${encodeURIComponent(broken)}`];
  const { code, stdout, stderr } = await runProcess(process.execPath, [...flags, binary, 'list'], work, { HOME: home });
  expect({ code, stdout, lines: stderr.split('\n').slice(0, 3) }).toEqual({
    code: 2,
    stdout: '',
    lines: [
      'skillful crashed. This is a bug; please report it with the output below:',
      'Error: a \\u{1b}[2J\\u{9b} b',
      expect.stringMatching(/^ {4}at .+:1:/u),
    ],
  });
});

it.each(['20.19.5', '22.12.0', '18.0.0'])('Node %s gets one sentence', async (version) => {
  const { home, work } = await makePlace();
  const old = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });`;
  const flags = ['--conditions=skillful-source', `--import=data:text/javascript,${encodeURIComponent(old)}`];
  expect(await runProcess(process.execPath, [...flags, binary, 'list'], work, { HOME: home })).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: skillful needs Node 22.13 or later; this is Node ${version}. Get a newer one from https://nodejs.org.\n`,
  });
});

it('a runtime that keeps no compiled code, such as Deno, starts, too', async () => {
  const { home, work } = await makePlace();
  const without = `process.getBuiltinModule('node:module').enableCompileCache = undefined;`;
  const flags = ['--conditions=skillful-source', `--import=data:text/javascript,${encodeURIComponent(without)}`];
  const result = await runProcess(process.execPath, [...flags, binary, '--version'], work, { HOME: home });
  expect(result).toEqual({ code: 0, stdout: '0.0.0\n', stderr: '' });
});

it('what the permission model of Node refuses is no crash', async () => {
  const { home, work } = await makePlace();
  const refusal = { code: 'ERR_ACCESS_DENIED', message: 'Use --allow-fs-read.' };
  const refused = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    fs.existsSync = () => { throw Object.assign(new Error(), ${JSON.stringify(refusal)}); };
    syncBuiltinESMExports();`;
  const flags = ['--conditions=skillful-source', `--import=data:text/javascript,${encodeURIComponent(refused)}`];
  const result = await runProcess(process.execPath, [...flags, binary, 'validate', '.'], work, { HOME: home });
  expect(result).toEqual({ code: 2, stdout: '', stderr: 'error: Use --allow-fs-read.\n' });
});

it('an interruption waits for the file that is being written, and leaves no other behind', async () => {
  const { home, work } = await makePlace();
  const text = '---\nname: a\ndescription: Reads: files. Use for files.\n---\nRead.\n';
  await writeTree(work, { 's/a/SKILL.md': text, 's/b/SKILL.md': text.replace('name: a', 'name: b') });
  const interrupted = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    fs.fsyncSync = () => process.kill(process.pid, 'SIGINT');
    syncBuiltinESMExports();`;
  const flags = ['--conditions=skillful-source', `--import=data:text/javascript,${encodeURIComponent(interrupted)}`];
  const { code } = await runProcess(process.execPath, [...flags, binary, 'validate', 's', '--fix'], work, {
    HOME: home,
  });
  const read = (name: string): Promise<string> => readFile(join(work, 's', name, 'SKILL.md'), 'utf8');
  expect({
    code,
    files: await readdir(join(work, 's/a')),
    isFixed: (await read('a')) !== text,
    b: await read('b'),
  }).toEqual({
    code: null,
    files: ['SKILL.md'],
    isFixed: true,
    b: text.replace('name: a', 'name: b'),
  });
});

it.runIf(process.platform === 'linux')(
  'a signal leaves a pipe as it was for the next program that writes to it',
  async () => {
    const { home, work } = await makePlace();
    const ended = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    fs.existsSync = () => setTimeout(() => {}, 9e3) && process.kill(process.pid, 'SIGTERM');
    syncBuiltinESMExports();`;
    const flags = ['--conditions=skillful-source', `--import=data:text/javascript,${encodeURIComponent(ended)}`];
    // Counts the lines that say that writing does not wait for the reader.
    const script = '"$@"; echo $?; grep -c "flags:.*4...$" /proc/self/fdinfo/1';
    const command = ['-c', script, 'sh', process.execPath, ...flags, binary, 'validate', '.'];
    const { stdout } = await runProcess('/bin/sh', command, work, { HOME: home });
    expect(stdout).toBe('143\n0\n');
  },
);

it('the file that checks the version of Node imports nothing before it has', async () => {
  expect(await readFile(binary, 'utf8')).not.toMatch(/^import /mu);
});

it.each(['', '.'])('the home %j does not make the files of the working directory those of the user', async (home) => {
  const { work } = await makePlace();
  await writeTree(work, { '.agents/skills/foreign/SKILL.md': skillText('foreign') });
  const args = ['--conditions=skillful-source', binary, 'show', 'foreign'];
  const { code, stdout } = await runProcess(process.execPath, args, work, { HOME: home, XDG_CACHE_HOME: home });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  // Compiled code is not taken from there either.
  expect(await readdir(work)).toEqual(['.agents']);
});
