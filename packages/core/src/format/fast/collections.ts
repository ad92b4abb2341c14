// Reads block maps and lists, with one entry per line; gives up on everything unusual.

import { maxFrontmatterDepth, maxFrontmatterKeys } from '../../skill/limits.ts';
import type { FrontmatterEntry, FrontmatterList, FrontmatterMap, FrontmatterNode } from '../tree.ts';
import { parseBlock } from './block.ts';
import { parseFlow } from './flow.ts';
import { type Cursor, endLine, findContent, hasKey, isDash, isGap, lineAt, placeAt, skipSpaces } from './lines.ts';
import { parseQuoted } from './quoted.ts';
import { canBegin, parsePlainScalar } from './scalar.ts';

/** A key that is more than one word, without comments. `---` and `...` are excluded, because they end a document. */
const unusualKey = /^(?!---|\.\.\.)[^\t#]+$/;
/** Characters of a key up to its colon; YAML allows 1024. */
const maxKeyLength = 1000;

/** Reads `key: value` lines of one indentation; the first begins at the cursor. */
function parseMap(cursor: Cursor, indent: number, depth: number): FrontmatterMap | undefined {
  if (depth > maxFrontmatterDepth) return undefined;
  const { line, column } = placeAt(cursor);
  const entries: FrontmatterEntry[] = [];
  do {
    if (!takeEntry(cursor, entries, indent, depth)) return undefined;
  } while (findContent(cursor, indent) === indent);
  return { kind: 'map', entries, flow: false, line, column };
}

/** Reads the key at the cursor and its value into a list of entries. Of several entries with the same key, the first counts. */
export function takeEntry(cursor: Cursor, entries: FrontmatterEntry[], indent: number, depth: number): boolean {
  const entry = parseEntry(cursor, indent, depth);
  cursor.keys += 1;
  if (entry === undefined || cursor.keys > maxFrontmatterKeys) return false;
  const { key, line, column } = entry;
  if (hasKey(entries, key)) cursor.notes.push({ code: 'key-duplicate', subject: key, line, column });
  else entries.push(entry);
  return true;
}

function parseEntry(cursor: Cursor, indent: number, depth: number): FrontmatterEntry | undefined {
  const { line, column } = placeAt(cursor);
  const { length } = cursor.notes;
  const key = parseKey(cursor);
  const value = key === undefined ? undefined : parseContent(cursor, indent, depth + 1, true);
  if (key === undefined || value === undefined) return undefined;
  for (const note of cursor.notes.splice(length)) cursor.notes.push({ ...note, subject: `${key}.${note.subject}` });
  return { key, value, line, column };
}

/** Reads lines of one indentation that begin with a dash; the first begins at the cursor. */
function parseList(cursor: Cursor, indent: number, depth: number): FrontmatterList | undefined {
  if (depth > maxFrontmatterDepth) return undefined;
  const { line, column } = placeAt(cursor);
  const items: FrontmatterNode[] = [];
  do {
    cursor.column += 1;
    const item = parseContent(cursor, indent, depth + 1, false);
    if (item === undefined) return undefined;
    items.push(item);
  } while (findContent(cursor, indent) === indent && isDash(lineAt(cursor), indent));
  return { kind: 'list', items, flow: false, line, column };
}

/** Reads a key that is not empty and its colon, on one line. */
function parseKey(cursor: Cursor): string | undefined {
  const line = lineAt(cursor);
  const from = cursor.column;
  if (line[from] === '"' || line[from] === "'") {
    const key = parseQuoted(cursor, Number.POSITIVE_INFINITY);
    const colon = skipSpaces(line, cursor.column);
    const isKey = line[colon] === ':' && isGap(line, colon + 1) && colon - from <= maxKeyLength;
    if (key === '' || !isKey) return undefined;
    cursor.column = colon + 1;
    return key;
  }
  let colon = line.indexOf(':', from);
  while (colon >= 0 && !isGap(line, colon + 1)) colon = line.indexOf(':', colon + 1);
  if (colon < 0 || colon - from > maxKeyLength) return undefined;
  let end = colon;
  while (line.charCodeAt(end - 1) === 0x20) end -= 1;
  const key = line.slice(from, end);
  if (!/^[A-Za-z_][\w-]*$/.test(key) && !(canBegin(line, from) && unusualKey.test(key))) return undefined;
  cursor.column = colon + 1;
  return key;
}

/** Reads what follows the colon of a key or the dash of an item, on its line or below. */
function parseContent(cursor: Cursor, parent: number, depth: number, keyed: boolean): FrontmatterNode | undefined {
  const line = lineAt(cursor);
  cursor.column = skipSpaces(line, cursor.column);
  const commented = line[cursor.column] === '#';
  if (cursor.column < line.length && !commented) {
    return keyed ? parseScalar(cursor, parent, depth) : parseNode(cursor, parent, depth);
  }
  const empty = placeAt(cursor);
  cursor.row += 1;
  const { row } = cursor;
  const indent = findContent(cursor, Number.POSITIVE_INFINITY);
  if (indent > parent || (keyed && indent === parent && isDash(lineAt(cursor), indent))) {
    // After a skipped comment, no single value may follow, because comments change where a text ends.
    return parseNode(cursor, parent, depth, cursor.row === row);
  }
  // The `yaml` package attaches a comment above an empty item to that item.
  if (!keyed) return undefined;
  for (let passed = row; passed < cursor.row; passed += 1) {
    if (cursor.lines[passed]?.includes('#')) return undefined;
  }
  return { kind: 'scalar', text: '', data: null, plain: true, commented, line: empty.line, column: empty.column };
}

/** Reads the list, the map or, if `scalar` allows it, the single value that begins at the cursor. */
function parseNode(cursor: Cursor, parent: number, depth: number, scalar = true): FrontmatterNode | undefined {
  const { row, column } = cursor;
  if (isDash(lineAt(cursor), column)) return parseList(cursor, column, depth);
  const isMap = parseKey(cursor) !== undefined;
  cursor.row = row;
  cursor.column = column;
  if (isMap) return parseMap(cursor, column, depth);
  return scalar ? parseScalar(cursor, parent, depth) : undefined;
}

/** Reads a value that is neither a map nor a list of lines. */
function parseScalar(cursor: Cursor, parent: number, depth: number): FrontmatterNode | undefined {
  const mark = lineAt(cursor)[cursor.column];
  if (mark === '|' || mark === '>') return parseBlock(cursor, parent);
  if (mark === '[' || mark === '{') {
    const node = parseFlow(cursor, parent, depth);
    return node !== undefined && endLine(cursor) ? node : undefined;
  }
  if (mark !== '"' && mark !== "'") return parsePlainScalar(cursor, parent);
  const { line, column } = placeAt(cursor);
  const text = parseQuoted(cursor, parent);
  if (text === undefined || !endLine(cursor)) return undefined;
  return { kind: 'scalar', text, data: text, plain: false, commented: false, line, column };
}
