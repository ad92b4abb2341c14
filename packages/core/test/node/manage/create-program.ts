// Creates each skill whose name it reads, and says whether it was the one who did.

import { createInterface } from 'node:readline';
import { writeSkill } from '../../../src/node/manage/create-skill.ts';
import { isSkillError } from '../../../src/skill/error.ts';

const [, , root = ''] = process.argv;
process.stdout.write('ready\n');
for await (const name of createInterface({ input: process.stdin })) {
  try {
    await writeSkill(root, { name, description: `By ${process.pid}.`, instructions: 'x'.repeat(50_000) });
    process.stdout.write('won\n');
  } catch (error) {
    if (!isSkillError(error) || error.code !== 'skill-exists') throw error;
    process.stdout.write('lost\n');
  }
}
