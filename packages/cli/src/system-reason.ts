// Puts the refusals of the operating system into words.

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'it does not exist'],
  ['ENOTDIR', 'it is not a directory'],
  ['EACCES', 'permission was denied'],
]);

/** Says why the system refused a path, without the path. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return reasons.get(code) ?? code;
}
