// Documents each code on a page, for `skillful explain` and `docs/diagnostics.md`.

import { diskDocuments } from './codes/disk.ts';
import { fieldDocuments } from './codes/fields.ts';
import { fileDocuments } from './codes/file.ts';
import { nameDocuments } from './codes/name.ts';
import { sourceDocuments } from './codes/source.ts';
import { yamlDocuments } from './codes/yaml.ts';
import { type DiagnosticCode, type DiagnosticRow, diagnosticTable, profiles, severityOf } from './table.ts';

/** Why a diagnostic is reported and why it matters, with a `fix` if the remedy needs more words than the hint. */
type DiagnosticDocument = string | { readonly cause: string; readonly fix: string };

const documents: Readonly<Record<DiagnosticCode, DiagnosticDocument>> = {
  ...fileDocuments,
  ...yamlDocuments,
  ...fieldDocuments,
  ...nameDocuments,
  ...diskDocuments,
  ...sourceDocuments,
};

/** The codes that `skillful validate --fix` can fix, if no guess is needed. */
const fixable: ReadonlySet<string> = new Set(
  (
    'byte-order-mark line-ends-cr leading-blank-lines fence-trailing-space fence-open-assumed fence-close-assumed ' +
    'frontmatter-in-code-fence value-unquoted value-misquoted block-header-text tab-indentation colon-space-missing ' +
    'value-not-string metadata-not-string name-missing name-empty compatibility-empty allowed-tools-spelling ' +
    'allowed-tools-comma allowed-tools-list yaml-flow field-unknown name-uppercase name-characters ' +
    'name-hyphen-edge name-hyphen-double'
  ).split(' '),
);

/** Returns the page of a code as Markdown, or `undefined` if there is no such code. */
export function explainDiagnostic(code: string): string | undefined {
  return isDiagnosticCode(code) ? `# ${code}\n\n${describe(code)}` : undefined;
}

/** Lists all codes, in the order of the table. */
export function diagnosticCodes(): readonly DiagnosticCode[] {
  return Object.keys(diagnosticTable).filter(isDiagnosticCode);
}

/** The hints about names are long, because they are exact; the documents use this shorter text. */
const nameFix = 'Give the skill and its directory the same valid name, as the hint says.';

/** Returns why a code is reported and what to do about it, as Markdown. */
export function documentOf(code: DiagnosticCode): { readonly cause: string; readonly fix: string } {
  const document = documents[code];
  const { hint } = diagnosticTable[code];
  const ownFix = hint.includes('{rename}') ? nameFix : hint;
  const { cause, fix } = typeof document === 'string' ? { cause: document, fix: ownFix } : document;
  return {
    cause,
    fix: showOpenWords(fix) + (fixable.has(code) ? ' `skillful validate --fix` can do this.' : ''),
  };
}

function isDiagnosticCode(code: string): code is DiagnosticCode {
  return Object.hasOwn(diagnosticTable, code);
}

function describe(code: DiagnosticCode): string {
  const { message, refusedBy }: DiagnosticRow = diagnosticTable[code];
  const { cause, fix } = documentOf(code);
  const refusal = refusedBy === undefined ? '' : ` **Refused by** ${refusedBy.join(', ')}.`;
  const severity = `**Severity.** ${describeSeverity(code)}${refusal}`;
  return `${[`> ${showOpenWords(message)}`, cause, `**Fix.** ${fix}`, severity].join('\n\n')}\n`;
}

function describeSeverity(code: DiagnosticCode): string {
  const severities = [...new Set(profiles.map((profile) => severityOf(code, profile)))];
  if (severities.length === 1) return `\`${severities[0]}\` in every profile.`;
  const profilesWith = (severity: string): string => {
    const those = profiles.filter((profile) => severityOf(code, profile) === severity);
    return those.map((profile) => `\`${profile}\``).join(' and ');
  };
  const reported = severities.filter((severity) => severity !== 'none');
  const parts = reported.map((severity) => `\`${severity}\` in ${profilesWith(severity)}`);
  if (severities.includes('none')) parts.push(`not reported in ${profilesWith('none')}`);
  return `${parts.join(', ')}.`;
}

/** Writes the placeholder `{name}` as *name*, or as `<name>` inside code. */
function showOpenWords(text: string): string {
  return text.replaceAll(/`\{(\w+)\}`|`([^`]*)`|\{(\w+)\}/g, (_, whole?: string, code?: string, bare?: string) =>
    code === undefined ? `*${whole ?? bare}*` : `\`${code.replaceAll(/\{(\w+)\}/g, '<$1>')}\``,
  );
}
