// Formats the difference of two texts as a unified diff, for people and for `git apply`.

/** A line of either text, with its line end: kept, removed or added. */
interface Change {
  readonly mark: ' ' | '-' | '+';
  readonly line: string;
}

/** Unchanged lines to show around a change. */
const context = 3;

/** The most comparisons; with more, all changes are shown as one block. */
const maxComparisons = 4_000_000;

/** Formats the changes in a file; empty if there are none. `path` must be relative, with slashes. */
export function formatDiff(path: string, before: string, after: string): string {
  const changes = compare(linesOf(before), linesOf(after));
  const hunks: string[] = [];
  for (let from = 0; ; ) {
    const first = changes.findIndex(({ mark }, index) => index >= from && mark !== ' ');
    if (first < 0) break;
    const start = Math.max(from, first - context);
    from = endOfHunk(changes, first);
    hunks.push(formatHunk(changes, start, from));
  }
  // A path with spaces must end with a tab.
  const end = path.includes(' ') ? '\t\n' : '\n';
  return hunks.length === 0 ? '' : `--- a/${path}${end}+++ b/${path}${end}${hunks.join('')}`;
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Returns the end of a hunk: where more unchanged lines follow than two hunks would share. */
function endOfHunk(changes: readonly Change[], first: number): number {
  let last = first;
  for (let index = first; index < changes.length && index <= last + 2 * context; index += 1) {
    if (changes[index]?.mark !== ' ') last = index;
  }
  return Math.min(changes.length, last + 1 + context);
}

function formatHunk(changes: readonly Change[], start: number, end: number): string {
  const part = changes.slice(start, end);
  const place = (other: '+' | '-'): string => {
    const count = (list: readonly Change[]): number => list.filter(({ mark }) => mark !== other).length;
    const length = count(part);
    return `${count(changes.slice(0, start)) + (length === 0 ? 0 : 1)},${length}`;
  };
  const lines = part.map(({ mark, line }) => {
    return line.endsWith('\n') ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`;
  });
  return `@@ -${place('+')} +${place('-')} @@\n${lines.join('')}`;
}

/** Compares two lists of lines by their common beginning and end, and the longest common subsequence of the rest. */
function compare(before: readonly string[], after: readonly string[]): readonly Change[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const keep = (line: string): Change => ({ mark: ' ', line });
  const middle = compareRest(before.slice(start, before.length - end), after.slice(start, after.length - end));
  return [...before.slice(0, start).map(keep), ...middle, ...before.slice(before.length - end).map(keep)];
}

function compareRest(before: readonly string[], after: readonly string[]): readonly Change[] {
  const remove = (line: string): Change => ({ mark: '-', line });
  const add = (line: string): Change => ({ mark: '+', line });
  if (before.length * after.length > maxComparisons) return [...before.map(remove), ...after.map(add)];
  // The length of the longest common subsequence from each pair of lines on.
  const lengths = new Array<Uint32Array>(before.length);
  const lengthAt = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    const own = new Uint32Array(after.length);
    lengths[row] = own;
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const isSame = before[row] === after[column];
      own[column] = isSame
        ? lengthAt(row + 1, column + 1) + 1
        : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  const changes: Change[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length && column < after.length) {
    const [old = '', now = ''] = [before[row], after[column]];
    if (old === now) {
      changes.push({ mark: ' ', line: old });
      row += 1;
      column += 1;
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) {
      changes.push(remove(old));
      row += 1;
    } else {
      changes.push(add(now));
      column += 1;
    }
  }
  return [...changes, ...before.slice(row).map(remove), ...after.slice(column).map(add)];
}
