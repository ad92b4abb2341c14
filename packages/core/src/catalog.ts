// Tier 1 as data: what all sources hold, who won each name, and why the rest is not offered.

import { createDiagnostic, type Diagnostic, hasErrors, type SkillProfile } from './diagnostic.ts';
import { parseSkillHead, type SkillHead } from './parse.ts';
import { createPause } from './pause.ts';
import type { Skill } from './skill.ts';
import type { SkillEntry, SkillSource, SourceOptions } from './source.ts';

/** A skill that lost its name to another one; still reachable by its qualified name where that differs. */
export interface ShadowedSkill {
  readonly skill: Skill;
  /** The skill that holds the name. */
  readonly by: Skill;
}

/** A directory with a `SKILL.md` that did not become a skill. The diagnostics with its location say why. */
export interface RejectedSkill {
  readonly source: SkillSource;
  readonly directory: string;
  readonly location: string;
  /** The name that it would have had, where one was understood. */
  readonly name?: string;
}

/** An immutable snapshot of every source. Reloading makes a new one. */
export interface Catalog {
  /** The winners of each name, sorted by name in code-unit order. */
  readonly skills: readonly Skill[];
  readonly shadowed: readonly ShadowedSkill[];
  readonly rejected: readonly RejectedSkill[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface LoadCatalogOptions extends SourceOptions {
  /** @default 'lenient' */
  readonly profile?: SkillProfile | undefined;
}

/** Bytes of the first look at a frontmatter that its source's head did not hold: the cap of 16 KiB, its fences and line ends. */
const headLimit = 17 * 1024;

/**
 * Loads the catalog of some sources, the first of which wins a name.
 *
 * Reads nothing but the beginning of each `SKILL.md`. Never rejects for what a source or a skill holds: a failing source
 * is a diagnostic, and so is each skill that is not offered. An untrusted source is not read at all.
 */
export async function loadCatalog(sources: readonly SkillSource[], options: LoadCatalogOptions = {}): Promise<Catalog> {
  const loaded = await Promise.all(sources.map((source) => loadSource(source, options)));
  options.signal?.throwIfAborted();
  return settle(loaded);
}

interface LoadedSource {
  readonly skills: readonly Skill[];
  readonly rejected: readonly RejectedSkill[];
  readonly diagnostics: readonly Diagnostic[];
}

async function loadSource(source: SkillSource, options: LoadCatalogOptions): Promise<LoadedSource> {
  const { signal, profile } = options;
  const site = { source: source.id, location: source.id };
  if (!source.trusted) return { skills: [], rejected: [], diagnostics: [createDiagnostic('source-untrusted', site)] };
  try {
    const listing = await source.list({ signal });
    const skills: Skill[] = [];
    const rejected: RejectedSkill[] = [];
    const diagnostics = [...listing.diagnostics];
    const pause = createPause(signal);
    for (const entry of listing.entries) {
      await pause();
      const head = await readHead(source, entry, { signal, profile });
      diagnostics.push(...head.diagnostics);
      const { properties } = head;
      if (properties === undefined || hasErrors(head.diagnostics)) {
        const { directory, location } = entry;
        rejected.push({ source, directory, location, ...(properties === undefined ? {} : { name: properties.name }) });
      } else {
        skills.push(createSkill(source, entry, properties));
      }
    }
    return { skills, rejected, diagnostics };
  } catch (error) {
    signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    return { skills: [], rejected: [], diagnostics: [createDiagnostic('source-failed', site, { reason })] };
  }
}

async function readHead(source: SkillSource, entry: SkillEntry, options: LoadCatalogOptions): Promise<SkillHead> {
  const parseOptions = {
    source: source.id,
    location: entry.location,
    directoryName: lastSegment(entry.directory),
    profile: options.profile ?? 'lenient',
    ...(entry.sidecar === undefined ? {} : { sidecar: entry.sidecar }),
  };
  const first = parseSkillHead(entry.head, { ...parseOptions, complete: entry.head.length >= entry.bytes });
  if (!first.needsMore) return first;
  try {
    const longer = await source.readFile(entry, 'SKILL.md', { length: headLimit, signal: options.signal });
    return parseSkillHead(longer, { ...parseOptions, complete: longer.length < headLimit });
  } catch (error) {
    options.signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    const site = { source: source.id, location: entry.location };
    return {
      properties: undefined,
      needsMore: false,
      diagnostics: [createDiagnostic('skill-file-unreadable', site, { reason })],
    };
  }
}

function createSkill(source: SkillSource, entry: SkillEntry, properties: Skill['properties']): Skill {
  return {
    name: entry.name ?? properties.name,
    description: properties.description,
    properties,
    source,
    directory: entry.directory,
    location: entry.location,
    bytes: entry.bytes,
    ...(entry.identity === undefined ? {} : { identity: entry.identity }),
    ...(entry.bundled === undefined ? {} : { bundled: entry.bundled }),
  };
}

/** Names that a reader could take for each other are one name: compared after NFKC and without regard to case. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

/** Decides every name. A directory that two sources reach is one skill, and no shadowing. */
function settle(loaded: readonly LoadedSource[]): Catalog {
  const winners = new Map<string, Skill>();
  const identities = new Set<string>();
  const shadowed: ShadowedSkill[] = [];
  const diagnostics = loaded.flatMap((source) => source.diagnostics);
  for (const skill of loaded.flatMap((source) => source.skills)) {
    if (skill.identity !== undefined) {
      if (identities.has(skill.identity)) continue;
      identities.add(skill.identity);
    }
    const by = winners.get(nameKey(skill.name));
    if (by === undefined) {
      winners.set(nameKey(skill.name), skill);
    } else {
      shadowed.push({ skill, by });
      const site = { source: skill.source.id, location: skill.location };
      diagnostics.push(createDiagnostic('skill-shadowed', site, { name: skill.name, winner: by.location }));
    }
  }
  const skills = [...winners.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return Object.freeze({ skills, shadowed, rejected: loaded.flatMap((source) => source.rejected), diagnostics });
}

function lastSegment(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
