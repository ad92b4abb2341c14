import { chmod, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ownSkillsDirectory, writeSkill } from '../../../src/node/index.ts';
import { makeTemporaryDirectory } from '../temporary-directory.ts';

it('ownSkillsDirectory returns the directories of a client', async () => {
  const home = await makeTemporaryDirectory();
  await mkdir(join(home, 'work/.git'), { recursive: true });
  await mkdir(join(home, 'work/app'), { recursive: true });
  const options = { home, environment: {}, cwd: join(home, 'work/app'), name: 'mine' };
  expect([ownSkillsDirectory('user', options), ownSkillsDirectory('project', options)]).toEqual([
    join(home, '.config/mine/skills'),
    join(home, 'work/.mine/skills'),
  ]);
});

it('ownSkillsDirectory returns the directory that is searched if a variable replaces those of the user', async () => {
  const home = await makeTemporaryDirectory();
  await mkdir(join(home, 'shared/skills'), { recursive: true });
  const at = (value: string) =>
    ownSkillsDirectory('user', { home, environment: { MY_CLIENT_SKILLS_DIR: value }, cwd: home, name: 'my-client' });
  expect(['~/new', `${home}/one:${home}/two`, join(home, 'shared'), ' '].map(at)).toEqual([
    join(home, 'new'),
    join(home, 'one'),
    join(home, 'shared/skills'),
    join(home, '.config/my-client/skills'),
  ]);
});

it.runIf(process.platform !== 'win32')('a project that cannot be looked into fails with a code', async () => {
  const home = await makeTemporaryDirectory();
  const cwd = join(home, 'closed');
  await mkdir(cwd);
  await chmod(home, 0o755);
  await chmod(cwd, 0);
  const isSuperuser = process.getuid?.() === 0;
  if (isSuperuser) process.seteuid?.(65_534);
  try {
    const directory = ownSkillsDirectory('project', { home, environment: {}, cwd });
    expect(directory).toBe(join(cwd, '.skillful/skills'));
    const draft = { name: 'pdf', description: 'Reads PDF files.', instructions: 'Go.' };
    await expect(writeSkill(directory, draft)).rejects.toMatchObject({ code: 'write-failed' });
  } finally {
    if (isSuperuser) process.seteuid?.(0);
    await chmod(cwd, 0o755);
  }
});

it.each([
  ['elsewhere', true],
  ['nowhere', false],
])('ownSkillsDirectory follows no link out of the project, to %s', async (target, exists) => {
  const home = await makeTemporaryDirectory();
  await mkdir(join(home, 'work/.git'), { recursive: true });
  if (exists) await mkdir(join(home, target));
  await symlink(join(home, target), join(home, 'work/.mine'));
  expect(() => ownSkillsDirectory('project', { home, cwd: join(home, 'work'), name: 'mine' })).toThrow(
    expect.objectContaining({ code: 'skill-protected' }),
  );
});
