// The one table of diagnostics. To add one, write a row in `codes/` and its document in `documents/`.

import { diskCodes } from './codes/disk.ts';
import { fieldCodes } from './codes/fields.ts';
import { fileCodes } from './codes/file.ts';
import { nameCodes } from './codes/name.ts';
import { sourceCodes } from './codes/source.ts';
import { yamlCodes } from './codes/yaml.ts';

/** How much a diagnostic weighs: under the profile in use an `error` keeps the skill out, a `warning` or an `info` never does. */
export type Severity = 'error' | 'warning' | 'info';

/** Which rules apply: the specification, whatever can be loaded (default), or the specification and other validators. */
export type SkillProfile = 'strict' | 'lenient' | 'portable';

/** All profiles. */
export const profiles: readonly SkillProfile[] = ['strict', 'lenient', 'portable'];

/** The severity under some profiles and under all others; `none` means that the code is not reported. */
type SeverityByProfile = Readonly<Partial<Record<SkillProfile, Severity | 'none'>> & { others: Severity | 'none' }>;

/** What is reported for one code; the details of a diagnostic replace `{words}` in braces. */
export interface DiagnosticRow {
  /** @default a broken rule: an error, of which `lenient` only warns */
  readonly severity?: Severity | SeverityByProfile;
  /** Subject in backticks, what is wrong, expected against got. */
  readonly message: string;
  /** What to change. */
  readonly hint: string;
  /** The validators and clients that would reject the file. */
  readonly refusedBy?: readonly string[];
}

/** Why a diagnostic happens and why it matters; with a `fix` if the remedy needs more words than the hint has. */
export type DiagnosticDocument = string | { readonly cause: string; readonly fix: string };

type DiagnosticTable = typeof fileCodes &
  typeof yamlCodes &
  typeof fieldCodes &
  typeof nameCodes &
  typeof diskCodes &
  typeof sourceCodes;

/** Every code there is. Codes are never renamed or reused. */
export type DiagnosticCode = keyof DiagnosticTable;

/** The rows by code, with the literal types that the details of a diagnostic are checked by. */
export const diagnosticTable: DiagnosticTable = {
  ...fileCodes,
  ...yamlCodes,
  ...fieldCodes,
  ...nameCodes,
  ...diskCodes,
  ...sourceCodes,
};

const ofBrokenRule: SeverityByProfile = { lenient: 'warning', others: 'error' };

/** Looks up how much a code weighs under a profile. */
export function severityOf(code: DiagnosticCode, profile: SkillProfile): Severity | 'none' {
  const { severity = ofBrokenRule }: DiagnosticRow = diagnosticTable[code];
  return typeof severity === 'string' ? severity : (severity[profile] ?? severity.others);
}
