// The name of a directory, in the paths of any source: those of Windows end in backslashes.

/** Gives what follows the last separator of a path. */
export function lastSegment(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
