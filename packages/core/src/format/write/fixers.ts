// Defines a fix, as edits of lines, for each diagnostic that needs no guess.

import type { DiagnosticCode } from '../../diagnostics/diagnostic.ts';
import { findCodeBlockEnd } from '../fences/code-fence.ts';
import { expandTabs } from '../field-lines.ts';
import { splitAllowedTools } from '../properties/allowed-tools.ts';
import { suggestName } from '../properties/name.ts';
import { writeName } from '../properties/name-remedy.ts';
import { isToolsField } from '../properties/switches.ts';
import type { FrontmatterNode, FrontmatterScalar } from '../tree.ts';
import { contentOf, type Edit, endOf, type Fixer, type FixInput, rowsOf } from './lines.ts';
import { moveBelowMetadata, unfoldMetadata } from './metadata-fixers.ts';
import { formatKey, formatText, quote } from './write.ts';

/** The fixes by the code of their diagnostic. */
export const fixers: ReadonlyMap<DiagnosticCode, Fixer> = new Map<DiagnosticCode, Fixer>([
  ['byte-order-mark', ({ lines }) => [{ start: 0, end: 1, by: lines.slice(0, 1).map((line) => line.slice(1)) }]],
  [
    'line-ends-cr',
    ({ lines }) => [{ start: 0, end: lines.length, by: lines.map((line) => line.replace(/\r$/, '\n')) }],
  ],
  ['leading-blank-lines', ({ lines }) => [{ start: 0, end: lines.findIndex((line) => line.trim() !== ''), by: [] }]],
  ['fence-trailing-space', (input) => replaceLine(input, () => '---')],
  ['fence-open-assumed', ({ lines }) => [{ start: 0, end: 0, by: [`---${endOf(lines[0])}`] }]],
  ['fence-close-assumed', closeFence],
  ['frontmatter-in-code-fence', unwrap],
  ['value-unquoted', quoteRepaired],
  ['value-misquoted', quoteRepaired],
  ['block-header-text', quoteRepaired],
  ['tab-indentation', indentBySpaces],
  ['colon-space-missing', (input) => replaceLine(input, (line) => line.replace(/\s*[:\uff1a]\s*/, ': ').trimEnd())],
  ['value-not-string', quoteScalar],
  ['metadata-not-string', quoteScalar],
  ['yaml-flow', unfoldMetadata],
  ['field-unknown', moveBelowMetadata],
  ['name-uppercase', correctName],
  ['name-characters', correctName],
  ['name-hyphen-edge', correctName],
  ['name-hyphen-double', correctName],
  ['name-missing', addName],
  ['name-empty', (input) => replaceEmpty(input, 'name', () => nameOf(input))],
  ['compatibility-empty', (input) => replaceEmpty(input, 'compatibility', () => '')],
  ['allowed-tools-spelling', correctKey],
  ['allowed-tools-comma', separateTools],
  ['allowed-tools-list', joinTools],
]);

/** Replaces the line of the diagnostic, or other lines. An empty result removes them; `undefined` changes nothing. */
function replaceLine(
  { lines, diagnostic }: FixInput,
  change: (line: string) => string | undefined,
  first: number = diagnostic.line ?? 0,
  count = 1,
): readonly Edit[] | undefined {
  const index = first - 1;
  const line = lines[index];
  const content = line === undefined ? undefined : change(contentOf(line));
  if (line === undefined || content === undefined || content === contentOf(line)) return undefined;
  const last = lines[index + count - 1] ?? line;
  const by = content === '' ? [] : [content + last.slice(contentOf(last).length)];
  return [{ start: index, end: index + count, by }];
}

function closeFence(input: FixInput): readonly Edit[] | undefined {
  return replaceLine(
    input,
    (line) => `---${endOf(input.lines[0])}${line.startsWith('---') ? line.slice(3).trimStart() : line}`,
  );
}

function unwrap({ lines, diagnostic }: FixInput): readonly Edit[] {
  const first = diagnostic.line ?? 0;
  // Empty lines around the opening one would be before the frontmatter.
  const start = lines.findIndex((line, row) => row >= first && line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  const isClosed = findCodeBlockEnd(lines.slice(first).join('')) !== undefined;
  const end = isClosed ? [{ start: last, end: last + 1, by: [] }] : [];
  return [{ start: 0, end: start, by: [] }, ...end];
}

function quoteRepaired(input: FixInput): readonly Edit[] | undefined {
  const { diagnostic } = input;
  // The diagnostic points to the wrong character, which may be on any line of the value.
  const { line: at = 0 } = diagnostic;
  const repair = input.repairs.find(
    ({ code, line, lineCount }) => code === diagnostic.code && line <= at && at < line + lineCount,
  );
  if (repair?.text === undefined) return undefined;
  const below = input.lines.slice(repair.line, repair.line + repair.lineCount - 1);
  // Somebody may have just begun to write another field there.
  if (repair.code === 'value-unquoted' && below.some((line) => /^[\w-]+\s*$/.test(line))) return undefined;
  const value = quote(repair.text);
  return replaceLine(input, (line) => `${/^[^:]*:/.exec(line)?.[0] ?? ''} ${value}`, repair.line, repair.lineCount);
}

function indentBySpaces({ lines, diagnostic, repairs }: FixInput): readonly Edit[] | undefined {
  const repair = repairs.find(({ code, line }) => code === 'tab-indentation' && line === diagnostic.line);
  if (repair === undefined) return undefined;
  const [start, end] = [repair.line, repair.line + repair.lineCount - 1];
  return [{ start, end, by: lines.slice(start, end).map(expandTabs) }];
}

function quoteScalar(input: FixInput): readonly Edit[] | undefined {
  const scalar = findScalar(input);
  if (scalar === undefined || !scalar.plain) return undefined;
  return replaceValue(input, scalar, scalar.text, quote(scalar.text));
}

function separateTools(input: FixInput): readonly Edit[] | undefined {
  const scalar = findScalar(input);
  const split = scalar === undefined ? undefined : splitAllowedTools(scalar.text);
  if (scalar === undefined || split === undefined || 'problem' in split) return undefined;
  return replaceText(input, scalar, split.tools.join(' ')) ?? joinTools(input);
}

function correctKey(input: FixInput): readonly Edit[] | undefined {
  // A second field of the correct name would be invalid.
  if (input.fields.filter(({ key }) => isToolsField(key)).length > 1) return undefined;
  return replaceLine(input, (line) => line.replace(/^( *)(?:\w[^:"']*|"[^":]+"|'[^':]+')(?= *:)/, '$1allowed-tools'));
}

/** Puts tools on one line, unless they contain a comment. */
function joinTools(input: FixInput): readonly Edit[] | undefined {
  const field = input.fields.find(({ key }) => isToolsField(key));
  const rows = field === undefined ? undefined : rowsOf(input, field);
  if (field === undefined || rows === undefined) return undefined;
  const tools = scalarsIn(field.value).flatMap(({ text }) => {
    const split = splitAllowedTools(text);
    return 'problem' in split ? [] : split.tools;
  });
  if (tools.length === 0) return undefined;
  const text = tools.join(' ');
  const value = /^[A-Za-z][\w ()*./-]*$/.test(text) ? text : quote(text);
  const line = `${formatKey(field.key, ' '.repeat(field.column - 1))} ${value}`;
  return replaceLine(input, () => line, rows.start + 1, rows.end - rows.start);
}

function addName(input: FixInput): readonly Edit[] | undefined {
  // A person must decide which of two names is right.
  if (input.fields.some(({ key }) => /^name$/i.test(key))) return undefined;
  const name = nameOf(input);
  // The line of the opening fence or, until that is added, of the first field.
  const { line } = input.diagnostic;
  if (name === undefined || line === undefined || input.fields.some((field) => field.line === line)) return undefined;
  return [{ start: line, end: line, by: [name + endOf(input.lines[line - 1])] }];
}

/** Writes a name as its directory has it, or in lower case, if it has the same letters. Adds quotes if YAML needs them. */
function correctName(input: FixInput): readonly Edit[] | undefined {
  const value = input.fields.find(({ key }) => key === 'name')?.value;
  if (value?.kind !== 'scalar') return undefined;
  const name = suggestName(value.text);
  if (name !== input.directoryName && name !== value.text.toLowerCase()) return undefined;
  return replaceText(input, value, name, writeName(name));
}

/** Returns the field that names the skill after its directory, if that is a valid name. */
function nameOf({ directoryName, fields }: FixInput): string | undefined {
  if (directoryName === undefined || suggestName(directoryName) !== directoryName) return undefined;
  return `${' '.repeat((fields[0]?.column ?? 1) - 1)}name: ${formatText(directoryName)}`;
}

function replaceEmpty(input: FixInput, key: string, field: () => string | undefined): readonly Edit[] | undefined {
  const empty = new RegExp(`^ *${key}[ \\t]*:[ \\t]*(?:""|''|~|null)?$`);
  return replaceLine(input, (line) => (empty.test(line.trimEnd()) ? field() : undefined));
}

/** Replaces the text of a value and keeps its quotes. `plain` is how to write the text if the value has none. */
function replaceText(
  input: FixInput,
  scalar: FrontmatterScalar,
  text: string,
  plain = text,
): readonly Edit[] | undefined {
  const inQuotes = ['', '"', "'"].map((mark) =>
    replaceValue(input, scalar, mark + scalar.text + mark, mark === '' ? plain : mark + text + mark),
  );
  return inQuotes.find((lines) => lines !== undefined);
}

/** Replaces a value on its line, if the line contains it exactly as given. */
function replaceValue(
  input: FixInput,
  { line, column }: FrontmatterScalar,
  from: string,
  to: string,
): readonly Edit[] | undefined {
  const change = (content: string): string | undefined =>
    content.startsWith(from, column - 1)
      ? content.slice(0, column - 1) + to + content.slice(column - 1 + from.length)
      : undefined;
  return replaceLine(input, change, line);
}

function findScalar({ fields, diagnostic }: FixInput): FrontmatterScalar | undefined {
  const scalars = fields.flatMap(({ value }) => scalarsIn(value));
  return scalars.find(({ line, column }) => line === diagnostic.line && column === diagnostic.column);
}

function scalarsIn(node: FrontmatterNode): readonly FrontmatterScalar[] {
  if (node.kind === 'scalar') return [node];
  return (node.kind === 'list' ? node.items : node.entries.map(({ value }) => value)).flatMap(scalarsIn);
}
