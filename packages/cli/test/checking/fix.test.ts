// What `validate --fix` says if a file cannot be written.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fixSkillFile } from '../../src/checking/fix.ts';
import { makePlace, writeTree } from '../command.ts';

it('names the file that it could not write, and does not keep the other files from being fixed', async () => {
  const { work } = await makePlace();
  const location = join(work, 'gone/SKILL.md');
  const text = '---\nname: gone\ndescription: Reads: PDFs.\n---\n';
  const skill = { location, name: 'gone', ok: false, diagnostics: [], source: 'gone', text };
  expect(await fixSkillFile(skill, 'strict')).toEqual({
    fixed: [],
    refusal: expect.stringContaining(`\`${location}\` was not fixed. Writing to the disk failed: ENOENT; `),
  });
});

it('skips a file whose text is not UTF-8, because its bytes would get lost', async () => {
  const { work, skillful } = await makePlace();
  const bytes = Buffer.from('---\nname: a\ndescription: Reads: PDFs.\n---\nCaf\xe9\n', 'latin1');
  await writeTree(work, { 'a/SKILL.md': bytes });
  const { stderr } = await skillful('validate', 'a', '--fix');
  expect(stderr).toBe('');
  expect(await readFile(join(work, 'a/SKILL.md'))).toEqual(bytes);
});
