import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { loadCatalog } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { expect, it } from 'vitest';
import { findNestedSkills } from '../../src/checking/overlooked.ts';
import { makePlace, skillText, writeTree } from '../command.ts';

it('finds skills inside a skill, but not what an interrupted write left there, and no mounted skill twice', async () => {
  const { work } = await makePlace();
  await writeTree(work, {
    'pdf/SKILL.md': skillText('pdf'),
    'pdf/inner/SKILL.md': skillText('inner'),
    'pdf/.inner.0123456789ab.tmp/SKILL.md': skillText('inner'),
    'pdf/.inner.0123456789ab.trash/SKILL.md': skillText('inner'),
    'mounted/..1/SKILL.md': skillText('mounted'),
    'mounted/..data': { link: '..1' },
    'mounted/SKILL.md': { link: '..data/SKILL.md' },
  });
  const catalog = await loadCatalog([fileSource(work)]);
  expect(findNestedSkills(catalog).map(({ code, location }) => [code, location])).toEqual([
    ['skill-nested', join(work, 'pdf/inner/SKILL.md')],
  ]);
});

it('names a skill that is a file without a directory in doctor, list and validate, and no other Markdown file', async () => {
  const { work, skillful } = await makePlace();
  await writeTree(work, {
    's/pdf/SKILL.md': skillText('pdf'),
    's/pdf/agent.md': skillText('agent'),
    's/mail.md': skillText('mail'),
    's/README.md': '# Skills\n',
    's/unnamed.md': '---\ndescription: A page.\n---\nText.\n',
  });
  const expected = [
    [join(work, 's/mail.md'), ['skill-directory-missing']],
    [join(work, 's/pdf/SKILL.md'), []],
  ];
  for (const command of [
    ['doctor', '--root', 's'],
    ['validate', 's'],
  ]) {
    const { code, stdout } = await skillful(...command, '--json');
    const { skills } = JSON.parse(stdout) as { skills: { location: string; diagnostics: { code: string }[] }[] };
    const found = skills.map(({ location, diagnostics }) => [location, diagnostics.map((each) => each.code)]);
    expect([code, found]).toEqual([0, expected]);
  }
  for (const name of ['mail', 'mail.md']) {
    const { code, stdout } = await skillful('doctor', name, '--root', 's', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { skills: [{ location: join(work, 's/mail.md') }] }]);
  }
  expect(await skillful('list', '--root', 's')).toEqual({
    code: 0,
    stdout: 'NAME  SCOPE    DESCRIPTION\npdf   project  About pdf.\n',
    stderr: [
      's/mail.md warning: `mail.md` is in no directory, so it is not read. (skill-directory-missing)',
      '  hint: Put it into a directory with the name of the skill, by a path such as `pdf/SKILL.md`.\n',
    ].join('\n'),
  });
  expect(JSON.parse((await skillful('list', '--root', 's', '--json')).stdout)).toMatchObject({
    diagnostics: [{ code: 'skill-directory-missing', location: join(work, 's/mail.md') }],
  });
  expect(JSON.parse((await skillful('validate', '.', '--json')).stdout)).toMatchObject({
    skills: expected.map(([location]) => ({ location })),
  });
  expect(JSON.parse((await skillful('validate', 's/pdf', '--json')).stdout)).toMatchObject({
    skills: [{ name: 'pdf' }],
  });
});

it('names a file that git wrote instead of a link to a skill, or to the directory of all skills', async () => {
  const { work, skillful } = await makePlace();
  await writeTree(work, {
    '.agents/skills/pdf/SKILL.md': skillText('pdf'),
    '.claude/skills/pdf': '../../.agents/skills/pdf',
    '.claude/skills/note': '../../.agents/skills/none',
    '.claude/skills/.gitkeep': '',
    '.claude/skills/page': '../../.agents/skills/pdf\n',
    '.claude/skills/far': join(work, '.agents/skills/pdf'),
    '.cursor/skills': '../.agents/skills',
  });
  const at = async (...command: readonly string[]) => {
    const { skills } = JSON.parse((await skillful(...command, '--json')).stdout) as {
      skills: { diagnostics: { code: string; location: string }[] }[];
    };
    const found = skills.flatMap(({ diagnostics }) => diagnostics).filter(({ code }) => code === 'link-as-text');
    return found.map(({ location }) => location.slice(work.length + 1));
  };
  expect(await at('doctor', '--client', 'claude', '--trust')).toEqual(['.claude/skills/pdf']);
  expect(await at('doctor', '--client', 'cursor', '--trust')).toEqual(['.claude/skills/pdf', '.cursor/skills']);
  expect(await at('validate', '.')).toEqual(['.claude/skills/pdf', '.cursor/skills']);
});

it.each(['skills', '.claude/skills', '.skillful/skills'])(
  'names a skill that is a file without a directory in %s if there is no other skill',
  async (directory) => {
    const { work, skillful } = await makePlace();
    const location = join(work, directory, 'mail.md');
    await writeTree(work, { [`${directory}/mail.md`]: skillText('mail'), 'docs/page.md': skillText('page') });
    const { code, stdout } = await skillful('validate', '.', '--json');
    const { skills } = JSON.parse(stdout) as { skills: { location: string; diagnostics: { code: string }[] }[] };
    const found = skills.map((skill) => [skill.location, skill.diagnostics.map((each) => each.code)]);
    expect([code, Object.fromEntries(found)]).toEqual([
      1,
      { [location]: ['skill-directory-missing'], [join(work, 'SKILL.md')]: ['skill-file-missing'] },
    ]);
  },
);

it('reports a skill inside a skill once, if it is also inside a skill of another directory', async () => {
  const { work } = await makePlace();
  await writeTree(work, {
    'outer/SKILL.md': skillText('outer'),
    'outer/skills/inner/SKILL.md': skillText('inner'),
    'outer/skills/inner/deep/SKILL.md': skillText('deep'),
  });
  const catalog = await loadCatalog([fileSource(work), fileSource(join(work, 'outer/skills'))]);
  expect(findNestedSkills(catalog).map(({ location }) => location)).toEqual([
    join(work, 'outer/skills/inner/deep/SKILL.md'),
  ]);
});

it('looks for skills inside a skill in at most 2,000 directories', async () => {
  const { work } = await makePlace();
  const last = Array.from({ length: 2000 }, (_, index) => `${index}`)
    .sort()
    .at(-1);
  await writeTree(work, { 'a/SKILL.md': skillText('a'), 'a/0/SKILL.md': skillText('0'), [`a/${last}/SKILL.md`]: '' });
  for (let index = 0; index < 2000; index += 1) await mkdir(join(work, 'a', `${index}`), { recursive: true });
  const catalog = await loadCatalog([fileSource(work)]);
  expect(findNestedSkills(catalog).map(({ location }) => location)).toEqual([join(work, 'a/0/SKILL.md')]);
});

it('does not report a skill that the catalog has as too deep if a deeper link leads to it', async () => {
  const { work, skillful } = await makePlace();
  await writeTree(work, {
    's/pdf/SKILL.md': skillText('pdf'),
    's/a/b/c/d/e/f/g/link': { link: '../../../../../../../pdf' },
    's/a/b/c/d/e/f/g/mail/SKILL.md': skillText('mail'),
  });
  const { stdout } = await skillful('doctor', '--root', 's/a', '--root', 's', '--json');
  const { skills } = JSON.parse(stdout) as { skills: { name: string; diagnostics: { code: string }[] }[] };
  expect(skills.map(({ name, diagnostics }) => [name, diagnostics.map(({ code }) => code)])).toEqual([
    ['mail', ['skill-too-deep']],
    ['pdf', []],
  ]);
});
