// Parses the optional fields. A value that is not understood is reported, and never gives the skill more permissions.

import type { DiagnosticLog } from '../../diagnostics/log.ts';
import { maxCompatibilityLength, maxMetadataEntries, maxMetadataKey, maxMetadataValue } from '../../skill/limits.ts';
import {
  createRecord,
  describeKind,
  describeType,
  type FrontmatterEntry,
  type FrontmatterNode,
  operator,
  ownText,
  toData,
} from '../tree.ts';
import { splitAllowedTools } from './allowed-tools.ts';
import type { PropertiesContext } from './context.ts';
import { countPoints } from './required-fields.ts';

/** Shared by the many skills that have no entries. */
export const noEntries: Readonly<Record<string, never>> = Object.freeze(createRecord<never>());

/** Keeps a value among the extensions. */
export type Extend = (key: string, value: unknown) => void;

/** Parses a text; a list or a map is reported and kept among the extensions. */
export function parseText(
  field: FrontmatterEntry | undefined,
  code: 'license-not-text' | 'compatibility-not-text' | 'value-not-text',
  extend: Extend,
  log: DiagnosticLog,
): string | undefined {
  if (field === undefined) return undefined;
  const { key, value } = field;
  if (value.kind !== 'scalar') {
    if (code === 'value-not-text') log.report(code, value, { field: key, kind: describeKind(value) });
    else log.report(code, value, { kind: describeKind(value) });
    keep(field, extend, log);
    return undefined;
  }
  if (value.data === null) return undefined;
  const type = describeType(value);
  if (type !== undefined && (key === 'compatibility' || type === operator)) {
    log.report('value-not-string', value, { field: key, kind: type });
  }
  const text = value.text.trim();
  return text === '' ? undefined : ownText(text);
}

function keep({ key, value }: FrontmatterEntry, extend: Extend, log: DiagnosticLog): void {
  extend(
    key,
    toData(value, (entry) => log.report('key-polluting', entry, { field: entry.key })),
  );
}

/** Parses `argument-hint`. Brackets, as in `[file]`, are a list in YAML, but a part of the hint for its author. */
export function parseArgumentHint(
  field: FrontmatterEntry | undefined,
  extend: Extend,
  log: DiagnosticLog,
): string | undefined {
  if (field?.value.kind !== 'list') return parseText(field, 'value-not-text', extend, log);
  return field.value.items.length === 0 ? undefined : ownText(inBrackets(field.value));
}

/** Writes a list in one line. Braces are left out, because `[topic: file]` has none either. */
function inBrackets(node: FrontmatterNode): string {
  if (node.kind === 'scalar') return node.text;
  if (node.kind === 'list') return `[${node.items.map(inBrackets).join(', ')}]`;
  return node.entries.map(({ key, value }) => [key, inBrackets(value)].join(': ')).join(', ');
}

/** Parses `compatibility`, which must have 1 to 500 characters. */
export function parseCompatibility(
  field: FrontmatterEntry | undefined,
  extend: Extend,
  log: DiagnosticLog,
): string | undefined {
  const text = parseText(field, 'compatibility-not-text', extend, log);
  if (field?.value.kind === 'scalar' && text === undefined) log.report('compatibility-empty', field);
  const limit = maxCompatibilityLength;
  // Validators also count spaces and line ends around the text.
  const length = field?.value.kind === 'scalar' ? countPoints(field.value.text, limit) : 0;
  if (field !== undefined && length > limit) log.report('compatibility-too-long', field.value, { length, limit });
  return text;
}

/** Parses `metadata` into a map of texts; nested values become JSON. */
export function parseMetadata(
  field: FrontmatterEntry | undefined,
  log: DiagnosticLog,
): Readonly<Record<string, string>> {
  const value = field?.value;
  if (value === undefined || (value.kind === 'scalar' && value.data === null && value.plain)) return noEntries;
  const metadata = createRecord<string>();
  if (value.kind !== 'map') {
    log.report('metadata-not-mapping', value, { kind: describeKind(value) });
    return metadata;
  }
  const count = value.entries.length;
  if (count > maxMetadataEntries) log.report('metadata-too-many', value, { count, limit: maxMetadataEntries });
  for (const entry of value.entries.slice(0, maxMetadataEntries)) {
    const { key, value: node } = entry;
    const text = metadataText(node);
    if (isTooLong(entry, 'key', key, maxMetadataKey, log) || isTooLong(entry, 'value', text, maxMetadataValue, log))
      continue;
    const type = node.kind === 'scalar' ? describeType(node) : undefined;
    if (type === operator) log.report('value-not-string', node, { field: `metadata.${key}`, kind: type });
    else if (type !== undefined) log.report('metadata-not-string', node, { key, kind: type, value: text });
    else if (node.kind !== 'scalar') log.report('metadata-nested', node, { key, kind: describeKind(node) });
    metadata[ownText(key)] = text;
  }
  return metadata;
}

/** Returns a value of `metadata` as text; nested values become JSON. */
export function metadataText(node: FrontmatterNode): string {
  if (node.kind !== 'scalar') return JSON.stringify(toData(node));
  return node.data === null && node.plain && node.text !== '~' ? '' : ownText(node.text);
}

function isTooLong(
  entry: FrontmatterEntry,
  part: 'key' | 'value',
  text: string,
  limit: number,
  log: DiagnosticLog,
): boolean {
  const length = countPoints(text, limit);
  if (length > limit) log.report('metadata-too-long', entry, { key: entry.key, part, length, limit });
  return length > limit;
}

/** Parses the tools that a skill requests, from all spellings of the field; returns none if anything is ambiguous. */
export function parseAllowedTools(
  given: readonly FrontmatterEntry[],
  { duplicates, log }: PropertiesContext,
): readonly string[] {
  for (const field of given) {
    if (field.key !== 'allowed-tools') log.report('allowed-tools-spelling', field, { field: field.key });
  }
  const first = given[0];
  if (first === undefined) return [];
  if (given.length > 1 || duplicates.has(first.key)) {
    log.report('allowed-tools-doubtful', given[1] ?? first, { problem: 'is given more than once' });
    return [];
  }
  const { value } = first;
  if (value.kind === 'scalar' && value.data === null) return [];
  const texts = value.kind === 'list' ? value.items : [value];
  const tools: string[] = [];
  for (const text of texts) {
    if (text.kind !== 'scalar' || text.data === null) {
      const kind = text.kind === 'scalar' ? 'an empty entry' : describeKind(text);
      log.report('allowed-tools-doubtful', text, { problem: `contains ${kind}` });
      return [];
    }
    const split = splitAllowedTools(text.text);
    if ('problem' in split) {
      log.report('allowed-tools-doubtful', text, { problem: split.problem });
      return [];
    }
    if (describeType(text) === operator) log.report('value-not-string', text, { field: first.key, kind: operator });
    if (split.commas) log.report('allowed-tools-comma', text);
    tools.push(...split.tools.map(ownText));
  }
  if (value.kind === 'list') log.report('allowed-tools-list', value);
  return tools;
}

/** Parses words from a text or a list; a list or a map without words is kept among the extensions. */
export function parseWords(field: FrontmatterEntry | undefined, extend: Extend, log: DiagnosticLog): readonly string[] {
  if (field === undefined) return [];
  const { key, value } = field;
  const texts = value.kind === 'list' ? value.items : [value];
  const words: string[] = [];
  for (const text of texts) {
    if (text.kind === 'scalar') words.push(...(text.text.match(/\S+/g) ?? []).map(ownText));
    else log.report('value-not-text', text, { field: key, kind: describeKind(text) });
  }
  if (words.length === 0 && texts.some(({ kind }) => kind !== 'scalar')) keep(field, extend, log);
  return words;
}
