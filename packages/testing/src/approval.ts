// Creates skills on disk that need a person's consent, and a store of answers that the next process reads.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type ConsentStore,
  createToolkit,
  definePolicy,
  loadCatalog,
  type SkillToolkit,
  type ToolkitOptions,
} from '@skillful/core';
import { fileSource, processRunner } from '@skillful/core/node';

/** A text that is only in the skill that needs consent. */
export const reportBody = 'REPORT-INSTRUCTIONS';

const files = {
  'report/SKILL.md': `---\nname: report\ndescription: Writes reports.\nallowed-tools: Bash(git:*)\n---\n${reportBody}\n`,
  'report/form.md': 'A form.',
  'notes/SKILL.md': '---\nname: notes\ndescription: Writes notes.\n---\nNOTES-INSTRUCTIONS\n',
  'notes/scripts/count.mjs': 'console.log(Number(process.argv[2]) + 1, "pages");',
  'search/SKILL.md': '---\nname: search\ndescription: Looks up.\nallowed-tools: Lookup\n---\nSEARCH-INSTRUCTIONS\n',
  'secret/SKILL.md': '---\nname: secret\ndescription: Top secret.\n---\nSECRET-INSTRUCTIONS\n',
};

/** Writes the skills below a directory. */
export async function writeSkills(directory: string): Promise<void> {
  for (const [path, text] of Object.entries(files)) await changeSkill(directory, path, text);
}

/** Writes one file of the skills. */
export async function changeSkill(directory: string, path: string, text: string): Promise<void> {
  const file = join(directory, 'skills', path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/**
 * Creates the toolkit of a directory: `report` needs a person's consent, `notes` needs it only to run its script, and `secret` is
 * denied. `search` allows `lookup`, under a name from another client.
 */
export async function loadApprovalToolkit(directory: string, options: ToolkitOptions = {}): Promise<SkillToolkit> {
  const policy = definePolicy({
    rules: [
      { skill: 'report', actor: 'model', action: 'activate', effect: 'ask', reason: 'It is new.' },
      { skill: 'secret', effect: 'deny' },
    ],
  });
  const catalog = await loadCatalog([fileSource(join(directory, 'skills'))]);
  const consent = { store: createFileStore(join(directory, 'consents.json')) };
  return createToolkit(catalog, { policy, runner: processRunner(), consent, ...options });
}

function createFileStore(path: string): ConsentStore {
  const read = (): Record<string, unknown> => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {});
  const write = (records: object) => writeFileSync(path, JSON.stringify(records));
  return {
    get: (key) => read()[key],
    set: (key, record) => write({ ...read(), [key]: record }),
    delete(key) {
      const { [key]: found, ...others } = read();
      write(others);
      return found !== undefined;
    },
  };
}

/** Returns the text of the question before a call of a skill tool. */
export async function questionOf(directory: string, name: string, input: unknown): Promise<string | undefined> {
  const toolkit = await loadApprovalToolkit(directory, { consent: { store: new Map() } });
  const judgement = await toolkit.judge({ name, input });
  return judgement.effect === 'ask' ? judgement.question.text : undefined;
}
