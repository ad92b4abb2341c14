// Suggests a name that breaks no rule, and what to do about the directory, which must have the same name.

import { findUnsafe, isConfusable, isPlain, isReserved, suggestName } from './name.ts';

/** Names that are a number, a date, a boolean or nothing to some YAML reader if they are not in quotes. */
const typedName = /^(?:null|true|false|yes|no|on|off|[\d-]+|0x[\da-f]+|0[bo]\d+|\d+e-?\d+)$/;

/** The parts of a hint that suggests another name. */
export interface NameRemedy {
  /** A valid name, in quotes if YAML needs them. */
  readonly suggestion: string;
  /** What to do about the directory; empty if nothing. */
  readonly rename: string;
}

/** Suggests a name that breaks no rule: that of the directory, if it is valid. */
export function remedyFor(name: string, directory: string | undefined): NameRemedy {
  const { suggestion, rename } = findRemedy(name, directory);
  return { suggestion: writeName(suggestion), rename };
}

/** Returns a valid name as YAML, in quotes if it is not text without them. */
export function writeName(name: string): string {
  return typedName.test(name) ? `"${name}"` : name;
}

function findRemedy(name: string, directory: string | undefined): NameRemedy {
  if (directory !== undefined && isValid(directory)) return { suggestion: directory, rename: '' };
  const suggestion = findUsable(suggestName(name)) ?? findUsable(suggestName(directory ?? '')) ?? 'my-skill';
  const isSame = directory === undefined || directory.normalize('NFKC') === suggestion;
  return { suggestion, rename: isSame ? '' : ', and rename the directory to it' };
}

/** Suggests what to do if the name and the directory differ: change one of them, or both if neither is valid. */
export function remedyForMismatch(
  name: string,
  directory: string,
): { readonly change: string; readonly rename: string } {
  // This directory is for all skills, and renaming it would hide the others.
  if (directory === 'skills' && isValid(name)) return { change: `Move it into a directory \`${name}\``, rename: '' };
  const { suggestion, rename } = findRemedy(name, directory);
  if (suggestion === name) return { change: `Rename the directory to \`${name}\``, rename: '' };
  return {
    change: `Write \`name: ${writeName(suggestion)}\``,
    rename: isValid(name) ? `, or rename the directory to \`${name}\`` : rename,
  };
}

function isValid(name: string): boolean {
  return isPlain(name) && !isReserved(name);
}

/** Returns the name if it breaks no rule, except that it may have letters beyond ASCII; undefined otherwise. */
function findUsable(name: string): string | undefined {
  const isUsable = name !== '' && !isReserved(name) && findUnsafe(name) === undefined && !isConfusable(name);
  return isUsable ? name : undefined;
}
