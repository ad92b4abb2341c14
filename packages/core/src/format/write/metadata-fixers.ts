// Defines the fixes that write `metadata` as the specification wants it: one line of text for each key.

import { maxMetadataEntries } from '../../skill/limits.ts';
import { metadataText } from '../properties/optional-fields.ts';
import type { FrontmatterEntry, FrontmatterMap } from '../tree.ts';
import { endOf, type FixInput, rowsOf } from './lines.ts';
import { formatKey, quote } from './write.ts';

/** Writes `metadata` in braces as lines below it. Leaves nested values alone, because other clients read them that way. */
export function unfoldMetadata({ fields, lines, diagnostic }: FixInput): readonly string[] | undefined {
  const metadata = metadataOf(fields);
  const isMeant = diagnostic.code !== 'yaml-flow' || metadata?.field.line === diagnostic.line;
  const rows = metadata === undefined ? undefined : rowsOf(lines, metadata.field, fields);
  if (!metadata?.value.flow || !isMeant || rows === undefined) return undefined;
  const { entries } = metadata.value;
  const isFlat = entries.every(({ value }) => value.kind === 'scalar');
  if (!isFlat || entries.length === 0 || entries.length > maxMetadataEntries) return undefined;
  return replaceRows(lines, rows, ['metadata:', ...entries.map((entry) => format(entry, 2))]);
}

/** Moves an unknown field below `metadata`, if the profile refuses it. */
export function moveBelowMetadata({ fields, lines, diagnostic }: FixInput): readonly string[] | undefined {
  const field = fields.find(({ line, column }) => line === diagnostic.line && column === diagnostic.column);
  if (field === undefined || diagnostic.severity !== 'error') return undefined;
  const rows = rowsOf(lines, field, fields);
  if (rows === undefined) return undefined;
  const metadata = metadataOf(fields);
  if (metadata === undefined) {
    // The lines may have `metadata` in a form that could not be read.
    const isFree = !lines.some((line) => /^\s*["']?metadata["']?\s*:/.test(line));
    const indent = field.column - 1;
    const added = [`${' '.repeat(indent)}metadata:`, format(field, indent + 2)];
    return isFree ? replaceRows(lines, rows, added) : undefined;
  }
  const { entries, flow } = metadata.value;
  const last = entries.at(-1);
  const below = last === undefined ? undefined : rowsOf(lines, last, fields);
  if (flow || last === undefined || below === undefined || entries.some(({ key }) => key === field.key))
    return undefined;
  const added = [format(field, last.column - 1)];
  // Changes the later rows first, so that the earlier ones keep their numbers.
  return rows[0] > below[0]
    ? replaceRows(replaceRows(lines, rows, []), [below[1], below[1]], added)
    : replaceRows(replaceRows(lines, [below[1], below[1]], added), rows, []);
}

function metadataOf(
  fields: readonly FrontmatterEntry[],
): { readonly field: FrontmatterEntry; readonly value: FrontmatterMap } | undefined {
  const field = fields.find(({ key }) => key === 'metadata');
  return field?.value.kind === 'map' ? { field, value: field.value } : undefined;
}

function format({ key, value }: FrontmatterEntry, indent: number): string {
  return `${formatKey(key, ' '.repeat(indent))} ${quote(metadataText(value))}`;
}

function replaceRows(
  lines: readonly string[],
  [start, end]: readonly [number, number],
  by: readonly string[],
): readonly string[] {
  return lines.toSpliced(start, end - start, ...by.map((line) => line + endOf(lines[0])));
}
