// Recognises a skill that is as it was, by the stamps of its files instead of their content.

import { sep } from 'node:path';
import type { SkillProfile } from '../../diagnostics/diagnostic.ts';
import type { KnownEntry, SkillEntry } from '../../skill/source.ts';
import { stampOf } from '../disk/contained-file.ts';
import type { FileSystem } from '../disk/file-system.ts';
import { isRefusedHardLink } from '../disk/hard-links.ts';

/** What follows a skill's directory in the path of its `SKILL.md`; joined in one step, for a path is kept of every skill. */
export const skillFileSuffix: string = `${sep}SKILL.md`;

/** The same for the sidecar of Codex. */
export const sidecarSuffix: string = `${sep}agents${sep}openai.yaml`;

const nothing: Uint8Array = new Uint8Array(0);

/** Puts the stamps of a `SKILL.md` and of its sidecar, empty without one, into one; none where either is not settled. */
export function joinStamps(file: string | undefined, sidecar: string | undefined): string | undefined {
  if (file === undefined || sidecar === undefined) return undefined;
  return sidecar === '' ? file : [file, sidecar].join(' ');
}

/**
 * Gives the entry of a skill that is as it was, after two looks instead of a read: neither the file nor its sidecar was
 * written, moved or replaced. A `SKILL.md` that is a link is always read, for its own stamp says nothing of its target.
 */
export function entryIfUnchanged(
  files: FileSystem,
  { spelled, real }: CandidateDirectory,
  known: KnownEntry | undefined,
  profile: SkillProfile = 'lenient',
): SkillEntry | undefined {
  const { stamp, identity } = known ?? {};
  if (stamp === undefined || identity !== real) return undefined;
  const status = files.statIfThere(real + skillFileSuffix);
  if (status === undefined || !status.isFile()) return undefined;
  const sidecar = real + sidecarSuffix;
  const sidecarStatus = files.exists(sidecar) ? files.statIfThere(sidecar) : undefined;
  if (isRefusedHardLink(status.nlink, profile) || isRefusedHardLink(sidecarStatus?.nlink ?? 1, profile))
    return undefined;
  const now = joinStamps(stampOf(status), sidecarStatus === undefined ? '' : stampOf(sidecarStatus));
  if (now !== stamp) return undefined;
  const location = spelled + skillFileSuffix;
  return { directory: spelled, location, identity, head: nothing, bytes: status.size, stamp };
}
/** A directory to look at: its path as the source spells it, and the same without links. */

export interface CandidateDirectory {
  readonly spelled: string;
  readonly real: string;
}
