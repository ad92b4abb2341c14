// Loads the catalog that the options of a command select, and finds out which skills the model does not get and why.

import {
  type Catalog,
  loadCatalog,
  type Skill,
  type SkillPolicy,
  type SkillSource,
  validateRequirements,
} from '@skillful/core';
import { isForModels } from '@skillful/core/extending';
import { loadSettings, localEnvironment, settingsId } from '@skillful/core/node';
import type { CommandLine } from '../command-line.ts';
import { withProgress } from '../terminal/progress.ts';
import type { RunnerName } from './configuration.ts';
import type { SkillOptions } from './options.ts';
import { describeVerdict, judge } from './policy.ts';
import { chooseSources } from './sources.ts';

/** A catalog with all skills, so that a person can also read and change those that the model does not get. */
export interface LoadedSkills {
  /** The catalog. Its diagnostics include unmet requirements. */
  readonly catalog: Catalog;
  readonly sources: readonly SkillSource[];
  /** The directories that were searched. */
  readonly places: readonly string[];
  readonly policy: SkillPolicy;
  /** The runner for scripts, if a configuration names one. */
  readonly runner?: RunnerName | undefined;
  readonly isEnabled: (skill: Skill) => boolean;
  /** Returns why the model does not get a skill, because of the policy, the settings or a requirement; `undefined` if it does. */
  readonly reasonAgainst: (skill: Skill) => string | undefined;
}

/** Loads the catalog that the options select. */
export function loadSkills(options: SkillOptions, io: CommandLine): Promise<LoadedSkills> {
  return withProgress('Looking for skills', io, load(options, io));
}

async function load(options: SkillOptions, io: CommandLine): Promise<LoadedSkills> {
  const settings = await loadSettings({ environment: io.environment });
  const { sources, policy, runner, diagnostics } = await chooseSources(options, settings, io);
  const catalog = await loadCatalog(sources);
  const environment = localEnvironment({ environment: io.environment });
  const unmet = catalog.skills.flatMap((skill) => validateRequirements(skill, environment));
  const unmetAt = new Map(unmet.map(({ location, message }) => [location, message]));
  const { isEnabled } = settings;
  return {
    catalog: { ...catalog, diagnostics: [...settings.diagnostics, ...diagnostics, ...catalog.diagnostics, ...unmet] },
    sources,
    places: [...new Set(sources.flatMap(({ root, searched }) => searched ?? (root === undefined ? [] : [root])))],
    policy,
    runner,
    isEnabled,
    reasonAgainst(skill) {
      const verdict = judge(policy, skill);
      if (verdict.effect === 'deny') return describeVerdict(verdict);
      if (!isEnabled(skill))
        return `It is switched off in your settings. Run \`skillful enable ${settingsId(skill)}\` to switch it on.`;
      return unmetAt.get(skill.location);
    },
  };
}

/** Returns why a skill keeps itself from models; `undefined` if it does not. */
export function findRestriction(skill: Skill): string | undefined {
  if (isForModels(skill)) return undefined;
  const { disableModelInvocation, userInvocable } = skill.properties;
  const who = userInvocable ? 'Only a user can activate it' : 'Neither the model nor a user can activate it';
  return disableModelInvocation
    ? `${who}, because of \`disable-model-invocation\` or its equivalent in \`agents/openai.yaml\`. Remove that setting to offer it to the model.`
    : `${who}, because \`metadata.internal\` hides it outside its own project.`;
}
