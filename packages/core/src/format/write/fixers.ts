// One correction for each diagnostic that leaves no doubt how to correct it, as functions from lines to lines.

import type { Diagnostic, DiagnosticCode } from '../../diagnostics/diagnostic.ts';
import { splitAllowedTools } from '../properties/allowed-tools.ts';
import { suggestName } from '../properties/name.ts';
import type { Repair } from '../repair.ts';
import type { FrontmatterEntry, FrontmatterNode, FrontmatterScalar } from '../tree.ts';
import { quote } from './write.ts';

/** The text as lines with their ends, and what was read from it. */
export interface Sheet {
  readonly lines: readonly string[];
  readonly diagnostic: Diagnostic;
  readonly fields: readonly FrontmatterEntry[];
  readonly repairs: readonly Repair[];
  readonly directoryName: string | undefined;
}

/** Gives the corrected lines, or undefined where the case is not clear. */
export type Fixer = (sheet: Sheet) => readonly string[] | undefined;

/** The corrections by the code that they answer. */
export const fixers: ReadonlyMap<DiagnosticCode, Fixer> = new Map<DiagnosticCode, Fixer>([
  ['byte-order-mark', ({ lines }) => lines.map((line, index) => (index === 0 ? line.slice(1) : line))],
  ['line-ends-cr', ({ lines }) => lines.map((line) => (line.endsWith('\r') ? `${line.slice(0, -1)}\n` : line))],
  ['leading-blank-lines', ({ lines }) => lines.slice(lines.findIndex((line) => line.trim() !== ''))],
  ['fence-trailing-space', (sheet) => replaceLine(sheet, () => '---')],
  ['fence-open-assumed', ({ lines }) => [`---${endOf(lines[0])}`, ...lines]],
  ['fence-close-assumed', closeFence],
  ['frontmatter-in-code-fence', unwrap],
  ['value-unquoted', quoteRepaired],
  ['value-misquoted', quoteRepaired],
  ['block-header-text', quoteRepaired],
  ['tab-indentation', expandTabs],
  ['colon-space-missing', (sheet) => replaceLine(sheet, (line) => line.replace(':', ': '))],
  ['value-not-string', quoteScalar],
  ['metadata-not-string', quoteScalar],
  ['name-missing', addName],
  ['name-empty', (sheet) => replaceEmpty(sheet, 'name', () => nameOf(sheet))],
  ['compatibility-empty', (sheet) => replaceEmpty(sheet, 'compatibility', () => '')],
  ['allowed-tools-spelling', (sheet) => replaceLine(sheet, (line) => line.replace(/^[\w-]+/, 'allowed-tools'))],
  ['allowed-tools-comma', separateTools],
  ['allowed-tools-list', joinTools],
]);

function endOf(line: string | undefined): string {
  return /(?:\r\n|\n|\r)$/.exec(line ?? '')?.[0] ?? '\n';
}

function contentOf(line: string | undefined): string {
  return (line ?? '').replace(/(?:\r\n|\n|\r)$/, '');
}

/** Replaces the line of the diagnostic; an undefined or empty result leaves the text alone or takes the line out. */
function replaceLine(
  sheet: Sheet,
  change: (line: string) => string | undefined,
  count = 1,
): readonly string[] | undefined {
  const index = (sheet.diagnostic.line ?? 0) - 1;
  const line = sheet.lines[index];
  const content = line === undefined ? undefined : change(contentOf(line));
  if (content === undefined) return undefined;
  const end = endOf(sheet.lines[index + count - 1]);
  return sheet.lines.toSpliced(index, count, ...(content === '' ? [] : [content + end]));
}

function closeFence(sheet: Sheet): readonly string[] | undefined {
  return replaceLine(
    sheet,
    (line) => `---${endOf(sheet.lines[0])}${line.startsWith('---') ? line.slice(3).trimStart() : line}`,
  );
}

function unwrap({ lines, diagnostic }: Sheet): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  const wrapped = /^(?:```|~~~)[ \t]*$/.test(contentOf(lines[last]));
  return lines.filter((_line, index) => index !== (diagnostic.line ?? 0) - 1 && !(wrapped && index === last));
}

function quoteRepaired(sheet: Sheet): readonly string[] | undefined {
  const { diagnostic } = sheet;
  const repair = sheet.repairs.find(({ code, line }) => code === diagnostic.code && line === diagnostic.line);
  if (repair?.text === undefined) return undefined;
  const value = quote(repair.text);
  return replaceLine(sheet, (line) => `${/^[^:]*:/.exec(line)?.[0] ?? ''} ${value}`, repair.lines);
}

function expandTabs({ lines, diagnostic, repairs }: Sheet): readonly string[] | undefined {
  const repair = repairs.find(({ code, line }) => code === 'tab-indentation' && line === diagnostic.line);
  if (repair === undefined) return undefined;
  return lines.map((line, index) => {
    const within = index >= repair.line && index < repair.line + repair.lines - 1;
    return within ? line.replace(/^[ \t]+/, (blanks) => blanks.replaceAll('\t', '  ')) : line;
  });
}

function quoteScalar(sheet: Sheet): readonly string[] | undefined {
  const scalar = findScalar(sheet);
  if (scalar === undefined || !scalar.plain) return undefined;
  return replaceValue(sheet, scalar, scalar.text, quote(scalar.text));
}

function separateTools(sheet: Sheet): readonly string[] | undefined {
  const scalar = findScalar(sheet);
  const split = scalar === undefined ? undefined : splitAllowedTools(scalar.text);
  if (scalar === undefined || split === undefined || 'problem' in split) return undefined;
  const tools = split.tools.join(' ');
  return (
    replaceValue(sheet, scalar, scalar.text, tools) ??
    replaceValue(sheet, scalar, `"${scalar.text}"`, `"${tools}"`) ??
    replaceValue(sheet, scalar, `'${scalar.text}'`, `'${tools}'`)
  );
}

/** Writes a list of tools on one line, unless a comment stands among them. */
function joinTools(sheet: Sheet): readonly string[] | undefined {
  const field = sheet.fields.find(({ key }) => /^allowed[-_]?tools$/i.test(key));
  if (field?.value.kind !== 'list' || field.value.items.length === 0) return undefined;
  const tools = field.value.items.flatMap((item) => {
    const split = item.kind === 'scalar' ? splitAllowedTools(item.text) : undefined;
    return split === undefined || 'problem' in split ? [] : split.tools;
  });
  const last = Math.max(...field.value.items.map(({ line }) => line));
  const source = sheet.lines.slice(field.line - 1, last).map(contentOf);
  if (source.some((line) => line.includes(' #'))) return undefined;
  const closed = field.value.flow ? /\]\s*$/.test(source.at(-1) ?? '') : true;
  if (!closed) return undefined;
  const text = tools.join(' ');
  const value = /^[A-Za-z][\w ()*./-]*$/.test(text) ? text : quote(text);
  const place = { ...sheet, diagnostic: { ...sheet.diagnostic, line: field.line } };
  return replaceLine(place, () => `${field.key}: ${value}`, last - field.line + 1);
}

function addName(sheet: Sheet): readonly string[] | undefined {
  const name = nameOf(sheet);
  const fence = sheet.lines.findIndex((line) => line.startsWith('---'));
  if (name === undefined || fence < 0) return undefined;
  return sheet.lines.toSpliced(fence + 1, 0, name + endOf(sheet.lines[fence]));
}

/** The field that names the skill after its directory, where that is a valid name. */
function nameOf({ directoryName }: Sheet): string | undefined {
  if (directoryName === undefined || suggestName(directoryName) !== directoryName) return undefined;
  return `name: ${/^[a-z]/.test(directoryName) ? directoryName : quote(directoryName)}`;
}

function replaceEmpty(sheet: Sheet, key: string, field: () => string | undefined): readonly string[] | undefined {
  const empty = new RegExp(`^${key}[ \\t]*:[ \\t]*(?:""|''|~|null)?[ \\t]*$`);
  return replaceLine(sheet, (line) => (empty.test(line) ? field() : undefined));
}

/** Replaces a value on its line, where it stands there as given. */
function replaceValue(
  sheet: Sheet,
  { line, column }: FrontmatterScalar,
  from: string,
  to: string,
): readonly string[] | undefined {
  const place = { ...sheet, diagnostic: { ...sheet.diagnostic, line } };
  return replaceLine(place, (content) => {
    if (!content.startsWith(from, column - 1)) return undefined;
    return content.slice(0, column - 1) + to + content.slice(column - 1 + from.length);
  });
}

/** Finds the scalar that the diagnostic points at. */
function findScalar({ fields, diagnostic }: Sheet): FrontmatterScalar | undefined {
  const search = (node: FrontmatterNode): FrontmatterScalar | undefined => {
    if (node.kind === 'scalar') {
      return node.line === diagnostic.line && node.column === diagnostic.column ? node : undefined;
    }
    const below = node.kind === 'list' ? node.items : node.entries.map((entry) => entry.value);
    for (const child of below) {
      const found = search(child);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  for (const field of fields) {
    const found = search(field.value);
    if (found !== undefined) return found;
  }
  return undefined;
}
