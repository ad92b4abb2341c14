// Defines the tree of parsed frontmatter: every value as text and as data, with its place in the file.

import type { Position } from '../diagnostics/log.ts';

/** A single value: the text as written, and its meaning in YAML 1.2. */
export interface FrontmatterScalar extends Position {
  readonly kind: 'scalar';
  /** As written: `1.10` stays `1.10`; quotes, escapes and block indentation are resolved. */
  readonly text: string;
  /** YAML 1.2 core: text, number, boolean or null. */
  readonly data: string | number | boolean | null;
  /** True if it is written without quotes and not as a block. */
  readonly plain: boolean;
  /** True if a comment follows on the same line. */
  readonly commented: boolean;
}

/** A list of values. */
export interface FrontmatterList extends Position {
  readonly kind: 'list';
  readonly items: readonly FrontmatterNode[];
  /** True if it is written in brackets. */
  readonly flow: boolean;
}

/** A map from text to values, each key once; the first of duplicates counts. */
export interface FrontmatterMap extends Position {
  readonly kind: 'map';
  readonly entries: readonly FrontmatterEntry[];
  /** True if it is written in braces. */
  readonly flow: boolean;
}

/** A value of any kind. */
export type FrontmatterNode = FrontmatterScalar | FrontmatterList | FrontmatterMap;

/** A key with its value; the place is that of the key. */
export interface FrontmatterEntry extends Position {
  readonly key: string;
  readonly value: FrontmatterNode;
}

/** Why an entry was left out. */
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

/** The fields of a text, or why it cannot be read. */
export type FrontmatterResult =
  | { readonly fields: readonly FrontmatterEntry[]; readonly notes: readonly FrontmatterNote[] }
  | { readonly problem: FrontmatterProblem };

/** Creates a record without a prototype. With few entries, one from `Object.create(null)` would take three times the memory. */
export function createRecord<T>(): Record<string, T> {
  return Object.setPrototypeOf({}, null);
}

/** Converts a value to data. Maps get no prototype, and lose keys that could pollute one. */
export function toData(node: FrontmatterNode, onPollutingKey?: (entry: FrontmatterEntry) => void): unknown {
  if (node.kind === 'scalar') return typeof node.data === 'string' ? ownText(node.data) : node.data;
  if (node.kind === 'list') return node.items.map((item) => toData(item, onPollutingKey));
  const data = createRecord<unknown>();
  for (const entry of node.entries) {
    if (isPolluting(entry)) onPollutingKey?.(entry);
    else data[ownText(entry.key)] = toData(entry.value, onPollutingKey);
  }
  return data;
}

/** Copies a text, so that keeping it does not keep the whole file in memory. Half a surrogate pair becomes `U+FFFD`. */
export function ownText(text: string): string {
  const whole = text.toWellFormed();
  // JavaScript engines never store shorter texts as slices, and joining two parts makes a copy.
  return whole.length < 13 ? whole : [whole.slice(0, 1), whole.slice(1)].join('');
}

/** Recognises a key that changes a prototype if a program merges it into another object. */
export function isPolluting(entry: FrontmatterEntry): boolean {
  if (entry.key === '__proto__') return true;
  return (entry.key === 'constructor' || entry.key === 'prototype') && entry.value.kind === 'map';
}

/** The type of `=` and `<<`, which stop a reader of YAML 1.1 even where it accepts other types than text. */
export const operator = 'an operator';

/** A number in YAML 1.1: with underscores, binary, hexadecimal with a sign, or in base 60 such as `12:30`. */
const oldNumber =
  /^[-+]?(?:0b[01_]+|0x[\da-f_]+|\.\d[\d_]*(?:e[-+]\d+)?|\d[\d_]*(?::[0-5]?\d)*(?:\.[\d_]*(?:e[-+]\d+)?)?)$/i;

/**
 * Names the type that an unquoted text has for some YAML readers; undefined if all of them read text. YAML 1.1, which many
 * readers still follow, has more types than 1.2.
 */
export function describeType(node: FrontmatterScalar): string | undefined {
  if (typeof node.data !== 'string') return node.data === null ? undefined : describeKind(node);
  // Every longer text that is not a string begins with a digit, a sign or a dot.
  if (!node.plain || (node.text.length > 3 && !/^[-+.\d]/.test(node.text))) return undefined;
  if (/^(?:yes|no|on|off)$/i.test(node.text)) return 'a boolean';
  if (node.text === '=' || node.text === '<<') return operator;
  if (/^\d{4}-\d{1,2}-\d{1,2}(?:$|(?:[Tt]| +)\d{1,2}:\d)/.test(node.text)) return 'a date';
  return oldNumber.test(node.text) ? 'a number' : undefined;
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
