// Checks one `SKILL.md`: a file of a source, or the standard input.

import { basename, dirname } from 'node:path';
import {
  type Diagnostic,
  hasErrors,
  isSkillError,
  type SkillEntry,
  type SkillProfile,
  type SkillSource,
} from '@skillful/core';
import { createDiagnostic, maxSkillBytes, type ParseSkillOptions, parseSkill } from '@skillful/core/authoring';
import type { CommandLine } from '../command-line.ts';
import { readStandardInput } from '../loading/read-up-to.ts';
import { findLostFiles } from './lost-files.ts';
import { findTwins } from './overlooked.ts';

/** The result of checking one skill. */
export interface CheckedSkill {
  readonly location: string;
  /** The name of the skill, or of its directory if that is not valid. */
  readonly name: string;
  /** False if a diagnostic is an error under the profile. */
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** The path that the user gave. */
  readonly source: string;
  /** The given directory, or the directory of the given file, without links. */
  readonly root?: string;
  /** The name of its directory, if it has one. */
  readonly directoryName?: string;
  /** True for a path that cannot be read or contains no skill, so that it is not counted. */
  readonly isNothing?: boolean;
  /** How many findings were left out, because a baseline has them. */
  readonly leftOut?: number;
  /** The `SKILL.md` as text, if it could be read. */
  readonly text?: string;
}

/** Checks the `SKILL.md` of an entry. */
export async function checkEntry(source: SkillSource, entry: SkillEntry, profile: SkillProfile): Promise<CheckedSkill> {
  const { location, directory, sidecar } = entry;
  const directoryName = basename(directory);
  const site = { source: source.id, location };
  if (entry.bytes > maxSkillBytes) return { ...checkSize(entry.bytes, site, profile), name: directoryName };
  try {
    const bytes = await source.readFile(entry, 'SKILL.md', { maxBytes: maxSkillBytes });
    const checked = checkBytes(bytes, { ...site, directoryName, profile, codexSidecar: sidecar });
    const lost = await findLostFiles(source, entry);
    const all = [...findTwins({ ...site, directory }, profile), ...checked.diagnostics, ...lost];
    return { ...checked, ok: !hasErrors(all), diagnostics: all };
  } catch (error) {
    if (!isSkillError(error)) throw error;
    const unreadable = createDiagnostic('skill-file-unreadable', site, { reason: error.message }, profile);
    return { ...site, name: directoryName, ok: false, diagnostics: [unreadable] };
  }
}

/** The path that stands for the standard input. */
export const standardInput = '-';

/** Checks one `SKILL.md` from the standard input. It has no directory, so no name is compared with one. */
export async function checkStandardInput(profile: SkillProfile, io: CommandLine): Promise<CheckedSkill> {
  const site = { source: standardInput, location: standardInput };
  const bytes = await readStandardInput(maxSkillBytes, io);
  if (bytes.length > maxSkillBytes) return checkSize(`over ${maxSkillBytes}`, site, profile);
  return { ...checkBytes(bytes, { ...site, profile }), root: dirname(standardInput) };
}

type Site = Pick<CheckedSkill, 'source' | 'location'>;

function checkSize(bytes: number | string, site: Site, profile: SkillProfile): CheckedSkill {
  const tooLarge = createDiagnostic('skill-too-large', site, { bytes, limit: maxSkillBytes }, profile);
  return { ...site, name: site.location, ok: false, diagnostics: [tooLarge] };
}

/** Checks the bytes of a `SKILL.md`. */
function checkBytes(
  bytes: Uint8Array,
  options: Site & Pick<ParseSkillOptions, 'directoryName' | 'profile' | 'codexSidecar'>,
): CheckedSkill {
  const { source, location, directoryName } = options;
  const { properties, diagnostics } = parseSkill(bytes, options);
  const name = properties?.name ?? directoryName ?? location;
  // Keeps a byte order mark, so that lines and columns match the stored file.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const place = { source, location, ...(directoryName !== undefined && { directoryName }) };
  return { ...place, name, ok: !hasErrors(diagnostics), diagnostics, text };
}
