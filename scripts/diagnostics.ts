// Writes docs/diagnostics.md from the table of diagnostics.

import { writeFileSync } from 'node:fs';
import { formatDiagnosticDocument } from './diagnostic-document.ts';

writeFileSync(new URL('../docs/diagnostics.md', import.meta.url), formatDiagnosticDocument());
