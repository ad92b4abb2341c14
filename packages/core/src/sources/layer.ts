// Sources made of sources: what a host changes about skills that somebody else keeps.

import { createDiagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { parseSkillHead } from '../format/parse.ts';
import { findGivenProblem, normalizeName } from '../format/properties/name.ts';
import { createTurn } from '../runtime/turns.ts';
import { reasonOf, SkillError } from '../skill/error.ts';
import { lastSegment } from '../skill/last-segment.ts';
import { maxFrontmatterBytes } from '../skill/limits.ts';
import type { ListOptions, SkillDirectory, SkillEntry, SkillListing, SkillSource } from '../skill/source.ts';
import { noteLeftOut, type OpenedEntry, openEntries, sealEntry } from './layer-stamp.ts';

/** What a filter is asked about: a skill before anything but its head was read. */
export interface FilterCandidate extends SkillDirectory {
  /** The name that the skill would have in a catalog; that of its directory where the frontmatter gives none. */
  readonly name: string;
}

/**
 * What a layer left out of its last listing, by directory. Whoever asks next does not know these entries, so without this
 * they would be read each time. It only saves reads: whether an entry is left out is decided anew.
 */
type LeftOut = ReadonlyMap<string, OpenedEntry>;

const nothing: LeftOut = new Map();

/**
 * Creates a source that leaves out what `keep` refuses. What is left out is not in the catalog at all. Where `keep` throws or
 * answers with anything else than true or false, the listing rejects with `source-failed`.
 */
export function filterSource(source: SkillSource, keep: (skill: FilterCandidate) => boolean): SkillSource {
  let refused = nothing;

  function isKept(skill: FilterCandidate): boolean {
    const answer: unknown = askHost('filterSource', () => keep(skill));
    if (typeof answer === 'boolean') return answer;
    throw new SkillError('source-failed', 'The function of `filterSource` answered with neither true nor false');
  }

  async function list(options: ListOptions, passedOver: LeftOut): Promise<SkillListing> {
    const asked = openEntries(options.known, 'filter');
    const before = new Map([...passedOver, ...asked]);
    const { entries, diagnostics } = await source.list({ ...options, known: before });
    const kept: SkillEntry[] = [];
    const leftOut = new Map<string, OpenedEntry>();
    const turn = createTurn();
    for (const entry of entries) {
      await turn(options.signal);
      const name = await nameOf(source, entry, before.get(entry.directory), options);
      if (!isKept({ ...entry, name })) noteLeftOut(leftOut, entry, name);
      // It was refused before, so whoever asks has never seen it and needs its head.
      else if (entry.unchanged === true && !asked.has(entry.directory)) return list(options, nothing);
      else kept.push(sealEntry(entry, 'filter', name));
    }
    refused = leftOut;
    return { entries: kept, diagnostics };
  }

  return derive(source, (options) => list(options, refused));
}

/**
 * Creates a source whose skills have the names that `rename` gives them; nothing else about them changes. A skill keeps its
 * own name, with the diagnostic `name-given-refused`, where the new one is empty, leads outside or could deceive. Where
 * `rename` throws, the listing rejects with `source-failed`.
 */
export function renameSource(source: SkillSource, rename: (name: string) => string): SkillSource {
  function givenTo(name: string): { readonly given: string; readonly problem: string | undefined } {
    const given: unknown = askHost('renameSource', () => rename(name));
    if (typeof given !== 'string') return { given: '', problem: 'no text' };
    const normal = normalizeName(given);
    return { given: normal, problem: findGivenProblem(normal) };
  }

  return derive(source, async (options) => {
    const asked = openEntries(options.known, 'rename');
    for (const [directory, { notes }] of asked) {
      const [name = '', given] = notes;
      // What has another name now is not what it was.
      if (givenTo(name).given !== given) asked.delete(directory);
    }
    const { entries, diagnostics } = await source.list({ ...options, known: asked });
    const renamed: SkillEntry[] = [];
    const refused: Diagnostic[] = [];
    const turn = createTurn();
    for (const entry of entries) {
      await turn(options.signal);
      const name = await nameOf(source, entry, asked.get(entry.directory), options);
      const { given, problem } = givenTo(name);
      const sealed = sealEntry(entry, 'rename', name, given);
      renamed.push(problem === undefined ? { ...sealed, name: given } : sealed);
      if (problem === undefined) continue;
      const site = { source: source.id, location: entry.location };
      refused.push(createDiagnostic('name-given-refused', site, { name, given, problem }));
    }
    return { entries: renamed, diagnostics: refused.length === 0 ? diagnostics : [...diagnostics, ...refused] };
  });
}

/**
 * Creates a source whose names start with a prefix, such as `acme/`, so that they cannot collide with others. A skill whose
 * name becomes too long keeps its own.
 *
 * @throws {SkillError} `options-invalid` where no name can start so
 */
export function prefixSource(source: SkillSource, prefix: string): SkillSource {
  const problem = typeof prefix === 'string' ? findGivenProblem(`${prefix}x`) : 'no text';
  if (problem !== undefined) {
    const words = 'Use words of lowercase letters, digits and hyphens, such as `acme/`.';
    throw new SkillError('options-invalid', `The prefix of \`prefixSource\` holds ${problem}. ${words}`);
  }
  return renameSource(source, (name) => prefix + name);
}

/**
 * Creates one source from several, the first of which wins: it replaces a whole skill of the others whose directory has
 * the same name, and none of its own. Identity, level and trust are those of the first; it takes all of them to be trusted.
 *
 * @throws {SkillError} `options-invalid` without a source
 */
export function overlaySource(...sources: readonly SkillSource[]): SkillSource {
  const [first] = sources;
  if (first === undefined) throw new SkillError('options-invalid', '`overlaySource` was given no source.');
  const origins = new Map<string, SkillSource>();
  let replaced: readonly LeftOut[] = [];

  function originOf(skill: SkillDirectory): SkillSource {
    const origin = origins.get(skill.directory);
    if (origin !== undefined) return origin;
    throw new SkillError(
      'skill-unknown',
      'The skill was not found by this source. Pass an entry that its `list` returned.',
    );
  }

  async function list(options: ListOptions, passedOver: readonly LeftOut[]): Promise<SkillListing> {
    const opened = openEntries(options.known, 'overlay');
    const asked = sources.map((_, index) => new Map([...opened].filter(([, { notes }]) => notes[0] === `${index}`)));
    const listings = await Promise.all(
      sources.map((source, index) => {
        const known = new Map([...(passedOver[index] ?? nothing), ...(asked[index] ?? nothing)]);
        return source.list({ ...options, known });
      }),
    );
    const holders = new Map<string, SkillSource>();
    const found: { readonly key: string; readonly entry: SkillEntry; readonly source: SkillSource }[] = [];
    const leftOut = sources.map(() => new Map<string, OpenedEntry>());
    for (const [index, source] of sources.entries()) {
      for (const entry of listings[index]?.entries ?? []) {
        const key = lastSegment(entry.directory);
        const holder = holders.get(key) ?? source;
        if (holder !== source) noteLeftOut(leftOut[index] ?? new Map(), entry);
        // It was replaced before, so whoever asks has never seen it and needs its head.
        else if (entry.unchanged === true && !asked[index]?.has(entry.directory)) return list(options, []);
        else {
          holders.set(key, source);
          found.push({ key, entry: sealEntry(entry, 'overlay', `${index}`), source });
        }
      }
    }
    replaced = leftOut;
    origins.clear();
    for (const { entry, source } of found) origins.set(entry.directory, source);
    // Stable, so that directories of one name stay in the order of their source.
    const sorted = found.sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -1 : 1));
    return {
      entries: sorted.map(({ entry }) => entry),
      diagnostics: listings.flatMap(({ diagnostics }) => diagnostics),
    };
  }

  return {
    id: first.id,
    scope: first.scope,
    trusted: sources.every(({ trusted }) => trusted),
    list: (options = {}) => list(options, replaced),
    listFiles: async (skill, options) => originOf(skill).listFiles(skill, options),
    readFile: async (skill, path, options) => originOf(skill).readFile(skill, path, options),
  };
}

/** Asks a function of the host, whose failure is that of the source. */
function askHost<T>(layer: string, question: () => T): T {
  try {
    return question();
  } catch (error) {
    throw new SkillError('source-failed', `The function of \`${layer}\` failed: ${reasonOf(error)}`, { cause: error });
  }
}

function derive(source: SkillSource, list: (options: ListOptions) => Promise<SkillListing>): SkillSource {
  return {
    id: source.id,
    scope: source.scope,
    trusted: source.trusted,
    list: (options = {}) => list(options),
    listFiles: (skill, options) => source.listFiles(skill, options),
    readFile: (skill, path, options) => source.readFile(skill, path, options),
  };
}

/**
 * Gives the name of an entry: that of a layer below, the one that was noted where nothing has changed since, else what the
 * head says. The rare frontmatter that is longer than the head is read as far as it may go.
 */
async function nameOf(
  source: SkillSource,
  entry: SkillEntry,
  before: OpenedEntry | undefined,
  { signal }: ListOptions,
): Promise<string> {
  const given = entry.name === undefined ? undefined : normalizeName(entry.name);
  if (given !== undefined && findGivenProblem(given) === undefined) return given;
  const noted = before?.notes[0];
  if (entry.unchanged === true && noted !== undefined) return noted;
  const directoryName = lastSegment(entry.directory);
  const complete = entry.head.length >= entry.bytes;
  const head = parseSkillHead(entry.head, { complete, directoryName });
  if (head !== undefined) return head.properties?.name ?? directoryName;
  const longer = await source.readFile(entry, 'SKILL.md', { signal, length: maxFrontmatterBytes + 1024 });
  return parseSkillHead(longer, { complete: true, directoryName })?.properties?.name ?? directoryName;
}
