// Measures the bands: how many questions that no skill answers are `none`, and how many right answers that costs.

import type { CreateSkillIndex, SkillIndex } from '../../packages/core/src/index.ts';
import { skillOf } from './engines.ts';
import type { Query, Sets } from './sets.ts';
import { freshUnanswered, unanswered, unansweredStories } from './unanswered.ts';

export interface BandFigures {
  readonly skills: number;
  /** Share of the questions of daily life that are `none`. */
  readonly offTopic: number;
  /** The same for stories of 25 to 35 words. */
  readonly stories: number;
  /** The same for questions and stories that the bands were not tuned on. */
  readonly fresh: number;
  /** Share of the queries whose answer is among the first five, but `none`; by set. */
  readonly lost: ReadonlyMap<string, number>;
  /** Share of the queries that are `none` after the skill that answers them was taken out. */
  readonly heldOut: number;
}

async function shareOf<T>(items: readonly T[], is: (item: T) => Promise<boolean>): Promise<number> {
  let count = 0;
  for (const item of items) if (await is(item)) count += 1;
  return count / Math.max(1, items.length);
}

/** Measures catalogs of several sizes, made of every so many documents. */
export async function measureBands(
  { documents, sets }: Sets,
  create: CreateSkillIndex,
): Promise<readonly BandFigures[]> {
  const parts = [1_000, 100].map((size) =>
    documents.all.filter((_, at) => at % Math.round(documents.all.length / size) === 0),
  );
  const figures: BandFigures[] = [];
  for (const described of [documents.all, documents.tools, ...parts]) {
    const skills = described.map(skillOf);
    const index = create(skills);
    const ids = new Set(skills.map(({ directory }) => directory));
    const own = sets.flatMap(({ name, queries, documents: of }) => {
      if (described === documents.tools ? of !== 'tools' : of === 'tools') return [];
      return { name, of, queries: queries.filter(({ relevant }) => relevant.some((id) => ids.has(id))) };
    });
    const cut = create(documents.cut.filter(({ id }) => ids.has(id)).map(skillOf));
    const lost = new Map<string, number>();
    for (const { name, of, queries } of own) {
      lost.set(name, await shareOf(queries, (query) => isLost(query, of === 'cut' ? cut : index)));
    }
    // The answers of all queries are taken out at once, so that one more index is enough.
    const asked = own.flatMap(({ queries }) => queries);
    const answers = new Set(asked.flatMap(({ relevant }) => relevant));
    const others = create(skills.filter(({ directory }) => !answers.has(directory)));
    figures.push({
      skills: skills.length,
      offTopic: await shareOf(unanswered, (query) => isNone(query, index)),
      stories: await shareOf(unansweredStories, (query) => isNone(query, index)),
      fresh: await shareOf(freshUnanswered, (query) => isNone(query, index)),
      lost,
      heldOut: await shareOf(asked, ({ query }) => isNone(query, others)),
    });
  }
  return figures;
}

async function isNone(query: string, index: SkillIndex): Promise<boolean> {
  return (await index.search(query)).every(({ band }) => band === 'none');
}

async function isLost({ query, relevant }: Query, index: SkillIndex): Promise<boolean> {
  const found = (await index.search(query)).filter(({ skill }) => relevant.includes(skill.directory));
  return found.length > 0 && found.every(({ band }) => band === 'none');
}
