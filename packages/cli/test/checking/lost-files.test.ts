// Files of a skill that models cannot read: `validate` and `doctor` name them.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makePlace, type Place, skillText, writeTree } from '../command.ts';

interface Found {
  readonly skills: readonly { readonly diagnostics: readonly { readonly code: string; readonly message: string }[] }[];
}

async function found({ skillful }: Place, ...command: readonly string[]): Promise<readonly string[]> {
  const { code, stdout } = await skillful(...command, '--json');
  expect(code).toBe(0);
  const { skills } = JSON.parse(stdout) as Found;
  return skills.flatMap(({ diagnostics }) => diagnostics.map((each) => `${each.code}: ${each.message}`));
}

it('names links that lead out of the skill or nowhere, and names that models cannot write', async () => {
  const place = await makePlace();
  await writeTree(place.work, {
    'shared/style.md': 'Style.',
    's/pdf/SKILL.md': skillText('pdf'),
    's/pdf/references/guide.md': 'Guide.',
    's/pdf/references/Guide.md': 'Guide.',
    's/pdf/references/a:b.md': 'Odd.',
    's/pdf/references/same.md': { link: 'guide.md' },
    's/pdf/references/style.md': { link: '../../../shared/style.md' },
    's/pdf/references/gone.md': { link: 'none.md' },
    's/pdf/all': { link: 'references' },
    's/pdf/shared': { link: '../../shared' },
    's/pdf/node_modules/.bin/tool': { link: '../../../../shared/style.md' },
    's/pdf/inner/SKILL.md': skillText('inner'),
    's/pdf/inner/style.md': { link: '../../../shared/style.md' },
  });
  const lost = (file: string, where: string) =>
    `resource-link-lost: Models cannot read \`${file}\`, because it is a link that leads ${where}.`;
  const expected = [
    'resource-name-twin: `references/guide.md` and `references/Guide.md` look alike, or are one file on some systems.',
    'resource-name-unportable: The file `references/a:b.md` is not shown to models, because they could not ask for it by this name.',
    lost('references/gone.md', 'nowhere'),
    lost('references/style.md', 'out of the skill'),
    lost('shared', 'out of the skill'),
  ];
  expect(await found(place, 'validate', 's')).toEqual(expected);
  expect(await found(place, 'doctor', 'pdf', '--root', 's')).toEqual(expect.arrayContaining(expected));
});

it('names no link of a mounted skill, of one behind a link, or of one with more files than are listed', async () => {
  const place = await makePlace();
  await writeTree(place.work, {
    's/mounted/..1/SKILL.md': skillText('mounted'),
    's/mounted/..1/guide.md': 'Guide.',
    's/mounted/..data': { link: '..1' },
    's/mounted/SKILL.md': { link: '..data/SKILL.md' },
    's/mounted/guide.md': { link: '..data/guide.md' },
    'real/SKILL.md': skillText('linked'),
    'real/a.md': 'A.',
    'real/b.md': { link: 'a.md' },
    'real/references/c.md': 'C.',
    'real/all': { link: 'references' },
    's/linked': { link: '../real' },
    's/many/SKILL.md': skillText('many'),
    's/many/z.md': { link: 'nowhere' },
  });
  for (let index = 0; index < 2000; index += 1) await mkdir(join(place.work, 's/many', `${index}`));
  expect(await found(place, 'validate', 's')).toEqual([]);
});
