// Loads tier 1: the skills of all sources, which of them has each name, and why the others are not offered.

import { createDiagnostic, type Diagnostic, type SkillProfile } from '../diagnostics/diagnostic.ts';
import { profiles } from '../diagnostics/table.ts';
import { getOrCreate } from '../runtime/get-or-create.ts';
import { groupBy } from '../runtime/group-by.ts';
import { isRecord, kindOf } from '../runtime/record.ts';
import { assertSources } from '../skill/assert-sources.ts';
import { checkChoice, checkKeys, invalidOption } from '../skill/options.ts';
import type { Skill } from '../skill/skill.ts';
import type { SkillScope, SkillSource, SourceOptions } from '../skill/source.ts';
import { decideNames, type ShadowedSkill } from './decide-names.ts';
import { loadSource } from './load-source.ts';
import type { RejectedSkill, SourceSnapshot } from './snapshot.ts';
import { findWithheld, type WithheldSkill, type WithholdOptions } from './withhold.ts';

/** The key of a catalog's snapshots; the same in every installed copy of the core. */
const snapshots: unique symbol = Symbol.for('@skillful/core/snapshots');

/** An immutable snapshot of every source. Reloading creates a new one. */
export interface Catalog {
  /** The skill that won each name, sorted by name in code-unit order. */
  readonly skills: readonly Skill[];
  readonly shadowed: readonly ShadowedSkill[];
  readonly rejected: readonly RejectedSkill[];
  /**
   * Skills that a person switched off, and skills whose requirements are missing. Empty unless `settings` or `environment` is
   * set.
   */
  readonly withheld: readonly WithheldSkill[];
  readonly diagnostics: readonly Diagnostic[];
  /** What each source returned. The next load starts from it; opaque to everyone else. */
  readonly [snapshots]?: readonly SourceSnapshot[];
}

export interface LoadCatalogOptions extends SourceOptions, WithholdOptions {
  /** @default 'lenient' */
  readonly profile?: SkillProfile | undefined;
  /**
   * Uses the first paragraph of the body if there is no description, with the warning `description-assumed`; an error in `strict`
   * and `portable`. Reads the beginning of the body of only such skills.
   * @default false
   */
  readonly describeByBody?: boolean | undefined;
  /**
   * The catalog to start from: unchanged skills are not read again, and a source that fails keeps its last good result, with the
   * diagnostic `source-kept`. Sources are matched by id, and sources with the same id by their order. If nothing has changed and
   * there is nothing to report, the same object is returned. Entries without a `stamp`, such as those of `readerSource`, count as
   * changed unless they are cached.
   */
  readonly previous?: Catalog | undefined;
  /**
   * Scopes in order of precedence, such as `['enterprise', 'user', 'project']`; without it, the order of the sources decides.
   * Sources of one scope keep their order; scopes that are not named come last.
   */
  readonly precedence?: readonly SkillScope[] | undefined;
}

/** All options. If `settings` or `profile` were misspelt, skills would be offered that must not be. */
export const loadOptionNames: readonly string[] =
  'signal settings environment profile describeByBody previous precedence'.split(' ');

/**
 * Loads a catalog from sources. If several have a skill of the same name, the first source wins.
 *
 * Reads only the beginning of each `SKILL.md`. Never rejects because of a source or a skill: a source that fails, and each skill
 * that is not offered, becomes a diagnostic. An untrusted source is not read at all.
 *
 * @throws {SkillError} `options-invalid` if a source is not valid, or the profile or an option is unknown
 */
export async function loadCatalog(sources: readonly SkillSource[], options: LoadCatalogOptions = {}): Promise<Catalog> {
  checkKeys('options', options, loadOptionNames);
  const { signal, profile = 'lenient', describeByBody = false, previous, precedence } = options;
  assertSources(sources);
  checkChoice('profile', profile, profiles);
  const before = snapshotsOf(previous);
  const known = groupBy(before, ({ source }) => source.id);
  const loaded = await Promise.all(
    inPrecedence(sources, precedence).map((source) =>
      loadSource(source, { signal, profile, describeByBody, known: known.get(source.id)?.shift() }),
    ),
  );
  signal?.throwIfAborted();
  const isSame = before.length === loaded.length && loaded.every((each, index) => each === before[index]);
  const given = await withholdSkills(await catalogOf(loaded, signal), options);
  return isSame && previous !== undefined && reportsSame(previous, given) ? previous : given;
}

/** Leaves out skills that a person switched off or whose requirements are missing. Their names stay taken. */
async function withholdSkills(catalog: Catalog, options: LoadCatalogOptions): Promise<Catalog> {
  if (options.settings === undefined && options.environment === undefined) return catalog;
  const { skills, shadowed } = catalog;
  const { withheld, diagnostics } = await findWithheld(skillsOf(catalog), options);
  if (withheld.length === 0 && diagnostics.length === 0) return catalog;
  const reasons = withheld.map(({ reason }) => reason);
  const left = new Set(withheld.map(({ skill }) => skill));
  return Object.freeze({
    ...catalog,
    skills: skills.filter((skill) => !left.has(skill)),
    shadowed: shadowed.filter(({ skill }) => !left.has(skill)),
    withheld,
    diagnostics: [...catalog.diagnostics, ...diagnostics, ...reasons],
  });
}

/**
 * Checks whether two catalogs have the same diagnostics. If their listings are the same, too, the catalogs are equal, because
 * a diagnostic is reported for each skill that is left out.
 */
export function reportsSame({ diagnostics: before }: Catalog, { diagnostics: now }: Catalog): boolean {
  if (before.length !== now.length) return false;
  return now.every(({ message, location }, at) => message === before[at]?.message && location === before[at].location);
}

/** Checks what an application passes as a catalog. @throws {SkillError} `options-invalid` */
export function assertCatalog(catalog: Catalog): void {
  if (isRecord(catalog) && Array.isArray(catalog['skills']) && Array.isArray(catalog['shadowed'])) return;
  const message = `Expected a catalog, not ${kindOf(catalog)}. \`loadCatalog\` returns a promise of one: await it.`;
  throw invalidOption(message);
}

/** Returns the skills of a catalog, including shadowed ones. */
export function skillsOf(catalog: Catalog): readonly Skill[] {
  assertCatalog(catalog);
  return [...catalog.skills, ...catalog.shadowed.map(({ skill }) => skill)];
}

/** Returns what the sources of a catalog returned. */
export function snapshotsOf(catalog: Catalog | undefined): readonly SourceSnapshot[] {
  if (catalog !== undefined) assertCatalog(catalog);
  return catalog?.[snapshots] ?? [];
}

function inPrecedence(sources: readonly SkillSource[], precedence: readonly SkillScope[] = []): readonly SkillSource[] {
  const rank = ({ scope }: SkillSource): number => {
    const place = precedence.indexOf(scope);
    return place === -1 ? precedence.length : place;
  };
  return [...sources].sort((a, b) => rank(a) - rank(b));
}

/** A node of a tree of catalogs: the catalog of the snapshots on the path to it, and the catalogs of longer lists. */
interface Decided {
  catalog?: Catalog;
  readonly longer: WeakMap<SourceSnapshot, Decided>;
}

/** Catalogs by their snapshots, so that loads of the same cached sources share one. Kept as long as the snapshots. */
const decided: Decided = { longer: new WeakMap() };

function findDecided(loaded: readonly SourceSnapshot[]): Decided {
  let found = decided;
  for (const snapshot of loaded) found = getOrCreate(found.longer, snapshot, () => ({ longer: new WeakMap() }));
  return found;
}

/** Returns the catalog of the snapshots; the same object each time. */
async function catalogOf(loaded: readonly SourceSnapshot[], signal: AbortSignal | undefined): Promise<Catalog> {
  const known = findDecided(loaded);
  if (known.catalog !== undefined) return known.catalog;
  const names = await decideNames(loaded, signal);
  const diagnostics = [...names.diagnostics, ...reportNothingFound(loaded)];
  known.catalog = Object.freeze({ ...names, withheld: [], diagnostics, [snapshots]: loaded });
  return known.catalog;
}

/**
 * Names the searched places if no source has a skill, unless there is another explanation than missing directories: an agent
 * without skills still works and looks healthy.
 */
function reportNothingFound(loaded: readonly SourceSnapshot[]): readonly Diagnostic[] {
  const isSilent = loaded.every(
    ({ entries, diagnostics }) => entries.size === 0 && diagnostics.every(({ code }) => code === 'root-missing'),
  );
  const places = [...new Set(loaded.flatMap(({ source: { id, root, searched } }) => searched ?? [root ?? id]))];
  const sources = loaded.map(({ source }) => source);
  const directoryOf = ({ root, searched }: SkillSource): string | undefined => root ?? searched?.[0];
  // A directory is more often empty by mistake than a source without one.
  const first = sources.find(directoryOf) ?? sources[0];
  if (!isSilent || first === undefined) return [];
  const site = { source: first.id, location: directoryOf(first) ?? first.id };
  return [createDiagnostic('skills-not-found', site, { places })];
}
