// The tools with which a model finds skills that its prompt does not list: by keywords, or as a list in pages.

import type { Catalog } from '../../catalog/catalog.ts';
import { renderMatches, renderRest, renderSkillLine } from '../../disclosure/answers.ts';
import { getOrCreate } from '../../runtime/get-or-create.ts';
import { isRecord, isTextList } from '../../runtime/record.ts';
import { inTime, untilAborted } from '../../runtime/until-aborted.ts';
import { createSkillIndex, type LexicalIndex } from '../../search/lexical.ts';
import type { SearchBand, SearchOptions, SkillIndex, SkillMatch } from '../../search/skill-index.ts';
import { reasonOf } from '../../skill/error.ts';
import type { Skill } from '../../skill/skill.ts';
import type { RequestContext } from '../options.ts';
import type { ToolkitParts } from '../toolkit-parts.ts';
import { answer, createTool } from './create-tool.ts';
import type { SkillContext, SkillTool, SkillToolInputs } from './tool.ts';

const defaultMatches = 5;
const maxMatches = 20;
const listedAtOnce = 50;

/** Milliseconds to wait for the application's index; after that, the search uses words. */
const searchTime = 5_000;

/** Creates `find_skills`. The first search of a catalog creates its index, which is kept as long as the catalog. */
export function createFindTool(parts: ToolkitParts): SkillTool {
  const { createIndex = indexWords } = parts.options;
  const indexes = new WeakMap<Catalog, SkillIndex>();
  let latest: LexicalIndex | undefined;

  /** Indexes skills. After a reload, only changed skills are indexed again. */
  function indexWords(skills: readonly Skill[]): LexicalIndex {
    latest = latest?.update(skills) ?? createSkillIndex(skills);
    return latest;
  }

  /** Searches the application's index, or by words if that fails or hangs. */
  async function search(
    catalog: Catalog,
    query: string,
    limit: number,
    context: SkillContext,
  ): Promise<readonly SkillMatch[]> {
    const { signal } = context;
    const onFailure = (reason: string) => parts.emit({ type: 'search-failed', reason, tokens: 0 }, context);
    const options: SearchOptions = { limit, signal, onFailure };
    try {
      // Without the signal, because later searches use the index, too.
      const known = { ...context, signal: undefined } as RequestContext;
      const index = getOrCreate(indexes, catalog, ({ skills }) => createIndex(skills, known));
      const found = Promise.resolve(index.search(query, options));
      const noAnswer = `No answer within ${searchTime} ms.`;
      return checkMatches(await untilAborted(inTime(found, searchTime, noAnswer), signal));
    } catch (error) {
      signal?.throwIfAborted();
      onFailure(reasonOf(error));
      return indexWords(catalog.skills).search(query, options);
    }
  }

  return createTool(
    {
      name: parts.names.find,
      description: `Searches skills by keywords; returns the best n (default ${defaultMatches}).`,
      properties: {
        query: { type: 'string' },
        n: { type: 'integer' },
      },
      required: ['query'],
    },
    parts,
    async ({ query, n = defaultMatches }: SkillToolInputs['find_skills'], { context }) => {
      const { forModel: catalog } = await parts.offerFor(context);
      const limit = Math.min(n, maxMatches);
      const found = await search(catalog, query, limit, context);
      // The application's index may return skills that this model must not see, and the same skill twice.
      const offered = new Set(catalog.skills);
      const isShown = ({ skill, band }: SkillMatch): boolean => band !== 'none' && offered.delete(skill);
      const matches = found.filter(isShown).slice(0, limit);
      const text = renderMatches(matches);
      const names = matches.map(({ skill: { name } }) => name);
      const bands = matches.map(({ band }) => band);
      parts.emit({ type: 'searched', query, skills: names, tokens: parts.countTokens(text) }, context);
      return answer(text, { kind: 'search', query, skills: names, bands });
    },
  );
}

const bands: ReadonlySet<unknown> = new Set(['strong', 'weak', 'none'] satisfies readonly SearchBand[]);

/** Checks the matches from the application's index, because they become text for the model. */
function checkMatches(found: readonly SkillMatch[]): readonly SkillMatch[] {
  if (!Array.isArray(found)) throw new TypeError('The index returned no list of matches.');
  const isMatch = (match: unknown): boolean =>
    isRecord(match) && isRecord(match['skill']) && bands.has(match['band']) && isTextList(match['words']);
  if (found.every(isMatch)) return found;
  throw new TypeError('The index returned a match without a skill, a band or words.');
}

/** Creates `list_skills`, for agents whose prompt does not contain the catalog. */
export function createListTool(parts: ToolkitParts): SkillTool {
  return createTool(
    {
      name: parts.names.list,
      description: `Lists the skills by name, ${listedAtOnce} at once from number \`start\`.`,
      properties: { start: { type: 'integer' } },
    },
    parts,
    async ({ start = 0 }: SkillToolInputs['list_skills'], { context }) => {
      const { skills: all } = (await parts.offerFor(context)).forModel;
      const skills = all.slice(start, start + listedAtOnce);
      const rest = renderRest('skill', start, skills.length, all.length);
      const text = [...skills.map(renderSkillLine), ...rest].join('\n');
      const names = skills.map(({ name }) => name);
      return answer(text === '' ? 'No skills.' : text, { kind: 'search', query: '', skills: names });
    },
  );
}
