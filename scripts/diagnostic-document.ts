// Formats docs/diagnostics.md from the pages that `skillful explain` prints.

import { diagnosticCodes, explainDiagnostic } from '../packages/core/src/diagnostics/document.ts';

/** Formats a section for each code, in the order of the table. */
export function formatDiagnosticDocument(): string {
  const sections = diagnosticCodes().map((code) => `#${explainDiagnostic(code)}`);
  return `# Diagnostics

Everything that can be found wrong with a skill, a source or a directory of skills. An \`error\` keeps the skill out under
the profile in use; a \`warning\` and an \`info\` never do. The profiles are \`strict\` (the text of the specification),
\`lenient\` (whatever can be loaded; the default) and \`portable\` (what the reference tool and the
packaging check of skills accept, too).

\`skillful explain CODE\` prints the same. This file is written by \`npx -y pnpm@12 exec node scripts/diagnostics.ts\`.

${sections.join('\n')}`;
}
