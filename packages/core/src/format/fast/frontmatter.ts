// Reads common frontmatter, including common mistakes, at a fraction of the cost of a YAML parser.

import { maxFrontmatterKeys, maxFrontmatterMarks } from '../../skill/limits.ts';
import { type FieldLines, keyOf, takeField } from '../field-lines.ts';
import { type FrontmatterFields, type Repair, repairField } from '../repair.ts';
import type { FrontmatterEntry } from '../tree.ts';
import { isBroken } from './broken.ts';
import { takeEntry } from './collections.ts';
import { type Cursor, findContent, hasKey, lineAt } from './lines.ts';

/**
 * Reads the text between the fences. Returns the same as `parseYaml` would, or as `parseFieldsApart` if there are mistakes;
 * differential tests check this. Undefined if in doubt.
 */
export function parseFast(text: string, firstLine: number): FrontmatterFields | undefined {
  if (!isOrdinary(text)) return undefined;
  const cursor: Cursor = { lines: text.split('\n'), firstLine, row: 0, column: 0, keys: 0, notes: [] };
  const fields: FrontmatterEntry[] = [];
  const repairs: Repair[] = [];
  const indent = findContent(cursor, Number.POSITIVE_INFINITY);
  for (let found = indent; found >= 0; found = findContent(cursor, indent)) {
    const { row } = cursor;
    if (found === indent && takeEntry(cursor, fields, indent, 1)) continue;
    const repaired = repairEntry(cursor, row, fields);
    if (repaired === undefined) return undefined;
    fields.push(repaired.field);
    repairs.push(repaired.repair);
  }
  if (fields.length === 0 || (repairs.length > 0 && !isRepairable(cursor, fields))) return undefined;
  return { fields, notes: cursor.notes, repairs };
}

/** Repairs the field that begins on a row, or else the field above, to which the row then belongs. Moves past the field. */
function repairEntry(cursor: Cursor, row: number, fields: FrontmatterEntry[]): ReturnType<typeof repairField> {
  const field = fieldAt(cursor, row) ?? takeBack(cursor, fields);
  if (field === undefined || !field.spaced || hasKey(fields, field.key) || cursor.keys > maxFrontmatterKeys)
    return undefined;
  cursor.row = field.line - cursor.firstLine;
  if (!isBroken(lineAt(cursor), field)) return undefined;
  cursor.row += 1 + field.rest.length;
  return repairField(field);
}

function fieldAt({ lines, firstLine }: Cursor, row: number): FieldLines | undefined {
  return takeField(lines, row, { line: firstLine, column: 1 });
}

/** Removes the last field that was read, and returns its lines. */
function takeBack(cursor: Cursor, fields: FrontmatterEntry[]): FieldLines | undefined {
  const last = fields.pop();
  return last && fieldAt(cursor, last.line - cursor.firstLine);
}

/** Checks what matters only if a field is broken. */
function isRepairable(cursor: Cursor, fields: readonly FrontmatterEntry[]): boolean {
  // The last check sees no keys that were left out.
  if (cursor.notes.length > 0) return false;
  // For the `yaml` package, a quote at the end of the text closes an open one, even if it is escaped.
  if (/["']$/.test(cursor.lines[cursor.lines.length - 1] ?? '')) return false;
  // For `parseFieldsApart`, a line with an unusual key belongs to the field above.
  return fields.every(({ key, line }) => keyOf(cursor.lines[line - cursor.firstLine] ?? '') === key);
}

/** Limit for brackets, and for dashes and colons followed by a space. The YAML parser may refuse texts with more. */
const maxRepeated = 200;
const brackets = ['[', '{'];
const indicators = ['- ', ': ', '? '];
const marks = [...'[]{},\n"\'&*!\\'];
/** Control characters, and a byte order mark where the YAML parser would skip it. */
const unusual = /^\ufeff|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/m;

/** Checks that a text has no unusual characters, and no more structure than the YAML parser certainly accepts. */
function isOrdinary(text: string): boolean {
  if (unusual.test(text)) return false;
  // A shorter text cannot have more, so it need not be searched.
  if (text.length > maxRepeated && count(text, brackets) > maxRepeated) return false;
  if (text.length > 2 * maxRepeated && count(text, indicators) > maxRepeated) return false;
  return text.length <= maxFrontmatterMarks || count(text, marks) <= maxFrontmatterMarks;
}

function count(text: string, parts: readonly string[]): number {
  let found = 0;
  for (let part = 0; part < parts.length; part += 1) {
    const sought = parts[part] ?? '';
    for (let index = text.indexOf(sought); index >= 0; index = text.indexOf(sought, index + 1)) found += 1;
  }
  return found;
}
