// Explains why the database failed, and what to do.

import { isSkillError, SkillError } from '@skillful/core';
import { reasonOf } from '@skillful/core/extending';

/**
 * Remedies by the error codes of PostgreSQL and Node. They are short, because a diagnostic cuts its reason after 120 characters. The
 * codes in the first row mean that there is no such schema, table, function or role.
 */
const remedies: readonly (readonly [codes: RegExp, remedy: string])[] = [
  [/^(3F000|42P01|42883|22023)$/, 'call `setUpDatabase` first'],
  [/^42703$/, 'the tables are from another version of this package; use that, or another database'],
  [/^(57014|55P03)$/, 'the database did not answer in time; check its load and locks'],
  [/^25006$/, 'this login may only read here; connect to the primary, or turn off `default_transaction_read_only`'],
  [/^23503$/, 'a skill was removed by `pruneVersions` or `removeTenant` meanwhile; publish again'],
  [/^40P01$/, 'another process changes the tables; try again'],
  [/^53300$/, 'the server has no free connection; use a smaller pool'],
  [/^28/, 'the login was refused; check user, password and TLS'],
  [/^pool$/, 'no connection was free in time; check that the server runs, or use a larger pool'],
  [/^(08|57P|E[A-Z]+$)/, 'the database cannot be reached; check that it runs'],
];

/** Converts an error of a client to one that explains what to do. `role` is the one that the statements needed. */
export function explainFailure(error: unknown, role: string): SkillError {
  if (isSkillError(error)) return error;
  const code = codeOf(error);
  const message = messageOf(error);
  const [, known] = remedies.find(([codes]) => codes.test(code || guessCode(message))) ?? [];
  const remedy = code === '42501' ? grantOf(role) : known;
  return new SkillError('source-failed', remedy === undefined ? message : `${remedy} (${message})`, { cause: error });
}

/** Guesses the code of an error without one: clients report a lost connection or a full pool only in words. */
function guessCode(message: string): string {
  if (/timeout exceeded/i.test(message)) return 'pool';
  return /terminated|ended|closed|connection error/i.test(message) ? '08000' : '';
}

function grantOf(role: string): string {
  // Only the owner of the tables creates them.
  if (role === 'owner') return 'use a login that may create schemas and roles, and always the same one';
  return `grant \`${role}\` to this login, or call \`setUpDatabase\` again`;
}

/** Returns the message of an error. If several addresses refused a connection, Node reports one error with several causes. */
function messageOf(error: unknown): string {
  const [first = error] = error instanceof AggregateError ? error.errors : [];
  return reasonOf(first);
}

/** Returns the error code of PostgreSQL or Node; empty if there is none. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
