// Parses the optional fields that are texts. A value that is not text is reported and kept among the extensions.

import { maxCompatibilityLength } from '../../skill/limits.ts';
import { countPoints } from '../../text/count-points.ts';
import {
  describeKind,
  describeType,
  type FrontmatterEntry,
  type FrontmatterNode,
  operator,
  ownText,
  toData,
} from '../tree.ts';
import { extend, type PropertiesContext } from './context.ts';

/** Parses a text; a list or a map is reported and kept among the extensions. */
export function parseText(field: FrontmatterEntry | undefined, context: PropertiesContext): string | undefined {
  if (field === undefined) return undefined;
  const { log } = context;
  const { key, value } = field;
  if (value.kind !== 'scalar') {
    const kind = describeKind(value);
    if (key === 'license' || key === 'compatibility') log.report(`${key}-not-text`, value, { kind });
    else log.report('value-not-text', value, { field: key, kind });
    keep(field, context);
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

function keep({ key, value }: FrontmatterEntry, context: PropertiesContext): void {
  const data = toData(value, (entry) => context.log.report('key-polluting', entry, { field: entry.key }));
  extend(context, key, data);
}

/** Parses `argument-hint`. Brackets, as in `[file]`, are a list in YAML, but a part of the hint for its author. */
export function parseArgumentHint(field: FrontmatterEntry | undefined, context: PropertiesContext): string | undefined {
  if (field?.value.kind !== 'list') return parseText(field, context);
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
  context: PropertiesContext,
): string | undefined {
  const text = parseText(field, context);
  if (field?.value.kind !== 'scalar') return undefined;
  if (text === undefined) context.log.report('compatibility-empty', field);
  const limit = maxCompatibilityLength;
  // Validators also count spaces and line ends around the text.
  const length = countPoints(field.value.text, limit);
  if (length > limit) context.log.report('compatibility-too-long', field.value, { length, limit });
  return text;
}

/** Parses words from a text or a list; a list or a map without words is kept among the extensions. */
export function parseWords(field: FrontmatterEntry | undefined, context: PropertiesContext): readonly string[] {
  if (field === undefined) return [];
  const { key, value } = field;
  const texts = value.kind === 'list' ? value.items : [value];
  const words: string[] = [];
  for (const text of texts) {
    if (text.kind === 'scalar') words.push(...(text.text.match(/\S+/g) ?? []).map(ownText));
    else context.log.report('value-not-text', text, { field: key, kind: describeKind(text) });
  }
  if (words.length === 0 && texts.some(({ kind }) => kind !== 'scalar')) keep(field, context);
  return words;
}
