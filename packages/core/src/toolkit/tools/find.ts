// The tools by which a model finds skills that it is not shown: by words, or all of them in pages.

import type { Catalog } from '../../catalog/catalog.ts';
import { createSkillIndex, type SkillIndex } from '../../catalog/search.ts';
import { renderListing, renderMatches } from '../../disclosure/answers.ts';
import type { Skill } from '../../skill/skill.ts';
import type { ToolSetting } from '../offer.ts';
import { answer, createTool, type SkillTool } from '../tool.ts';

/** Makes the index over the skills that are offered; an application may bring its own. */
export type CreateSkillIndex = (skills: readonly Skill[]) => SkillIndex;

const defaultMatches = 5;
const maxMatches = 20;
const listedAtOnce = 50;

/** Creates `find_skills`. The index of a catalog is made when it is first searched, and kept as long as the catalog is. */
export function createFindTool(setting: ToolSetting, createIndex: CreateSkillIndex = createSkillIndex): SkillTool {
  const indexes = new WeakMap<Catalog, SkillIndex>();
  return createTool(
    {
      name: setting.names.find,
      description: `Finds skills by words of a task: the best n, or ${defaultMatches}.`,
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
      const { catalog } = await setting.offerFor(context);
      const index = indexes.get(catalog) ?? createIndex(catalog.skills);
      indexes.set(catalog, index);
      const query = input.text('query') ?? '';
      const limit = Math.min(Math.max(input.number('n') ?? defaultMatches, 1), maxMatches);
      // An index of the application's own may know more skills than this model may.
      const offered = new Set(catalog.skills);
      const skills = index
        .search(query, limit)
        .map(({ skill }) => skill)
        .filter((skill) => offered.has(skill))
        .slice(0, limit);
      const text = renderMatches(skills);
      const names = skills.map(({ name }) => name);
      setting.emit({ type: 'searched', query, skills: names, tokens: setting.countTokens(text) });
      return answer(text, { kind: 'search', query, skills: names });
    },
  );
}

/** Creates `list_skills`, for agents whose catalog does not stand in the prompt. */
export function createListTool(setting: ToolSetting): SkillTool {
  return createTool(
    {
      name: setting.names.list,
      description: `Lists the skills by name, ${listedAtOnce} at once from number \`start\`.`,
      inputSchema: {
        type: 'object',
        properties: { start: { type: 'integer' } },
        required: [],
        additionalProperties: false,
      },
    },
    async (input, context) => {
      const { catalog } = await setting.offerFor(context);
      const start = input.number('start') ?? 0;
      const skills = catalog.skills.slice(start, start + listedAtOnce);
      const entries = skills.map(({ name, description, properties, source }) => ({
        id: `${source.scope}:${name}`,
        name,
        description,
        allowedTools: properties.allowedTools,
      }));
      const next = start + skills.length;
      const more =
        next < catalog.skills.length ? `\nGo on with "start": ${next}; there are ${catalog.skills.length}.` : '';
      return answer(`${renderListing(entries)}${more}`, {
        kind: 'search',
        query: '',
        skills: skills.map(({ name }) => name),
      });
    },
  );
}
