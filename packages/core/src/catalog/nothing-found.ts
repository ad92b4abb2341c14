// Reports that a whole catalog is empty, because an agent without skills still works and looks healthy.

import { createDiagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { SourceSnapshot } from './snapshot.ts';

/** Names the searched places if no source has a skill, unless there is another explanation than missing directories. */
export function reportNothingFound(loaded: readonly SourceSnapshot[]): readonly Diagnostic[] {
  const isSilent = loaded.every(
    ({ entries, diagnostics }) => entries.size === 0 && diagnostics.every(({ code }) => code === 'root-missing'),
  );
  const places = [...new Set(loaded.flatMap(({ source: { id, root, searched } }) => searched ?? [root ?? id]))];
  const [first] = loaded;
  if (!isSilent || first === undefined) return [];
  const { id, root = places[0] ?? id } = first.source;
  return [createDiagnostic('skills-not-found', { source: id, location: root }, { places })];
}
