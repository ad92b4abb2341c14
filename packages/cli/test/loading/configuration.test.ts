// The configuration of a project: the same options as on the command line, which override it.

import { execFile } from 'node:child_process';
import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makePlace, type Place, skillText, writeTree } from '../command.ts';

async function makeProject(configuration: string): Promise<Place> {
  const place = await makePlace();
  await writeTree(place.work, {
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.skillful/config.json': configuration,
    '.agents/skills/agents/SKILL.md': skillText('agents'),
    '.claude/skills/claudes/SKILL.md': skillText('claudes'),
    '.claude/skills/deep/er/SKILL.md': skillText('er'),
    'team skills/shared/SKILL.md': skillText('shared'),
    'packages/one/readme.md': '',
  });
  await writeTree(place.home, { 'outside/secret/SKILL.md': skillText('secret') });
  return place;
}

const brief = (stdout: string) => {
  const { skills, diagnostics } = JSON.parse(stdout) as {
    skills: { name: string }[];
    diagnostics: { code: string; location: string }[];
  };
  return [skills.map(({ name }) => name), diagnostics.map(({ code }) => code)];
};

describe('.skillful/config.json', () => {
  it('sets client, depth and further paths for every directory below it', async () => {
    const { skillful } = await makeProject('{ "client": "claude", "depth": 2, "paths": ["team skills"] }');
    const { stdout } = await skillful('list', '--cwd', 'packages/one', '--trust', '--json');
    expect(brief(stdout)).toEqual([['claudes', 'er', 'shared'], []]);
  });

  it('decides whether the directories above the working directory are searched', async () => {
    const names = async (configuration: string) => {
      const { skillful } = await makeProject(configuration);
      const { stdout } = await skillful('list', '--cwd', 'packages/one', '--trust', '--json');
      return brief(stdout)[0];
    };
    expect(await names('{ "client": "copilot" }')).toEqual([]);
    expect(await names('{ "client": "copilot", "ancestors": true }')).toEqual(['agents', 'claudes', 'er']);
    expect(await names('{ "client": "claude", "ancestors": false }')).toEqual([]);
  });

  it('is overridden by options of the command line, and ignored with --root', async () => {
    const { skillful } = await makeProject('{ "client": "claude", "depth": 2, "paths": ["team skills"] }');
    const client = await skillful('list', '--client', 'agents', '--trust', '--json');
    const depth = await skillful('list', '--depth', '1', '--trust', '--json');
    const root = await skillful('list', '--root', '.agents/skills', '--json');
    expect([client, depth, root].map(({ stdout }) => brief(stdout)[0])).toEqual([
      ['agents', 'shared'],
      ['claudes', 'shared'],
      ['agents'],
    ]);
  });

  it('cannot trust its own project or add skills from outside', async () => {
    const { skillful, home } = await makeProject(`{ "paths": ["team skills", "~/outside"] }`);
    const withheld = await skillful('list', '--json');
    const trusted = await skillful('list', '--trust', '--json');
    expect(brief(withheld.stdout)[0]).toEqual([]);
    expect(withheld.stdout).not.toContain('About');
    expect(brief(trusted.stdout)).toEqual([['agents', 'claudes', 'er', 'shared'], ['path-external']]);
    expect(trusted.stdout).toContain(join(home, 'outside'));
  });

  it.runIf(process.platform !== 'win32')(
    'is refused if it is a pipe, a directory, a broken link or endless',
    async () => {
      const { work, skillful } = await makeProject('{}');
      const path = join(work, '.skillful/config.json');
      const refusal = async () => {
        const { code, stderr } = await skillful('list');
        return [code, stderr.split(' is not a valid configuration: ')[1]];
      };
      await rm(path);
      await promisify(execFile)('mkfifo', [path]);
      expect(await refusal()).toEqual([2, 'it is not a regular file. Fix or remove it.\n']);
      await rm(path);
      await mkdir(path);
      expect(await refusal()).toEqual([2, 'it is not a regular file. Fix or remove it.\n']);
      await rm(path, { recursive: true });
      await symlink('nowhere', path);
      expect(await refusal()).toEqual([2, 'it is a broken link. Fix or remove it.\n']);
      await rm(path);
      await writeFile(path, '');
      await truncate(path, 2 ** 33);
      expect(await refusal()).toEqual([2, 'it has more than 65536 bytes. Fix or remove it.\n']);
      if (process.platform !== 'linux') return;
      await rm(path);
      // It says that it is empty.
      await symlink('/proc/kallsyms', path);
      expect(await refusal()).toEqual([2, 'it has more than 65536 bytes. Fix or remove it.\n']);
    },
  );

  it('is none if `.skillful` is a file', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { '.skillful': '', '.agents/skills/pdf/SKILL.md': skillText('pdf') });
    const { stdout } = await skillful('list', '--trust', '--json');
    expect(brief(stdout)).toEqual([['pdf'], []]);
  });

  it.each([
    ['{ "client": "emacs" }', '`client` must be one of `skillful`, '],
    ['{ "depth": 0 }', '`depth` must be a whole number of at least 1'],
    ['{ "ancestors": "yes" }', '`ancestors` must be `true` or `false`'],
    ['{ "paths": "skills" }', '`paths` must be a list of paths'],
    ['{ "trust": true }', '`trust` is unknown; expected `client`, `depth`, `ancestors`, `paths`'],
    ['[]', 'it must be a JSON object'],
    ['{', 'it is not JSON'],
  ])('that reads %s is refused with a reason and exit code 2', async (configuration, reason) => {
    const { work, skillful } = await makeProject(configuration);
    const { code, stdout, stderr } = await skillful('list');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const start = `error: \`${join(work, '.skillful/config.json')}\` is not a valid configuration: ${reason}`;
    expect(stderr.slice(0, start.length)).toBe(start);
  });
});
