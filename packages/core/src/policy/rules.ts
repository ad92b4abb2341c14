// Finds the rule that decides about a skill, with an index, so that ten thousand rules cost no more than ten.

import { nameKey } from '../catalog/catalog.ts';
import { matchesPattern } from './pattern.ts';

type Pattern = string | readonly string[] | undefined;

/** The fields of a rule that say which skills it is about, and which of their files. */
interface SkillRule {
  readonly skill?: Pattern;
  readonly scope?: Pattern;
  readonly source?: Pattern;
  readonly path?: Pattern;
}

/** The keys of a skill's names, of its scope, of the id of its source, and of the path of a file. */
export type SkillKeys = Readonly<Record<keyof SkillRule, readonly string[]>>;

/** The patterns of a rule as keys, so that names that look the same match the same patterns; none if any text matches. */
type PatternKeys = Readonly<Record<keyof SkillRule, readonly string[] | undefined>>;

interface RuleIndex {
  /** In the order of the rules. */
  readonly patterns: readonly PatternKeys[];
  /** Positions of rules by how their patterns for skills begin, up to the first `*` or `?`; all others begin with nothing. */
  readonly beginnings: ReadonlyMap<string, readonly number[]>;
  readonly hasPaths: boolean;
}

const indexes = new WeakMap<readonly SkillRule[], RuleIndex>();

/** Returns the first rule that is about a skill and passes a check. The rules are indexed once. */
export function findRule<Rule extends SkillRule>(
  rules: readonly Rule[],
  keys: SkillKeys,
  check: (rule: Rule) => boolean,
): Rule | undefined {
  const index = indexOf(rules);
  const found = new Set<number>(index.beginnings.get(''));
  for (const name of keys.skill) {
    for (let end = 1; end <= name.length; end += 1) {
      for (const position of index.beginnings.get(name.slice(0, end)) ?? []) found.add(position);
    }
  }
  for (const position of [...found].sort((one, other) => one - other)) {
    const [rule, patterns] = [rules[position], index.patterns[position]];
    if (rule !== undefined && patterns !== undefined && check(rule) && isAbout(patterns, keys)) return rule;
  }
  return undefined;
}

/** Checks whether any rule is about single files. */
export function hasPathRules(rules: readonly SkillRule[]): boolean {
  return indexOf(rules).hasPaths;
}

/** Letter case does not count, as on some disks, nor how characters are composed. */
export function pathKey(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function indexOf(rules: readonly SkillRule[]): RuleIndex {
  const index = indexes.get(rules) ?? indexRules(rules);
  indexes.set(rules, index);
  return index;
}

function isAbout(patterns: PatternKeys, keys: SkillKeys): boolean {
  return (['scope', 'source', 'skill', 'path'] as const).every((field) => {
    return patterns[field]?.some((pattern) => keys[field].some((key) => matchesPattern(pattern, key))) ?? true;
  });
}

function indexRules(rules: readonly SkillRule[]): RuleIndex {
  const patterns = rules.map(({ skill, scope, source, path }) => ({
    skill: keysOf(skill),
    scope: keysOf(scope),
    source: keysOf(source),
    path: keysOf(path, pathKey),
  }));
  const beginnings = new Map<string, number[]>();
  for (const [position, { skill = [''] }] of patterns.entries()) {
    for (const pattern of skill) {
      const [beginning = ''] = pattern.split(/[*?]/, 1);
      const known = beginnings.get(beginning);
      if (known === undefined) beginnings.set(beginning, [position]);
      else known.push(position);
    }
  }
  return { patterns, beginnings, hasPaths: patterns.some(({ path }) => path !== undefined) };
}

function keysOf(pattern: Pattern, keyOf = nameKey): readonly string[] | undefined {
  return typeof pattern === 'string' ? [keyOf(pattern)] : pattern?.map(keyOf);
}
