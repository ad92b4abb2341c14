// Defines a conversation of fifty turns, which the compaction of every framework shortens several times.

import {
  createToolkit,
  loadCatalog,
  memorySource,
  type SkillActor,
  type SkillDecision,
  type SkillToolkit,
} from '@skillful/core';
import type { ScriptedTurn } from './adapter-harness.ts';
import { callOf, done } from './script.ts';

/** Phrases, by the skill that has them in its body. */
export const bodies: Readonly<Record<string, string>> = {
  report: 'REPORT-INSTRUCTIONS: one table a page.',
  notes: 'NOTES-INSTRUCTIONS: list the changes.',
  review: 'REVIEW-INSTRUCTIONS: be kind to ',
};

/** Creates the toolkit of the session, the same in each process. */
export async function loadSessionToolkit(): Promise<SkillToolkit> {
  const source = memorySource({
    'report/SKILL.md': `---\nname: report\ndescription: Turns a CSV into a report.\n---\n${bodies['report']}\n`,
    'notes/SKILL.md': `---\nname: notes\ndescription: Writes release notes.\n---\n${bodies['notes']}\n`,
    'review/SKILL.md': `---\nname: review\ndescription: Reviews.\narguments: who\n---\n${bodies['review']}$who.\n`,
  });
  return createToolkit(await loadCatalog([source]), { tools: { deactivate: true } });
}

/** What happens to skills, by turn. The application decides at the end of the turn before. */
const changes: ReadonlyMap<number, readonly [by: SkillActor, does: 'activate' | 'deactivate', skill: string]> = new Map(
  [
    [1, ['model', 'activate', 'report']],
    [12, ['model', 'activate', 'notes']],
    [18, ['user', 'activate', 'review']],
    [22, ['code', 'deactivate', 'report']],
    [30, ['model', 'activate', 'report']],
    [35, ['code', 'deactivate', 'review']],
    [40, ['model', 'deactivate', 'notes']],
    [44, ['code', 'activate', 'notes']],
    [45, ['user', 'activate', 'review']],
  ],
);

/** One turn of the session: the decision of the application, the words of the user, and the script of the model. */
export interface SessionTurn {
  readonly decision?: SkillDecision;
  readonly user: string;
  readonly script: readonly ScriptedTurn[];
  /** The skills that are active in the first model call of this turn: what the model activates or ends comes later. */
  readonly activeAtFirst: readonly string[];
  /** The skills that are active in each later model call of this turn. */
  readonly active: readonly string[];
}

/** Returns the turns. If a skill is activated again, the user says the same as before. */
export function sessionTurns(): readonly SessionTurn[] {
  const active = new Set<string>();
  return Array.from({ length: 50 }, (_, turn): SessionTurn => {
    const before = [...active];
    const looking = [callOf('lookup', { query: `turn ${turn}` }), done];
    const common = { user: `Look up number ${turn}.`, script: looking };
    const change = changes.get(turn);
    if (change === undefined) return { ...common, activeAtFirst: before, active: before };
    const [by, does, skill] = change;
    if (does === 'activate') active.add(skill);
    else active.delete(skill);
    const after = { activeAtFirst: [...active], active: [...active] };
    if (by === 'code') return { ...common, ...after, decision: { [does]: [skill] } };
    if (by === 'user') return { ...common, ...after, user: `/${skill} ada` };
    const script = [callOf(`${does}_skill`, { name: skill }), ...looking];
    return { ...after, user: `Go on with the ${skill}.`, script, activeAtFirst: before };
  });
}
