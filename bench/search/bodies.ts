// Measures what instructions add: skills of the pool whose whole text is in the corpus, with `readBodies` and without.

import { createSkillIndex, loadCatalog, memorySource, readBodies } from '../../packages/core/src/index.ts';
import { readCorpus } from '../corpus.ts';
import { skillOf } from './engines.ts';
import { type Figures, measure, type Search } from './metrics.ts';
import type { Sets } from './sets.ts';

export interface BodyFigures {
  readonly skills: number;
  readonly without: Figures;
  readonly with: Figures;
}

/** Asks the "use when" sentences, which are cut out of the descriptions but not out of the instructions. */
export async function measureBodies({ documents, sets }: Sets): Promise<BodyFigures | undefined> {
  const queries = sets.find(({ documents: of }) => of === 'cut')?.queries ?? [];
  const corpus = readCorpus();
  if (corpus === undefined) return undefined;
  const source = memorySource(Object.fromEntries(corpus.map(({ id, content }) => [`${id}/SKILL.md`, content])));
  const catalog = await loadCatalog([source]);
  const bodies = await readBodies(catalog.skills);
  const texts = new Map([...bodies].map(([{ name, description }, text]) => [`${name}\n${description}`, text]));
  const known = documents.all.flatMap(({ name, description }, at) => {
    const text = texts.get(`${name}\n${description}`);
    const cut = documents.cut[at];
    return text === undefined || cut === undefined ? [] : [[skillOf(cut), text] as const];
  });
  const skills = known.map(([skill]) => skill);
  const ids = new Set(skills.map(({ directory }) => directory));
  const asked = queries.filter(({ relevant }) => relevant.some((id) => ids.has(id)));
  const searchIn =
    (index: ReturnType<typeof createSkillIndex>): Search =>
    (query) =>
      index.search(query, { limit: 10 }).map(({ skill }) => skill.directory);
  const [none, all] = [createSkillIndex(skills), createSkillIndex(skills, { bodies: new Map(known) })].map(searchIn);
  if (none === undefined || all === undefined) return undefined;
  return { skills: skills.length, without: await measure(none, all, asked), with: await measure(all, none, asked) };
}
