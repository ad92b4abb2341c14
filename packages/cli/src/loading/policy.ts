// Reads the policy of a project's configuration, and applies it to skills.

import { isAbsolute, join } from 'node:path';
import {
  definePolicy,
  explainPolicy,
  isSkillError,
  type PolicyEffect,
  type PolicyRule,
  type Skill,
  type SkillPolicy,
} from '@skillful/core';
import { readSmallText } from '@skillful/core/node';

/** The decision of a policy about the activation of a skill by a model. */
export interface PolicyVerdict {
  readonly effect: PolicyEffect;
  /** Number of the rule that decided, counted from 1; `null` if the default decided. */
  readonly rule: number | null;
  readonly reason: string | null;
}

const maxBytes = 1024 * 1024;

/** Reads a policy from a JSON file below a directory: `{ "rules": […] }`. Returns a text if anything is wrong. */
export function readPolicy(path: string, directory: string, allowUnsafe: boolean): SkillPolicy | string {
  if (isAbsolute(path) || path.split(/[/\\]/u).includes('..')) return '`policy` must be a path inside the project';
  const read = readSmallText(join(directory, path), maxBytes, { within: directory, allowUnsafe });
  if (read === undefined) return `\`policy\` names \`${path}\`, which does not exist`;
  if ('problem' in read) return `\`policy\` cannot be read: ${read.problem}`;
  try {
    const value: unknown = JSON.parse(read.text);
    return isPolicy(value) ? definePolicy(value) : '`policy` must be an object with a list of `rules`';
  } catch (error) {
    if (!isSkillError(error)) return '`policy` is not JSON';
    // The diagnostic adds the full stop.
    const reason = error.message.replace(/\. Did (you mean .*)\?$/u, ' (did $1?)').replace(/\.$/u, '');
    return `\`policy\` is not valid: ${reason}`;
  }
}

/** Checks the outer shape of a policy. `definePolicy` checks the fields of the rules. */
function isPolicy(value: unknown): value is { readonly rules: readonly PolicyRule[] } {
  if (typeof value !== 'object' || value === null || !('rules' in value) || !Array.isArray(value.rules)) return false;
  return value.rules.every((rule) => typeof rule === 'object' && rule !== null);
}

/** Applies a policy to a skill. A skill that must not be listed cannot be activated either. */
export function judge(policy: SkillPolicy, skill: Skill): PolicyVerdict {
  const [list, activate] = (['list', 'activate'] as const).map((action) =>
    explainPolicy(policy, skill, { actor: 'model', action }),
  );
  const decision = list?.effect === 'deny' ? list : activate;
  const rule = decision?.rule;
  return {
    effect: decision?.effect ?? 'allow',
    rule: rule === undefined ? null : policy.rules.indexOf(rule) + 1,
    reason: rule?.reason ?? null,
  };
}

/** Returns the numbers of rules, counted from 1, that apply to none of the skills, for example because of a typo. */
export function findIdleRules({ rules }: SkillPolicy, skills: readonly Skill[]): readonly number[] {
  if (skills.length === 0) return [];
  return rules.flatMap(({ skill = '*', scope = '*', source = '*' }, index) => {
    const alone = definePolicy({ rules: [{ skill, scope, source, effect: 'deny' }] });
    const applies = (each: Skill): boolean => judge(alone, each).rule !== null;
    return skills.some(applies) ? [] : [index + 1];
  });
}

/** Describes the decision of a policy; `undefined` if no rule decided and nothing is refused. */
export function describeVerdict({ effect, rule, reason }: PolicyVerdict): string | undefined {
  if (rule === null && effect === 'allow') return undefined;
  const what = {
    allow: 'The policy allows the model to activate it',
    ask: 'A person must agree before the model activates it',
    deny: 'The policy denies it to the model',
  }[effect];
  return `${what}: ${rule === null ? 'its default' : `rule ${rule}`}${reason === null ? '' : `, ${reason}`}`;
}
