// Finds the skills that a person switched off or whose requirements are missing, so that no prompt, search or name offers them.

import { createDiagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { recordOf } from '../runtime/record.ts';
import { createTurn } from '../runtime/turns.ts';
import { untilAborted } from '../runtime/until-aborted.ts';
import type { SkillEnvironment } from '../skill/environment.ts';
import { checkFunction } from '../skill/options.ts';
import type { Skill } from '../skill/skill.ts';
import type { SourceOptions } from '../skill/source.ts';
import { assertEnvironment, findMissing } from './requirements.ts';

/** A skill that is left out although it is valid. Its name stays taken. */
export interface WithheldSkill {
  readonly skill: Skill;
  /** Also among the diagnostics of the catalog. */
  readonly reason: Diagnostic;
}

/** The decisions of a person about skills, such as the `Settings` of `@skillful/core/node`. */
export interface SkillSwitches {
  readonly isEnabled: (skill: Skill) => boolean;
  readonly diagnostics?: readonly Diagnostic[] | undefined;
}

export interface WithholdOptions {
  /**
   * Returns the decisions of a person, for example `loadSettings`. Called at each load; skills that are switched off are left
   * out.
   * @default none are switched off
   */
  readonly settings?: (() => SkillSwitches | Promise<SkillSwitches>) | undefined;
  /**
   * What is available where the skills are used, for example `localEnvironment()`. Skills that need anything else are left out.
   * @default requirements are not checked
   */
  readonly environment?: SkillEnvironment | undefined;
}

/** Finds the skills to leave out, and the diagnostics about the settings. Rejects if `settings` does. */
export async function findWithheld(
  skills: readonly Skill[],
  { settings, environment, signal }: WithholdOptions & SourceOptions,
): Promise<{ readonly withheld: readonly WithheldSkill[]; readonly diagnostics: readonly Diagnostic[] }> {
  if (settings !== undefined) checkFunction('settings', settings);
  if (environment !== undefined) assertEnvironment(environment);
  const switches = settings && (await untilAborted(settings(), signal));
  if (settings !== undefined) checkFunction('settings().isEnabled', recordOf(switches)['isEnabled']);
  const turn = createTurn();
  const withheld: WithheldSkill[] = [];
  for (const skill of skills) {
    await turn(signal);
    const site = { source: skill.source.id, location: skill.location };
    const reason =
      switches !== undefined && switches.isEnabled(skill) !== true
        ? createDiagnostic('skill-disabled', site, { name: skill.name })
        : environment && findMissing(skill, environment)[0];
    if (reason !== undefined) withheld.push({ skill, reason });
  }
  return { withheld, diagnostics: switches?.diagnostics ?? [] };
}
