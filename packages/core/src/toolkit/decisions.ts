// What the application itself decides about skills: which are active from the start, and which begin or end on the way.

import type { Catalog } from '../catalog/catalog.ts';
import { qualifiedName, resolveSkill } from '../catalog/resolve.ts';
import { renderInactive } from '../disclosure/activation-text.ts';
import { renderAmbiguousSkill } from '../disclosure/answers.ts';
import { nameInWrapper } from '../disclosure/ledger.ts';
import { type ActiveSkill, type ConversationItem, writeDecision } from '../disclosure/marks.ts';
import { SkillError } from '../skill/error.ts';
import type { Skill } from '../skill/skill.ts';
import type { ToolSetting } from './offer.ts';
import type { SkillContext } from './tool.ts';

/** Gives the activations that every conversation begins with; names that the catalog lacks are passed over. */
export function preloadedSkills(catalog: Catalog, names: readonly string[]): readonly ActiveSkill[] {
  return names.flatMap((name) => {
    const found = resolveSkill(catalog, name);
    return found.kind === 'found' ? [{ name: nameInWrapper(catalog, found.skill) }] : [];
  });
}

/** Makes sure that a catalog has the skills to preload. @throws {SkillError} `skill-unknown` */
export function assertPreloadable(catalog: Catalog, names: readonly string[]): void {
  const missing = names.find((name) => resolveSkill(catalog, name).kind !== 'found');
  if (missing === undefined) return;
  throw new SkillError(
    'skill-unknown',
    `The option \`preload\` names \`${missing}\`, which is no skill of the catalog.`,
  );
}

/**
 * Gives what to record where the application activates or ends skills. Reads nothing: the text of what is activated is
 * attached to the next model call.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`
 */
export async function decideSkills(
  names: readonly string[],
  decision: 'activate' | 'deactivate',
  context: SkillContext,
  setting: ToolSetting,
): Promise<readonly ConversationItem[]> {
  const { reachable } = await setting.offerFor(context);
  const skills = names.map((name) => findSkill(reachable, name));
  return skills.map((skill) => {
    const name = nameInWrapper(reachable, skill);
    if (decision === 'deactivate') {
      const tokens = setting.countTokens(renderInactive(name));
      setting.emit({ type: 'deactivated', skill: skill.name, by: 'code', tokens });
    }
    return writeDecision(name, decision);
  });
}

function findSkill(catalog: Catalog, name: string): Skill {
  const found = resolveSkill(catalog, name);
  if (found.kind === 'found') return found.skill;
  if (found.kind === 'ambiguous') {
    throw new SkillError('skill-ambiguous', renderAmbiguousSkill(name, found.candidates.map(qualifiedName)));
  }
  throw new SkillError('skill-unknown', `\`${name}\` is no skill of the catalog.`);
}
