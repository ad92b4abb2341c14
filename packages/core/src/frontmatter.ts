// Frontmatter text → a tree with two views of every value and its place in the file. YAML is read by `yaml`, within bounds.

import { isAlias, isMap, isPair, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import type { Position } from './diagnostic-log.ts';
import { maxFrontmatterDepth, maxFrontmatterKeys, maxFrontmatterMarks } from './limits.ts';

/** A single value: the text as written, and what YAML 1.2 core makes of it. */
export interface FrontmatterScalar extends Position {
  readonly kind: 'scalar';
  /** As written: `1.10` stays `1.10`; quotes, escapes and block indentation are resolved. */
  readonly text: string;
  /** YAML 1.2 core: text, number, boolean or null. */
  readonly data: string | number | boolean | null;
  /** True where it is written without quotes, on its own or over several lines, and not as a block. */
  readonly plain: boolean;
  /** True where a comment follows on the same line. */
  readonly commented: boolean;
}

/** A list of values. */
export interface FrontmatterList extends Position {
  readonly kind: 'list';
  readonly items: readonly FrontmatterNode[];
  /** True where it is written in brackets. */
  readonly flow: boolean;
}

/** A map from text to values, each key once; the first of duplicates counts. */
export interface FrontmatterMap extends Position {
  readonly kind: 'map';
  readonly entries: readonly FrontmatterEntry[];
  /** True where it is written in braces. */
  readonly flow: boolean;
}

export type FrontmatterNode = FrontmatterScalar | FrontmatterList | FrontmatterMap;

/** A key with its value; the place is that of the key. */
export interface FrontmatterEntry extends Position {
  readonly key: string;
  readonly value: FrontmatterNode;
}

/** What is wrong with an entry that was passed over while the rest was read. */
export interface FrontmatterNote extends Position {
  readonly code: 'key-duplicate' | 'key-invalid';
  /** Path of the key, or what kind of key it is. */
  readonly subject: string;
}

/** Why a text cannot be read. */
export interface FrontmatterProblem extends Position {
  readonly code:
    | 'yaml-invalid'
    | 'yaml-forbidden'
    | 'yaml-too-deep'
    | 'frontmatter-not-mapping'
    | 'frontmatter-too-complex'
    | 'frontmatter-too-many-keys';
  /** The parser's reason, the forbidden construct, or the kind of value. */
  readonly subject: string;
}

export type FrontmatterResult =
  | { readonly fields: readonly FrontmatterEntry[]; readonly notes: readonly FrontmatterNote[] }
  | { readonly problem: FrontmatterProblem };

/**
 * Reads the text between the fences. Line ends are line feeds. Anchors, aliases and tags are refused.
 *
 * @param firstLine line of the file on which the text begins
 */
export function readYaml(text: string, firstLine: number): FrontmatterResult {
  const at = createLineMap(text, firstLine);
  const refuse = (code: FrontmatterProblem['code'], subject: string, offset: number): FrontmatterResult => ({
    problem: { code, subject, ...at(offset) },
  });
  const excess = findExcess(text);
  if (excess !== undefined) return refuse(excess, '', 0);
  try {
    const document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      merge: false,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'error',
    });
    const error = document.errors[0];
    if (error !== undefined) return refuse('yaml-invalid', lowerFirst(error.message), error.pos[0]);
    if (document.contents === null) return { fields: [], notes: [] };
    const tree = readTree(document.contents, at);
    if (tree.refusal !== undefined) return refuse(tree.refusal.code, tree.refusal.subject, tree.refusal.offset);
    if (tree.root.kind === 'map') return { fields: tree.root.entries, notes: tree.notes };
    if (tree.root.kind === 'scalar' && tree.root.data === null) return { fields: [], notes: [] };
    return refuse('frontmatter-not-mapping', describeKind(tree.root), document.contents.range?.[0] ?? 0);
  } catch (error) {
    if (error instanceof RangeError) return refuse('yaml-too-deep', '', 0);
    return refuse('yaml-invalid', error instanceof Error ? lowerFirst(error.message) : 'it cannot be read', 0);
  }
}

interface Refusal {
  readonly code: 'yaml-invalid' | 'yaml-forbidden' | 'yaml-too-deep' | 'frontmatter-too-many-keys';
  readonly subject: string;
  readonly offset: number;
}

interface Tree {
  readonly root: FrontmatterNode;
  readonly notes: readonly FrontmatterNote[];
  /** The first thing that is not allowed, wherever in the tree it stands. */
  readonly refusal: Refusal | undefined;
}

function readTree(contents: Node, at: (offset: number) => Position): Tree {
  const notes: FrontmatterNote[] = [];
  let refusal: Refusal | undefined;
  let keys = 0;

  function refuse(code: Refusal['code'], subject: string, offset: number): FrontmatterNode {
    refusal ??= { code, subject, offset };
    return { kind: 'scalar', text: '', data: null, plain: true, commented: false, ...at(offset) };
  }

  function read(node: unknown, path: string, depth: number, fallback: number): FrontmatterNode {
    // An anchor precedes its aliases and is refused first, so this alias has none: most often it is `*text*`.
    if (isAlias(node))
      return refuse('yaml-invalid', 'a value that begins with `*` is an alias', node.range?.[0] ?? fallback);
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) {
      return { kind: 'scalar', text: '', data: null, plain: true, commented: false, ...at(fallback) };
    }
    const offset = node.range?.[0] ?? fallback;
    if (node.anchor !== undefined) return refuse('yaml-forbidden', 'an anchor', offset);
    if (node.tag?.startsWith('!')) return refuse('yaml-invalid', 'a value that begins with `!` is a tag', offset);
    if (node.tag !== undefined) return refuse('yaml-forbidden', 'a tag', offset);
    if (isScalar(node)) {
      const plain = node.type === 'PLAIN';
      const commented = plain && typeof node.comment === 'string';
      return { kind: 'scalar', text: node.source ?? '', data: scalarData(node.value), plain, commented, ...at(offset) };
    }
    if (depth > maxFrontmatterDepth) return refuse('yaml-too-deep', '', offset);
    const flow = node.flow === true;
    if (isSeq(node)) {
      const items = node.items.map((item) => read(isPair(item) ? null : item, path, depth + 1, offset));
      return { kind: 'list', items, flow, ...at(offset) };
    }
    const entries = new Map<string, FrontmatterEntry>();
    for (const pair of node.items) {
      keys += 1;
      if (keys > maxFrontmatterKeys) return refuse('frontmatter-too-many-keys', '', offset);
      const key = read(pair.key, path, depth + 1, offset);
      if (key.kind !== 'scalar') {
        notes.push({ code: 'key-invalid', subject: describeKind(key), line: key.line, column: key.column });
        continue;
      }
      const keyPath = path === '' ? key.text : `${path}.${key.text}`;
      const value = read(pair.value, keyPath, depth + 1, isScalar(pair.key) ? (pair.key.range?.[1] ?? offset) : offset);
      if (entries.has(key.text)) {
        notes.push({ code: 'key-duplicate', subject: keyPath, line: key.line, column: key.column });
      } else {
        entries.set(key.text, { key: key.text, value, line: key.line, column: key.column });
      }
    }
    return { kind: 'map', entries: [...entries.values()], flow, ...at(offset) };
  }

  const root = read(contents, '', 1, 0);
  return { root, notes, refusal };
}

/** YAML 1.2 core data of a value; maps have no prototype and lose the keys that could pollute one. */
export function toData(node: FrontmatterNode, onPollutingKey?: (entry: FrontmatterEntry) => void): unknown {
  if (node.kind === 'scalar') return typeof node.data === 'string' ? ownText(node.data) : node.data;
  if (node.kind === 'list') return node.items.map((item) => toData(item, onPollutingKey));
  const data: Record<string, unknown> = Object.create(null);
  for (const entry of node.entries) {
    if (isPolluting(entry)) onPollutingKey?.(entry);
    else data[ownText(entry.key)] = toData(entry.value, onPollutingKey);
  }
  return data;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Copies a text, so that keeping it does not keep the whole text that it was cut out of. Halves of pairs become `U+FFFD`. */
export function ownText(text: string): string {
  // Shorter texts are never stored as slices.
  return text.length < 13 && !/\p{Cs}/u.test(text) ? text : decoder.decode(encoder.encode(text));
}

/** Recognises a key that changes prototypes when a program merges it into another object. */
export function isPolluting(entry: FrontmatterEntry): boolean {
  if (entry.key === '__proto__') return true;
  return (entry.key === 'constructor' || entry.key === 'prototype') && entry.value.kind === 'map';
}

/**
 * Names the type that some YAML reader makes of an unquoted text, or gives undefined where all of them see text.
 * YAML 1.1, which many readers still follow, knows more of them than 1.2.
 */
export function describeType(node: FrontmatterScalar): string | undefined {
  if (typeof node.data !== 'string') return node.data === null ? undefined : describeKind(node);
  if (!node.plain) return undefined;
  if (/^(?:yes|no|on|off)$/i.test(node.text)) return 'a boolean';
  if (/^\d{4}-\d{1,2}-\d{1,2}(?:$|[Tt ])/.test(node.text)) return 'a date';
  return /^[-+]?\d[\d_]*(?::[0-5]?\d)*(?:\.\d*)?$/.test(node.text) ? 'a number' : undefined;
}

/** Names the kind of a value, for people. */
export function describeKind(node: FrontmatterNode): string {
  if (node.kind === 'list') return 'a list';
  if (node.kind === 'map') return 'a map';
  if (node.data === null) return 'empty';
  if (typeof node.data === 'number') return 'a number';
  if (typeof node.data === 'boolean') return 'a boolean';
  return 'a text';
}

function scalarData(value: unknown): FrontmatterScalar['data'] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}

const marksOfYaml: ReadonlySet<string> = new Set('[]{},\n"\'&*!');

/** Recognises text that would cost a parser too much time or stack, before one sees it. */
function findExcess(text: string): 'yaml-too-deep' | 'frontmatter-too-complex' | undefined {
  const limit = 200;
  let brackets = 0;
  let dashes = 0;
  let marks = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (marksOfYaml.has(character)) marks += 1;
    if (character === '[' || character === '{') brackets += 1;
    else if (character === ']' || character === '}') brackets = Math.max(0, brackets - 1);
    else if (character === '\n') dashes = 0;
    else if ((character === '-' || character === '?' || character === ':') && text[index + 1] === ' ') dashes += 1;
    if (brackets > limit || dashes > limit) return 'yaml-too-deep';
    if (marks > maxFrontmatterMarks) return 'frontmatter-too-complex';
  }
  return undefined;
}

/** Turns offsets of the text into places in the file. */
function createLineMap(text: string, firstLine: number): (offset: number) => Position {
  const starts = [0];
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) starts.push(index + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: firstLine + low, column: offset - (starts[low] ?? 0) + 1 };
  };
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1).replace(/[.:]\s*$/, '');
}
