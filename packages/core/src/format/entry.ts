// Reads the frontmatter of a listed entry: from its head, or from more of the file if the frontmatter is longer.

import { createDiagnostic, type SkillProfile } from '../diagnostics/diagnostic.ts';
import { untilAborted } from '../runtime/until-aborted.ts';
import { reasonOf } from '../skill/error.ts';
import { maxHeadBytes, maxSkillBytes } from '../skill/limits.ts';
import { directoryNameOf } from '../skill/paths.ts';
import type { ListOptions, SkillEntry, SkillSource } from '../skill/source.ts';
import { type NamedHead, type ParseSkillHeadOptions, parseSkillHead } from './parse.ts';

/** From the least to the most strict profile. */
const byStrictness: readonly SkillProfile[] = ['lenient', 'strict', 'portable'];

/** Returns the profile of an entry or that of the catalog, whichever is stricter. */
export function rulesFor({ profile = 'lenient' }: SkillEntry, ofCatalog: SkillProfile = 'lenient'): SkillProfile {
  return byStrictness.indexOf(profile) > byStrictness.indexOf(ofCatalog) ? profile : ofCatalog;
}

type EntryHeadOptions = Pick<ListOptions, 'profile' | 'signal'> & Pick<ParseSkillHeadOptions, 'describeByBody'>;

/** The latest result for a head that is read more than once. */
interface SharedHead {
  last?: { readonly options: ParseSkillHeadOptions; readonly head: NamedHead };
}

/** Only for heads that are read again, because an entry of a `WeakMap` costs a third of the time for parsing. */
const sharedHeads: WeakMap<Uint8Array, SharedHead> = new WeakMap();

/** Marks a head as shared, so that it is parsed once for all its readers, such as several catalogs over one cache. */
export function shareHead({ head }: SkillEntry): void {
  if (!sharedHeads.has(head)) sharedHeads.set(head, {});
}

function parseShared(bytes: Uint8Array, options: ParseSkillHeadOptions): NamedHead | undefined {
  const shared = sharedHeads.get(bytes);
  if (shared?.last !== undefined && isEqual(shared.last.options, options)) return shared.last.head;
  const head = parseSkillHead(bytes, options);
  if (head !== undefined && shared !== undefined) shared.last = { options, head };
  return head;
}

/**
 * Reads the frontmatter of an entry. Returns a promise only if the head does not contain the whole frontmatter, or if the body
 * must describe the skill; rejects only if the signal is aborted.
 */
export function readEntryHead(
  source: SkillSource,
  entry: SkillEntry,
  { profile, signal, describeByBody = false }: EntryHeadOptions,
): NamedHead | Promise<NamedHead> {
  const options: ParseSkillHeadOptions = {
    source: source.id,
    location: entry.location,
    directoryName: directoryNameOf(entry),
    profile: rulesFor(entry, profile),
    codexSidecar: entry.sidecar,
    complete: entry.head.length >= entry.bytes,
  };
  const head = parseShared(entry.head, options);
  if (head === undefined || (describeByBody && lacksDescription(head)))
    return readMore(source, entry, { ...options, describeByBody }, signal);
  return checkSize(source, entry, head);
}

function lacksDescription({ diagnostics }: NamedHead): boolean {
  return diagnostics.some(({ code }) => code === 'description-missing' || code === 'description-empty');
}

function isEqual(one: ParseSkillHeadOptions, other: ParseSkillHeadOptions): boolean {
  return (Object.keys(one) as (keyof ParseSkillHeadOptions)[]).every((key) => one[key] === other[key]);
}

/** Reports a file that is too large to be activated, so that the skill is not offered. */
function checkSize(source: SkillSource, { bytes, location }: SkillEntry, head: NamedHead): NamedHead {
  const limit = maxSkillBytes;
  if (bytes <= limit) return head;
  const tooLarge = createDiagnostic('skill-too-large', { source: source.id, location }, { bytes, limit });
  return { ...head, diagnostics: [...head.diagnostics, tooLarge] };
}

/** Reads the frontmatter from more of the file than the head. */
async function readMore(
  source: SkillSource,
  entry: SkillEntry,
  options: ParseSkillHeadOptions,
  signal: AbortSignal | undefined,
): Promise<NamedHead> {
  const { profile = 'lenient' } = options;
  const skill = profile === 'lenient' ? entry : { ...entry, profile };
  try {
    const longer = await untilAborted(source.readFile(skill, 'SKILL.md', { length: maxHeadBytes, signal }), signal);
    const head = parseSkillHead(longer, { ...options, complete: longer.length < maxHeadBytes });
    return checkSize(source, entry, head ?? { name: undefined, properties: undefined, diagnostics: [] });
  } catch (error) {
    signal?.throwIfAborted();
    const site = { source: source.id, location: entry.location };
    const unreadable = createDiagnostic('skill-file-unreadable', site, { reason: reasonOf(error) });
    return { name: undefined, properties: undefined, diagnostics: [unreadable] };
  }
}
