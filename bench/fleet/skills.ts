// Generates skills in words of our own. A few words are frequent and most are rare, as in real texts.

import { createRandom, subjects, verbs } from '../discovery/generated-tree.ts';

const syllables = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dri flo gru'.split(' ');

/** One of 15,625 words; the first are much more frequent than the last. */
function pickWord(random: () => number): string {
  const rank = Math.floor(syllables.length ** (3 * random()));
  const [a, b, c] = [rank % 25, Math.floor(rank / 25) % 25, Math.floor(rank / 625) % 25];
  return `${syllables[a]}${syllables[b]}${syllables[c]}n`;
}

const sentence = (random: () => number, length: number): string =>
  Array.from({ length }, () => pickWord(random)).join(' ');

/** Generates `count` skills of about 1.5 KB, by path. The prefix makes those of two tenants differ. */
export function createSkills(prefix: string, count: number, seed: number): Record<string, string> {
  const random = createRandom(seed);
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? '';
  const files: Record<string, string> = {};
  for (let index = 0; index < count; index += 1) {
    const [verb, subject] = [pick(verbs), pick(subjects)];
    const name = `${verb}-${subject}-${prefix}${index}`;
    const description = `How to ${verb} ${subject} with ${sentence(random, 14)}. Use when the user wants ${sentence(random, 8)}.`;
    const body = Array.from({ length: 12 }, () => `- ${sentence(random, 12)}.`).join('\n');
    files[`${name}/SKILL.md`] =
      `---\nname: ${name}\ndescription: ${description}\n---\n# ${verb} ${subject}\n\n${body}\n`;
    if (index % 20 === 0) files[`${name}/references/guide.md`] = `# Guide\n\n${body}\n`;
  }
  return files;
}

/** Queries of people and of models: a few words, and whole descriptions of a task. */
export function createQueries(words: number, count: number): readonly string[] {
  const random = createRandom(words);
  return Array.from({ length: count }, (_, index) => {
    const verb = verbs[index % verbs.length];
    return `${verb} ${subjects[index % subjects.length]} ${sentence(random, words - 2)}`;
  });
}
