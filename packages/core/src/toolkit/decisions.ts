// What the application itself decides about skills: which are active from the start, and which it activates or ends later.

import type { Catalog } from '../catalog/catalog.ts';
import { qualifiedName, resolveSkill, type SkillResolution } from '../catalog/resolve.ts';
import { renderInactive } from '../disclosure/activation-text.ts';
import { quoted, renderAmbiguousSkill } from '../disclosure/answers.ts';
import { nameInWrapper } from '../disclosure/ledger.ts';
import { type ActiveSkill, type ConversationItem, writeDecision } from '../disclosure/marks.ts';
import { SkillError } from '../skill/error.ts';
import type { Skill } from '../skill/skill.ts';
import type { ToolServices } from './setting.ts';
import type { SkillContext } from './tool.ts';

/** Names of skills that the application activates and deactivates in a conversation. */
export interface SkillDecision {
  readonly activate?: readonly string[] | undefined;
  /** Comes first: a skill that is also in `activate` stays active. */
  readonly deactivate?: readonly string[] | undefined;
}

/** Returns the activations that every conversation begins with; ignores names that the catalog lacks. */
export function preloadedSkills(catalog: Catalog, names: readonly string[]): readonly ActiveSkill[] {
  return names.flatMap((name) => {
    const found = resolveSkill(catalog, name);
    return found.kind === 'found' ? [{ name: nameInWrapper(catalog, found.skill) }] : [];
  });
}

/** Checks that a catalog has the skills to preload. @throws {SkillError} `skill-unknown` */
export function assertPreloadable(catalog: Catalog, names: readonly string[]): void {
  for (const name of names) {
    const found = resolveSkill(catalog, name);
    if (found.kind === 'found') continue;
    throw new SkillError(
      'skill-unknown',
      `\`preload\` names \`${name}\`, but the catalog has no such skill.${suggest(found)}`,
    );
  }
}

/**
 * Returns what to record when the application activates or deactivates skills. Reads nothing: the next model call contains
 * the instructions of what was activated.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`
 */
export async function decideSkills(
  { activate = [], deactivate = [] }: SkillDecision,
  context: SkillContext,
  services: ToolServices,
): Promise<readonly ConversationItem[]> {
  const { reachable } = await services.offerFor(context);
  const ended = deactivate.map((name) => findSkill(reachable, name));
  const begun = activate.map((name) => findSkill(reachable, name));
  for (const skill of ended) {
    const tokens = services.countTokens(renderInactive(nameInWrapper(reachable, skill)));
    services.emit({ type: 'deactivated', skill: skill.name, by: 'code', tokens });
  }
  return [
    ...ended.map((skill) => writeDecision(nameInWrapper(reachable, skill), 'deactivate')),
    ...begun.map((skill) => writeDecision(nameInWrapper(reachable, skill), 'activate')),
  ];
}

function findSkill(catalog: Catalog, name: string): Skill {
  const found = resolveSkill(catalog, name);
  if (found.kind === 'found') return found.skill;
  if (found.kind === 'ambiguous') {
    throw new SkillError('skill-ambiguous', renderAmbiguousSkill(name, found.candidates.map(qualifiedName)));
  }
  throw new SkillError('skill-unknown', `The catalog has no skill \`${name}\`.${suggest(found)}`);
}

function suggest(found: Exclude<SkillResolution, { kind: 'found' }>): string {
  const names = found.kind === 'ambiguous' ? found.candidates.map(qualifiedName) : found.suggestions;
  return names.length === 0 ? '' : ` Did you mean ${names.map((name) => quoted(name)).join(' or ')}?`;
}
