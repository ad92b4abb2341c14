// The skills that every library is given: the examples of this repository, and as many generated ones as are asked for.

import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const examples = join(import.meta.dirname, '..', '..', 'examples', 'skills');

/** With a colon in its description and a name that is not its directory's: no other library offers it at all. */
const offeredHereOnly = 'meeting-notes';

const activities = [
  { verb: 'draft', does: 'Drafts', first: 'Ask who will read it and what they are to do afterwards.' },
  { verb: 'check', does: 'Checks', first: 'Read all of it once before you judge any part of it.' },
  { verb: 'translate', does: 'Translates', first: 'Collect the terms that must be the same everywhere.' },
  { verb: 'condense', does: 'Condenses', first: 'Write down the one sentence that must survive.' },
  { verb: 'archive', does: 'Archives', first: 'Find the rule that says how long it is to be kept.' },
] as const;

const subjects = [
  ['contracts', 'a lease, a licence or an agreement with a supplier'],
  ['invoices', 'a bill, a credit note or a statement of account'],
  ['job-adverts', 'a vacancy, a profile or an internal posting'],
  ['lesson-plans', 'a course, a workshop or a single lesson'],
  ['lab-protocols', 'an experiment, a measurement or a calibration'],
  ['floor-plans', 'a drawing, a survey or a plan of a building'],
  ['recipes', 'a dish, a menu or a list of ingredients'],
  ['travel-plans', 'a journey, an itinerary or a booking'],
  ['press-releases', 'an announcement, a statement or a quotation'],
  ['user-stories', 'a feature, an epic or acceptance criteria'],
  ['test-plans', 'a regression, a release candidate or a device'],
  ['price-lists', 'a tariff, a discount or a catalogue of goods'],
  ['grant-proposals', 'a call for funding, a budget or a work package'],
  ['handbooks', 'an onboarding, a policy or a procedure'],
  ['survey-results', 'a questionnaire, an interview or a vote'],
  ['safety-sheets', 'a substance, a machine or a workplace'],
  ['newsletters', 'an issue, a teaser or a list of readers'],
  ['roadmaps', 'a quarter, a milestone or a dependency'],
  ['warranty-claims', 'a defect, a return or a repair'],
  ['meeting-agendas', 'a board, a committee or a weekly round'],
] as const;

/** A skill as it lies on disk. */
export interface BenchSkill {
  readonly name: string;
  readonly description: string;
  /** What follows the frontmatter, without the white space around it. */
  readonly body: string;
}

/** Skills in a directory, and how to take them away again. */
export interface SkillDirectory {
  readonly path: string;
  readonly skills: readonly BenchSkill[];
}

/** The number of skills that there can be at most. */
export const maxSkills: number = 5 + activities.length * subjects.length;

/** Writes `count` skills to a directory, the same each time, and replaces what was there. */
export async function writeSkills(count: number): Promise<SkillDirectory> {
  const path = join(tmpdir(), 'skillful-bench', String(count), 'skills');
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true });
  const names = (await readdir(examples)).filter((name) => name !== offeredHereOnly).sort();
  const copied = names.slice(0, count);
  for (const name of copied) await cp(join(examples, name), join(path, name), { recursive: true });
  const generated = generatedSkills().slice(0, count - copied.length);
  for (const { name, text, checklist } of generated) {
    await mkdir(join(path, name, 'references'), { recursive: true });
    await writeFile(join(path, name, 'SKILL.md'), text);
    await writeFile(join(path, name, 'references', 'checklist.md'), checklist);
  }
  const all = [...copied, ...generated.map(({ name }) => name)];
  return { path, skills: await Promise.all(all.map((name) => readSkill(join(path, name, 'SKILL.md'), name))) };
}

async function readSkill(path: string, name: string): Promise<BenchSkill> {
  const [, frontmatter = '', ...body] = (await readFile(path, 'utf8')).split('---\n');
  const description = /^description: (.*)$/m.exec(frontmatter)?.[1] ?? '';
  return { name, description, body: body.join('---\n').trim() };
}

interface GeneratedSkill {
  readonly name: string;
  readonly text: string;
  readonly checklist: string;
}

function generatedSkills(): readonly GeneratedSkill[] {
  return subjects.flatMap(([subject, occasions]) =>
    activities.map(({ verb, does, first }): GeneratedSkill => {
      const words = subject.replaceAll('-', ' ');
      const name = `${verb}-${subject}`;
      const description = `${does} ${words} so that the next reader finds what matters and nothing has to be asked twice. Use when somebody brings ${occasions}, or asks to ${verb} ${words}.`;
      const steps = [
        first,
        `List what the ${words} must contain, and mark what is missing.`,
        'Work from the most important part to the least important one.',
        'Write every figure with its unit, its date and where it comes from.',
        'Read `references/checklist.md` and go through it line by line.',
        'Say at the end what you have left open, and who can close it.',
      ].map((step, index) => `${index + 1}. ${step}`);
      const body = [`# To ${verb} ${words}`, '', '## Steps', '', ...steps, ''].join('\n');
      const text = `---\nname: ${name}\ndescription: ${description}\nlicense: MIT\n---\n\n${body}`;
      return {
        name,
        text,
        checklist: `# Before you hand over ${words}\n\n- Names\n- Dates\n- Amounts\n- Signatures\n`,
      };
    }),
  );
}
