// Creates skills, and says each time whether it was the one who did: in a race the skills that it reads from its input, or else
// the same one again and again.

import { createInterface } from 'node:readline';
import { loadCatalog } from '../../../src/catalog/catalog.ts';
import { fileSource } from '../../../src/node/discovery/file-source.ts';
import { writeSkill } from '../../../src/node/manage/create-skill.ts';
import { removeSkill } from '../../../src/node/manage/remove-skill.ts';
import { isSkillError } from '../../../src/skill/error.ts';

const [, , root = '', mode = 'race'] = process.argv;
process.stdout.write('ready\n');

async function create(name: string): Promise<'won' | 'lost'> {
  try {
    await writeSkill(root, { name, description: `By ${process.pid}.`, instructions: 'x'.repeat(50_000) });
    return 'won';
  } catch (error) {
    if (!isSkillError(error) || error.code !== 'skill-exists') throw error;
    return 'lost';
  }
}

if (mode === 'race') {
  for await (const name of createInterface({ input: process.stdin })) {
    process.stdout.write(`${await create(name)}\n`);
  }
}
while (mode === 'churn') {
  await create('x');
  const { skills } = await loadCatalog([fileSource(root, { scope: 'user' })]);
  for (const skill of skills) await removeSkill(skill);
}
