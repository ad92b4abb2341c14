// Reads quoted texts, and lists and maps in brackets as JSON writes them, without a YAML parser; gives up on everything else.

import type { FrontmatterEntry, FrontmatterNode } from './frontmatter.ts';

/** Brackets within brackets. */
const maxFlowDepth = 4;

/** A text and the index behind its closing quote. */
interface Quoted {
  readonly text: string;
  readonly end: number;
}

const doubleQuoted = /"((?:[^"\\]|\\["\\/nt])*)"/y;
const singleQuoted = /'((?:[^']|'')*)'/y;
const escaped: ReadonlyMap<string, string> = new Map([
  ['\\n', '\n'],
  ['\\t', '\t'],
]);

/** Reads a text in quotes with no escapes but the commonest. */
export function readQuoted(content: string, from: number): Quoted | undefined {
  const pattern = content[from] === '"' ? doubleQuoted : singleQuoted;
  pattern.lastIndex = from;
  const inner = pattern.exec(content)?.[1];
  if (inner === undefined) return undefined;
  const end = pattern.lastIndex;
  if (pattern === singleQuoted) return { text: inner.includes("'") ? inner.replaceAll("''", "'") : inner, end };
  if (!inner.includes('\\')) return { text: inner, end };
  return { text: inner.replace(/\\./g, (pair) => escaped.get(pair) ?? pair.slice(1)), end };
}

/** What a plain word means. */
export type ResolveWord = (text: string) => string | number | boolean | null;

/** Reads a list or a map in brackets that goes from `from` to the end of the line but for blanks. */
export function readFlow(
  content: string,
  from: number,
  line: number,
  resolveWord: ResolveWord,
): FrontmatterNode | undefined {
  let next = from;

  function skipBlanks(): void {
    while (content[next] === ' ') next += 1;
  }

  /** Passes over a comma and the blanks behind it, or over the closing bracket. */
  function isAtEnd(close: string): boolean | undefined {
    skipBlanks();
    const mark = content[next];
    if (mark !== close && mark !== ',') return undefined;
    next += 1;
    if (mark === ',') skipBlanks();
    return mark === close;
  }

  function readNode(depth: number): FrontmatterNode | undefined {
    const place = { line, column: next + 1 };
    const mark = content[next];
    if (mark === '[') return readList(depth);
    if (mark === '{') return readMap(depth);
    if (mark === '"' || mark === "'") {
      const quoted = readQuoted(content, next);
      if (quoted === undefined) return undefined;
      next = quoted.end;
      return { kind: 'scalar', text: quoted.text, data: quoted.text, plain: false, commented: false, ...place };
    }
    const text = takeMatch(/[\p{L}\p{N}_][\p{L}\p{N}_./ -]*/uy)?.trimEnd();
    if (text === undefined) return undefined;
    return { kind: 'scalar', text, data: resolveWord(text), plain: true, commented: false, ...place };
  }

  function readList(depth: number): FrontmatterNode | undefined {
    const place = { line, column: next + 1 };
    const items: FrontmatterNode[] = [];
    if (!open(depth)) return undefined;
    for (let end: boolean | undefined = close(']'); end !== true; end = isAtEnd(']')) {
      const item = end === undefined ? undefined : readNode(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return { kind: 'list', items, flow: true, ...place };
  }

  function readMap(depth: number): FrontmatterNode | undefined {
    const place = { line, column: next + 1 };
    const entries: FrontmatterEntry[] = [];
    const keys = new Set<string>();
    if (!open(depth)) return undefined;
    for (let end: boolean | undefined = close('}'); end !== true; end = isAtEnd('}')) {
      const at = { line, column: next + 1 };
      const key = end === undefined ? undefined : readKey();
      if (key === undefined || keys.has(key)) return undefined;
      const value = readNode(depth + 1);
      if (value === undefined) return undefined;
      keys.add(key);
      entries.push({ key, value, ...at });
    }
    return { kind: 'map', entries, flow: true, ...place };
  }

  function open(depth: number): boolean {
    next += 1;
    skipBlanks();
    return depth <= maxFlowDepth;
  }

  /** Passes over the closing bracket of what is empty. */
  function close(mark: string): boolean {
    if (content[next] !== mark) return false;
    next += 1;
    return true;
  }

  /** Reads a key and its colon. */
  function readKey(): string | undefined {
    if (content[next] !== '"') return takeMatch(/[A-Za-z_][\w-]*: /y)?.slice(0, -2);
    const quoted = readQuoted(content, next);
    if (quoted === undefined || content[quoted.end] !== ':') return undefined;
    next = quoted.end + 1;
    skipBlanks();
    return quoted.text;
  }

  function takeMatch(pattern: RegExp): string | undefined {
    pattern.lastIndex = next;
    const match = pattern.exec(content)?.[0];
    if (match !== undefined) next = pattern.lastIndex;
    return match;
  }

  const node = readNode(1);
  skipBlanks();
  return next === content.length ? node : undefined;
}
