// Reads values that came from outside, such as parsed JSON.

/** Checks whether a value is an object with keys. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an object as it is, and an empty one for anything else. */
export function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}
