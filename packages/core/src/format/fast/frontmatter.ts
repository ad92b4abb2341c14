// Reads common frontmatter, including common mistakes, at a fraction of the cost of a YAML parser.

import { maxFrontmatterKeys } from '../../skill/limits.ts';
import { isTooComplex } from '../complexity.ts';
import { type FieldLines, keyOf, takeField } from '../field-lines.ts';
import { type FrontmatterFields, type Repair, repairField } from '../repair.ts';
import type { FrontmatterEntry } from '../tree.ts';
import { isBroken } from './broken.ts';
import { takeEntry } from './collections.ts';
import { type Cursor, findContent, hasKey, lineAt } from './lines.ts';

/**
 * Reads the text between the fences. Returns the same as `parseYaml` would, or as `parseFieldsApart` if there are mistakes;
 * differential tests check this. Undefined if in doubt. Unlike them, reads any number of brackets and dashes in a text.
 */
export function parseFast(text: string, firstLine: number): FrontmatterFields | undefined {
  if (unusual.test(text) || isTooComplex(text)) return undefined;
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

/** Control characters, and a byte order mark where the YAML parser would skip it. */
const unusual = /^\ufeff|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/m;
