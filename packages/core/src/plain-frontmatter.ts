// Reads the plainest frontmatter, one `key: value` a line, without a YAML parser; gives up on everything else.

import type { FrontmatterEntry, FrontmatterNode, FrontmatterScalar } from './frontmatter.ts';
import { maxFrontmatterKeys, maxFrontmatterMarks } from './limits.ts';
import { readFlow, readQuoted } from './plain-flow.ts';

const keyPattern = /^[A-Za-z_][A-Za-z0-9_-]*$/;
// With what stands in brackets this stays within the depth that the YAML path allows.
const maxIndent = 11;
const startPattern = /^[\p{L}\p{N}(“”‘’/$<=^+;.~\\_]/u;

/**
 * Reads text that consists of plain and simply quoted values, blocks of text, lists of words and maps in maps.
 * What it gives is what `readYaml` gives, as a differential test holds; undefined where the text could mean anything else.
 */
export function readPlain(text: string, firstLine: number): readonly FrontmatterEntry[] | undefined {
  // So short a text is within every bound that the YAML path checks first.
  if (text.length > maxFrontmatterMarks) return undefined;
  const lines = text.split('\n');
  if (lines.length > maxFrontmatterKeys) return undefined;
  const entries = readMap({ lines, firstLine, next: 0 }, 0);
  return entries === undefined || entries.length === 0 ? undefined : entries;
}

/** The lines and the index of the one that is read next. */
interface Cursor {
  readonly lines: readonly string[];
  readonly firstLine: number;
  next: number;
}

/** Reads `key: value` lines of one indentation, up to one that is indented less. */
function readMap(cursor: Cursor, indent: number): FrontmatterEntry[] | undefined {
  const entries: FrontmatterEntry[] = [];
  const keys = new Set<string>();
  while (cursor.next < cursor.lines.length) {
    const content = cursor.lines[cursor.next] ?? '';
    if (content === '') {
      cursor.next += 1;
      continue;
    }
    const found = indentOf(content);
    if (found < indent && entries.length > 0) return entries;
    if (found !== indent) return undefined;
    const colon = content.indexOf(':', indent);
    const key = content.slice(indent, colon);
    if (colon < 0 || !keyPattern.test(key) || keys.has(key)) return undefined;
    const place = { line: cursor.firstLine + cursor.next, column: indent + 1 };
    cursor.next += 1;
    const value = readValue(cursor, content, colon + 1, indent, place.line);
    if (value === undefined) return undefined;
    keys.add(key);
    entries.push({ key, value, ...place });
  }
  return entries;
}

function readValue(
  cursor: Cursor,
  content: string,
  from: number,
  indent: number,
  line: number,
): FrontmatterNode | undefined {
  if (content.length > from) {
    const mark = content.slice(from);
    if (indent === 0 && /^ [|>]-?$/.test(mark)) return readBlock(cursor, mark.trim(), line, from + 2);
    const whole = joinContinuation(cursor, content, indent);
    // What stands in brackets on several lines has its places in the file on each of them.
    if (whole === undefined || (whole !== content && /^ *[[{]/.test(mark))) return undefined;
    return readScalar(whole, from, line);
  }
  const next = cursor.lines[cursor.next] ?? '';
  const below = indentOf(next);
  if (next.startsWith('- ', below)) return below < indent ? undefined : readList(cursor, below, indent);
  if (below <= indent || below > maxIndent) return undefined;
  const place = { line: cursor.firstLine + cursor.next, column: below + 1 };
  const entries = readMap(cursor, below);
  return entries === undefined || entries.length === 0 ? undefined : { kind: 'map', entries, flow: false, ...place };
}

/** Joins a line with those that go on with its text, indented more and without a blank one among them. */
function joinContinuation(cursor: Cursor, content: string, indent: number): string | undefined {
  let joined = content;
  for (let next = cursor.lines[cursor.next]; next !== undefined; next = cursor.lines[cursor.next]) {
    const found = indentOf(next);
    if (found <= indent) break;
    const more = next.slice(found);
    if (!/^[\p{L}\p{N}(]/u.test(more) || /[ \t]$|: |:$| #/.test(more) || / $/.test(joined)) return undefined;
    joined += ` ${more}`;
    cursor.next += 1;
  }
  const blank = cursor.lines[cursor.next] === '' && indentOf(cursor.lines[cursor.next + 1] ?? '') > indent;
  return blank ? undefined : joined;
}

/** Reads lines that begin with a dash, each with one value. */
function readList(cursor: Cursor, below: number, indent: number): FrontmatterNode | undefined {
  const place = { line: cursor.firstLine + cursor.next, column: below + 1 };
  const items: FrontmatterNode[] = [];
  for (let content = cursor.lines[cursor.next]; content !== undefined; content = cursor.lines[cursor.next]) {
    if (!content.startsWith('- ', indentOf(content)) || indentOf(content) !== below) break;
    const item = readScalar(content, below + 1, cursor.firstLine + cursor.next);
    if (item === undefined) return undefined;
    items.push(item);
    cursor.next += 1;
  }
  // What follows has to be a key beside or above the list, not more of its last value.
  return indentOf(cursor.lines[cursor.next] ?? '') > indent
    ? undefined
    : { kind: 'list', items, flow: false, ...place };
}

/** Reads a block of text whose lines are all indented alike and none of which is blank. */
function readBlock(cursor: Cursor, header: string, line: number, column: number): FrontmatterNode | undefined {
  const indent = indentOf(cursor.lines[cursor.next] ?? '');
  if (indent === 0) return undefined;
  const texts: string[] = [];
  for (let content = cursor.lines[cursor.next]; content !== undefined; content = cursor.lines[cursor.next]) {
    const found = indentOf(content);
    if (found < indent) break;
    if (found > indent || content.length === indent || /[\p{Cc}\uFEFF]/u.test(content)) return undefined;
    texts.push(content.slice(indent));
    cursor.next += 1;
  }
  const after = cursor.lines[cursor.next] ?? '';
  if (texts.length === 0 || (after === '' ? cursor.next < cursor.lines.length - 1 : indentOf(after) > 0))
    return undefined;
  const text = texts.join(header.startsWith('|') ? '\n' : ' ') + (header.endsWith('-') ? '' : '\n');
  return { kind: 'scalar', text, data: text, plain: false, commented: false, line, column };
}

function indentOf(content: string): number {
  let indent = 0;
  while (content[indent] === ' ') indent += 1;
  return indent;
}

/** Reads what follows the colon of a line: a plain text, one in quotes, or what stands in brackets. */
function readScalar(content: string, colonEnd: number, line: number): FrontmatterNode | undefined {
  let from = colonEnd;
  while (content[from] === ' ') from += 1;
  if (from === colonEnd || from === content.length) return undefined;
  let to = content.length;
  while (content[to - 1] === ' ') to -= 1;
  const value = content.slice(from, to);
  const place = { line, column: from + 1 };
  if (/[\p{Cc}\uFEFF]/u.test(value)) return undefined;
  if (value[0] === '[' || value[0] === '{') return readFlow(content.slice(0, to), from, line, resolveCore);
  if (value[0] === '"' || value[0] === "'") {
    const quoted = readQuoted(content, from);
    if (quoted?.end !== to) return undefined;
    return { kind: 'scalar', text: quoted.text, data: quoted.text, plain: false, commented: false, ...place };
  }
  if (!startPattern.test(value) || value.includes(': ') || value.endsWith(':') || value.includes(' #'))
    return undefined;
  return { kind: 'scalar', text: value, data: resolveCore(value), plain: true, commented: false, ...place };
}

/** What YAML 1.2 core makes of a plain text that begins as above. */
function resolveCore(text: string): FrontmatterScalar['data'] {
  if (text.length <= 5) {
    if (/^(?:~|null|Null|NULL)$/.test(text)) return null;
    if (/^(?:true|True|TRUE)$/.test(text)) return true;
    if (/^(?:false|False|FALSE)$/.test(text)) return false;
    if (/^[-+]?\.(?:inf|Inf|INF)$/.test(text)) return Number.POSITIVE_INFINITY;
    if (/^\.(?:nan|NaN|NAN)$/.test(text)) return Number.NaN;
  }
  if (/^(?:0o[0-7]+|0x[0-9a-fA-F]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?)$/.test(text)) return Number(text);
  return text;
}
