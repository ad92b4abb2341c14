// The decisions about skills as they are stored: by which ids a skill is known, and which of them decides.

import { qualifiedName } from '../../catalog/resolve.ts';
import { showText } from '../../diagnostics/diagnostic.ts';
import type { Skill } from '../../skill/skill.ts';

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
export function decide(said: (id: string) => boolean | undefined, ids: readonly string[]): boolean {
  return ids.map(said).find((enabled) => enabled !== undefined) ?? true;
}

/**
 * Says what keeps stored settings from being understood: a decision in a form that this version does not know would else
 * count as none, and what nobody has decided about is switched on.
 */
export function findMisshape(stored: unknown): string | undefined {
  if (!isRecord(stored)) return 'expected an object';
  const { skills = {}, trustedProjects = [] } = stored;
  if (!isRecord(skills)) return '`skills` is not an object';
  for (const [id, skill] of Object.entries(skills)) {
    if (!isRecord(skill)) return `\`${showText(id)}\` is not an object`;
    const { enabled } = skill;
    if (enabled !== undefined && typeof enabled !== 'boolean')
      return `\`enabled\` of \`${showText(id)}\` is neither true nor false`;
  }
  if (!Array.isArray(trustedProjects)) return '`trustedProjects` is not a list';
  return undefined;
}

/** Reads what is said of each id; what is neither on nor off says nothing. */
export function decisionsIn(stored: Stored): ReadonlyMap<string, boolean> {
  const decisions = new Map<string, boolean>();
  for (const [id, skill] of Object.entries(recordOf(stored.skills))) {
    const enabled = decisionIn(skill);
    if (enabled !== undefined) decisions.set(id, enabled);
  }
  return decisions;
}

function decisionIn(skill: unknown): boolean | undefined {
  const { enabled } = recordOf(skill);
  return typeof enabled === 'boolean' ? enabled : undefined;
}

/** Writes into what is stored that a skill of these ids is on or off, as shortly as that can be said. */
export function storeDecision(
  stored: Stored,
  [id, ...general]: readonly [string, ...string[]],
  enabled: boolean,
): void {
  const skills = withoutPrototype(recordOf(stored.skills));
  const skill = withoutPrototype(recordOf(skills[id]));
  // On is what nobody has to say, unless something more general says off.
  if (enabled && decide((other) => decisionIn(skills[other]), general)) delete skill.enabled;
  else skill.enabled = enabled;
  if (Object.keys(skill).length > 0) skills[id] = skill;
  else delete skills[id];
  stored.skills = skills;
}

/** Gives an object, an empty one for anything else. */
function recordOf(value: unknown): Stored {
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Stored {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Takes the prototype from an object that is nobody else's, so that a key such as `__proto__` is only a key. */
export function withoutPrototype(record: Stored): Stored {
  return Object.setPrototypeOf(record, null) as Stored;
}
