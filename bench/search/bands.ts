// Measures the bands: how many questions that no skill answers are `none`, and how many right answers that costs.

import { createSkillIndex, type Skill } from '../../packages/core/src/index.ts';
import { skillOf } from './engines.ts';
import type { QuerySet, Sets } from './sets.ts';
import { freshUnanswered, unanswered, unansweredStories } from './unanswered.ts';

export interface BandFigures {
  readonly skills: number;
  /** Share of the questions of daily life that are `none`. */
  readonly offTopic: number;
  /** The same for stories of 25 to 35 words. */
  readonly stories: number;
  /** The same for questions and stories that the bands were not tuned on. */
  readonly fresh: number;
  /** Share of the queries that are `none` although a skill answers them; by set, among the first five only. */
  readonly lost: ReadonlyMap<string, number>;
  /** Share of the queries that are `none` after the skill that answers them was taken out. */
  readonly heldOut: number;
}

type Answer = ReturnType<ReturnType<typeof createSkillIndex>['search']>;

const isNone = (answer: Answer): boolean => answer.every(({ band }) => band === 'none');
const share = <T>(items: readonly T[], is: (item: T) => boolean): number =>
  items.filter(is).length / Math.max(1, items.length);

/** Measures catalogs of several sizes, made of every so many documents. */
export function measureBands({ documents, sets }: Sets): readonly BandFigures[] {
  const whole = [documents.all, documents.tools] as const;
  const parts = [1_000, 100].map((size) =>
    documents.all.filter((_, at) => at % Math.round(documents.all.length / size) === 0),
  );
  return [...whole, ...parts].map((described) => {
    const skills = described.map(skillOf);
    const index = createSkillIndex(skills);
    const ids = new Map(skills.map((skill) => [skill.directory, skill]));
    const own = sets.flatMap(({ name, queries, documents: of }) => {
      if (described === documents.tools ? of !== 'tools' : of === 'tools') return [];
      return { name, of, queries: queries.filter(({ relevant }) => relevant.some((id) => ids.has(id))) };
    });
    const cut = createSkillIndex(documents.cut.filter(({ id }) => ids.has(id)).map(skillOf));
    return {
      skills: skills.length,
      offTopic: share(unanswered, (query) => isNone(index.search(query))),
      stories: share(unansweredStories, (query) => isNone(index.search(query))),
      fresh: share(freshUnanswered, (query) => isNone(index.search(query))),
      lost: new Map(own.map(({ name, of, queries }) => [name, lostOf(queries, of === 'cut' ? cut : index)])),
      heldOut: heldOutOf(
        own.flatMap(({ queries }) => queries),
        skills,
      ),
    };
  });
}

function lostOf(queries: QuerySet['queries'], index: ReturnType<typeof createSkillIndex>): number {
  return share(queries, ({ query, relevant }) => {
    const answer = index.search(query);
    return isNone(answer) && answer.some(({ skill }) => relevant.includes(skill.directory));
  });
}

/** Takes the answers of all queries out at once, so that one more index is enough. */
function heldOutOf(queries: QuerySet['queries'], skills: readonly Skill[]): number {
  const answers = new Set(queries.flatMap(({ relevant }) => relevant));
  const index = createSkillIndex(skills.filter(({ directory }) => !answers.has(directory)));
  return share(queries, ({ query }) => isNone(index.search(query)));
}
