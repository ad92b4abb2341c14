// Decides which names are valid, and which are usable although they break a rule of the specification.

import { showCharacter } from '../../diagnostics/diagnostic.ts';
import { maxNameLength, maxUsableName } from '../../skill/limits.ts';
import { hasSeparatorLike, isForeignLookAlike, isPlainScript, lookKey, wordsIn } from '../../text/look-alikes.ts';
import { oneLine } from '../../text/neutral.ts';

const plainName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const reservedName = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.|$)/i;

/** Returns a name as it is stored: trimmed and composed. */
export function normalizeName(text: string): string {
  return composeName(text.trim());
}

/** Returns a name in NFKC, except that a common vowel of Thai and Lao stays one letter, as people type it. */
export function composeName(text: string): string {
  if (isPlainScript(text)) return text;
  return text.normalize('NFKC').replaceAll('\u0e4d\u0e32', '\u0e33').replaceAll('\u0ecd\u0eb2', '\u0eb3');
}

/**
 * Returns the valid name that is closest to a text: lowercase letters, digits and single hyphens. Empty if nothing is left, or if
 * the text has vowel signs, as in Hindi and Thai, without which its words would be others.
 *
 * @see https://agentskills.io/specification#name-field
 */
export function suggestName(text: string): string {
  const written = text.normalize('NFKC').toLowerCase();
  if (/\p{L}(?![\ufe00-\ufe0f])\p{M}/u.test(written)) return '';
  const words = wordsIn(written);
  return [...words.join('-')].slice(0, maxNameLength).join('').replace(/-$/, '');
}

/** Checks a name against the specification. */
export function isPlain(name: string): boolean {
  return plainName.test(name) && name.length <= maxNameLength;
}

/** Checks whether Windows cannot create a directory of that name. */
export function isReserved(name: string): boolean {
  return reservedName.test(name);
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

/** Describes what makes a name unusable under every profile; undefined if nothing does. */
export function findUnsafe(name: string): string | undefined {
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
export function isConfusable(name: string): boolean {
  if (isPlainScript(name)) return false;
  if (/[\u02D7\u2010\u2011\u2212]/u.test(name)) return true;
  return name.split(/[^\p{L}\p{M}]+/u).some((word) => {
    const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u];
    const isMixed = scripts.filter((script) => script.test(word)).length > 1;
    return isMixed || (/[a-z]/i.test(word) && [...word].some(isForeignLookAlike));
  });
}
