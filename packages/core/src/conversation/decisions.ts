// Applies the application's decisions: which skills are active from the start, and which begin or end later.

import type { Catalog } from '../catalog/catalog.ts';
import { qualifiedName } from '../catalog/names.ts';
import { resolveSkill, type SkillResolution } from '../catalog/resolve.ts';
import { renderAmbiguousSkill, renderSuggestions } from '../disclosure/answers.ts';
import { nameInWrapper } from '../disclosure/wrapper-name.ts';
import { SkillError } from '../skill/error.ts';
import { checkKeys, checkTextLists } from '../skill/options.ts';
import type { Skill } from '../skill/skill.ts';
import type { SkillState } from './conversation.ts';
import type { SkillEvent } from './event.ts';
import {
  isActive,
  isDecided,
  latestMoment,
  momentAfter,
  momentToBegin,
  type TrackedSkills,
  toState,
} from './tracked.ts';

/** Names of skills that the application activates and deactivates in a conversation. */
export interface SkillDecision {
  readonly activate?: readonly string[] | undefined;
  /** Applied first, so a skill that is also in `activate` stays active. */
  readonly deactivate?: readonly string[] | undefined;
}

/** Returns the names, as in the wrapper, of the skills to preload, each once. Leaves out names that the catalog lacks. */
export function preloadedNames(catalog: Catalog, names: readonly string[]): readonly string[] {
  const found = names.flatMap((name) => {
    const resolution = resolveSkill(catalog, name);
    return resolution.kind === 'found' ? [nameInWrapper(catalog, resolution.skill)] : [];
  });
  return [...new Set(found)];
}

/** Checks that a catalog contains the skills to preload. @throws {SkillError} `skill-unknown` */
export function assertPreloadable(catalog: Catalog, names: readonly string[]): void {
  for (const name of names) {
    const found = resolveSkill(catalog, name);
    if (found.kind === 'found') continue;
    const message = `\`preload\` names \`${name}\`, but the catalog has no such skill.${suggest(found)}`;
    throw new SkillError('skill-unknown', message);
  }
}

/**
 * Adds the application's decisions to a state. Reads no skill: the next model call places the instructions.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`, `options-invalid`
 */
export function decideSkills(
  decision: SkillDecision,
  { forCode, forAnyone }: { readonly forCode: Catalog; readonly forAnyone: Catalog },
  tracked: TrackedSkills,
  emit: (event: SkillEvent) => void,
): SkillState {
  checkKeys('decision', decision, ['activate', 'deactivate']);
  const { activate = [], deactivate = [] } = decision;
  checkTextLists({ activate, deactivate });
  const records = new Map(tracked.records);
  const begun = activate.map((name) => nameInWrapper(forAnyone, findSkill(forCode, name)));
  for (const skill of deactivate.map((name) => findSkill(forAnyone, name))) {
    const name = nameInWrapper(forAnyone, skill);
    const wasActive = isActive({ ...tracked, records }, name);
    records.set(name, { by: 'code', at: momentAfter(records.get(name)), ended: true });
    if (wasActive) emit({ type: 'deactivated', skill: skill.name, by: 'code', tokens: 0 });
  }
  let latest = latestMoment(records);
  for (const name of begun) {
    const record = records.get(name);
    const isLeftOut = record?.moved === false;
    if (isDecided({ ...tracked, records }, name) && !isLeftOut) continue;
    // An active skill stays in its message, unless it has arguments or was left out.
    const key = isLeftOut || record?.hasArguments === true ? undefined : record?.key;
    latest = momentToBegin(record, latest);
    records.delete(name);
    records.set(name, { by: 'code', at: latest, key });
  }
  return toState({ records, seen: tracked.seen });
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
  return renderSuggestions(names);
}
