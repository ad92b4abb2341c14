// Parses the two fields that every skill needs: its name and its description.

import { showCharacter } from '../../diagnostics/diagnostic.ts';
import type { DiagnosticLog, Position } from '../../diagnostics/log.ts';
import { maxDescriptionLength, maxKeptDescription } from '../../skill/limits.ts';
import { findInvisible, mayHide } from '../../text/invisible.ts';
import { oneLine } from '../../text/neutral.ts';
import { describeKind, describeType, type FrontmatterEntry, ownText } from '../tree.ts';
import type { PropertiesContext } from './context.ts';
import { findSeparator, normalizeName, remedyFor, remedyForMismatch, suggestName, validateName } from './name.ts';

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
  const separator = directory === undefined ? undefined : findSeparator(name);
  if (directory !== undefined && separator !== undefined) {
    const remedy = remedyFor(harmlessName(directory), directory);
    log.report('name-replaced', value, { name, problem: separator, directory: harmlessName(directory), ...remedy });
    return useDirectoryName(directory, value, context);
  }
  validateName(written, name, value, context);
  if (directory !== undefined && directory !== name && directory.normalize('NFKC') !== name) {
    log.report('name-directory-mismatch', value, { name, directory, ...remedyForMismatch(name, directory) });
  }
  return name;
}

/**
 * Checks whether a name is empty. An invisible name counts as empty only if the directory can replace it; otherwise it is refused
 * later.
 */
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

/** Returns the description; undefined if it is missing, empty or not a text. */
export function parseDescription(field: FrontmatterEntry | undefined, context: PropertiesContext): string | undefined {
  const { log, start, fallbackDescription: fallback } = context;
  const value = field?.value;
  if (
    field === undefined ||
    value === undefined ||
    (value.kind === 'scalar' && (value.data === null || value.text.trim() === ''))
  ) {
    if (fallback !== undefined) log.report('description-assumed', field ?? start);
    else if (field === undefined) log.report('description-missing', start);
    else log.report('description-empty', field);
    return fallback;
  }
  if (value.kind !== 'scalar') {
    log.report('description-not-text', value, { kind: describeKind(value) });
    return undefined;
  }
  const type = describeType(value);
  if (type !== undefined) log.report('value-not-string', value, { field: 'description', kind: type });
  const text = value.text.trim();
  if (oneLine(text) === '') {
    log.report('description-empty', field);
    return ownText(text);
  }
  if (/^[\s[(<*]*TODO:/.test(text)) log.report('description-unfinished', value);
  const limit = maxDescriptionLength;
  const length = countPoints(text, limit);
  if (length > maxKeptDescription) {
    log.report('description-cut', value, { length, limit: maxKeptDescription });
  } else if (length > limit) {
    log.report('description-too-long', value, { length, limit });
  } else {
    const padded = countPoints(value.text, limit);
    if (padded > limit) log.report('description-padded', value, { length: padded, limit });
  }
  const bracket = /[<>]/.exec(text);
  if (bracket !== null) log.report('description-angle-brackets', value, { character: bracket[0] });
  if (value.commented) log.report('inline-comment', value, { field: 'description' });
  reportHidden('description', text, value, log);
  return ownText(length > maxKeptDescription ? [...text].slice(0, maxKeptDescription).join('') : text);
}

function reportHidden(field: string, text: string, position: Position, log: DiagnosticLog): void {
  if (!mayHide(text)) return;
  const hidden = /[^\P{Cc}\s]/u.exec(text)?.[0] ?? findInvisible(text)?.character;
  if (hidden !== undefined) log.report('hidden-characters', position, { field, character: showCharacter(hidden) });
}

/** Counts the code points of a text that is longer than the limit in UTF-16 units; returns the number of units otherwise. */
export function countPoints(text: string, limit: number): number {
  return text.length <= limit ? text.length : [...text].length;
}
