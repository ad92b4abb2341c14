// The tools by which a model finds skills that its prompt does not list: by keywords, or all of them in pages.

import type { Catalog } from '../../catalog/catalog.ts';
import { renderListing, renderMatches } from '../../disclosure/answers.ts';
import { inTime, untilAborted } from '../../runtime/until-aborted.ts';
import { createSkillIndex, type LexicalIndex } from '../../search/lexical.ts';
import type { CreateSkillIndex, SearchOptions, SkillIndex, SkillMatch } from '../../search/skill-index.ts';
import { reasonOf } from '../../skill/error.ts';
import type { Skill } from '../../skill/skill.ts';
import type { ToolkitParts } from '../toolkit-parts.ts';
import { answer, createTool } from './create-tool.ts';
import type { SkillTool, SkillToolInputs } from './tool.ts';

const defaultMatches = 5;
const maxMatches = 20;
const listedAtOnce = 50;

/** Milliseconds for the application's own index; after that, the search goes by words. */
const searchTime = 5_000;

/** Creates `find_skills`. The first search indexes a catalog; the index lives as long as the catalog. */
export function createFindTool(parts: ToolkitParts, createIndex: CreateSkillIndex | undefined): SkillTool {
  const indexes = new WeakMap<Catalog, SkillIndex>();
  let latest: LexicalIndex | undefined;

  /** After a reload, only what changed is indexed again. */
  function indexWords(skills: readonly Skill[]): LexicalIndex {
    latest = latest?.update(skills) ?? createSkillIndex(skills);
    return latest;
  }

  /** Searches the application's own index; if it fails or hangs, by words. */
  async function search(catalog: Catalog, query: string, options: SearchOptions): Promise<readonly SkillMatch[]> {
    try {
      const index = indexes.get(catalog) ?? (createIndex ?? indexWords)(catalog.skills);
      indexes.set(catalog, index);
      const found = Promise.resolve(index.search(query, options));
      return await untilAborted(inTime(found, searchTime, `No answer within ${searchTime} ms.`), options.signal);
    } catch (error) {
      options.signal?.throwIfAborted();
      options.onFailure?.(reasonOf(error));
      return indexWords(catalog.skills).search(query, options);
    }
  }

  return createTool<SkillToolInputs['find_skills']>(
    {
      name: parts.names.find,
      description: `Searches skills by keywords; returns the best n (default ${defaultMatches}).`,
      properties: {
        query: { type: 'string' },
        n: { type: 'integer' },
      },
      required: ['query'],
    },
    async ({ query, n = defaultMatches }, context) => {
      const { forModel: catalog } = await parts.offerFor(context);
      const limit = Math.min(Math.max(n, 1), maxMatches);
      const found = await search(catalog, query, {
        limit,
        signal: context.signal,
        onFailure: (reason) => parts.emit({ type: 'search-failed', reason, tokens: 0 }, context),
      });
      // The application's own index may contain skills that this model may not see.
      const offered = new Set(catalog.skills);
      const matches = found.filter(({ skill, band }) => offered.has(skill) && band !== 'none').slice(0, limit);
      const text = renderMatches(matches);
      const names = matches.map(({ skill: { name } }) => name);
      const bands = matches.map(({ band }) => band);
      parts.emit({ type: 'searched', query, skills: names, tokens: parts.countTokens(text) }, context);
      return answer(text, { kind: 'search', query, skills: names, bands });
    },
  );
}

/** Creates `list_skills`, for agents whose prompt does not contain the catalog. */
export function createListTool(parts: ToolkitParts): SkillTool {
  return createTool<SkillToolInputs['list_skills']>(
    {
      name: parts.names.list,
      description: `Lists the skills by name, ${listedAtOnce} at once from number \`start\`.`,
      properties: { start: { type: 'integer' } },
    },
    async ({ start = 0 }, context) => {
      const { forModel: catalog } = await parts.offerFor(context);
      const skills = catalog.skills.slice(start, start + listedAtOnce);
      const next = start + skills.length;
      const more =
        next < catalog.skills.length ? `\nContinue with "start": ${next}; there are ${catalog.skills.length}.` : '';
      return answer(`${renderListing(skills)}${more}`, {
        kind: 'search',
        query: '',
        skills: skills.map(({ name }) => name),
      });
    },
  );
}
