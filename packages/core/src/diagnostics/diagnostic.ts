// Records problems in skills as data, because they are never thrown or printed.

import {
  type DiagnosticCode,
  type DiagnosticRow,
  diagnosticTable,
  type Severity,
  type SkillProfile,
  severityOf,
} from './table.ts';

export type { DiagnosticCode, Severity, SkillProfile } from './table.ts';

/** What a diagnostic is about. */
export interface DiagnosticSite {
  /** Id of the source that the skill came from. */
  readonly source?: string | undefined;
  /** Path of the `SKILL.md`, the directory or the root that the diagnostic is about. */
  readonly location: string;
  /** Line in the file as stored, counted from 1. */
  readonly line?: number | undefined;
  /** Column in the file as stored, counted from 1 in UTF-16 units. */
  readonly column?: number | undefined;
}

/** A recorded problem, with a message for people and fields for programs. */
export interface Diagnostic extends DiagnosticSite {
  /** Kebab-case, stable, never reused; each has a heading in `docs/diagnostics.md`. */
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** The subject in backticks, what is wrong, and what was expected. */
  readonly message: string;
  /** The remedy. */
  readonly hint?: string | undefined;
}

type Placeholder<Text extends string> = Text extends `${string}{${infer Word}}${infer Rest}`
  ? Word | Placeholder<Rest>
  : never;

/** A list is written as `one`, `two`, with the backticks. */
type DiagnosticValue = string | number | readonly string[];

/** The values for the placeholders in the message and the hint of a code. */
export type DiagnosticDetails<Code extends DiagnosticCode> = Readonly<
  Record<Placeholder<(typeof diagnosticTable)[Code]['message' | 'hint']>, DiagnosticValue>
>;

/** The arguments after the site: the details, if the code has any, and the profile. */
export type DiagnosticArguments<Code extends DiagnosticCode> = [keyof DiagnosticDetails<Code>] extends [never]
  ? [details?: undefined, profile?: SkillProfile]
  : [details: DiagnosticDetails<Code>, profile?: SkillProfile];

/**
 * Creates a diagnostic from its row in the table. Values are shortened to 120 characters and written on one line, with control
 * and invisible characters escaped.
 */
export function createDiagnostic<Code extends DiagnosticCode>(
  code: Code,
  site: DiagnosticSite,
  ...rest: DiagnosticArguments<Code>
): Diagnostic {
  const [details, profile = 'lenient'] = rest;
  const severity = severityOf(code, profile);
  return fillDiagnostic(code, severity === 'none' ? 'info' : severity, site, details, profile);
}

/** Creates a diagnostic with a severity that the caller has already looked up. */
export function fillDiagnostic(
  code: DiagnosticCode,
  severity: Severity,
  site: DiagnosticSite,
  values: Readonly<Record<string, DiagnosticValue>> = {},
  profile: SkillProfile,
): Diagnostic {
  const { message, hint, refusedBy }: DiagnosticRow = diagnosticTable[code];
  const refusal = profile === 'portable' && refusedBy !== undefined ? ` Refused by ${joinWords(refusedBy)}.` : '';
  const diagnostic: { -readonly [Key in keyof Diagnostic]: Diagnostic[Key] } = {
    code,
    severity,
    message: fillTemplate(message, values) + refusal,
    hint: fillTemplate(hint, values),
    location: site.location,
  };
  if (site.source !== undefined) diagnostic.source = site.source;
  if (site.line !== undefined) diagnostic.line = site.line;
  if (site.column !== undefined) diagnostic.column = site.column;
  return diagnostic;
}

/** Checks whether any diagnostic is an error, which keeps a skill out. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}

/** Characters of a value that are shown. */
const longestValue = 120;

/** Escapes control and invisible characters, puts the text on one line, and shortens it. */
export function showText(text: string): string {
  if (text.length <= longestValue && !hasUnseen(text)) return text;
  const points = [...text];
  const shown = points.length > longestValue ? [...points.slice(0, longestValue - 1), '…'] : points;
  return shown.map((point) => (hasUnseen(point) ? escapePoint(point) : point)).join('');
}

function hasUnseen(text: string): boolean {
  // Most texts are ASCII, and building the other expression takes longer than reading a skill.
  if (/^[ -~]*$/.test(text)) return false;
  return /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}

/** Writes a character as `U+202E`. */
export function showCharacter(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function fillTemplate(template: string, values: Readonly<Record<string, DiagnosticValue>>): string {
  // Most hints have no placeholder, so thousands of diagnostics share one string.
  if (!template.includes('{')) return template;
  // Every second part is a placeholder.
  return template
    .split(/[{}]/)
    .map((part, index) => (index % 2 === 0 ? part : showValue(values[part] ?? '')))
    .join('');
}

function showValue(value: DiagnosticValue): string {
  if (typeof value === 'object') return value.map((each) => `\`${showText(each)}\``).join(', ');
  return showText(String(value));
}

function escapePoint(point: string): string {
  if (point === '\n') return '\\n';
  if (point === '\r') return '\\r';
  if (point === '\t') return '\\t';
  return `\\u{${(point.codePointAt(0) ?? 0).toString(16)}}`;
}

function joinWords(words: readonly string[]): string {
  const last = words[words.length - 1] ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
