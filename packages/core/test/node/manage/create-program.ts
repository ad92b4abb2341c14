// Creates the same skill again and again, and says each time whether it was the one who did.

import { loadCatalog } from '../../../src/catalog/catalog.ts';
import { fileSource } from '../../../src/node/discovery/file-source.ts';
import { writeSkill } from '../../../src/node/manage/create-skill.ts';
import { removeSkill } from '../../../src/node/manage/remove-skill.ts';
import { isSkillError } from '../../../src/skill/error.ts';

const [, , root = '', mode = 'race', name = 'x', count = '1'] = process.argv;
process.stdout.write('ready\n');
for (let n = 0; n < Number(count); n += 1) {
  try {
    await writeSkill(root, {
      name: `${name}${mode === 'race' ? n : ''}`,
      description: `By ${process.pid}.`,
      instructions: 'x'.repeat(50_000),
    });
    if (mode === 'race') process.stdout.write(`${n}\n`);
  } catch (error) {
    if (!isSkillError(error) || error.code !== 'skill-exists') throw error;
  }
  if (mode === 'churn') {
    const { skills } = await loadCatalog([fileSource(root, { scope: 'user' })]);
    for (const skill of skills) await removeSkill(skill);
  }
}
