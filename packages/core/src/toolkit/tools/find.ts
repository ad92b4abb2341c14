// The tools by which a model finds skills that its prompt does not list: by keywords, or all of them in pages.

import type { Catalog } from '../../catalog/catalog.ts';
import { qualifiedName } from '../../catalog/resolve.ts';
import { renderListing, renderMatches } from '../../disclosure/answers.ts';
import { untilAborted } from '../../runtime/until-aborted.ts';
import { createSkillIndex } from '../../search/lexical.ts';
import type { SkillIndex } from '../../search/skill-index.ts';
import type { Skill } from '../../skill/skill.ts';
import { answer, createTool } from '../create-tool.ts';
import type { ToolServices } from '../setting.ts';
import type { SkillTool } from '../tool.ts';

/** Creates the index of the offered skills; an application may bring its own. */
export type CreateSkillIndex = (skills: readonly Skill[]) => SkillIndex;

const defaultMatches = 5;
const maxMatches = 20;
const listedAtOnce = 50;

/** Creates `find_skills`. The first search indexes a catalog; the index lives as long as the catalog. */
export function createFindTool(services: ToolServices, createIndex: CreateSkillIndex = createSkillIndex): SkillTool {
  const indexes = new WeakMap<Catalog, SkillIndex>();
  return createTool(
    {
      name: services.names.find,
      description: `Searches skills by keywords; returns the best n (default ${defaultMatches}).`,
      inputSchema: {
        type: 'object',
        properties: {
          query: { type: 'string' },
          n: { type: 'integer' },
        },
        required: ['query'],
        additionalProperties: false,
      },
    },
    async (input, context) => {
      const { catalog } = await services.offerFor(context);
      const index = indexes.get(catalog) ?? createIndex(catalog.skills);
      indexes.set(catalog, index);
      const query = input.text('query') ?? '';
      const limit = Math.min(Math.max(input.number('n') ?? defaultMatches, 1), maxMatches);
      // The application's own index may contain skills that this model may not see.
      const offered = new Set(catalog.skills);
      const found = await untilAborted(
        Promise.resolve(index.search(query, { limit, signal: context.signal })),
        context.signal,
      );
      const skills = found
        .map(({ skill }) => skill)
        .filter((skill) => offered.has(skill))
        .slice(0, limit);
      const text = renderMatches(skills);
      const names = skills.map(({ name }) => name);
      services.emit({ type: 'searched', query, skills: names, tokens: services.countTokens(text) }, context);
      return answer(text, { kind: 'search', query, skills: names });
    },
  );
}

/** Creates `list_skills`, for agents whose prompt does not contain the catalog. */
export function createListTool(services: ToolServices): SkillTool {
  return createTool(
    {
      name: services.names.list,
      description: `Lists the skills by name, ${listedAtOnce} at once from number \`start\`.`,
      inputSchema: {
        type: 'object',
        properties: { start: { type: 'integer' } },
        required: [],
        additionalProperties: false,
      },
    },
    async (input, context) => {
      const { catalog } = await services.offerFor(context);
      const start = input.number('start') ?? 0;
      const skills = catalog.skills.slice(start, start + listedAtOnce);
      const entries = skills.map((skill) => ({
        id: qualifiedName(skill),
        name: skill.name,
        description: skill.description,
        allowedTools: skill.properties.allowedTools,
      }));
      const next = start + skills.length;
      const more =
        next < catalog.skills.length ? `\nContinue with "start": ${next}; there are ${catalog.skills.length}.` : '';
      return answer(`${renderListing(entries)}${more}`, {
        kind: 'search',
        query: '',
        skills: skills.map(({ name }) => name),
      });
    },
  );
}
