// Decides who may do what with a skill, by the rules of an application.

import { isRecord, kindOf } from '../runtime/record.ts';
import type { SkillError } from '../skill/error.ts';
import { checkRecord, invalidOption } from '../skill/options.ts';
import type { Skill } from '../skill/skill.ts';
import { closestNames } from '../text/closest.ts';
import { longestPattern } from './pattern.ts';
import { findRule, type SkillRule } from './rules.ts';

/** Who acts on a skill: the model, a user who names it, or the application's code. */
export type SkillActor = 'model' | 'user' | 'code';

/** What the actor wants: to see the skill in lists, to get its instructions, to read its files, or to run its scripts. */
export type PolicyAction = 'list' | 'activate' | 'read' | 'run';

/** What a policy decides. `ask` means that a person must agree first; a user who names a skill has already agreed. */
export type PolicyEffect = 'allow' | 'ask' | 'deny';

/** Applies to every skill, actor and action that it does not exclude. */
export interface PolicyRule extends SkillRule {
  readonly actor?: SkillActor | readonly SkillActor[];
  readonly action?: PolicyAction | readonly PolicyAction[];
  readonly effect: PolicyEffect;
  /** The reason, for people. */
  readonly reason?: string | undefined;
}

export interface DefinePolicyOptions {
  /** The rules in order; the first one that applies decides. */
  readonly rules?: readonly PolicyRule[] | undefined;
  /**
   * The effect if no rule applies.
   * @default 'allow', but 'ask' before a script runs, and before a model activates a skill of the scope `remote`
   */
  readonly default?: PolicyEffect | undefined;
}

/** Rules that were checked. */
export interface SkillPolicy {
  readonly rules: readonly PolicyRule[];
  readonly default?: PolicyEffect | undefined;
}

/** What a policy decides, and the rule behind it. */
export interface PolicyDecision {
  readonly effect: PolicyEffect;
  /** Absent if the default decided. */
  readonly rule?: PolicyRule;
}

const words = {
  actor: ['model', 'user', 'code'],
  action: ['list', 'activate', 'read', 'run'],
  effect: ['allow', 'ask', 'deny'],
} as const;

/**
 * Checks the rules of a policy and copies them.
 *
 * @throws {SkillError} `options-invalid` if a field or value is unknown, a pattern is bad, a field but the reason is undefined, or an
 * earlier rule applies to everything, because such a rule would protect nothing; also if a reason is not a text
 */
export function definePolicy(options: DefinePolicyOptions = {}): SkillPolicy {
  const { rules = [], default: otherwise } = Object(options);
  assertRules(options, rules);
  return { rules: structuredClone(rules), default: otherwise };
}

/** Checks a policy that may not come from `definePolicy`. @throws {SkillError} `options-invalid` */
export function assertPolicy(policy: unknown): void {
  assertRules(policy, Object(policy).rules);
}

function assertRules(policy: unknown, rules: unknown): void {
  if (!isRecord(policy)) throw invalidOption(`A policy must be an object, not ${kindOf(policy)}.`);
  const { default: otherwise } = policy;
  for (const [field, value] of Object.entries(policy))
    if (value !== undefined && field !== 'rules' && field !== 'default')
      throw invalid('The policy has', field, ['rules', 'default']);
  if (otherwise !== undefined) assertWord('effect', otherwise, '`default`');
  if (!Array.isArray(rules)) throw invalidOption(`\`rules\` must be a list, not ${kindOf(rules)}.`);
  for (const [index, rule] of rules.entries()) assertRule(rule, `Rule ${index + 1}`);
  const end = rules.findIndex(appliesToAll) + 1;
  if (end === 0 || end === rules.length) return;
  const remedy = 'Put it last, or use `default` instead.';
  throw invalidOption(`Rule ${end} applies to everything, so the rules after it never apply. ${remedy}`);
}

/** A question to a policy. */
export interface PolicyRequest {
  readonly actor: SkillActor;
  readonly action: PolicyAction;
  /** The file to read or the script to run, by its own path; for a link, not that of its target. */
  readonly path?: string | undefined;
}

/**
 * Returns what a policy decides about one action of one actor, and the rule that decided.
 *
 * @throws {SkillError} `options-invalid` if the actor or the action is unknown, because no rule would apply
 */
export function explainPolicy(policy: SkillPolicy, skill: Skill, request: PolicyRequest): PolicyDecision {
  checkRecord('request', request);
  const { actor, action, path } = request;
  assertWord('actor', actor, 'The request');
  assertWord('action', action, 'The request');
  const file = isAboutFiles(action) ? path : undefined;
  const rule = findRule(policy.rules, skill, file, (each) => fits(each.actor, actor) && fits(each.action, action));
  if (rule !== undefined) return { effect: rule.effect, rule };
  const isRemote = skill.source.scope === 'remote' && actor === 'model' && action === 'activate';
  return { effect: policy.default ?? (isRemote || action === 'run' ? 'ask' : 'allow') };
}

function fits<Word extends string>(wanted: Word | readonly Word[] | undefined, word: Word): boolean {
  return wanted === undefined || itemsOf(wanted).includes(word);
}

function appliesToAll({ skill, scope, source, path, actor, action }: PolicyRule): boolean {
  return (
    path === undefined &&
    [skill, scope, source].every((patterns = '*') => itemsOf(patterns).some((pattern) => /^\*+$/.test(pattern))) &&
    words.actor.every((word) => fits(actor, word)) &&
    words.action.every((word) => fits(action, word))
  );
}

function itemsOf<Item extends string>(items: Item | readonly Item[] | undefined): readonly Item[] {
  if (items === undefined) return [];
  return Array.isArray(items) ? items : [items as Item];
}

const fields = ['skill', 'scope', 'source', 'path', 'actor', 'action', 'effect', 'reason'];

function assertRule(rule: PolicyRule, place: string): void {
  if (!isRecord(rule)) throw invalidOption(`${place} must be an object, not ${kindOf(rule)}.`);
  for (const [field, value] of Object.entries(rule)) {
    if (!fields.includes(field)) throw invalid(`${place} has`, field, fields);
    // For example from a variable that is not set. To allow what it names would be to allow everything.
    if (value !== undefined || field === 'reason') continue;
    throw invalidOption(`${place} has no value for \`${field}\`, so it would apply to any. Leave it out if it should.`);
  }
  for (const kind of ['actor', 'action'] as const) {
    for (const word of itemsOf<string>(rule[kind])) assertWord(kind, word, place);
  }
  assertWord('effect', rule.effect, place);
  if (rule.reason !== undefined && typeof rule.reason !== 'string')
    throw invalidOption(`${place} has a \`reason\` that is not a text.`);
  for (const kind of ['skill', 'scope', 'source', 'path'] as const) {
    for (const pattern of itemsOf(rule[kind])) {
      if (typeof pattern === 'string' && pattern !== '' && pattern.length <= longestPattern) continue;
      const message = `${place} has a bad pattern in \`${kind}\`: expected a text of 1 to ${longestPattern} characters.`;
      throw invalidOption(message);
    }
  }
  assertPath(rule, place);
}

function isAboutFiles(action: PolicyAction): boolean {
  return action === 'read' || action === 'run';
}

/** Refuses a rule that can never match a path or an action, because it would protect nothing. */
function assertPath({ path, action }: PolicyRule, place: string): void {
  if (path === undefined) return;
  const other = itemsOf(action).find((each) => !isAboutFiles(each));
  const bad = itemsOf(path).find((pattern) => /(?:^|\/)\.{0,2}(?:\/|$)|\\/.test(pattern));
  if (other === undefined && bad === undefined) return;
  const what =
    other === undefined
      ? `the path \`${bad}\`, which no file has. Expected one like \`references/*\`.`
      : `a \`path\` and the action \`${other}\`, which is about no file. Expected \`read\` or \`run\`.`;
  throw invalidOption(`${place} has ${what}`);
}

function assertWord(kind: keyof typeof words, word: unknown, place: string): void {
  const known: readonly unknown[] = words[kind];
  if (!known.includes(word)) throw invalid(`${place} has the ${kind}`, String(word), words[kind]);
}

function invalid(what: string, word: string, known: readonly string[]): SkillError {
  const [closest] = closestNames(word, known);
  const hint = closest === undefined ? `Expected one of ${known.join(', ')}.` : `Did you mean \`${closest}\`?`;
  return invalidOption(`${what} \`${word}\`, which does not exist. ${hint}`);
}
