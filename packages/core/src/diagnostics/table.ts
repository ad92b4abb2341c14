// The table of all diagnostics. To add one, write a row and its document in `codes/`.

import { diskCodes } from './codes/disk.ts';
import { fieldCodes } from './codes/fields.ts';
import { fileCodes } from './codes/file.ts';
import { nameCodes } from './codes/name.ts';
import { sourceCodes } from './codes/source.ts';
import { yamlCodes } from './codes/yaml.ts';

/** How serious a diagnostic is: an `error` under the profile in use keeps the skill out, a `warning` or an `info` never does. */
export type Severity = 'error' | 'warning' | 'info';

/**
 * Which rules apply: the specification (`strict`), only what is needed to load a skill (`lenient`, the default), or the
 * specification and all known validators (`portable`).
 */
export type SkillProfile = 'strict' | 'lenient' | 'portable';

/** All profiles. */
export const profiles: readonly SkillProfile[] = ['strict', 'lenient', 'portable'];

/** The severity under some profiles, and under all others. `none` means that the code is not reported. */
type SeverityByProfile = Readonly<Partial<Record<SkillProfile, Severity | 'none'>> & { others: Severity | 'none' }>;

/** What is reported for one code. The details of a diagnostic replace `{placeholders}`. */
export interface DiagnosticRow {
  /** @default an error, which becomes a warning under `lenient` */
  readonly severity?: Severity | SeverityByProfile;
  /** The subject in backticks, what is wrong, and what was expected. */
  readonly message: string;
  /** What to change. */
  readonly hint: string;
  /** The validators and clients that would reject the file. */
  readonly refusedBy?: readonly string[];
}

type DiagnosticTable = typeof fileCodes &
  typeof yamlCodes &
  typeof fieldCodes &
  typeof nameCodes &
  typeof diskCodes &
  typeof sourceCodes;

/** Every code there is. Codes are never renamed or reused. */
export type DiagnosticCode = keyof DiagnosticTable;

/** The rows by code. Their literal types are what the details of a diagnostic are checked against. */
export const diagnosticTable: DiagnosticTable = {
  ...fileCodes,
  ...yamlCodes,
  ...fieldCodes,
  ...nameCodes,
  ...diskCodes,
  ...sourceCodes,
};

const ofBrokenRule: SeverityByProfile = { lenient: 'warning', others: 'error' };

/** Looks up the severity of a code under a profile. */
export function severityOf(code: DiagnosticCode, profile: SkillProfile): Severity | 'none' {
  const { severity = ofBrokenRule }: DiagnosticRow = diagnosticTable[code];
  return typeof severity === 'string' ? severity : (severity[profile] ?? severity.others);
}
