// Defines a conversation of fifty turns, which the compaction of every framework shortens several times.

import { createToolkit, loadCatalog, memorySource, type SkillDecision, type SkillToolkit } from '@skillful/core';
import type { ScriptedTurn } from './adapter-harness.ts';
import { callOf, done } from './script.ts';

/** Phrases, each of which is only in the body of one skill. */
export const bodies = {
  report: 'REPORT-INSTRUCTIONS: one table a page.',
  notes: 'NOTES-INSTRUCTIONS: list the changes.',
  review: 'REVIEW-INSTRUCTIONS: be kind to ',
};

/** Creates the toolkit of the session, the same in each process. */
export async function createSessionToolkit(): Promise<SkillToolkit> {
  const source = memorySource({
    'csv-report/SKILL.md': `---\nname: csv-report\ndescription: Turns a CSV into a report.\n---\n${bodies.report}\n`,
    'release-notes/SKILL.md': `---\nname: release-notes\ndescription: Writes release notes.\n---\n${bodies.notes}\n`,
    'review/SKILL.md': `---\nname: review\ndescription: Reviews.\narguments: who\n---\n${bodies.review}$who.\n`,
  });
  return createToolkit(await loadCatalog([source]), { tools: { deactivate: true } });
}

/** The decisions of the application, by turn. Each is made at the end of the turn before. */
const decisions: ReadonlyMap<number, SkillDecision> = new Map([
  [22, { deactivate: ['csv-report'] }],
  [35, { deactivate: ['review'] }],
  [44, { activate: ['release-notes'] }],
]);

/** One turn of the session: the decision of the application, the words of the user, and the script of the model. */
export interface SessionTurn {
  readonly decision?: SkillDecision;
  readonly user: string;
  readonly script: readonly ScriptedTurn[];
  /** The phrases that the first model call of this turn contains exactly once: what the model activates or ends comes later. */
  readonly activeAtFirst: readonly string[];
  /** The phrases that each later model call of this turn contains exactly once. */
  readonly active: readonly string[];
}

const turnCount = 50;

function activeIn(turn: number): readonly string[] {
  return [
    ...((turn >= 1 && turn < 22) || turn >= 30 ? [bodies.report] : []),
    ...((turn >= 12 && turn < 40) || turn >= 44 ? [bodies.notes] : []),
    ...((turn >= 18 && turn < 35) || turn >= 45 ? [bodies.review] : []),
  ];
}

/**
 * Returns the turns. Three skills are activated, one of them by the user. The application ends two of them, which the model and
 * the user activate again with the same words as before. The model ends the third, and the application activates it again.
 */
export function sessionTurns(): readonly SessionTurn[] {
  return Array.from({ length: turnCount }, (_, turn): SessionTurn => {
    const active = activeIn(turn);
    const looking = [callOf('lookup', { query: `turn ${turn}` }), done];
    const calling = (tool: string, name: string) => {
      return { script: [callOf(tool, { name }), ...looking], activeAtFirst: activeIn(turn - 1), active };
    };
    if (turn === 1 || turn === 30) return { user: 'Make a report.', ...calling('activate_skill', 'csv-report') };
    if (turn === 12) return { user: 'Write notes.', ...calling('activate_skill', 'release-notes') };
    if (turn === 40) return { user: 'Notes are done.', ...calling('deactivate_skill', 'release-notes') };
    const user = turn === 18 || turn === 45 ? '/review ada' : `Look up number ${turn}.`;
    const decision = decisions.get(turn);
    return { ...(decision && { decision }), user, script: looking, activeAtFirst: active, active };
  });
}
