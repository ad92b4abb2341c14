// Finds the rules that may apply to a skill, so that ten thousand rules cost no more than ten for each of many skills.

import { nameKey } from '../catalog/catalog.ts';

/** What of a rule says which skills it is about. */
interface SkillRule {
  readonly skill?: string | readonly string[] | undefined;
}

/** Indexes of rules by how their patterns for skills begin, up to the first `*` or `?`; all others begin with nothing. */
type RuleIndex = ReadonlyMap<string, readonly number[]>;

const indexes = new WeakMap<readonly SkillRule[], RuleIndex>();

/** Returns the rules whose patterns begin like one of the names, in order. The rules are indexed once. */
export function rulesFor<Rule extends SkillRule>(rules: readonly Rule[], names: readonly string[]): readonly Rule[] {
  const index = indexes.get(rules) ?? indexRules(rules);
  indexes.set(rules, index);
  const found = new Set<number>(index.get(''));
  for (const name of names) {
    for (let end = 1; end <= name.length; end += 1) {
      for (const position of index.get(name.slice(0, end)) ?? []) found.add(position);
    }
  }
  return [...found].sort((one, other) => one - other).flatMap((position) => rules[position] ?? []);
}

function indexRules(rules: readonly SkillRule[]): RuleIndex {
  const index = new Map<string, number[]>();
  for (const [position, { skill = '*' }] of rules.entries()) {
    for (const pattern of typeof skill === 'string' ? [skill] : skill) {
      const [beginning = ''] = nameKey(pattern).split(/[*?]/, 1);
      const known = index.get(beginning);
      if (known === undefined) index.set(beginning, [position]);
      else known.push(position);
    }
  }
  return index;
}
