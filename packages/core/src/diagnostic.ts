// A problem found in a skill, recorded as data: nothing about a skill's content is ever thrown or printed.

/** How much a diagnostic weighs: under the profile in use an `error` keeps the skill out, a `warning` or an `info` never does. */
export type Severity = 'error' | 'warning' | 'info';

/** Which rules apply: the text of the specification, whatever can be loaded (default), or what every known validator accepts. */
export type SkillProfile = 'strict' | 'lenient' | 'portable';

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

/** A recorded problem, in words for a skill's author and in fields for a program. */
export interface Diagnostic extends DiagnosticSite {
  /** Kebab-case, stable, never reused; each has a heading in `docs/diagnostics.md`. */
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** Subject in backticks, what is wrong, expected against got. */
  readonly message: string;
  /** The remedy. */
  readonly hint?: string | undefined;
}

/** Every code there is: the keys of the one table. */
export type DiagnosticCode = string;
