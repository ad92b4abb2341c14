// Reads invalid frontmatter field by field, so that a broken field does not affect the others.

import type { Position } from '../../diagnostics/log.ts';
import { maxFrontmatterKeys } from '../../skill/limits.ts';
import { findOpenBracket } from '../culprit.ts';
import { expandTabs, type FieldLines, findIn, takeField } from '../field-lines.ts';
import { type FrontmatterFields, type Repair, repairField } from '../repair.ts';
import type { FrontmatterEntry, FrontmatterNote, FrontmatterResult } from '../tree.ts';
import { parseStrictly } from './strictly.ts';

/**
 * Reads each field separately. If YAML refuses a field, it is read as plain text if it can be text, and left out otherwise.
 * Undefined if the lines do not consist of fields, or if no reading would be safe.
 */
export function parseFieldsApart(text: string, firstLine: number): FrontmatterFields | undefined {
  // All fields may be indented alike.
  const indent = Math.min(...(text.match(/^ *(?=[^ \n])/gm) ?? ['']).map(({ length }) => length));
  const lines = text.replace(/\n$/, '').split('\n');
  return parseFields(
    indent === 0 ? lines : lines.map((line) => line.slice(indent)),
    { line: firstLine, column: indent + 1 },
    true,
  );
}

function parseFields(lines: readonly string[], place: Position, isTop: boolean): FrontmatterFields | undefined {
  const fields = new Map<string, FrontmatterEntry>();
  const notes: FrontmatterNote[] = [];
  const repairs: Repair[] = [];
  let count = 0;
  for (let row = 0; row < lines.length; ) {
    const field = takeField(lines, row, place, isTop);
    row += 1 + (field?.rest.length ?? 0);
    if (field === undefined) {
      if (/^\s*(?:#|$)/.test(lines[row - 1] ?? '')) continue;
      return undefined;
    }
    const read = parseField(field);
    count += 1;
    if (read === undefined || count > maxFrontmatterKeys) return undefined;
    repairs.push(...read.repairs);
    notes.push(...read.notes);
    const { key, line, column } = field;
    if (fields.has(key)) notes.push({ code: 'key-duplicate', subject: key, line, column });
    else for (const entry of read.fields) fields.set(key, entry);
  }
  return count === 0 ? undefined : { fields: [...fields.values()], notes, repairs };
}

/** Reads one field, or leaves it out; undefined if no reading of the frontmatter would be safe. */
function parseField(field: FieldLines): FrontmatterFields | undefined {
  const { key, isTop, line, column, lineCount } = field;
  const assumed = (code: Repair['code'], subject = ''): Repair => {
    return { code, field: key, subject, open: code === 'field-unreadable', lineCount, line, column };
  };
  const spacing = field.spaced ? [] : [{ ...assumed('colon-space-missing'), lineCount: 1 }];
  const asIs = parseLines(field, field.rest);
  if (!('problem' in asIs)) return { ...asIs, repairs: spacing };
  if (asIs.problem.code !== 'yaml-invalid') return undefined;

  const untabbed = field.rest.map(expandTabs);
  const isTabbed = untabbed.some((below, index) => below !== field.rest[index]);
  const tabs = isTabbed ? [{ ...assumed('tab-indentation'), lineCount: untabbed.length + 1 }] : [];
  const read = isTabbed ? parseLines(field, untabbed) : asIs;
  if (!('problem' in read)) return { ...read, repairs: [...spacing, ...tabs] };
  const nested = isTop && field.first === '' && key === 'metadata' ? parseNested(field, untabbed) : undefined;
  if (nested !== undefined) return { ...nested, repairs: [...spacing, ...tabs, ...nested.repairs] };
  const repaired = repairField(field);
  if (repaired !== undefined) return { fields: [repaired.field], notes: [], repairs: [...spacing, repaired.repair] };
  if (isTop && key === 'name') return undefined;
  const culprit = findIn(field, findOpenBracket);
  return { fields: [], notes: [], repairs: [{ ...assumed('field-unreadable', asIs.problem.subject), culprit }] };
}

function parseLines(field: FieldLines, rest: readonly string[]): FrontmatterResult {
  const indent = ' '.repeat(field.column - 1);
  const key = `${indent}${field.key}:${field.first === '' ? '' : ' '}`;
  const first = key.padEnd(field.valueColumn - 1) + field.first;
  const result = parseStrictly([first, ...rest.map((below) => indent + below), ''].join('\n'), field.line);
  if ('problem' in result) return result;
  const { fields, notes } = result;
  const { line, column } = field;
  // Without a space after the colon, the value is one column further to the left.
  const isMoved = key.length === field.valueColumn;
  if (fields.length === 1) return { fields: isMoved ? fields.map(moveLeft) : fields, notes };
  return { problem: { code: 'yaml-invalid', subject: 'its lines are not one field', line, column } };
}

function moveLeft(entry: FrontmatterEntry): FrontmatterEntry {
  return { ...entry, value: { ...entry.value, column: entry.value.column - 1 } };
}

/** Reads the lines below `metadata:` as separate fields. */
function parseNested({ key, line, column }: FieldLines, rest: readonly string[]): FrontmatterFields | undefined {
  const indent = /^\s*/.exec(rest.find((below) => below.trim() !== '') ?? '')?.[0].length ?? 0;
  if (indent === 0) return undefined;
  const isBelow = (line: string): boolean => line.slice(0, indent).trim() === '';
  // A line with less indentation can only be a comment. Otherwise, its meaning is not certain.
  if (!rest.every((line) => isBelow(line) || /^\s*#/.test(line))) return undefined;
  const dedented = rest.map((line) => (isBelow(line) ? line.slice(indent) : line));
  const place = { line: line + 1, column: column + indent };
  const read = parseFields(dedented, place, false);
  if (read === undefined) return undefined;
  const value = { kind: 'map' as const, entries: read.fields, flow: false, ...place };
  const repairs = read.repairs.map((repair) => ({ ...repair, field: `metadata.${repair.field}` }));
  return { fields: [{ key, value, line, column }], notes: read.notes, repairs };
}
