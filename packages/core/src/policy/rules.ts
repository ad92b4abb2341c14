// Finds the rule that decides about a skill with an index, so that 10,000 rules cost no more than ten. The rules for each skill
// are computed once.

import { nameKey, nameKeys } from '../catalog/names.ts';
import { getOrCreate } from '../runtime/get-or-create.ts';
import { groupBy } from '../runtime/group-by.ts';
import { withCommonSpaces } from '../skill/paths.ts';
import type { Skill } from '../skill/skill.ts';
import { matchesPattern } from './pattern.ts';

/** One or more patterns: `*` means any text, `?` any one character. Letter case is ignored. */
export type PolicyPattern = string | readonly string[];

/** The skills and files to which a rule applies. */
export interface SkillRule {
  /** The name or the qualified name, optionally with the plugin: `pdf`, `internal-*`, `plugin:*`, `lint/*`. */
  readonly skill?: PolicyPattern;
  /** The scope of the source: `plugin`. */
  readonly scope?: PolicyPattern;
  /** The id of the source. */
  readonly source?: PolicyPattern;
  /**
   * The path of a file in its skill, such as `references/*.pdf`. If the rule denies or asks, the path of a directory stands for all
   * files in it. It also applies to links that lead to the file. The rule then applies to the actions `read` and `run` only.
   */
  readonly path?: PolicyPattern;
}

/** A rule, and what it does. */
type EffectiveRule = SkillRule & { readonly effect: string };

/** The patterns of a rule as keys, so that names that look the same match the same patterns; undefined if any text matches. */
type PatternKeys = Readonly<Record<keyof SkillRule, readonly string[] | undefined>>;

interface RuleIndex {
  /** In the order of the rules. */
  readonly patterns: readonly PatternKeys[];
  /**
   * Positions of the rules by the start of their patterns for skills, up to the first `*` or `?`; rules without such a pattern
   * are below the empty text.
   */
  readonly beginnings: ReadonlyMap<string, readonly number[]>;
  /** Positions of the rules that apply to each skill and its files, in order. */
  readonly about: WeakMap<Skill, readonly number[]>;
  readonly hasPaths: boolean;
}

const indexes = new WeakMap<readonly EffectiveRule[], RuleIndex>();

/** Returns the first rule that applies to a skill, or to the file at a path in it, and passes a check. */
export function findRule<Rule extends EffectiveRule>(
  rules: readonly Rule[],
  skill: Skill,
  path: string | undefined,
  check: (rule: Rule) => boolean,
): Rule | undefined {
  const index = indexOf(rules);
  const positions = getOrCreate(index.about, skill, () => findAbout(index, skill));
  const paths = path === undefined ? [] : pathKeys(path.replaceAll(emptySegments, ''));
  for (const position of positions) {
    const rule = rules[position];
    if (rule !== undefined && check(rule) && matches(index.patterns[position]?.path, paths)) return rule;
  }
  return undefined;
}

function findAbout({ beginnings, patterns }: RuleIndex, skill: Skill): readonly number[] {
  const names = nameKeys(skill);
  const [scope, source] = [[nameKey(skill.source.scope)], [nameKey(skill.source.id)]];
  const found = new Set<number>(beginnings.get(''));
  for (const name of names) {
    for (let end = 1; end <= name.length; end += 1) {
      for (const position of beginnings.get(name.slice(0, end)) ?? []) found.add(position);
    }
  }
  const isAbout = (rule: PatternKeys | undefined) =>
    matches(rule?.scope, scope) && matches(rule?.source, source) && matches(rule?.skill, names);
  return [...found].filter((position) => isAbout(patterns[position])).sort((one, other) => one - other);
}

function matches(patterns: readonly string[] | undefined, keys: readonly string[]): boolean {
  return patterns?.some((pattern) => keys.some((key) => matchesPattern(pattern, key))) ?? true;
}

/** The segments of a path that change nothing, as in `./a//b`. */
const emptySegments = /(?<=^|\/)\.?\//g;

/** Checks whether any rule applies to single files. */
export function hasPathRules(rules: readonly EffectiveRule[]): boolean {
  return indexOf(rules).hasPaths;
}

/**
 * Returns the two keys of a path: one that leaves each character one character, for `?`, and one for all spellings that a disk
 * or a model treats as the same. That ignores letter case, the kind of a space, how characters are composed, and characters that are
 * not shown. Lower case first, because one capital letter has no upper case of its own, but two lower-case forms of a letter have
 * the same.
 */
function pathKeys(path: string): readonly string[] {
  const plain = withCommonSpaces(path);
  const seen = plain.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return [plain.normalize('NFC').toLowerCase(), seen.toLowerCase().toUpperCase().normalize('NFC')];
}

function indexOf(rules: readonly EffectiveRule[]): RuleIndex {
  return getOrCreate(indexes, rules, indexRules);
}

function indexRules(rules: readonly EffectiveRule[]): RuleIndex {
  const patterns = rules.map(({ skill, scope, source, path, effect }) => ({
    skill: keysOf(skill),
    scope: keysOf(scope),
    source: keysOf(source),
    // A rule that allows `x.py` must not allow `x.py/y.sh`, because the author of a skill may name a directory like a file.
    path: keysOf(path, pathKeys)?.flatMap((key) => (effect === 'allow' ? key : [key, `${key}/*`])),
  }));
  const starts = patterns.flatMap(({ skill = [''] }, position) => skill.map((pattern) => ({ pattern, position })));
  const groups = groupBy(starts, ({ pattern }) => pattern.split(/[*?]/, 1)[0] ?? '');
  const beginnings = new Map([...groups].map(([start, all]) => [start, all.map(({ position }) => position)]));
  return { patterns, beginnings, about: new WeakMap(), hasPaths: patterns.some(({ path }) => path !== undefined) };
}

function keysOf(
  pattern: PolicyPattern | undefined,
  keysIn: (one: string) => string | readonly string[] = nameKey,
): readonly string[] | undefined {
  return pattern === undefined ? undefined : [pattern].flat().flatMap(keysIn);
}
