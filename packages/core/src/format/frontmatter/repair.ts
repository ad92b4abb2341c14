// Reads frontmatter that is not valid YAML field by field, the way its author meant it, and notes everything it assumed.

import type { Position } from '../../diagnostics/log.ts';
import { maxFrontmatterKeys } from '../../skill/limits.ts';
import { fieldTable } from '../fields.ts';
import type { FrontmatterEntry, FrontmatterNote, FrontmatterScalar } from '../tree.ts';
import { parseYaml } from './yaml.ts';

/** One thing that was assumed. */
export interface Repair extends Position {
  readonly code:
    | 'value-unquoted'
    | 'value-misquoted'
    | 'block-header-text'
    | 'tab-indentation'
    | 'colon-space-missing'
    | 'field-unreadable';
  readonly field: string;
  /** The block header that text follows, or why the field cannot be read. */
  readonly subject: string;
  /** Lines of the file that the field takes up, from the one of this place. */
  readonly lines: number;
  /** The text that was read, where it is one. */
  readonly text?: string;
  /** True where a quote or a bracket stays open, so that what follows may belong to the field. */
  readonly open: boolean;
}

/** Frontmatter as it was probably meant. */
export interface RepairedFrontmatter {
  readonly fields: readonly FrontmatterEntry[];
  readonly notes: readonly FrontmatterNote[];
  readonly repairs: readonly Repair[];
}

/** The lines of one field: the one with the key and those that follow up to the next key. */
interface Block {
  readonly key: string;
  /** Text after the colon. */
  readonly first: string;
  readonly rest: readonly string[];
  readonly spaced: boolean;
  readonly line: number;
  readonly column: number;
}

const keyPattern = /^["']?([A-Za-z_][\w.-]*)["']?[ \t]*:(?:[ \t]+(.*)|)$/;
const tightKeyPattern = /^(name|description|license|compatibility):(\S.*)$/;

/**
 * Reads every field by itself, so that one that is broken leaves the others alone. A text that YAML refuses is taken
 * as written; what is not a text is left out. Undefined where the lines do not consist of fields.
 */
export function repairFrontmatter(text: string, firstLine: number): RepairedFrontmatter | undefined {
  const blocks = splitBlocks(text.split('\n'), firstLine, 1);
  return blocks === undefined ? undefined : repairBlocks(blocks, true);
}

function repairBlocks(blocks: readonly Block[], top: boolean): RepairedFrontmatter | undefined {
  if (blocks.length > maxFrontmatterKeys) return undefined;
  const fields = new Map<string, FrontmatterEntry>();
  const notes: FrontmatterNote[] = [];
  const repairs: Repair[] = [];
  for (const block of blocks) {
    const read = readBlock(block, top);
    if (read === undefined) return undefined;
    repairs.push(...read.repairs);
    notes.push(...read.notes);
    const place = { line: block.line, column: block.column };
    if (fields.has(block.key)) notes.push({ code: 'key-duplicate', subject: block.key, ...place });
    else if (read.field !== undefined) fields.set(block.key, read.field);
  }
  return { fields: [...fields.values()], notes, repairs };
}

interface BlockReading {
  /** Undefined where the field is left out. */
  readonly field: FrontmatterEntry | undefined;
  readonly notes: readonly FrontmatterNote[];
  readonly repairs: readonly Repair[];
}

/** Reads one field; undefined where no reading of the whole would be safe. */
function readBlock(block: Block, top: boolean): BlockReading | undefined {
  const place = { line: block.line, column: block.column };
  const size = { lines: 1 + block.rest.length };
  const spacing: Repair[] = block.spaced
    ? []
    : [{ code: 'colon-space-missing', field: block.key, subject: '', open: false, ...place, lines: 1 }];
  const asIs = readLines(block, block.rest);
  if ('field' in asIs) return { ...asIs, repairs: spacing };
  if (asIs.reason === 'forbidden') return undefined;

  const untabbed = block.rest.map((line) => line.replace(/^[ \t]+/, (blanks) => blanks.replaceAll('\t', '  ')));
  if (untabbed.some((line, index) => line !== block.rest[index])) {
    const read = readLines(block, untabbed);
    if ('field' in read) {
      const repair: Repair = { code: 'tab-indentation', field: block.key, subject: '', open: false, ...place, ...size };
      return { ...read, repairs: [...spacing, repair] };
    }
  }
  const nested = top && block.first === '' && block.key === 'metadata' ? readNested(block, untabbed) : undefined;
  if (nested !== undefined) return nested;
  const text = isText(block, top) ? recoverText(block) : undefined;
  if (text === undefined || (block.key === 'name' && top && !/^[^[\]{}"'`|>&*!%\n]+$/.test(text.value))) {
    if (block.key === 'name' && top) return undefined;
    const subject = asIs.reason;
    const repair: Repair = { code: 'field-unreadable', field: block.key, subject, open: true, ...place, ...size };
    return { field: undefined, notes: [], repairs: [repair] };
  }
  const value: FrontmatterScalar = {
    kind: 'scalar',
    text: text.value,
    data: text.value,
    plain: false,
    commented: false,
    ...valuePlace(block),
  };
  const repair: Repair = {
    code: text.code,
    field: block.key,
    subject: text.header,
    text: text.value,
    open: text.open,
    ...valuePlace(block),
    ...size,
  };
  return { field: { key: block.key, value, ...place }, notes: [], repairs: [...spacing, repair] };
}

function readLines(
  block: Block,
  rest: readonly string[],
): { field: FrontmatterEntry; notes: readonly FrontmatterNote[] } | { reason: string } {
  const indent = ' '.repeat(block.column - 1);
  const result = parseYaml([`${indent}${block.key}: ${block.first}`, ...rest].join('\n'), block.line);
  if ('problem' in result) {
    return { reason: result.problem.code === 'yaml-invalid' ? result.problem.subject : 'forbidden' };
  }
  const [field, second] = result.fields;
  if (field === undefined || second !== undefined) return { reason: 'its lines are not one field' };
  return { field, notes: result.notes };
}

/** Reads the lines below `metadata:` as fields of their own. */
function readNested(block: Block, rest: readonly string[]): BlockReading | undefined {
  const first = rest.find((line) => line.trim() !== '');
  const indent = first === undefined ? 0 : first.length - first.trimStart().length;
  if (indent === 0) return undefined;
  const dedented = rest.map((line) => (line.slice(0, indent).trim() === '' ? line.slice(indent) : line));
  const blocks = splitBlocks(dedented, block.line + 1, indent + 1);
  const read = blocks === undefined ? undefined : repairBlocks(blocks, false);
  if (read === undefined) return undefined;
  const place = { line: block.line, column: block.column };
  const value = { kind: 'map' as const, entries: read.fields, flow: false, line: block.line + 1, column: indent + 1 };
  const repairs = read.repairs.map((repair) => ({ ...repair, field: `metadata.${repair.field}` }));
  return { field: { key: block.key, value, ...place }, notes: read.notes, repairs };
}

/** Splits lines at those that begin with a key; undefined where other text stands before the first. */
function splitBlocks(lines: readonly string[], firstLine: number, column: number): readonly Block[] | undefined {
  const blocks: { key: string; first: string; rest: string[]; spaced: boolean; line: number; column: number }[] = [];
  for (const [index, line] of lines.entries()) {
    const spaced = keyPattern.exec(line);
    const match = spaced ?? tightKeyPattern.exec(line);
    const current = blocks[blocks.length - 1];
    if (match !== null) {
      const [, key = '', first = ''] = match;
      blocks.push({ key, first: first.trim(), rest: [], spaced: spaced !== null, line: firstLine + index, column });
    } else if (current !== undefined) {
      current.rest.push(line);
    } else if (line.trim() !== '' && !line.startsWith('#')) {
      return undefined;
    }
  }
  for (const block of blocks) {
    // Blank lines and comments before the next key belong to nobody.
    while (block.rest.length > 0 && /^(?:\s*$|#)/.test(block.rest[block.rest.length - 1] ?? '')) block.rest.pop();
  }
  return blocks.length === 0 ? undefined : blocks;
}

/** Tells whether a field that YAML refuses may be taken as text: never one that asks for permissions. */
function isText(block: Block, top: boolean): boolean {
  const type = top ? fieldTable.get(block.key)?.type : undefined;
  if (type === 'tools' || type === 'text-map' || /^allowed[-_]?tools$/i.test(block.key)) return false;
  if (type !== undefined) return true;
  // Other fields may hold lists and maps; those with a text on the line of the key, and nothing but text below it, do not.
  return block.first !== '' && block.rest.every((line) => !/^\s*(?:- |[\w.-]+:(?:\s|$)|[\]}])/.test(line));
}

interface RecoveredText {
  readonly value: string;
  readonly code: 'value-unquoted' | 'value-misquoted' | 'block-header-text';
  readonly header: string;
  /** True where a quote is not closed. */
  readonly open: boolean;
}

function recoverText(block: Block): RecoveredText | undefined {
  const below = block.rest.map((line) => line.trim());
  const header = /^([|>][-+\d]*)(?:\s+(.*))?$/.exec(block.first);
  if (header !== null) {
    const [, mark = '', text = ''] = header;
    const lines = [text, ...below];
    const value = (mark.startsWith('>') ? joinFolded(lines) : lines.join('\n')).trim();
    return value === ''
      ? undefined
      : { value, code: text === '' ? 'value-unquoted' : 'block-header-text', header: mark, open: false };
  }
  const joined = joinFolded([block.first, ...below]).trim();
  if (joined === '') return undefined;
  const quote = joined[0];
  if (quote !== '"' && quote !== "'")
    return { value: joined, code: 'value-unquoted', header: '', open: hasOpenBracket(joined) };
  const closed = joined.length > 1 && (joined.endsWith(quote) || joined.endsWith(`${quote},`));
  const open = joined.split(quote).length % 2 === 0 || !closed;
  // Text in quotes that goes on after them: the quotes belong to it.
  if (!closed && joined.indexOf(quote, 1) > 0) return { value: joined, code: 'value-misquoted', header: '', open };
  const inner = closed ? joined.slice(1, joined.lastIndexOf(quote)) : joined.slice(1);
  const value = quote === '"' ? inner.replaceAll('\\"', '"') : inner.replaceAll("''", "'");
  // A lone quote is kept: a field that has it is not empty, and one that switches something is in doubt.
  return { value: value.trim() === '' ? joined : value.trim(), code: 'value-misquoted', header: '', open };
}

function hasOpenBracket(text: string): boolean {
  if (!/^[[{]/.test(text)) return false;
  return (text.match(/[[{]/g)?.length ?? 0) > (text.match(/[\]}]/g)?.length ?? 0);
}

/** Joins lines as YAML folds them: a blank line ends a paragraph, other line ends become blanks. */
function joinFolded(lines: readonly string[]): string {
  return lines
    .join('\n')
    .split(/\n\n+/)
    .map((paragraph) => paragraph.replaceAll('\n', ' '))
    .join('\n');
}

function valuePlace(block: Block): Position {
  return { line: block.line, column: block.column + block.key.length + (block.spaced ? 2 : 1) };
}
