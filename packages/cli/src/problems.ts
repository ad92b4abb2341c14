// Says what a catalog has to say beside its skills.

import type { Catalog } from '@skillful/core';
import type { CommandLine } from './command-line.ts';
import { writeDiagnostics } from './terminal/diagnostics.ts';

/** Says in full why something is not in the catalog; what could be better about the skills in it is only counted. */
export function writeProblems({ skills, diagnostics }: Catalog, io: CommandLine): void {
  const listed = new Set(skills.map(({ location }) => location));
  writeDiagnostics(
    diagnostics.filter(({ location }) => !listed.has(location)),
    io,
  );
  const remarks = diagnostics.filter(({ location }) => listed.has(location)).length;
  if (remarks === 0) return;
  const words = remarks === 1 ? '1 remark' : `${remarks} remarks`;
  io.stderr.write(`${words} on the skills that were loaded; \`skillful validate PATH\` shows what to improve.\n`);
}
