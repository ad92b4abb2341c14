// Rows of numbers, each with a count, and the same seen from the other side: the terms of each skill, the skills of each term.

/** The rows, one after the other. */
export interface Table {
  /** Where each row begins; one more than there are rows. */
  readonly starts: Uint32Array;
  readonly entries: Uint32Array;
  readonly counts: Uint16Array;
}

/** Makes the columns of a table its rows. The entries of each are in order. */
export function turnAround({ starts, entries, counts }: Table, columns: number): Table {
  const turned = new Uint32Array(columns + 1);
  for (const column of entries) turned[column + 1] = (turned[column + 1] ?? 0) + 1;
  for (let column = 0; column < columns; column++)
    turned[column + 1] = (turned[column + 1] ?? 0) + (turned[column] ?? 0);
  const next = turned.slice();
  const rows = new Uint32Array(entries.length);
  const counted = new Uint16Array(entries.length);
  for (let row = 0; row + 1 < starts.length; row++) {
    const end = starts[row + 1] ?? 0;
    for (let at = starts[row] ?? 0; at < end; at++) {
      const column = entries[at] ?? 0;
      const place = next[column] ?? 0;
      next[column] = place + 1;
      rows[place] = row;
      counted[place] = counts[at] ?? 0;
    }
  }
  return { starts: turned, entries: rows, counts: counted };
}
