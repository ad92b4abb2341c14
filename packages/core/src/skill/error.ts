// The only class of the project: an error for developers, recognised by a brand that two copies of the core share.

/** What went wrong, for code that decides on it. */
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

/** Checks whether a value is a `SkillError`, also of another installed copy of the core, for which `instanceof` fails. */
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

/** Returns the message of anything that was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
