// Repairs a field that YAML refuses: reads it as the text that its author meant, and records the assumption.

import type { Position } from '../diagnostics/log.ts';
import { placeOf } from '../text/place.ts';
import { findMisquoted, findUnquoted } from './culprit.ts';
import { knownFields } from './fields.ts';
import { isToolsField } from './properties/switches.ts';
import type { FrontmatterEntry, FrontmatterNote } from './tree.ts';

/** One assumption that was needed to read a field. */
export interface Repair extends Position {
  readonly code:
    | 'value-unquoted'
    | 'value-misquoted'
    | 'block-header-text'
    | 'tab-indentation'
    | 'colon-space-missing'
    | 'field-unreadable';
  readonly field: string;
  /** The block header before the text, or why the field cannot be read. */
  readonly subject: string;
  /** Where the mistake is, if that is known. */
  readonly culprit?: Position | undefined;
  /** Number of lines that the field takes up, counted from `line`. */
  readonly lines: number;
  /** The text that was read, if the value is text without comments, which could not be written back. */
  readonly text?: string | undefined;
  /** True if a quote or a bracket is not closed, so that later lines may belong to the field. */
  readonly open: boolean;
}

const finders: ReadonlyMap<Repair['code'], (text: string) => number> = new Map([
  ['value-unquoted', findUnquoted],
  ['value-misquoted', findMisquoted],
]);

/** The fields of a frontmatter, the entries that were left out, and the assumptions. */
export interface FrontmatterFields {
  readonly fields: readonly FrontmatterEntry[];
  readonly notes: readonly FrontmatterNote[];
  readonly repairs: readonly Repair[];
}

/** The lines of one field, from its key to the next one; the place is that of the key. */
export interface FieldLines extends Position {
  readonly key: string;
  /** False for `name:pdf`. */
  readonly spaced: boolean;
  /** Text after the colon. */
  readonly first: string;
  /** Column of that text. */
  readonly valueColumn: number;
  /** All lines below the first. */
  readonly rest: readonly string[];
  /** Number of lines, without empty lines and comments at the end. */
  readonly lines: number;
}

const keyPattern = /^["']?([A-Za-z_][\w.-]*)["']?[ \t]*:(?:[ \t]+(.*)|)$/;
const tightKeyPattern = /^(name|description|license|compatibility|disable-model-invocation|user-invocable):(\S.*)$/;

/** Below `metadata`, any word may be a key, but `https://…` is not one. */
const tightEntryPattern = /^([A-Za-z_][\w.-]*):([^\s/\\].*)$/;

/**
 * Returns the field that begins on a row, or undefined if none does.
 *
 * @param place where the lines begin in the file
 * @param top whether the field is at the top level of the frontmatter
 */
export function takeField(lines: readonly string[], row: number, place: Position, top = true): FieldLines | undefined {
  const tight = top ? tightKeyPattern : tightEntryPattern;
  const line = lines[row] ?? '';
  const spaced = keyPattern.exec(line);
  const [, key, first = ''] = spaced ?? tight.exec(line) ?? [];
  if (key === undefined) return undefined;
  let end = row + 1;
  while (end < lines.length && keyOf(lines[end] ?? '', tight) === undefined) end += 1;
  let last = end - 1;
  while (last > row && /^(?:\s*$|#)/.test(lines[last] ?? '')) last -= 1;
  return {
    key,
    spaced: spaced !== null,
    first: first.replace(/(?<![ \t])[ \t]+$/, ''),
    valueColumn: place.column + line.length - first.length,
    rest: lines.slice(row + 1, end),
    lines: last - row + 1,
    line: place.line + row,
    column: place.column,
  };
}

/** Returns the key of the field that begins on a line, or undefined if none does. */
export function keyOf(line: string, tight: RegExp = tightKeyPattern): string | undefined {
  return (keyPattern.exec(line) ?? tight.exec(line))?.[1];
}

/**
 * Reads a field as text. Undefined if it is empty, or if it cannot be text, like a map or a list of tools.
 *
 * @param top whether the field is at the top level of the frontmatter
 */
export function repairField(
  field: FieldLines,
  top: boolean,
): { readonly field: FrontmatterEntry; readonly repair: Repair } | undefined {
  const repaired = isText(field, top) ? repairText(field) : undefined;
  if (repaired === undefined) return undefined;
  const { key, line, column, valueColumn, lines } = field;
  const { text, code, subject, open, commented } = repaired;
  if (top && key === 'name' && !/^[^[\]{}"'`|>&*!%\n]+$/.test(text)) return undefined;
  const culprit = findIn(field, finders.get(code));
  return {
    field: {
      key,
      value: { kind: 'scalar', text, data: text, plain: false, commented: false, line, column: valueColumn },
      line,
      column,
    },
    repair: {
      code,
      field: key,
      subject,
      text: commented ? undefined : text,
      open,
      lines,
      line,
      column: valueColumn,
      culprit,
    },
  };
}

/** Returns the place of what a function finds in the value of a field. */
export function findIn(
  { first, rest, lines, line, column, valueColumn }: FieldLines,
  find: ((text: string) => number | undefined) | undefined,
): Position | undefined {
  const text = [first, ...rest.slice(0, lines - 1)].join('\n');
  // The value may begin below its key.
  const start = text.length - text.trimStart().length;
  const index = find?.(text.slice(start));
  if (index === undefined) return undefined;
  const place = placeOf(text, start + index, line);
  return { ...place, column: place.column + (place.line === line ? valueColumn : column) - 1 };
}

/** Replaces each tab of an indentation with two spaces. */
export function expandTabs(line: string): string {
  return line.replace(/^[ \t]+/, (indent) => indent.replaceAll('\t', '  '));
}

function isText({ key, first, rest }: FieldLines, top: boolean): boolean {
  if ((top && key === 'metadata') || isToolsField(key)) return false;
  if (top && knownFields.has(key) && key !== 'arguments') return true;
  // `arguments` and other fields may be lists or maps, unless text follows the key and only text is below it.
  return first !== '' && rest.every((line) => !/^\s*(?:- |[\w.-]+:(?:\s|$)|[\]}])/.test(line));
}

interface RepairedText extends Pick<Repair, 'code' | 'subject' | 'open'> {
  readonly text: string;
  /** Whether comments were left out. */
  readonly commented: boolean;
}

function repairText({ first, rest, lines }: FieldLines): RepairedText | undefined {
  const below = rest.slice(0, lines - 1).map((line) => line.trim());
  const header = /^([|>][-+\d]*)(?:\s+(.*))?$/.exec(first);
  if (header !== null) {
    const [, subject = '', start = ''] = header;
    const all = [start, ...below];
    const text = (subject.startsWith('>') ? joinFolded(all) : all.join('\n')).trim();
    const code = start === '' ? 'value-unquoted' : 'block-header-text';
    return text === '' ? undefined : { text, code, subject, open: false, commented: false };
  }
  const all = [first, ...below];
  const isQuoted = /^["']/.test(all.find((line) => line !== '') ?? '');
  const written = isQuoted ? all : all.filter((line) => !line.startsWith('#'));
  const commented = written.length < all.length;
  const joined = joinFolded(written).trim();
  if (joined === '') return undefined;
  const quote = joined.charAt(0);
  if (quote !== '"' && quote !== "'") {
    return { text: joined, code: 'value-unquoted', subject: '', open: hasOpenBracket(joined), commented };
  }
  const closed = joined.length > 1 && (joined.endsWith(quote) || joined.endsWith(`${quote},`));
  const open = joined.split(quote).length % 2 === 0 || !closed;
  const misquoted = { code: 'value-misquoted', subject: '', open, commented } as const;
  // If text follows the closing quote, the quotes belong to the text.
  if (closed ? isTwoQuotations.test(joined) : joined.indexOf(quote, 1) > 0) return { text: joined, ...misquoted };
  const inner = closed ? joined.slice(1, joined.lastIndexOf(quote)) : joined.slice(1);
  const text = (quote === '"' ? inner.replaceAll('\\"', '"') : inner.replaceAll("''", "'")).trim();
  // A lone quote is kept, so that the field is not empty, and a switch counts as in doubt.
  return { text: text === '' ? joined : text, ...misquoted };
}

/** `"A" and "B"`, but neither `"a "b" c"` nor `'the users' data'`. */
const isTwoQuotations = /^(["'])(?:(?!\1).)*\1\s.*\s\1(?:(?!\1).)*\1$/su;

function hasOpenBracket(text: string): boolean {
  if (!/^[[{]/.test(text)) return false;
  return (text.match(/[[{]/g)?.length ?? 0) > (text.match(/[\]}]/g)?.length ?? 0);
}

/** Joins lines as YAML folds them: an empty line ends a paragraph, other line ends become spaces. */
function joinFolded(lines: readonly string[]): string {
  return lines
    .join('\n')
    .split(/\n\n+/)
    .map((paragraph) => paragraph.replaceAll('\n', ' '))
    .join('\n');
}
