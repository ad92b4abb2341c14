// What a model may know of, and how a name that it uses is looked up among just that.

import type { Catalog } from '../catalog/catalog.ts';
import { qualifiedName, resolveSkill } from '../catalog/resolve.ts';
import { renderAmbiguousSkill, renderUnknownSkill } from '../disclosure/answers.ts';
import type { OfferedTools } from '../disclosure/catalog-text.ts';
import { findActive } from '../disclosure/ledger.ts';
import type { ActiveSkill } from '../disclosure/marks.ts';
import { type CatalogPlan, isForModels } from '../disclosure/plan.ts';
import type { Skill } from '../skill/skill.ts';
import type { CountTokens } from '../text/tokens.ts';
import type { OnSkillEvent } from './event.ts';
import { refuse, type SkillContext, type SkillToolResult } from './tool.ts';

/** A catalog without some of its skills: to whom it is handed, they do not exist. */
export function filterCatalog(catalog: Catalog, isKept: (skill: Skill) => boolean): Catalog {
  return {
    ...catalog,
    skills: catalog.skills.filter(isKept),
    shadowed: catalog.shadowed.filter(({ skill }) => isKept(skill)),
  };
}

/** What a model may use in a conversation: what it is offered, and what a user or the application activated beside that. */
export function usableCatalog({ catalog, reachable }: Offer, active: readonly ActiveSkill[]): Catalog {
  const found = active.map(({ name }) => findActive(reachable, name)).filter((skill) => skill !== undefined);
  if (found.every(isForModels)) return catalog;
  const beside = new Set(found);
  return filterCatalog(reachable, (skill) => isForModels(skill) || beside.has(skill));
}

/** A skill, or the words that tell a model why its name led to none. */
export type Found = { readonly skill: Skill; readonly refusal?: never } | { readonly refusal: SkillToolResult };

/** Looks a name up in what is offered. */
export function resolveOffered(offered: Catalog, name: string): Found {
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
  /** What a user and the application may activate: also skills that are kept from models, none that is hidden. */
  readonly reachable: Catalog;
  readonly plan: CatalogPlan;
}

/** What every tool of a toolkit works with. */
export interface ToolSetting {
  readonly names: ToolNames;
  readonly offerFor: (context: SkillContext) => Promise<Offer>;
  /** The tools that are offered, for the words that point to them. */
  readonly toolsOf: (offer: Offer) => OfferedTools;
  /** What is active in a conversation; `before` is what was active when it began, the preloaded skills unless said. */
  readonly activeIn: (offer: Offer, context: SkillContext, before?: readonly ActiveSkill[]) => readonly ActiveSkill[];
  readonly countTokens: CountTokens;
  readonly emit: OnSkillEvent;
}
