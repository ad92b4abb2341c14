// Defines the fixes that write `metadata` as the specification wants it: one line of text for each key.

import { maxMetadataEntries } from '../../skill/limits.ts';
import { metadataText } from '../properties/metadata.ts';
import type { FrontmatterEntry, FrontmatterMap } from '../tree.ts';
import { type Edit, endOf, type FixInput, type Rows, rowsOf } from './lines.ts';
import { formatKey, quote } from './write.ts';

/** Writes `metadata` in braces as lines below it. Leaves nested values alone, because other clients read them that way. */
export function unfoldMetadata(input: FixInput): readonly Edit[] | undefined {
  const { fields, lines, diagnostic } = input;
  const metadata = metadataOf(fields);
  const isMeant = diagnostic.code !== 'yaml-flow' || metadata?.field.line === diagnostic.line;
  const rows = metadata === undefined ? undefined : rowsOf(input, metadata.field);
  if (!metadata?.value.flow || !isMeant || rows === undefined) return undefined;
  const { entries } = metadata.value;
  const isFlat = entries.every(({ value }) => value.kind === 'scalar');
  if (!isFlat || entries.length === 0 || entries.length > maxMetadataEntries) return undefined;
  return [{ ...rows, by: [`metadata:${endOf(lines[0])}`, ...entries.map((entry) => format(entry, 2, lines))] }];
}

/** Moves an unknown field below `metadata`, if the profile refuses it. */
export function moveBelowMetadata(input: FixInput): readonly Edit[] | undefined {
  const { fields, diagnostic } = input;
  const field = fields.find(({ line, column }) => line === diagnostic.line && column === diagnostic.column);
  if (field === undefined || diagnostic.severity !== 'error') return undefined;
  const rows = rowsOf(input, field);
  if (rows === undefined) return undefined;
  const metadata = metadataOf(fields);
  if (metadata === undefined) return replaceByMetadata(input, field, rows);
  const added = appendEntry(input, field, metadata.value);
  return added && [{ ...rows, by: [] }, added];
}

/** Writes `metadata` with a field below it in place of the field. */
function replaceByMetadata(
  { lines, fence }: FixInput,
  field: FrontmatterEntry,
  rows: Rows,
): readonly Edit[] | undefined {
  // The lines may have `metadata` in a form that could not be read.
  if (lines.slice(0, fence).some((line) => /^\s*["']?metadata["']?\s*:/.test(line))) return undefined;
  const indent = field.column - 1;
  const by = [`${' '.repeat(indent)}metadata:${endOf(lines[0])}`, format(field, indent + 2, lines)];
  // Only one field at once may add `metadata`, so it also takes the row of the fence, which stays as it is.
  const fenceRow = { start: fence, end: fence + 1, by: lines.slice(fence, fence + 1) };
  return [{ ...rows, by }, fenceRow];
}

function appendEntry(input: FixInput, field: FrontmatterEntry, { entries, flow }: FrontmatterMap): Edit | undefined {
  const last = entries.at(-1);
  const isTaken = entries.some(({ key }) => key === field.key);
  if (flow || isTaken || last === undefined || entries.length >= maxMetadataEntries) return undefined;
  const below = rowsOf(input, last);
  return below && { start: below.end, end: below.end, by: [format(field, last.column - 1, input.lines)] };
}

function metadataOf(fields: readonly FrontmatterEntry[]) {
  const field = fields.find(({ key }) => key === 'metadata');
  return field?.value.kind === 'map' ? { field, value: field.value } : undefined;
}

function format({ key, value }: FrontmatterEntry, indent: number, lines: readonly string[]): string {
  return `${formatKey(key, ' '.repeat(indent))} ${quote(metadataText(value))}${endOf(lines[0])}`;
}
