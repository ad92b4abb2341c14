// Sorts diagnostics by the place that they are about.

import type { Diagnostic } from '@skillful/core';

/** Groups diagnostics by location, both in the order given. */
export function groupByLocation(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, readonly Diagnostic[]> {
  const groups = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    const group = groups.get(diagnostic.location);
    if (group === undefined) groups.set(diagnostic.location, [diagnostic]);
    else group.push(diagnostic);
  }
  return groups;
}
