// Lists sources, and decides which entries changed between two listings, so that unchanged ones are not read again.

import { createDiagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { isBytes, isTextList, kindOf, recordOf } from '../runtime/record.ts';
import { reasonOf, SkillError } from './error.ts';
import type { KnownEntry, ListOptions, SkillDirectory, SkillEntry, SkillListing, SkillSource } from './source.ts';

/** What is remembered of a listing: its entries, and those that a layer left out. */
export interface KnownListing {
  readonly entries: ReadonlyMap<string, KnownEntry>;
  readonly omitted?: ReadonlyMap<string, KnownEntry> | undefined;
}

/**
 * Returns the key of an entry: its directory, preceded by its source in an overlay, where two sources may have the same
 * directory.
 */
export function keyOf({ origin, directory }: Pick<SkillDirectory, 'origin' | 'directory'>): string {
  return origin === undefined ? directory : origin + directory;
}

/** Says that a source failed, and whether its last result was kept. */
export function failureOf(code: 'source-failed' | 'source-kept', { id }: SkillSource, error: unknown): Diagnostic {
  // The reason becomes a part of another sentence.
  const reason = reasonOf(error).replace(/\.$/, '');
  return createDiagnostic(code, { source: id, location: id }, { reason });
}

/** Creates the error for an entry that a source did not list. */
export function unlistedSkill(): SkillError {
  const message = 'The skill was not found by this source. Pass an entry that its `list` returned.';
  return new SkillError('skill-unknown', message);
}

/** Checks whether an entry is unchanged. An entry without a stamp always counts as changed. */
export function isUnchanged({ stamp, identity }: KnownEntry, known: KnownEntry | undefined): boolean {
  return stamp !== undefined && stamp === known?.stamp && identity === known.identity;
}

/** Checks whether a source left out the head of an entry because the caller already knew its stamp. */
export function isHeadless({ head, bytes }: SkillEntry): boolean {
  return head.length === 0 && bytes > 0;
}

/** Listings that were checked, because a cache returns the same one again and again. */
const checked: WeakSet<SkillListing> = new WeakSet();

/** Lists a source, and checks what it returns, because anyone can write a source. */
export async function listSource(source: SkillSource, options: ListOptions): Promise<SkillListing> {
  const listing = await source.list(options);
  if (checked.has(listing)) return listing;
  const { entries, diagnostics } = recordOf(listing);
  if (!Array.isArray(entries) || !Array.isArray(diagnostics))
    throw new TypeError(`it returned ${kindOf(listing)}, expected a listing of entries and diagnostics`);
  for (const entry of entries) {
    const fault = findFault(entry);
    if (fault !== undefined) throw new TypeError(`it returned a skill ${fault}`);
  }
  if (diagnostics.findIndex((diagnostic) => !isDiagnostic(diagnostic)) !== -1)
    throw new TypeError('it returned a diagnostic without a code, a severity, a message or a location');
  checked.add(listing);
  return listing;
}

/**
 * Returns what is wrong with the fields of an entry; `undefined` if nothing is. A database has `null` in place of a missing text,
 * which nothing here expects.
 */
function findFault(entry: unknown): string | undefined {
  const { directory, location, head, bytes } = recordOf(entry);
  const { name = '', ownName = '', directoryName = '', plugin = '', stamp = '' } = recordOf(entry);
  const { identity = '', inode = '', origin = '' } = recordOf(entry);
  // Written out, because a list to check takes time, and there may be thousands of entries.
  const isPlaced = typeof directory === 'string' && typeof location === 'string';
  if (!isPlaced || !isBytes(head) || typeof bytes !== 'number')
    return 'without a directory, a location, a head or a size';
  const isNamed = typeof name === 'string' && typeof ownName === 'string' && typeof plugin === 'string';
  const isFound = typeof identity === 'string' && typeof inode === 'string' && typeof origin === 'string';
  const isOther = typeof stamp === 'string' && typeof directoryName === 'string';
  return isNamed && isFound && isOther ? undefined : 'with an optional field that is not text';
}

/** Checks the fields by which other code sorts and prints a diagnostic. */
function isDiagnostic(diagnostic: unknown): boolean {
  const { code, severity, message, location } = recordOf(diagnostic);
  return isTextList([code, severity, message, location]);
}

/** Lists a source again. Only unchanged known entries come without their heads. */
export async function listAgain(
  source: SkillSource,
  options: ListOptions,
  { entries, omitted = new Map() }: KnownListing,
): Promise<SkillListing> {
  if (omitted.size === 0) return listSource(source, { ...options, known: entries });
  const listing = await listSource(source, { ...options, known: new Map([...entries, ...omitted]) });
  // The caller never saw what a layer left out last time, so it needs the head of any such entry that is included now.
  const isMissing = (entry: SkillEntry): boolean => isHeadless(entry) && isUnchanged(entry, omitted.get(keyOf(entry)));
  return listing.entries.some(isMissing) ? listSource(source, { ...options, known: entries }) : listing;
}
