// The configuration of a project: the same options as on the command line, which override it.

import { execFile, spawn } from 'node:child_process';
import { chmod, mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
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
    'policies/list.json': '[]',
    'policies/word.json': '{ "rules": [{ "effect": "perhaps" }] }',
    'policies/typo.json': '{ "rules": [{ "skil": "a", "effect": "deny" }] }',
    'policies/number.json': '{ "rules": [{ "skill": 7, "effect": "deny" }] }',
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
    expect(await names('{ "client": "cursor" }')).toEqual([]);
    expect(await names('{ "client": "cursor", "ancestors": true }')).toEqual(['agents', 'claudes', 'er']);
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

  it('decides with --root, too, who may use a skill, and with which runner', async () => {
    const { work, skillful } = await makeProject('{ "policy": "policies/deny.json", "runner": "process" }');
    await writeTree(work, {
      'policies/deny.json': '{ "rules": [{ "skill": "claudes", "effect": "deny" }] }',
      '.claude/skills/claudes/scripts/go.sh': 'echo ran\n',
      '.claude/skills/deep/er/scripts/go.sh': 'echo ran\n',
    });
    const root = ['--root', '.claude/skills'];
    const unread = await skillful('prompt', ...root);
    expect(unread.stdout).toContain('claudes');
    expect(unread.stderr).toContain('.skillful/config.json info: Everything');
    const unknown = await skillful('show', 'nope', ...root);
    expect(unknown.stderr).toContain('error: No skill `nope`. Run `skillful list` to see all skills.');
    const prompt = await skillful('prompt', ...root, '--trust');
    expect(['claudes', 'er:'].map((name) => prompt.stdout.includes(name))).toEqual([false, true]);
    const run = (name: string) => skillful('run', name, 'scripts/go.sh', '--yes', '--trust', ...root);
    expect([(await run('claudes')).stdout, (await run('er')).stdout]).toEqual(['', 'ran\n']);
    // Its rules may be about skills in other places.
    const doctor = await skillful('doctor', '--root', '.agents/skills', '--trust');
    expect(doctor.stdout).not.toContain('applies to no skill');
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

  it('is not opened before the project is trusted, and that is said', async () => {
    const place = await makeProject('{ "client": "goose" }');
    await writeTree(place.home, { '.claude/skills/own/SKILL.md': skillText('own') });
    await rm(join(place.work, '.agents'), { recursive: true });
    await rm(join(place.work, '.claude'), { recursive: true });
    for (const content of ['{ "client": "agents" }', '{', '{ "secret": 1 }']) {
      await writeFile(join(place.work, '.skillful/config.json'), content);
      const { code, stdout } = await place.skillful('list', '--json');
      expect([code, ...brief(stdout)]).toEqual([0, ['own'], ['source-untrusted']]);
    }
  });

  it.runIf(process.platform !== 'win32')('is not opened: a pipe would notice', async () => {
    const { work, skillful } = await makeProject('{}');
    const path = join(work, '.skillful/config.json');
    await rm(path);
    await promisify(execFile)('mkfifo', [path]);
    // Waits until somebody opens the pipe to read.
    const writer = spawn('sh', ['-c', 'echo "{}" > "$0"', path]);
    onTestFinished(() => void writer.kill('SIGKILL'));
    expect((await skillful('list', '--json')).code).toBe(0);
    expect(writer.exitCode).toBe(null);
    let isOpened = false;
    writer.once('exit', () => {
      isOpened = true;
    });
    // Again if the writer was not there yet. The command may end without a turn of the event loop, which reports the exit.
    while (!isOpened) {
      expect((await skillful('list', '--json', '--trust')).code).toBe(0);
      await setTimeout(10);
    }
  });

  it.runIf(process.platform !== 'win32')(
    'is ignored with a warning if it is a pipe, a directory, a link, endless or open to others',
    async () => {
      const { work, home, skillful } = await makeProject('{}');
      const path = join(work, '.skillful/config.json');
      const outcome = async (...args: string[]) => {
        const { code, stdout } = await skillful('list', '--json', ...args);
        const { skills, diagnostics } = JSON.parse(stdout);
        expect(skills.map(({ name }: { name: string }) => name)).toEqual(['agents', 'claudes', 'er']);
        expect(stdout).not.toContain('canary');
        return [
          code,
          ...diagnostics.map((found: { code: string; message: string }) => `${found.code} ${found.message}`),
        ];
      };
      const ignored = (reason: string) => [0, `configuration-invalid The configuration was ignored: ${reason}.`];
      await rm(path);
      await promisify(execFile)('mkfifo', [path]);
      expect(await outcome('--trust')).toEqual(ignored('it is not a regular file'));
      await rm(path);
      await mkdir(path);
      expect(await outcome('--trust')).toEqual(ignored('it is not a regular file'));
      await rm(path, { recursive: true });
      await symlink('nowhere', path);
      expect(await outcome('--trust')).toEqual(ignored('it is a broken link'));
      await rm(path);
      await writeFile(path, '');
      await truncate(path, 2 ** 33);
      expect(await outcome('--trust')).toEqual(ignored('it has more than 65536 bytes'));
      await rm(path);
      await writeTree(home, { 'other.json': '{ "canary": 1 }', 'linked/config.json': '{ "canary": 1 }' });
      await writeTree(work, { 'own.json': '{ "canary": 1 }' });
      for (const target of [join(home, 'other.json'), '../own.json', '/proc/self/environ']) {
        await symlink(target, path);
        expect(await outcome('--trust')).toEqual(ignored('it is behind a link, which is not followed'));
        await rm(path);
      }
      await rm(join(work, '.skillful'), { recursive: true });
      await symlink(join(home, 'linked'), join(work, '.skillful'));
      expect(await outcome('--trust')).toEqual(ignored('it is behind a link, which is not followed'));
      await rm(join(work, '.skillful'));
      await writeTree(work, { '.skillful/config.json': '{ "client": "agents" }' });
      await chmod(join(work, '.skillful'), 0o777);
      await writeTree(home, {
        '.config/skillful/settings.json': JSON.stringify({ trust: { projects: [{ directory: work }] } }),
      });
      expect(await outcome()).toEqual(ignored('everyone can write to a directory above it'));
      // With `--trust`, the user has reviewed the project now.
      const { stdout } = await skillful('list', '--json', '--trust');
      expect(brief(stdout)).toEqual([['agents'], []]);
    },
  );

  it('is none if `.skillful` is a file', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { '.skillful': '', '.agents/skills/pdf/SKILL.md': skillText('pdf') });
    const { stdout } = await skillful('list', '--trust', '--json');
    expect(brief(stdout)).toEqual([['pdf'], []]);
  });

  it.each([
    [
      '{ "client": "emacs" }',
      '`client` must be one of skillful, agents, claude, opencode, crush, codex, gemini, copilot, cursor, goose, all.',
    ],
    ['{ "depth": 0 }', '`depth` must be a whole number of at least 1'],
    ['{ "packages": 1 }', '`packages` must be `true` or `false`'],
    ['{ "runner": "docker" }', '`runner` must be one of bubblewrap, process'],
    ['{ "ancestors": "yes" }', '`ancestors` must be `true` or `false`'],
    ['{ "paths": "skills" }', '`paths` must be a list of paths'],
    ['{ "paths": ["skills", 1] }', '`paths` must be a list of paths'],
    ['{ "a\\u001b": 1 }', '`a\\u{1b}` is unknown; expected `client`'],
    ['{ "trust": true }', '`trust` is unknown; expected `client`, `depth`, `ancestors`, `paths`'],
    ['{ "policy": 1 }', '`policy` must be a path'],
    ['{ "policy": "../policy.json" }', '`policy` must be a path inside the project'],
    ['{ "policy": "\\u0000" }', '`policy` cannot be read: its path contains a NUL'],
    ['{ "policy": "none.json" }', '`policy` names `none.json`, which does not exist'],
    ['{ "policy": "policies/list.json" }', '`policy` must be an object with a list of `rules`'],
    ['{ "policy": "policies/word.json" }', '`policy` is not valid: Rule 1 has the effect `perhaps`, which does not'],
    ['{ "policy": "policies/number.json" }', '`policy` is not valid: Rule 1 has a bad pattern in `skill`'],
    [
      '{ "policy": "policies/typo.json" }',
      '`policy` is not valid: Rule 1 has `skil`, which does not exist (did you mean `skill`?).',
    ],
    ['[]', 'it must be a JSON object'],
    ['{', 'it is not JSON'],
  ])('that reads %s is ignored with a reason', async (configuration, reason) => {
    const { skillful } = await makeProject(configuration);
    const { code, stdout } = await skillful('list', '--trust', '--json');
    expect([code, ...brief(stdout)]).toEqual([0, ['agents', 'claudes', 'er'], ['configuration-invalid']]);
    const { message } = JSON.parse(stdout).diagnostics[0];
    expect(message).toContain(`The configuration was ignored: ${reason}`);
    expect(message).toMatch(/[^.?][.?]$/u);
  });

  it.each([
    ['{ "depth": 0 }', true],
    ['{ "policy": "policies/word.json" }', false],
    ['{ "policy": "none.json" }', false],
    ['{ "polcy": "policies/word.json" }', false],
    ['{', false],
  ])(
    'that reads %s offers skills to a model: %s, because a policy that cannot be read may deny any',
    async (configuration, expected) => {
      const { skillful } = await makeProject(configuration);
      const [prompt, search] = [await skillful('prompt', '--trust'), await skillful('search', 'claudes', '--trust')];
      expect([prompt, search].map(({ stdout }) => stdout.includes('claudes'))).toEqual([expected, expected]);
      expect(prompt.stderr).toContain(
        expected
          ? '\n  hint: Correct or remove it.\n'
          : '\n  hint: Correct or remove it. Until then, the model gets no skill, because it may name a policy.\n',
      );
      const { code, stdout } = await skillful('doctor', '--trust');
      expect(stdout.includes('rule 1, the policy of this project cannot be read')).toBe(!expected);
      expect(code).toBe(expected ? 0 : 1);
    },
  );
});
