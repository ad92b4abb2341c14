// Repairs a field that YAML refuses: reads it as the text that its author meant, and records the assumption.

import type { Position } from '../diagnostics/log.ts';
import { findMisquoted, findUnquoted } from './culprit.ts';
import { type FieldLines, findIn } from './field-lines.ts';
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
  readonly lineCount: number;
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

/** Reads a field as text. Undefined if it is empty, or if it cannot be text, like a map or a list of tools. */
export function repairField(
  field: FieldLines,
): { readonly field: FrontmatterEntry; readonly repair: Repair } | undefined {
  const repaired = isText(field) ? repairText(field) : undefined;
  if (repaired === undefined) return undefined;
  const { key, isTop, line, column, valueColumn, lineCount } = field;
  const { text, code, subject, open, commented } = repaired;
  // Such a name would be a guess.
  if (isTop && key === 'name' && !/^[^[\]{}"'`|>&*!%\n]+$/.test(text)) return undefined;
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
      lineCount,
      line,
      column: valueColumn,
      culprit,
    },
  };
}

function isText({ key, isTop, first, rest }: FieldLines): boolean {
  if ((isTop && key === 'metadata') || isToolsField(key)) return false;
  if (isTop && knownFields.has(key) && key !== 'arguments') return true;
  // `arguments` and other fields may be lists or maps, unless text follows the key and only text is below it.
  return first !== '' && rest.every((line) => !/^\s*(?:- |[\w.-]+:(?:\s|$)|[\]}])/.test(line));
}

interface RepairedText extends Pick<Repair, 'code' | 'subject' | 'open'> {
  readonly text: string;
  /** Whether comments were left out. */
  readonly commented: boolean;
}

function repairText({ first, rest, lineCount }: FieldLines): RepairedText | undefined {
  const below = rest.slice(0, lineCount - 1).map((line) => line.trim());
  const header = /^([|>][-+\d]*)(?:\s+(.*))?$/.exec(first);
  if (header !== null) return repairBlock(header, below);
  const lines = [first, ...below];
  const isQuoted = /^["']/.test(lines.find((line) => line !== '') ?? '');
  const written = isQuoted ? lines : lines.filter((line) => !line.startsWith('#'));
  const commented = written.length < lines.length;
  const text = joinFolded(written).trim();
  if (text === '') return undefined;
  return /^["']/.test(text)
    ? { ...unquote(text), code: 'value-misquoted', subject: '', commented }
    : { text, open: hasOpenBracket(text), code: 'value-unquoted', subject: '', commented };
}

/** Reads the lines of a block, with what follows its header as the first one. */
function repairBlock([, header = '', start = '']: RegExpExecArray, below: readonly string[]): RepairedText | undefined {
  const lines = [start, ...below];
  const text = (header.startsWith('>') ? joinFolded(lines) : lines.join('\n')).trim();
  const code = start === '' ? 'value-unquoted' : 'block-header-text';
  return text === '' ? undefined : { text, code, subject: header, open: false, commented: false };
}

/** Removes the quotes around a text. If text follows the closing quote, the quotes belong to the text. */
function unquote(written: string): Pick<RepairedText, 'text' | 'open'> {
  const quote = written.charAt(0);
  const closed = written.length > 1 && (written.endsWith(quote) || written.endsWith(`${quote},`));
  const open = !closed || written.split(quote).length % 2 === 0;
  const isFollowed = closed ? twoQuotations.test(written) : written.includes(quote, 1);
  if (isFollowed) return { text: written, open };
  const inner = written.slice(1, closed ? written.lastIndexOf(quote) : undefined);
  return { text: (quote === '"' ? inner.replaceAll('\\"', '"') : inner.replaceAll("''", "'")).trim(), open };
}

/** `"A" and "B"`, but neither `"a "b" c"` nor `'the users' data'`. */
const twoQuotations = /^(["'])(?:(?!\1).)*\1\s.*\s\1(?:(?!\1).)*\1$/su;

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
