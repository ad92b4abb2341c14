// Formats docs/diagnostics.md from the pages that `skillful explain` prints.

import { diagnosticCodes, explainDiagnostic } from '../packages/core/src/diagnostics/document.ts';

/** Formats a section for each code, in the order of the table. */
export function formatDiagnosticDocument(): string {
  const sections = diagnosticCodes().map((code) => `#${explainDiagnostic(code)}`);
  return `# Diagnostics

This page lists every problem that Skillful can find in a skill, a source or a directory of skills. An \`error\` keeps the skill out under
the profile in use. A \`warning\` or an \`info\` never does. There are three profiles: \`strict\` follows the text of the specification,
\`lenient\` (the default) loads whatever can be loaded, and \`portable\` accepts only what the reference tool and the packaging check of
skills accept, too.

\`skillful explain CODE\` prints the same text. This file is written by \`npx -y pnpm@12 exec node scripts/diagnostics.ts\`.

${sections.join('\n')}`;
}
