// What a model may know of, and how a name that it uses is looked up among just that.

import type { Catalog } from './catalog.ts';
import type { OnSkillEvent } from './event.ts';
import { type CatalogPlan, isForModels } from './plan.ts';
import { renderAmbiguousSkill, renderUnknownSkill } from './render-answer.ts';
import { qualifiedName, resolveSkill } from './resolve.ts';
import type { Skill } from './skill.ts';
import type { CountTokens } from './tokens.ts';
import { refuse, type SkillContext, type SkillToolResult } from './tool.ts';

/** A catalog without the skills that models may not use: for a model, what is not offered does not exist. */
export function offerToModel(catalog: Catalog, isHidden: (skill: Skill) => boolean): Catalog {
  const offered = (skill: Skill): boolean => isForModels(skill) && !isHidden(skill);
  return {
    ...catalog,
    skills: catalog.skills.filter(offered),
    shadowed: catalog.shadowed.filter(({ skill }) => offered(skill)),
  };
}

/** A skill, or the words that tell a model why its name led to none. */
export type Found = { readonly skill: Skill; readonly refusal?: never } | { readonly refusal: SkillToolResult };

/** Looks a name up in what is offered. */
export function findOffered(offered: Catalog, name: string): Found {
  const resolution = resolveSkill(offered, name);
  switch (resolution.kind) {
    case 'found':
      return { skill: resolution.skill };
    case 'ambiguous':
      return {
        refusal: refuse('skill-ambiguous', renderAmbiguousSkill(name, resolution.candidates.map(qualifiedName))),
      };
    case 'unknown': {
      const available = offered.skills.map((skill) => skill.name);
      return { refusal: refuse('skill-unknown', renderUnknownSkill(name, resolution.suggestions, available)) };
    }
  }
}

/** The names under which the tools are offered. */
export interface ToolNames {
  readonly activate: string;
  readonly read: string;
  readonly find: string;
  readonly list: string;
  readonly deactivate: string;
}

/** What is offered in one request: the skills that the model may use, and how much of each it is shown. */
export interface Offer {
  readonly catalog: Catalog;
  readonly plan: CatalogPlan;
}

/** What every tool of a toolkit works with. */
export interface ToolSetting {
  readonly names: ToolNames;
  readonly offerFor: (context: SkillContext) => Promise<Offer>;
  readonly countTokens: CountTokens;
  readonly emit: OnSkillEvent;
}
