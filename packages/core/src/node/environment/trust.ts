// Decides whether the skills of a project may be read at all. The project itself has no say in it.

import { isAbsolute } from 'node:path';
import { untilAborted } from '../../runtime/until-aborted.ts';
import { reasonOf, SkillError } from '../../skill/error.ts';
import { canonicalPath } from './project.ts';

/**
 * Who is trusted: nobody or everybody, the projects of a list of absolute paths, or whoever the host's callback says, which
 * gets the canonical path of the project.
 */
export type TrustOption = boolean | readonly string[] | ((project: string) => boolean | Promise<boolean>);

/** Whether something is trusted; it is not where that is in doubt. */
export interface TrustDecision {
  readonly isTrusted: boolean;
  /** Why it could not be decided. */
  readonly doubt?: { readonly reason: string; readonly cause?: unknown };
}

/**
 * Decides whether a project is trusted. Compares canonical paths only: a link to a trusted place is that place, a pointer
 * file in the project is nothing.
 *
 * @throws {SkillError} `trust-undecided` where the callback fails or answers with anything but a boolean, which is no trust;
 * the reason of the signal where that is aborted while the callback is asked
 */
export async function isTrustedProject(
  project: string,
  trusted: TrustOption,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<boolean> {
  const { isTrusted, doubt } = await decideTrust(project, trusted, signal);
  if (doubt === undefined) return isTrusted;
  const message = `Whether the project is trusted could not be decided: ${doubt.reason}. Have the callback answer with \`true\` or \`false\`.`;
  throw new SkillError('trust-undecided', message, { cause: doubt.cause });
}

/** As `isTrustedProject`, but gives a doubt as data, so that whatever needs no trust is still there. */
export async function decideTrust(
  project: string,
  trusted: TrustOption,
  signal: AbortSignal | undefined,
): Promise<TrustDecision> {
  const canonical = canonicalPath(project);
  if (typeof trusted === 'boolean') return { isTrusted: trusted };
  if (typeof trusted === 'function') return askForTrust(() => trusted(canonical), signal);
  if (!Array.isArray(trusted))
    return inDoubt(`\`trusted\` is ${describe(trusted)}, expected a boolean, a list or a callback`);
  // An empty or relative path would be whichever project happens to be worked in.
  const isListed = (path: unknown): boolean =>
    typeof path === 'string' && isAbsolute(path) && canonicalPath(path) === canonical;
  return { isTrusted: trusted.some(isListed) };
}

/** Asks a callback of the host; rejects only with the reason of a signal that is aborted before it answers. */
export async function askForTrust(callback: () => unknown, signal: AbortSignal | undefined): Promise<TrustDecision> {
  signal?.throwIfAborted();
  const asked = (async () => callback())();
  try {
    return takeAnswer(await untilAborted(asked, signal));
  } catch (cause) {
    signal?.throwIfAborted();
    return inDoubt(`the callback \`trusted\` failed with ${sentenceOf(cause)}`, cause);
  }
}

/** Takes what a callback answered; nothing but `true` is trust. */
export function takeAnswer(answer: unknown): TrustDecision {
  if (typeof answer === 'boolean') return { isTrusted: answer };
  return inDoubt(`the callback \`trusted\` answered with ${describe(answer)}, expected a boolean`);
}

function inDoubt(reason: string, cause?: unknown): TrustDecision {
  return { isTrusted: false, doubt: { reason, cause } };
}

function describe(value: unknown): string {
  return value === null || value === undefined ? String(value) : `a value of type ${typeof value}`;
}

/** The words of what was thrown, which may be anything, also something that has none. */
function sentenceOf(error: unknown): string {
  try {
    return `\`${reasonOf(error)}\``;
  } catch {
    return describe(error);
  }
}
