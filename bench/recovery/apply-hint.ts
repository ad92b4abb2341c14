// Does what the hint of a diagnostic says, to the letter, as an author in a hurry would.

import type { Diagnostic, SkillProfile } from '../../packages/core/src/diagnostics/diagnostic.ts';
import { parseWithFields } from '../../packages/core/src/format/parse.ts';
import type { FrontmatterEntry, FrontmatterNode } from '../../packages/core/src/format/tree.ts';
import { fixers } from '../../packages/core/src/format/write/fixers.ts';
import { applyEdits, type Edit, type FixInput, findFence, rowsOf } from '../../packages/core/src/format/write/lines.ts';
import { quote } from '../../packages/core/src/format/write/write.ts';
import { writeAnything } from './write-anything.ts';

/** A skill as a hint makes it: its text, and the name of its directory. */
export interface Candidate {
  readonly text: string;
  readonly directory: string;
}

/** Follows a hint in every way that it offers. Returns none if that is not as simple as it sounds, such as among comments. */
export function applyHint(diagnostic: Diagnostic, candidate: Candidate, profile: SkillProfile): readonly Candidate[] {
  const { text, directory } = candidate;
  const lines = text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
  const { fields = [], repairs } = parseWithFields(text, { directoryName: directory, profile });
  const exact = applyExactly(diagnostic, { ...candidate, lines, fields, repairs }) ?? [];
  if (exact.length > 0) return exact;
  const free = writeAnything(diagnostic, { ...candidate, lines, fields });
  return free === undefined ? [] : [free];
}

/** What a hint is applied to: a skill, and what was read from it. */
type Draft = Candidate & Pick<FixInput, 'lines' | 'fields' | 'repairs'>;

function applyExactly(
  diagnostic: Diagnostic,
  { text, directory, lines, fields, repairs }: Draft,
): readonly Candidate[] | undefined {
  const { code, hint = '' } = diagnostic;
  const at = fields.find((field) => isAt(field, diagnostic) || isAt(field.value, diagnostic));
  const changed = (by: readonly string[] | undefined): readonly Candidate[] =>
    by === undefined ? [] : [{ text: by.join(''), directory }];
  const fixed = (edits: readonly Edit[] | undefined): readonly Candidate[] =>
    edits === undefined ? [] : [{ text: applyEdits(lines, edits), directory }];
  const fence = findFence(lines, fields);
  const removed = (): readonly Candidate[] => changed(at === undefined ? undefined : replace(lines, at, fields, []));
  const rewritten = (value: string): readonly Candidate[] =>
    changed(at === undefined ? undefined : replace(lines, at, fields, [`${at.key}: ${quote(value)}`]));

  if (hint.startsWith('Rename the directory to `')) return [{ text, directory: hint.split('`')[1] ?? '' }];
  const name =
    code === 'field-misspelt'
      ? null
      : /^Write `name: (.+?)`(?:, or rename the directory to `(.+?)`)?(, and rename)?/.exec(hint);
  if (name !== null) {
    const [, written = '', other, isRenamed] = name;
    const suggestion = written.replaceAll('"', '');
    const named = { text: setName(lines, fields, suggestion), directory: isRenamed ? suggestion : directory };
    return other === undefined ? [named] : [named, { text, directory: other }];
  }
  if (code === 'field-unknown') {
    const moved = fixers.get(code)?.({
      lines,
      diagnostic: { ...diagnostic, severity: 'error' },
      fields,
      repairs,
      fence,
      directoryName: directory,
    });
    return [...fixed(moved), ...removed()];
  }
  if (code === 'field-of-client') return removed();
  if (code === 'field-misspelt') {
    const known = /^Write `(.+)`\.$/.exec(hint)?.[1] ?? '';
    if (at === undefined || known.includes('.')) return undefined;
    const row = lines[at.line - 1] ?? '';
    const written = known.includes(': ') ? `${known}\n` : row.replace(/^[^:]+/, known);
    return changed(lines.toSpliced(at.line - 1, 1, written));
  }
  if (code === 'yaml-flow' && at !== undefined) {
    return changed(replace(lines, at, fields, [`${at.key}:`, ...block(at.value, '  ')]));
  }
  if (at?.key === 'description' && at.value.kind === 'scalar') {
    const words = at.value.text;
    if (code === 'description-angle-brackets') return rewritten(words.replace(/[<>]/g, ''));
    if (code === 'description-too-long') return rewritten([...words.trim()].slice(0, 1024).join(''));
    if (code === 'description-padded') return rewritten(words.trim());
    if (code === 'inline-comment') return rewritten(words);
    if (code === 'fence-in-value') return rewritten(words.replace(/-{3,}/g, '–'));
  }
  if (code === 'value-not-text' && at !== undefined) return rewritten('text');
  if (code === 'compatibility-not-text' || code === 'compatibility-too-long') return rewritten('Needs Python.');
  return fixed(fixers.get(code)?.({ lines, diagnostic, fields, repairs, fence, directoryName: directory }));
}

function isAt(place: { line: number; column: number }, { line, column }: Diagnostic): boolean {
  return place.line === line && place.column === column;
}

/** Replaces an entry by lines; undefined if that is not as simple as it sounds. */
function replace(
  lines: readonly string[],
  entry: FrontmatterEntry,
  fields: readonly FrontmatterEntry[],
  by: readonly string[],
): readonly string[] | undefined {
  const rows = rowsOf({ lines, fields, fence: findFence(lines, fields) }, entry);
  if (rows === undefined) return undefined;
  return lines.toSpliced(rows.start, rows.end - rows.start, ...by.map((line) => `${line}\n`));
}

function setName(lines: readonly string[], fields: readonly FrontmatterEntry[], name: string): string {
  const field = fields.find(({ key }) => key === 'name');
  const line = `name: ${/^[a-z]/.test(name) ? name : quote(name)}\n`;
  const replaced = field === undefined ? undefined : replace(lines, field, fields, [line.trimEnd()]);
  if (replaced !== undefined) return replaced.join('');
  const row = field === undefined ? lines.findIndex((content) => content.startsWith('---')) + 1 : field.line - 1;
  return lines.toSpliced(row, field === undefined ? 0 : 1, line).join('');
}

/** Writes a value as one indented entry per line. */
function block(node: FrontmatterNode, indent: string): readonly string[] {
  if (node.kind === 'scalar') return [`${indent}${quote(node.text)}`];
  const inner = (value: FrontmatterNode): string[] =>
    value.kind === 'scalar' ? [` ${quote(value.text)}`] : ['', ...block(value, `${indent}  `)];
  const parts =
    node.kind === 'list'
      ? node.items.map((item) => ['-', item] as const)
      : node.entries.map(({ key, value }) => [`${quote(key)}:`, value] as const);
  return parts.flatMap(([mark, value]) => {
    const [first = '', ...rest] = inner(value);
    return [`${indent}${mark}${first}`, ...rest];
  });
}
