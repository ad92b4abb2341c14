// Measures everything anew and writes docs/tokens.md: `npm start`.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { missingSteps, placeWorkspacePackages } from './workspace-packages.ts';

process.env['MASTRA_TELEMETRY_DISABLED'] = '1';

const missing = await missingSteps();
if (missing.length > 0) {
  console.error(`NOTHING WAS MEASURED. Run first, from the root of the repository:\n\n  ${missing.join('\n  ')}\n`);
  process.exit(1);
}
await placeWorkspacePackages();
const { measure } = await import('./measure.ts');
const { renderReport } = await import('./report.ts');
const report = renderReport(await measure());
await writeFile(join(import.meta.dirname, '..', '..', 'docs', 'tokens.md'), report);
console.log(report);
