// Reads lists and maps in brackets, on one line or over several; gives up on everything unusual.

import { maxFrontmatterDepth } from '../../skill/limits.ts';
import type { FrontmatterEntry, FrontmatterList, FrontmatterMap, FrontmatterNode } from '../tree.ts';
import { type Cursor, hasKey, indentOf, lineAt, placeAt, skipSpaces } from './lines.ts';
import { parseQuoted } from './quoted.ts';
import { resolveCore } from './scalar.ts';

/** Text without quotes on one line, with the dashes, colons and number signs that have no meaning there. */
const wordPattern =
  /(?:-(?=[^ \t,[\]{}])|[^ \t!&*#"'|>%@`,[\]{}?:-])(?:[^\t,:#[\]{}]|:(?=[^ \t,[\]{}])|(?<=[^ \t])#)*/y;

/** The state of the reader inside the brackets. */
interface Flow {
  readonly cursor: Cursor;
  /** Every line but the first is indented more. */
  readonly parent: number;
  /** Number of open brackets. */
  open: number;
}

/** Reads a list or a map in brackets and moves past it. Every line but the first is indented more than `parent`. */
export function parseFlow(cursor: Cursor, parent: number, depth: number): FrontmatterNode | undefined {
  return parseNode({ cursor, parent, open: 0 }, depth);
}

function parseNode(flow: Flow, depth: number): FrontmatterNode | undefined {
  const { cursor, parent } = flow;
  const mark = markAt(flow);
  if (mark === '[') return parseList(flow, depth);
  if (mark === '{') return parseMap(flow, depth);
  const { line, column } = placeAt(cursor);
  const plain = !isQuote(mark);
  const text = plain ? takeWord(flow) : parseQuoted(cursor, parent);
  if (text === undefined) return undefined;
  skip(flow);
  const data = plain ? resolveCore(text) : text;
  return { kind: 'scalar', text, data, plain, commented: false, line, column };
}

function parseList(flow: Flow, depth: number): FrontmatterList | undefined {
  const { line, column } = placeAt(flow.cursor);
  const items: FrontmatterNode[] = [];
  if (depth > maxFrontmatterDepth) return undefined;
  for (enter(flow); markAt(flow) !== ']'; ) {
    const item = parseNode(flow, depth + 1);
    if (item === undefined || !endItem(flow, ']')) return undefined;
    items.push(item);
  }
  leave(flow);
  return { kind: 'list', items, flow: true, line, column };
}

function parseMap(flow: Flow, depth: number): FrontmatterMap | undefined {
  const { line, column } = placeAt(flow.cursor);
  const entries: FrontmatterEntry[] = [];
  if (depth > maxFrontmatterDepth) return undefined;
  for (enter(flow); markAt(flow) !== '}'; ) {
    const place = placeAt(flow.cursor);
    const key = takeKey(flow);
    const value = key === undefined ? undefined : parseNode(flow, depth + 1);
    if (key === undefined || value === undefined || hasKey(entries, key) || !endItem(flow, '}')) return undefined;
    entries.push({ key, value, line: place.line, column: place.column });
  }
  leave(flow);
  return { kind: 'map', entries, flow: true, line, column };
}

/** Moves past an opening bracket. */
function enter(flow: Flow): void {
  flow.open += 1;
  flow.cursor.column += 1;
  skip(flow);
}

/** Moves past a closing bracket; what follows the last one is left to the caller. */
function leave(flow: Flow): void {
  flow.open -= 1;
  flow.cursor.column += 1;
  if (flow.open > 0) skip(flow);
}

/** Moves past the comma after an item. The last item needs none. False if neither a comma nor the closing bracket follows. */
function endItem(flow: Flow, close: string): boolean {
  return take(flow, ',') || markAt(flow) === close;
}

/** Reads a key, the colon on the same line, and the spaces up to the value. */
function takeKey(flow: Flow): string | undefined {
  const { cursor, parent } = flow;
  cursor.keys += 1;
  const { row } = cursor;
  const key = isQuote(markAt(flow)) ? parseQuoted(cursor, parent) : takeWord(flow);
  if (cursor.row !== row) return undefined;
  cursor.column = skipSpaces(lineAt(cursor), cursor.column);
  return take(flow, ':') ? key : undefined;
}

/** Reads a text without quotes, on one line. */
function takeWord({ cursor }: Flow): string | undefined {
  wordPattern.lastIndex = cursor.column;
  const match = wordPattern.exec(lineAt(cursor))?.[0];
  if (match === undefined) return undefined;
  cursor.column = wordPattern.lastIndex;
  let end = match.length;
  while (match.charCodeAt(end - 1) === 0x20) end -= 1;
  return match.slice(0, end);
}

/** Moves past a character and the spaces after it, if it comes next. */
function take(flow: Flow, mark: string): boolean {
  if (markAt(flow) !== mark) return false;
  flow.cursor.column += 1;
  skip(flow);
  return true;
}

/** Moves to the next character that is not a space. A line that is indented too little ends the text, as if it were the last. */
function skip(flow: Flow): void {
  const { cursor } = flow;
  cursor.column = skipSpaces(lineAt(cursor), cursor.column);
  while (cursor.column === lineAt(cursor).length && cursor.row < cursor.lines.length) {
    cursor.row += 1;
    cursor.column = indentOf(lineAt(cursor));
    if (isOutside(flow)) cursor.row = cursor.lines.length;
  }
}

/** Checks whether a line is indented too little. Only the last closing bracket may be indented like the parent. */
function isOutside(flow: Flow): boolean {
  const mark = markAt(flow);
  const { column } = flow.cursor;
  if (mark === undefined || column > flow.parent) return false;
  return !(flow.open === 1 && column === flow.parent && (mark === ']' || mark === '}'));
}

/** Returns the character at the cursor; undefined at the end of a line, and past the last one. */
function markAt({ cursor }: Flow): string | undefined {
  return lineAt(cursor)[cursor.column];
}

function isQuote(mark: string | undefined): boolean {
  return mark === '"' || mark === "'";
}
