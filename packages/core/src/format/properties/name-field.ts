// Parses `name`, and names a skill after its directory if there is no usable name.

import { showCharacter } from '../../diagnostics/diagnostic.ts';
import type { Position } from '../../diagnostics/log.ts';
import { maxNameLength } from '../../skill/limits.ts';
import { isPlainScript } from '../../text/look-alikes.ts';
import { oneLine } from '../../text/neutral.ts';
import { describeKind, describeType, type FrontmatterEntry, ownText } from '../tree.ts';
import type { PropertiesContext } from './context.ts';
import {
  composeName,
  findSeparator,
  findUnsafe,
  isConfusable,
  isPlain,
  isReserved,
  normalizeName,
  suggestName,
} from './name.ts';
import { remedyFor, remedyForMismatch } from './name-remedy.ts';

/** Code units of a name to process. A longer name is refused anyway, and normalising its marks takes quadratic time. */
const longestWritten = 2_048;

/** Returns the name, or else the name of the directory; undefined if there is neither. */
export function parseName(field: FrontmatterEntry | undefined, context: PropertiesContext): string | undefined {
  const { log, directoryName: directory } = context;
  const value = field?.value;
  if (field === undefined || value?.kind !== 'scalar' || value.data === null || isEmpty(value.text, directory)) {
    return nameAfterDirectory(field, context);
  }
  const type = describeType(value);
  if (type !== undefined) log.report('value-not-string', value, { field: 'name', kind: type });
  const written = value.text.slice(0, longestWritten);
  const name = ownText(normalizeName(written));
  const separator = findSeparator(name);
  if (directory !== undefined && separator !== undefined) {
    const remedy = remedyFor(harmlessName(directory), directory);
    log.report('name-replaced', value, { name, problem: separator, directory: harmlessName(directory), ...remedy });
    return useDirectoryName(directory, value, context);
  }
  validateName(written, name, value, context);
  if (directory !== undefined && directory !== name && composeName(directory) !== name) {
    log.report('name-directory-mismatch', value, { name, directory, ...remedyForMismatch(name, directory) });
  }
  return name;
}

/** Checks whether a name is empty. An invisible one is, if a directory can replace it; otherwise, it is refused later. */
function isEmpty(text: string, directory: string | undefined): boolean {
  return text.trim() === '' || (directory !== undefined && oneLine(text) === '');
}

/** Names a skill after its directory if `name` is missing, empty or not a text. */
function nameAfterDirectory(field: FrontmatterEntry | undefined, context: PropertiesContext): string | undefined {
  const { log, directoryName: directory } = context;
  const position = field ?? context.start;
  if (directory === undefined || normalizeName(directory) === '') {
    log.report('name-unavailable', position);
    return undefined;
  }
  const own = harmlessName(directory);
  const name = { directory: own, ...remedyFor(own, directory) };
  if (field === undefined) log.report('name-missing', position, name);
  else if (field.value.kind === 'scalar') log.report('name-empty', position, name);
  else log.report('name-not-text', position, { kind: describeKind(field.value), ...name });
  return useDirectoryName(directory, position, context);
}

function useDirectoryName(directory: string, position: Position, context: PropertiesContext): string {
  const name = harmlessName(directory);
  validateName(name === normalizeName(directory) ? directory : name, name, position, context);
  return name;
}

/** Returns the name of a directory, changed if it could be taken for a qualified name. */
function harmlessName(directory: string): string {
  const name = normalizeName(directory);
  return findSeparator(name) === undefined ? name : suggestName(name) || name;
}

type NameContext = Pick<PropertiesContext, 'log' | 'directoryName'>;

/** Reports every rule that a name breaks. `written` is the name in the file, `name` its normalised form. */
export function validateName(written: string, name: string, position: Position, context: NameContext): void {
  const { log } = context;
  if (!isPlain(name) || written !== name) reportUnusual(written, name, position, context);
  if (isReserved(name)) log.report('name-reserved', position, { name });
  const vendor = /anthropic|claude/i.exec(name);
  if (vendor !== null) log.report('name-of-vendor', position, { name, word: vendor[0] });
}

/** Reports the rules that a plain name cannot break. */
function reportUnusual(written: string, name: string, position: Position, context: NameContext): void {
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
