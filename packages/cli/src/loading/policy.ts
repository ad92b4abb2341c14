// The policy of a project's configuration, and what it says about a skill.

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

/** What a policy says about a model that wants to activate a skill. */
export interface PolicyVerdict {
  readonly effect: PolicyEffect;
  /** Number of the rule that decided, from 1; `null` if the default did. */
  readonly rule: number | null;
  /** What the rule gives as its reason. */
  readonly reason: string | null;
}

/** A longer policy is not read, in bytes. */
const maxBytes = 1024 * 1024;

/** Reads a policy from a JSON file below a directory: `{ "rules": […], "default": "deny" }`. Returns what is wrong with it as a text. */
export function readPolicy(path: string, directory: string, allowUnsafe: boolean): SkillPolicy | string {
  if (isAbsolute(path) || path.split(/[/\\]/u).includes('..')) return '`policy` must be a path inside the project';
  const read = readSmallText(join(directory, path), maxBytes, { within: directory, allowUnsafe });
  if (read === undefined) return `\`policy\` names \`${path}\`, which does not exist`;
  if ('problem' in read) return `\`policy\` cannot be read: ${read.problem}`;
  try {
    const value: unknown = JSON.parse(read.text);
    return isPolicy(value) ? definePolicy(value) : '`policy` must be an object with a list of `rules`';
  } catch (error) {
    return isSkillError(error)
      ? `\`policy\` is not valid: ${error.message.replace(/\.$/u, '')}`
      : '`policy` is not JSON';
  }
}

/** The fields of the rules are checked by `definePolicy`. */
function isPolicy(value: unknown): value is { readonly rules: readonly PolicyRule[] } {
  if (typeof value !== 'object' || value === null || !('rules' in value) || !Array.isArray(value.rules)) return false;
  return value.rules.every((rule) => typeof rule === 'object' && rule !== null);
}

/** Returns what a policy says. A skill that may not be listed is not activated either. */
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

/** Describes what a policy decided; `undefined` if no rule did and nothing is refused. */
export function describeVerdict({ effect, rule, reason }: PolicyVerdict): string | undefined {
  if (rule === null && effect === 'allow') return undefined;
  const what = {
    allow: 'The policy allows the model to activate it',
    ask: 'A person must agree before the model activates it',
    deny: 'The policy denies it to the model',
  }[effect];
  return `${what}: ${rule === null ? 'its default' : `rule ${rule}`}${reason === null ? '' : `, ${reason}`}`;
}
