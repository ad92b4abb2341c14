// Checks names against the specification, its reference tool, and what no profile accepts.

import { showCharacter } from '../../diagnostics/diagnostic.ts';
import type { Position } from '../../diagnostics/log.ts';
import { maxNameLength, maxUsableName } from '../../skill/limits.ts';
import { hasSeparatorLike, isForeignLookAlike, isPlainScript, lookKey, wordsIn } from '../../text/look-alikes.ts';
import { oneLine } from '../../text/neutral.ts';
import type { PropertiesContext } from './context.ts';

const plainName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** Names that are a number, a date, a boolean or nothing to some YAML reader if they are not in quotes. */
const typedName = /^(?:null|true|false|yes|no|on|off|[\d-]+|0x[\da-f]+|0[bo]\d+|\d+e-?\d+)$/;
const reservedName = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.|$)/i;

/** Returns a name as it is stored: trimmed and in NFKC. */
export function normalizeName(text: string): string {
  return text.trim().normalize('NFKC');
}

/**
 * Returns the valid name that is closest to a text: lowercase letters, digits and single hyphens. Empty if nothing is left.
 *
 * @see https://agentskills.io/specification#name-field
 */
export function suggestName(text: string): string {
  const words = wordsIn(text.normalize('NFKC').toLowerCase());
  return [...words.join('-')].slice(0, maxNameLength).join('').replace(/-$/, '');
}

/** The parts of a hint that suggests another name. */
export interface NameRemedy {
  /** A valid name, in quotes if YAML needs them. */
  readonly suggestion: string;
  /** What to do about the directory, which must have the same name. */
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
  const isFree = suggestion === directory && isValid(name);
  return {
    change: `Write \`name: ${writeName(suggestion)}\``,
    rename: isFree ? `, or rename the directory to \`${name}\`` : rename,
  };
}

function isValid(name: string): boolean {
  return plainName.test(name) && name.length <= maxNameLength && !reservedName.test(name);
}

/** Returns the name if it breaks no rule, except that it may have letters beyond ASCII; undefined otherwise. */
function findUsable(name: string): string | undefined {
  const isUsable = name !== '' && !reservedName.test(name) && findUnsafe(name) === undefined && !isConfusable(name);
  return isUsable ? name : undefined;
}

/**
 * Describes the separator if a name looks like a qualified name (`user:pdf`), a title (`CI/CD Pipeline`) or an address
 * (`owner/repo@skill`): the skill is then named after its directory. Undefined for a path, which is refused.
 */
export function findSeparator(name: string): string | undefined {
  if (plainName.test(name) || /\.\.|^[/~]|\\|[\0-\x1f\x7f-\x9f]/.test(name)) return undefined;
  if (name.includes('/')) return /^[\w.~-]*(?:\/[\w.~-]*)+$/.test(name) ? undefined : 'a path separator';
  return findLikeness(name);
}

/** Describes what makes a name look qualified: a colon, or what looks like a colon or a slash. */
function findLikeness(name: string): string | undefined {
  const key = lookKey(name);
  if (key.includes(':')) return 'a colon';
  if (!name.includes('/') && key.includes('/')) return 'what looks like a slash';
  return hasSeparatorLike(name) ? 'what looks like a colon or a slash' : undefined;
}

/** Reports every rule that a name breaks. `written` is the name in the file, `name` its normalised form. */
export function validateName(written: string, name: string, position: Position, context: PropertiesContext): void {
  const { log } = context;
  if (!plainName.test(name) || name.length > maxNameLength || written !== name) {
    reportName(written, name, position, context);
  }
  if (reservedName.test(name)) log.report('name-reserved', position, { name });
  const vendor = /anthropic|claude/i.exec(name);
  if (vendor !== null) log.report('name-of-vendor', position, { name, word: vendor[0] });
}

function reportName(written: string, name: string, position: Position, context: PropertiesContext): void {
  const { log, directoryName } = context;
  const remedy = remedyFor(name, directoryName);
  // `trim` removes a byte order mark as white space, but no other reader does.
  const problem = findUnsafe(name) ?? (written.includes('\ufeff') ? 'the invisible character U+FEFF' : undefined);
  if (problem !== undefined) {
    log.report('name-unsafe', position, { name, problem, ...remedy });
    return;
  }
  if (isConfusable(name)) {
    const escaped = [...name].map((point) => (/[ -~]/.test(point) ? point : showCharacter(point))).join(' ');
    log.report('name-confusable', position, { name, escaped, ...remedy });
    return;
  }
  const length = [...name].length;
  if (length > maxNameLength) log.report('name-too-long', position, { length, limit: maxNameLength, ...remedy });
  if (name !== name.toLowerCase()) log.report('name-uppercase', position, { name, ...remedy });
  const signs = isPlainScript(name) ? /[^a-z0-9\u4e00-\u9fff\uac00-\ud7a3-]/gi : /[^\p{L}\p{N}-]/gu;
  const others = [...new Set(name.match(signs))];
  if (others.length > 0) {
    const characters = others.slice(0, 5).map((point) => (point === ' ' ? 'a space' : `\`${point}\``));
    log.report('name-characters', position, { name, characters: characters.join(', '), ...remedy });
  }
  if (/^-|-$/.test(name)) log.report('name-hyphen-edge', position, { name, ...remedy });
  if (name.includes('--')) log.report('name-hyphen-double', position, { name, ...remedy });
  const plain = written.trim().normalize('NFC');
  if (plain !== name.normalize('NFC')) log.report('name-normalized', position, { written: plain, name });
  if (others.length === 0 && /[^ -~]/.test(name)) log.report('name-not-ascii', position, { name });
}

/**
 * Returns what is wrong with a name that a source or a layer gives to a skill. It may have parts, such as `acme/pdf`; otherwise
 * it follows the rules for names in `SKILL.md`.
 *
 * @param name as returned by `normalizeName`
 */
export function findGivenProblem(name: string): string | undefined {
  if (name === '') return 'no text';
  if ([...name].length > maxUsableName) return `more than ${maxUsableName} characters`;
  for (const part of name.split('/')) {
    if (plainName.test(part)) continue;
    const problem = part.trim() === '' ? 'an empty part' : findUnsafe(part);
    if (problem !== undefined) return problem;
    if (isConfusable(part)) return 'characters that look alike';
  }
  return undefined;
}

function findUnsafe(name: string): string | undefined {
  if (/[/\\]/.test(name)) return 'a path separator';
  const likeness = findLikeness(name);
  if (likeness !== undefined) return likeness;
  if (/^\.+$/.test(name)) return 'only dots';
  if (/[\0-\x1f\x7f-\x9f]/.test(name)) return 'a control character';
  if ([...name].length > maxUsableName) return `more than ${maxUsableName} characters`;
  if (isPlainScript(name)) return undefined;
  // Joiners and two selectors are allowed but reported, because Persian and Indic words and emoji contain them.
  const visible = name.replaceAll(/[\u200C\u200D\uFE0E\uFE0F]/g, '');
  const invisible = /[\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{16fe4}\u{1d159}]/u.exec(
    visible,
  );
  if (invisible !== null) return `the invisible character ${showCharacter(invisible[0])}`;
  return oneLine(name) === '' ? 'nothing that can be seen' : undefined;
}

/** Recognises a character that looks like a hyphen, or a word that mixes alphabets with similar letters. */
function isConfusable(name: string): boolean {
  if (isPlainScript(name)) return false;
  if (/[\u02D7\u2010\u2011\u2212]/u.test(name)) return true;
  return name.split(/[^\p{L}\p{M}]+/u).some((word) => {
    const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u];
    const isMixed = scripts.filter((script) => script.test(word)).length > 1;
    return isMixed || (/[a-z]/i.test(word) && [...word].some(isForeignLookAlike));
  });
}
