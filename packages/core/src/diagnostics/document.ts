// The documentation of the codes, written from their table: one page for the command line, one document for the repository.

import type { DiagnosticCode, Severity, SkillProfile } from './diagnostic.ts';
import { type DiagnosticEntry, diagnosticTable } from './table.ts';

/** Gives the page of a code as Markdown; undefined where there is no such code. */
export function explainDiagnostic(code: string): string | undefined {
  return isDiagnosticCode(code) ? `# ${code}\n\n${describe(diagnosticTable[code])}` : undefined;
}

/** Lists every code there is, in the order of the table. */
export function diagnosticCodes(): readonly DiagnosticCode[] {
  return Object.keys(diagnosticTable).filter(isDiagnosticCode);
}

/** Writes `docs/diagnostics.md`. */
export function formatDiagnosticDocument(): string {
  const codes = diagnosticCodes();
  const sections = codes.map((code) => `## ${code}\n\n${describe(diagnosticTable[code])}`);
  return `# Diagnostics

Everything that can be found wrong with a skill, a source or a directory of skills. An \`error\` keeps the skill out under
the profile in use; a \`warning\` and an \`info\` never do. The profiles are \`strict\` (the text of the specification),
\`lenient\` (whatever can be loaded; the default) and \`portable\` (what every known validator accepts).

\`skillful explain CODE\` prints the same. This file is written by \`node scripts/diagnostics.ts\`.

${sections.join('\n')}`;
}

function isDiagnosticCode(code: string): code is DiagnosticCode {
  return Object.hasOwn(diagnosticTable, code);
}

function describe(entry: DiagnosticEntry): string {
  const lines = [
    `> ${escapeMarkdown(entry.message)}`,
    '',
    `${entry.cause}`,
    '',
    `**Fix.** ${entry.fix}`,
    '',
    `**Severity.** ${describeSeverity(entry.severity)}`,
  ];
  if (entry.refusedBy !== undefined) lines.push('', `**Refused by** ${entry.refusedBy.join(', ')}.`);
  return `${lines.join('\n')}\n`;
}

function describeSeverity(severity: DiagnosticEntry['severity']): string {
  const { strict, lenient, portable } = severity;
  if (strict === lenient && lenient === portable) return `\`${strict}\` in every profile.`;
  const name = (profile: SkillProfile, value: Severity | 'none') =>
    `${value === 'none' ? 'not reported' : `\`${value}\``} in \`${profile}\``;
  return `${name('strict', strict)}, ${name('lenient', lenient)}, ${name('portable', portable)}.`.replace(/^n/, 'N');
}

/** The open words of a message in italics: `{name}` becomes *name*. */
function escapeMarkdown(message: string): string {
  return message.replaceAll(
    /`\{(\w+)\}`|\{(\w+)\}/g,
    (_match, inCode?: string, bare?: string) => `*${inCode ?? bare}*`,
  );
}
