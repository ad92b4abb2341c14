// Did you mean: the known names that a misspelt one is close to.

/**
 * Gives up to three names within a third of the word's length in edits (insert, delete, replace, swap), closest first.
 *
 * Costs the product of the two lengths for each known name; words over 64 characters have no close names.
 */
export function closestNames(word: string, known: readonly string[]): readonly string[] {
  const wanted = word.toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  if (wanted.length > 64) return [];
  return known
    .filter((name) => Math.abs(name.length - wanted.length) <= limit)
    .map((name) => ({ name, edits: countEdits(wanted, name.toLowerCase()) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}

function countEdits(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const replace = at(previous, j - 1) + (same ? 0 : 1);
      let edits = Math.min(at(previous, j) + 1, at(row, j - 1) + 1, replace);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, at(beforePrevious, j - 2) + 1);
      row.push(edits);
    }
    beforePrevious = previous;
    previous = row;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0;
}
