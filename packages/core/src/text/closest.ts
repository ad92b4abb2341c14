// Finds the known names and paths that a wrong one probably means, for "Did you mean".

/**
 * Returns up to three close names, closest first. A name is close if a third of the word's length in edits (insert, delete,
 * replace, swap) is enough to get from one to the other, and never more than `most`.
 *
 * Takes time in proportion to the length of the word for each known name. Empty words and words over 64 characters have no close
 * names.
 */
export function closestNames(word: string, known: readonly string[], most = 5): readonly string[] {
  const wanted = word.toLowerCase();
  if (wanted === '' || wanted.length > 64) return [];
  const limit = Math.min(most, Math.max(1, Math.floor(wanted.length / 3)));
  return known
    .filter((name) => Math.abs(name.length - wanted.length) <= limit)
    .map((name) => ({ name, edits: countEdits(wanted, name.toLowerCase(), limit) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}

/**
 * Returns up to three known paths whose last segment is that of a wrong path, in any case; or else those in the directory of that
 * path; or else those whose last segment is the same without its extension, or close. Those with the same directories come first.
 * A section, a line or a pattern at the end of the wrong path does not count. Paths over 1,024 characters have no close paths,
 * because it takes long to compose their characters.
 */
export function closestPaths(path: string, known: readonly string[]): readonly string[] {
  if (path.length > 1_024) return [];
  const [wanted = '', ...parents] = upwards(path.replace(/^\.\/|(?:#|:\d).*$|\/(?:\*.*)?$/gs, ''));
  if (wanted === '') return [];
  const all = known.map((each) => {
    const [last = '', ...others] = upwards(each);
    const isBelow = countShared([wanted, ...parents].reverse(), [...others].reverse()) > parents.length;
    return { path: each, last, isBelow, shared: countShared(parents, others) };
  });
  const sorted = (some: typeof all): typeof all => some.sort((a, b) => b.shared - a.shared);
  const named = (name: string) => sorted(all.filter(({ last }) => last === name));
  const names = new Set(all.map(({ last }) => last));
  const ways = [
    () => named(wanted),
    () => all.filter(({ isBelow }) => isBelow),
    () => sorted(all.filter(({ last }) => withoutExtension(last) === withoutExtension(wanted))),
    () => closestNames(wanted, [...names]).flatMap(named),
  ];
  const close = ways.map((way) => way()).find((paths) => paths.length > 0) ?? [];
  return close.slice(0, 3).map((each) => each.path);
}

function withoutExtension(name: string): string {
  return name.replace(/(?<=.)\.[^.]*$/, '');
}

/** Returns the segments of a path, the last one first. */
function upwards(path: string): readonly string[] {
  return path.normalize().toLowerCase().split(/[/\\]/).reverse();
}

/** Counts the segments with which both lists begin. */
function countShared(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((segment, index) => segment !== b[index]);
  return different === -1 ? a.length : different;
}

/** Counts the edits between two words; returns `limit + 1` for any number above the limit. */
function countEdits(a: string, b: string, limit: number): number {
  const tooMany = limit + 1;
  const at = (row: readonly number[], index: number): number => row[index] ?? tooMany;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: limit + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    // Only cells this close to the diagonal can still be within the limit.
    const row = i <= limit ? [i] : [];
    let least = at(row, 0);
    for (let j = Math.max(1, i - limit); j <= Math.min(b.length, i + limit); j++) {
      const replace = at(previous, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let edits = Math.min(at(previous, j) + 1, at(row, j - 1) + 1, replace);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, at(beforePrevious, j - 2) + 1);
      row[j] = edits;
      least = Math.min(least, edits);
    }
    if (least > limit) return tooMany;
    beforePrevious = previous;
    previous = row;
  }
  return at(previous, b.length);
}
