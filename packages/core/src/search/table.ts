// A sparse table of terms and skills, which can be turned around: the skills of each term, or the terms of each skill.

/** All rows of a table, in three lists. */
export interface Table {
  /** Where each row begins in the lists below, and at the end where the last row ends. */
  readonly starts: Uint32Array;
  /** The columns of all rows, one row after the other. */
  readonly entries: Uint32Array;
  /** The value of each entry. */
  readonly counts: Uint16Array;
}

/** One row of a table. */
export interface Row {
  readonly entries: ArrayLike<number>;
  readonly counts: ArrayLike<number>;
}

/** Returns a view of one row. */
export function rowOf({ starts, entries, counts }: Table, row: number): Row {
  const [start, end] = [starts[row], starts[row + 1]];
  return { entries: entries.subarray(start, end), counts: counts.subarray(start, end) };
}

/** Makes a table of rows. */
export function joinRows(rows: readonly Row[]): Table {
  const starts = new Uint32Array(rows.length + 1);
  for (const [at, { entries }] of rows.entries()) starts[at + 1] = (starts[at] ?? 0) + entries.length;
  const entries = new Uint32Array(starts[rows.length] ?? 0);
  const counts = new Uint16Array(entries.length);
  for (const [at, row] of rows.entries()) {
    entries.set(row.entries, starts[at]);
    counts.set(row.counts, starts[at]);
  }
  return { starts, entries, counts };
}

/** Makes rows of the columns of a table. The entries of each new row are sorted. */
export function transpose({ starts, entries, counts }: Table, columns: number): Table {
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
