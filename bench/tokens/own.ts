// What this project's contenders have in common in every framework.

import type { ToolkitOptions } from '@skillful/core';
import type { About, Wording } from './contender.ts';

const content = { brings: 'name, digest, directory, files with sizes', lacks: 'other frontmatter' };

/** One way of using Skillful: its description, its tool calls and its options. */
export interface OwnUse {
  readonly about: About;
  readonly wording: Wording;
  readonly options: ToolkitOptions;
}

/** The defaults. */
export const ownDefault: OwnUse = {
  about: { library: 'Skillful', own: true, disclosure: 'listed', ...content },
  wording: {
    activate: (name) => ({ tool: 'activate_skill', input: { name } }),
    read: (skill, path) => ({ tool: 'read_skill_resource', input: { skill, path } }),
  },
  options: {},
};

/** The catalog as elements, each field with tags of its own. */
export const ownElements: OwnUse = {
  about: { ...ownDefault.about, library: 'Skillful, `format: "xml"`' },
  wording: ownDefault.wording,
  options: { plan: { format: 'xml' } },
};

/** No skill is listed; the model finds them with `find_skills`. */
export const ownSearched: OwnUse = {
  about: { library: 'Skillful, every skill `deferred`', own: true, disclosure: 'searched', ...content },
  wording: { ...ownDefault.wording, find: (query) => ({ tool: 'find_skills', input: { query } }) },
  options: { plan: { show: () => 'deferred' } },
};
