// Decides which skill gets each name. The result for a source that shares no name and no directory with others is reused.

import { createDiagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { createTurn, type Wait } from '../runtime/turns.ts';
import type { Skill } from '../skill/skill.ts';
import { nameKey } from './names.ts';
import type { RejectedSkill, SourceSnapshot } from './snapshot.ts';

/** A skill that lost its name to another one. Its qualified name still finds it, unless the other has the same. */
export interface ShadowedSkill {
  readonly skill: Skill;
  /** The skill that has the name. */
  readonly by: Skill;
}

/** The result of deciding the names of some sources. */
export interface DecidedNames {
  /** Sorted by name. */
  readonly skills: readonly Skill[];
  readonly shadowed: readonly ShadowedSkill[];
  readonly rejected: readonly RejectedSkill[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The results for single sources, because thousands of tenants may share a source, each with a few skills of its own. */
const alone: WeakMap<SourceSnapshot, DecidedNames> = new WeakMap();

/** Gives each name to the first source that has it. A directory that two sources reach is one skill and shadows nothing. */
export async function decideNames(
  loaded: readonly SourceSnapshot[],
  signal: AbortSignal | undefined,
): Promise<DecidedNames> {
  const turn = createTurn();
  const wait = () => turn(signal);
  const [only] = loaded;
  if (only !== undefined && loaded.length === 1) return decideAlone(only, wait);
  if (!(await areApart(loaded, wait))) return decideTogether(loaded, wait);
  const parts: DecidedNames[] = [];
  for (const snapshot of loaded) parts.push(await decideAlone(snapshot, wait));
  return {
    skills: parts.flatMap(({ skills }) => skills).sort(byName),
    shadowed: parts.flatMap(({ shadowed }) => shadowed),
    rejected: parts.flatMap(({ rejected }) => rejected),
    diagnostics: parts.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** Checks that no two sources share a name or a directory. */
async function areApart(loaded: readonly SourceSnapshot[], wait: Wait): Promise<boolean> {
  const marks: ReadonlySet<string>[] = [];
  for (const snapshot of loaded) marks.push(await marksOf(snapshot, wait));
  // Looks up only the names of the smaller sources, because thousands of tenants may share the largest one.
  const [largest, ...others] = marks.sort((a, b) => b.size - a.size);
  const seen = new Set<string>();
  for (const own of others) {
    for (const mark of own) {
      await wait();
      if (seen.has(mark) || largest?.has(mark)) return false;
      seen.add(mark);
    }
  }
  return true;
}

/** The names and the directories of each source that was compared with others. */
const marked: WeakMap<SourceSnapshot, ReadonlySet<string>> = new WeakMap();

async function marksOf(snapshot: SourceSnapshot, wait: Wait): Promise<ReadonlySet<string>> {
  const before = marked.get(snapshot);
  if (before !== undefined) return before;
  const marks = new Set<string>();
  for (const entry of snapshot.entries.values()) {
    await wait();
    if ('skill' in entry) marks.add(nameKey(entry.skill.name));
    if (entry.identity !== undefined) marks.add(entry.identity);
  }
  marked.set(snapshot, marks);
  return marks;
}

async function decideAlone(snapshot: SourceSnapshot, wait: Wait): Promise<DecidedNames> {
  const known = alone.get(snapshot) ?? (await decideTogether([snapshot], wait));
  alone.set(snapshot, known);
  return known;
}

async function decideTogether(loaded: readonly SourceSnapshot[], wait: Wait): Promise<DecidedNames> {
  const winners = new Map<string, Skill>();
  const identities = new Set<string>();
  const shadowed: ShadowedSkill[] = [];
  const rejected: RejectedSkill[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const snapshot of loaded) {
    for (const diagnostic of snapshot.diagnostics) diagnostics.push(diagnostic);
    for (const entry of snapshot.entries.values()) {
      await wait();
      if (entry.identity !== undefined) {
        if (identities.has(entry.identity)) continue;
        identities.add(entry.identity);
      }
      if (entry.diagnostics.length > 0) diagnostics.push(...entry.diagnostics);
      if ('rejected' in entry) rejected.push(entry.rejected);
      else claim(entry.skill);
    }
  }
  return { skills: [...winners.values()].sort(byName), shadowed, rejected, diagnostics };

  function claim(skill: Skill): void {
    const key = nameKey(skill.name);
    const by = winners.get(key);
    if (by === undefined) {
      winners.set(key, skill);
      return;
    }
    shadowed.push({ skill, by });
    const site = { source: skill.source.id, location: skill.location };
    diagnostics.push(createDiagnostic('skill-shadowed', site, { name: skill.name, winner: by.location }));
  }
}

function byName(a: Skill, b: Skill): number {
  return a.name < b.name ? -1 : 1;
}
