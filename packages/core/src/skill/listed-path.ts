// Finds the file that a path means although its name is composed in another way.

/**
 * Returns the path in a listing that consists of the same characters. Archives made on macOS contain decomposed names, but people
 * and models write composed ones, and most file systems distinguish them.
 */
export function findListed(path: string, listed: readonly string[]): string | undefined {
  if (listed.includes(path)) return path;
  const composed = path.normalize('NFC');
  return listed.find((each) => each.normalize('NFC') === composed);
}
