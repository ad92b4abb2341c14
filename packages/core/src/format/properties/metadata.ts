// Parses `metadata`, in which every value becomes a text.

import type { DiagnosticLog } from '../../diagnostics/log.ts';
import { maxMetadataEntries, maxMetadataKey, maxMetadataValue } from '../../skill/limits.ts';
import { countPoints } from '../../text/count-points.ts';
import {
  createRecord,
  describeKind,
  describeType,
  type FrontmatterEntry,
  type FrontmatterNode,
  isPolluting,
  operator,
  ownText,
  toData,
} from '../tree.ts';
import type { PropertiesContext } from './context.ts';

/** Shared by the many skills that have no entries. */
export const noEntries: Readonly<Record<string, never>> = Object.freeze(createRecord<never>());

/** Parses `metadata` into a map of texts; nested values become JSON. */
export function parseMetadata(
  field: FrontmatterEntry | undefined,
  { log }: PropertiesContext,
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
  if (node.kind !== 'scalar') return toJson(node);
  return node.data === null && node.plain && node.text !== '~' ? '' : ownText(node.text);
}

/** Formats a value as JSON. A number stays as it is written, because `1.10` may be a version. */
function toJson(node: FrontmatterNode): string {
  if (node.kind === 'list') return `[${node.items.map(toJson).join(',')}]`;
  if (node.kind === 'map') {
    const entries = node.entries.filter((entry) => !isPolluting(entry));
    return `{${entries.map(({ key, value }) => `${JSON.stringify(ownText(key))}:${toJson(value)}`).join(',')}}`;
  }
  if (typeof node.data !== 'number') return JSON.stringify(toData(node));
  return jsonNumber.test(node.text) ? node.text : JSON.stringify(node.text);
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?$/i;

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
