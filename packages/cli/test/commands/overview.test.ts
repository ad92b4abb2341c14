// `skillful` without arguments: what it sees, and what to do next.

import { expect, it } from 'vitest';
import { makePlace, skillText, writeTree } from '../command.ts';

const head = 'skillful 0.0.0 finds, checks and shows Agent Skills exactly as an agent gets them.';

it('says how to begin if there is nothing', async () => {
  const { skillful } = await makePlace();
  expect(await skillful()).toEqual({
    code: 0,
    stderr: '',
    stdout: `${head}

No skills found here. A skill is a folder with a SKILL.md that tells an agent how to do something.

Next:
  skillful new my-skill                  create a skill for all your projects
  skillful new my-skill --scope project  create a skill for this project
  skillful --help                        see all commands
`,
  });
});

it('says what it found, what it skipped and what is wrong', async () => {
  const { home, work, skillful } = await makePlace();
  await writeTree(home, {
    '.agents/skills/pdf/SKILL.md': skillText('pdf'),
    '.agents/skills/csv/SKILL.md': skillText('csv'),
    '.agents/skills/bad/SKILL.md': 'Broken.',
  });
  await writeTree(work, { '.agents/skills/ours/SKILL.md': skillText('ours') });
  expect((await skillful()).stdout).toBe(`${head}

2 skills found here: 2 user.
1 folder could not be loaded.
This project contains skills or settings, which are skipped until you trust it.

Next:
  skillful trust     use the skills of this project
  skillful doctor    see why skills are missing
  skillful list      list them
  skillful show csv  see what the model gets
  skillful validate  check the skills of this project
  skillful --help    see all commands
`);
  await skillful('trust');
  expect((await skillful()).stdout).toContain('3 skills found here: 2 user, 1 project.\n');
});

it('names a folder of skills that is not searched by default', async () => {
  const { work, skillful } = await makePlace();
  await writeTree(work, { 'skills/README.md': 'Skills.\n', 'skills/empty/notes.md': 'None.\n' });
  expect((await skillful()).stdout).toContain('No skills found here.');
  await writeTree(work, { 'skills/pdf/SKILL.md': skillText('pdf') });
  expect((await skillful()).stdout).toBe(`${head}

The folder \`skills\` contains skills, but it is not searched by default.

Next:
  skillful list --root skills            list the skills in that folder
  skillful new my-skill                  create a skill for all your projects
  skillful new my-skill --scope project  create a skill for this project
  skillful validate                      check the skills of this project
  skillful --help                        see all commands
`);
  await writeTree(work, { '.skillful/config.json': '{ "paths": ["skills"] }' });
  await skillful('trust');
  expect((await skillful()).stdout).toContain('\n1 skill found here: 1 project.\n\nNext:\n');
});

it('only suggests to check a project that has skills', async () => {
  const { home, work, skillful } = await makePlace();
  await writeTree(home, { '.agents/skills/pdf/SKILL.md': skillText('pdf') });
  expect((await skillful()).stdout).not.toContain('skillful validate');
  await writeTree(work, { '.skillful/skills/ours/SKILL.md': 'Broken.' });
  await skillful('trust');
  expect((await skillful()).stdout).toContain('\n  skillful validate  check the skills of this project\n');
});

it('does not say that there are no skills if it skipped some', async () => {
  const { work, skillful } = await makePlace();
  await writeTree(work, { '.agents/skills/ours/SKILL.md': skillText('ours') });
  expect((await skillful()).stdout).toBe(`${head}

This project contains skills or settings, which are skipped until you trust it.

Next:
  skillful trust                         use the skills of this project
  skillful new my-skill                  create a skill for all your projects
  skillful new my-skill --scope project  create a skill for this project
  skillful validate                      check the skills of this project
  skillful --help                        see all commands
`);
});
