// The decisions about skills as they are stored: by which ids a skill is known, and which of them decides.

import { qualifiedName } from '../resolve.ts';
import type { Skill } from '../skill.ts';

/** A part of the settings, of which some other version may have written more. */
export type Stored = Record<string, unknown>;

/**
 * Gives the id by which the settings know a skill: its qualified name, `user:pdf`, with the name of its plugin where it
 * has one, `plugin:lint/deploy`, so that two plugins with a skill of one name are told apart.
 */
export function settingsId(skill: Skill): string {
  const { plugin, name, source } = skill;
  return plugin === undefined ? qualifiedName(skill) : `${source.scope}:${plugin}/${name}`;
}

/** The ids under which a decision about a skill may be stored, the most exact first; the first that is stored holds. */
export function idsOf(skill: Skill | string): readonly [id: string, ...general: string[]] {
  if (typeof skill === 'string') return [skill];
  // What was stored before plugins were told apart has the qualified name.
  return skill.plugin === undefined ? [settingsId(skill)] : [settingsId(skill), qualifiedName(skill)];
}

/** Tells what holds for a skill of these ids; what nobody has decided about is switched on. */
export function decide(decisions: ReadonlyMap<string, boolean>, ids: readonly string[]): boolean {
  const decided = ids.find((id) => decisions.has(id));
  return decided === undefined || decisions.get(decided) === true;
}

/** Reads what is said of each id; what is neither on nor off says nothing. */
export function decisionsIn(stored: Stored): ReadonlyMap<string, boolean> {
  const decisions = new Map<string, boolean>();
  for (const [id, skill] of Object.entries(recordOf(stored.skills))) {
    const { enabled } = recordOf(skill);
    if (typeof enabled === 'boolean') decisions.set(id, enabled);
  }
  return decisions;
}

/** Gives an object, an empty one for anything else. */
export function recordOf(value: unknown): Stored {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Stored) : {};
}

/** An object without a prototype, so that a key such as `__proto__` is only a key. */
export function fromEntries(entries: Iterable<readonly [string, unknown]>): Stored {
  const record: Stored = Object.create(null) as Stored;
  for (const [key, value] of entries) record[key] = value;
  return record;
}
