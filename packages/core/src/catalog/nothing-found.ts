// Reports that a whole catalog is empty, because an agent without skills still works and looks healthy.

import { createDiagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { SkillSource } from '../skill/source.ts';
import type { SourceSnapshot } from './snapshot.ts';

/** Names the searched places if no source has a skill, unless there is another explanation than missing directories. */
export function reportNothingFound(loaded: readonly SourceSnapshot[]): readonly Diagnostic[] {
  const isSilent = loaded.every(
    ({ entries, diagnostics }) => entries.size === 0 && diagnostics.every(({ code }) => code === 'root-missing'),
  );
  const places = [...new Set(loaded.flatMap(({ source: { id, root, searched } }) => searched ?? [root ?? id]))];
  const sources = loaded.map(({ source }) => source);
  // A directory is more often empty by mistake than a source without one.
  const first = sources.find(directoryOf) ?? sources[0];
  if (!isSilent || first === undefined) return [];
  return [
    createDiagnostic('skills-not-found', { source: first.id, location: directoryOf(first) ?? first.id }, { places }),
  ];
}

function directoryOf({ root, searched }: SkillSource): string | undefined {
  return root ?? searched?.[0];
}
