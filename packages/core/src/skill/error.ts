// The only class of the project: an error for developers, recognised by a brand that two copies of the core share.

import { isError, kindOf } from '../runtime/record.ts';

/**
 * What went wrong, for code that handles the error. Not obvious: `skill-protected` (a removal or a write was refused, because of a scope,
 * a link or a root, or because something has changed meanwhile), `script-unsupported` (no program or no sandbox for the script), `settings-locked` (another process holds the lock).
 */
export type SkillErrorCode =
  | 'skill-unknown'
  | 'skill-ambiguous'
  | 'skill-unreadable'
  | 'skill-too-large'
  | 'resource-unknown'
  | 'resource-outside-skill'
  | 'resource-too-large'
  | 'resource-unreadable'
  | 'script-unsupported'
  | 'source-failed'
  | 'skill-exists'
  | 'skill-protected'
  | 'settings-locked'
  | 'settings-invalid'
  | 'write-failed'
  | 'trust-undecided'
  | 'framework-too-old'
  | 'options-invalid';

const brand: symbol = Symbol.for('@skillful/core/SkillError');

/** Thrown for problems that a developer can act on; problems in a skill's content are `Diagnostic`s instead. */
export class SkillError extends Error {
  readonly code: SkillErrorCode;

  constructor(code: SkillErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'SkillError';
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
  }
}

/**
 * Checks whether a value is a `SkillError`. Unlike `instanceof`, it also recognises errors from another installed copy of the
 * core.
 */
export function isSkillError(value: unknown): value is SkillError {
  return typeof value === 'object' && value !== null && brand in value;
}

/** Waits for a promise; `undefined` if it rejects with a `SkillError`. */
export function orUndefined<T>(promise: Promise<T>): Promise<T | undefined> {
  return promise.catch((error: unknown) => {
    if (isSkillError(error)) return undefined;
    throw error;
  });
}

/**
 * Returns the code of an error, such as ` (ENOENT)`, for text that a model reads. The message could reveal paths of the machine.
 */
export function showCode(error: unknown): string {
  const code = getSafely(error, 'code');
  return typeof code === 'string' && /^[A-Z0-9_]{2,40}$/.test(code) ? ` (${code})` : '';
}

/** Returns the message of any thrown value, followed by those of its first few causes, unless an earlier one ends with them. */
export function reasonsOf(error: unknown): string {
  const reasons = [reasonOf(error)];
  let cause = getSafely(error, 'cause');
  for (let left = 3; cause !== undefined && left > 0; left -= 1) {
    const reason = reasonOf(cause);
    if (!reasons.some((earlier) => earlier.replace(/\)*$/, '').endsWith(reason))) reasons.push(reason);
    cause = getSafely(cause, 'cause');
  }
  return reasons.join(' (') + ')'.repeat(reasons.length - 1);
}

/** Returns a property of any thrown value; `undefined` if reading it throws, too. */
export function getSafely(error: unknown, key: 'code' | 'cause'): unknown {
  try {
    return Object(error)[key];
  } catch {
    return undefined;
  }
}

/** Returns the message of any thrown value, or else its type. */
export function reasonOf(error: unknown): string {
  return messageOf(error) ?? kindOf(error);
}

/** Returns the message of any thrown value; for an error without a message, its code or name. */
export function messageOf(error: unknown): string | undefined {
  try {
    if (!isError(error)) return String(error);
    // Node reports a refused connection without a message, and a message need not be text.
    return String(error.message || ('code' in error && String(error.code)) || error.name);
  } catch {
    // The value cannot be converted to text.
    return undefined;
  }
}
