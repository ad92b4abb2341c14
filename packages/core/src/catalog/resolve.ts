// Finds the skill that a name means, with the same rules for tools, mentions and the command line.

import { findGivenProblem } from '../format/properties/name.ts';
import { kindOf } from '../runtime/record.ts';
import { checkDecision, checkKeys, invalidOption } from '../skill/options.ts';
import { lastSegment } from '../skill/paths.ts';
import type { Skill } from '../skill/skill.ts';
import { knownScopes } from '../skill/source.ts';
import { closestNames } from '../text/closest.ts';
import { hasSeparatorLike } from '../text/look-alikes.ts';
import { escapeField } from '../text/neutral.ts';
import { assertCatalog, type Catalog, skillsOf, snapshotsOf } from './catalog.ts';
import { nameKey, pluginNames, qualifiedName } from './names.ts';
import type { RejectedSkill } from './snapshot.ts';

/** What a name means: one skill, one of several, or none, with close names as suggestions. */
export type SkillResolution =
  | { readonly kind: 'found'; readonly skill: Skill }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly Skill[] }
  | { readonly kind: 'unknown'; readonly suggestions: readonly string[] };

export interface ResolveSkillOptions {
  /**
   * Also accepts part of a name if only one skill has it. Turn this off before you change or delete the skill that is found.
   * @default true
   */
  readonly parts?: boolean | undefined;
  /** Names of skills that may have left the catalog. They never find another skill whose name contains them. */
  readonly former?: readonly string[] | undefined;
}

/**
 * Finds a skill by its name, its qualified name, its name in another case or as shown, its directory, its name in quotes or with
 * other separators (`"pdf_forms"`), or a part of its name that no other skill has, broken ones included.
 *
 * The first of these that matches any skill decides, so an exact name is never ambiguous. Shadowed skills are found by their
 * qualified name or with the name of their plugin: `lint/deploy`, `plugin:lint/deploy`, and `lint:deploy` as in Claude Code.
 *
 * @throws {SkillError} `options-invalid` if the catalog is not one, the name is not text, or an option is unknown
 */
export function resolveSkill(catalog: Catalog, name: string, options: ResolveSkillOptions = {}): SkillResolution {
  checkKeys('options', options, ['parts', 'former']);
  const { parts = true, former = [] } = options;
  checkDecision('parts', parts);
  assertCatalog(catalog);
  if (typeof name !== 'string') throw invalidOption(`The name of a skill must be text, not ${kindOf(name)}.`);
  const wanted = name.trim();
  const { skills } = catalog;
  const unknown = { kind: 'unknown', suggestions: [] } as const;
  if (wanted === '' || wanted.length > longestWanted) return unknown;
  const exact = skills.find((skill) => skill.name === wanted) ?? findQualified(catalog, wanted);
  if (exact !== undefined) return { kind: 'found', skill: exact };
  const key = nameKey(wanted);
  // Text in the form of a qualified name is never taken for the name of a directory.
  if (key.includes(':') || hasSeparatorLike(wanted)) return { kind: 'unknown', suggestions: findInside(key, skills) };
  const steps: readonly ((skill: Skill) => boolean)[] = [
    (skill) => nameKey(skill.name) === key,
    (skill) => escapeField(skill.name) === wanted,
    (skill) => lastSegment(skill.directory) === wanted,
  ];
  // Models also write quotes and other separators.
  const plain = plainSpelling(wanted);
  const isPlain = (name: string): boolean => plain !== key && plain !== '' && plain === plainSpelling(name);
  const hasPart = (skill: Skill): boolean => key.length > 1 && nameKey(skill.name).includes(key);
  const isFormer = former.some((each) => nameKey(each) === key || isPlain(each));
  const isRejected = catalog.rejected.some((rejected) => isCalled(rejected, key, isPlain));
  const takesParts = parts && !isFormer && !isRejected;
  for (const fits of takesParts ? [...steps, ({ name }: Skill) => isPlain(name), hasPart] : steps) {
    const candidates = skills.filter(fits);
    const [first] = candidates;
    if (first !== undefined)
      return candidates.length === 1 ? { kind: 'found', skill: first } : { kind: 'ambiguous', candidates };
  }
  const partly = skills.filter(hasPart).slice(0, 3);
  const known = skills.map((skill) => skill.name);
  const suggestions = [
    ...partly.map((skill) => skill.name),
    ...closestNames(wanted, known),
    ...findInside(key, skills),
  ];
  return { kind: 'unknown', suggestions: [...new Set(suggestions)] };
}

/** Returns up to three names whose words follow each other in a text, the longest first: `pdf` in `document-skills:pdf`. */
function findInside(text: string, skills: readonly Skill[]): readonly string[] {
  const wordsOf = (key: string): string => ` ${key.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()} `;
  const words = wordsOf(text);
  return skills
    .map(({ name }) => name)
    .filter((name) => words.includes(wordsOf(nameKey(name))))
    .sort((one, other) => other.length - one.length)
    .slice(0, 3);
}

/** Returns the key of a name without quotes, brackets and punctuation around its words, and with hyphens between them. */
function plainSpelling(name: string): string {
  const bare = nameKey(name).replace(/["'`\u201c\u201d\u2018\u2019()[\]{}.,]/g, ' ');
  return bare.trim().replace(/[\s_-]+/g, '-');
}

/** Checks whether a broken skill has one of the names, so that asking for it never finds another skill. */
function isCalled({ name, directory }: RejectedSkill, key: string, isPlain: (name: string) => boolean): boolean {
  const names = name === undefined ? [lastSegment(directory)] : [lastSegment(directory), name];
  return names.some((each) => nameKey(each) === key || isPlain(each));
}

/** Characters of a name; no name with its scope and plugin is as long. */
export const longestWanted = 1_000;

function findQualified(catalog: Catalog, wanted: string): Skill | undefined {
  const key = nameKey(wanted);
  if (!/[:/]/.test(key)) return undefined;
  const all = skillsOf(catalog);
  const commandName = createCommandName(catalog);
  // A scope takes precedence over a plugin of the same name, because a plugin can have any name.
  return (
    all.find((skill) => nameKey(qualifiedName(skill)) === key) ??
    all.find((skill) => pluginNames(skill).map(nameKey).includes(key)) ??
    all.find((skill) => nameKey(commandName(skill) ?? '') === key)
  );
}

/**
 * Creates a function that returns the name of a plugin's skill in Claude Code, `lint:deploy`; undefined if the skill is not from a
 * plugin, or if that could be a qualified name, also of a skill that is denied or away.
 */
export function createCommandName(catalog: Catalog): (skill: Skill) => string | undefined {
  const scopes = new Set<string>([...knownScopes, ...snapshotsOf(catalog).map(({ source }) => nameKey(source.scope))]);
  return ({ plugin, name }) => {
    if (plugin === undefined || scopes.has(nameKey(plugin)) || findGivenProblem(plugin) !== undefined) return undefined;
    return `${plugin}:${name}`;
  };
}

/** Finds the name of the skill that a tool name stands for, because providers allow only few characters in tool names. */
export function findSpelling(catalog: Catalog, toolName: string): string | undefined {
  const names = catalog.skills.map(({ name }) => name);
  if (names.includes(toolName)) return toolName;
  const spelled = names.filter((name) => toolSpelling(name) === toolSpelling(toolName));
  return spelled.length === 1 ? spelled[0] : undefined;
}

function toolSpelling(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_');
}
