// Decides whether the skills of a project may be read, without any influence of the project itself.

import { isAbsolute } from 'node:path';
import { kindOf } from '../../runtime/record.ts';
import { untilAborted } from '../../runtime/until-aborted.ts';
import { messageOf, SkillError } from '../../skill/error.ts';
import { canonicalPath } from './project.ts';

/**
 * Which projects are trusted: none or all, those in a list of absolute paths, or those for which a callback returns `true`. The
 * callback receives the canonical path of the project.
 */
export type TrustOption = boolean | readonly string[] | ((project: string) => boolean | Promise<boolean>);

/** Whether a project or package is trusted; false if that is undecided. */
export interface TrustDecision {
  readonly isTrusted: boolean;
  /** Why trust is undecided. */
  readonly doubt?: { readonly reason: string; readonly cause?: unknown };
}

/**
 * Decides whether a project is trusted. Compares canonical paths, so a link to a trusted directory is trusted. No file in the
 * project matters.
 *
 * @throws {SkillError} `trust-undecided` if the callback fails or returns anything but a boolean; the signal's reason if it is
 * aborted before the callback returns
 */
export async function isTrustedProject(
  project: string,
  trusted: TrustOption,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<boolean> {
  const { isTrusted, doubt } = await decideTrust(project, trusted, signal);
  if (doubt === undefined) return isTrusted;
  const message = `Could not decide whether the project is trusted: ${doubt.reason}. Make \`trusted\` a boolean, a list of paths, or a callback that returns a boolean.`;
  throw new SkillError('trust-undecided', message, { cause: doubt.cause });
}

/** Does the same as `isTrustedProject`, but returns doubts as data, so that everything that needs no trust still works. */
export async function decideTrust(
  project: string,
  trusted: TrustOption,
  signal: AbortSignal | undefined,
): Promise<TrustDecision> {
  const canonical = canonicalPath(project);
  if (typeof trusted === 'boolean') return { isTrusted: trusted };
  if (typeof trusted === 'function') return askForTrust(() => trusted(canonical), signal);
  if (!Array.isArray(trusted))
    return inDoubt(`\`trusted\` is ${kindOf(trusted)}, expected a boolean, a list or a callback`);
  // Only absolute paths count, because an empty or relative path would match whatever is the working directory.
  const isListed = (path: unknown): boolean =>
    typeof path === 'string' && isAbsolute(path) && canonicalPath(path) === canonical;
  return { isTrusted: trusted.some(isListed) };
}

/** Calls a callback of the application. Rejects only if the signal is aborted before the callback returns. */
export async function askForTrust(callback: () => unknown, signal: AbortSignal | undefined): Promise<TrustDecision> {
  signal?.throwIfAborted();
  const asked = (async () => callback())();
  try {
    return takeAnswer(await untilAborted(asked, signal));
  } catch (cause) {
    signal?.throwIfAborted();
    const message = messageOf(cause);
    const failure = message === undefined ? kindOf(cause) : `\`${message}\``;
    return inDoubt(`the callback \`trusted\` failed with ${failure}`, cause);
  }
}

/** Interprets the return value of a callback. Only `true` means trust. */
export function takeAnswer(answer: unknown): TrustDecision {
  if (typeof answer === 'boolean') return { isTrusted: answer };
  return inDoubt(`the callback \`trusted\` returned ${kindOf(answer)}, expected a boolean`);
}

function inDoubt(reason: string, cause?: unknown): TrustDecision {
  return { isTrusted: false, doubt: { reason, cause } };
}
