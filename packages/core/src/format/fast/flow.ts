// Reads lists and maps in brackets, on one line or over several; gives up on everything unusual.

import { maxFrontmatterDepth, maxFrontmatterKeys } from '../../skill/limits.ts';
import type { FrontmatterEntry, FrontmatterList, FrontmatterMap, FrontmatterNode } from '../tree.ts';
import { type Cursor, hasKey, indentOf, isGap, lineAt, placeAt, skipSpaces } from './lines.ts';
import { parseQuoted } from './quoted.ts';
import { resolveCore } from './scalar.ts';

/** Text without quotes on one line; dashes, colons and number signs belong to it if they mark nothing. */
const wordPattern =
  /(?:-(?=[^ \t,[\]{}])|[^ \t!&*#"'|>%@`,[\]{}?:-])(?:[^\t,:#[\]{}]|:(?=[^ \t,[\]{}])|(?<=[^ \t])#)*/y;

/** Reads a list or a map in brackets and moves past it. Every line but the first is indented more than `parent`. */
export function parseFlow(cursor: Cursor, parent: number, depth: number): FrontmatterNode | undefined {
  let line = lineAt(cursor);
  /** Number of open brackets. */
  let open = 0;

  /** Moves to the next character that is not a space, or past the text if a line is indented too little. */
  function skip(): void {
    line = lineAt(cursor);
    cursor.column = skipSpaces(line, cursor.column);
    while (cursor.column === line.length && cursor.row < cursor.lines.length) {
      cursor.row += 1;
      line = lineAt(cursor);
      cursor.column = indentOf(line);
      const mark = line[cursor.column];
      const closing = open === 1 && cursor.column === parent && (mark === ']' || mark === '}');
      if (mark !== undefined && cursor.column <= parent && !closing) {
        cursor.row = cursor.lines.length;
        line = '';
      }
    }
  }

  /** Moves past a character and the spaces after it, if it comes next. */
  function take(mark: string): boolean {
    if (line[cursor.column] !== mark) return false;
    cursor.column += 1;
    skip();
    return true;
  }

  /** Moves past a comma or the closing bracket, and returns whether it was the bracket; undefined if neither comes next. */
  function takeEnd(close: string, empty: boolean): boolean | undefined {
    const separated = empty || take(',');
    if (line[cursor.column] !== close) return separated ? false : undefined;
    cursor.column += 1;
    open -= 1;
    if (open > 0) skip();
    return true;
  }

  function parseNode(level: number): FrontmatterNode | undefined {
    const mark = line[cursor.column];
    if (mark === '[') return parseList(level);
    if (mark === '{') return parseMap(level);
    const at = placeAt(cursor);
    const plain = mark !== '"' && mark !== "'";
    const text = plain ? takeWord() : parseQuoted(cursor, parent);
    if (text === undefined) return undefined;
    skip();
    const data = plain ? resolveCore(text) : text;
    return { kind: 'scalar', text, data, plain, commented: false, line: at.line, column: at.column };
  }

  function parseList(level: number): FrontmatterList | undefined {
    const place = placeAt(cursor);
    const items: FrontmatterNode[] = [];
    if (level > maxFrontmatterDepth) return undefined;
    open += 1;
    take('[');
    for (let end = takeEnd(']', true); end !== true; end = takeEnd(']', false)) {
      const item = end === undefined ? undefined : parseNode(level + 1);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return { kind: 'list', items, flow: true, line: place.line, column: place.column };
  }

  function parseMap(level: number): FrontmatterMap | undefined {
    const place = placeAt(cursor);
    const entries: FrontmatterEntry[] = [];
    if (level > maxFrontmatterDepth) return undefined;
    open += 1;
    take('{');
    for (let end = takeEnd('}', true); end !== true; end = takeEnd('}', false)) {
      const at = placeAt(cursor);
      const key = end === undefined ? undefined : takeKey();
      const value = key === undefined ? undefined : parseNode(level + 1);
      if (key === undefined || value === undefined || hasKey(entries, key)) return undefined;
      entries.push({ key, value, line: at.line, column: at.column });
    }
    return { kind: 'map', entries, flow: true, line: place.line, column: place.column };
  }

  /** Reads a key, the colon on the same line, and the spaces up to the value. */
  function takeKey(): string | undefined {
    cursor.keys += 1;
    const { row } = cursor;
    const mark = line[cursor.column];
    const quoted = mark === '"' || mark === "'";
    const key = quoted ? parseQuoted(cursor, parent) : takeWord();
    if (cursor.row !== row || cursor.keys > maxFrontmatterKeys) return undefined;
    cursor.column = skipSpaces(line, cursor.column);
    return (quoted || isGap(line, cursor.column + 1)) && take(':') ? key : undefined;
  }

  /** Reads a text without quotes, on one line. */
  function takeWord(): string | undefined {
    wordPattern.lastIndex = cursor.column;
    const match = wordPattern.exec(line)?.[0];
    if (match === undefined) return undefined;
    cursor.column = wordPattern.lastIndex;
    let end = match.length;
    while (match.charCodeAt(end - 1) === 0x20) end -= 1;
    return match.slice(0, end);
  }

  return parseNode(depth);
}
