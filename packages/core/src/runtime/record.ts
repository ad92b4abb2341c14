// Reads values that came from outside, such as parsed JSON.

/** Checks whether a value is an object with keys. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an object as it is, and an empty one for anything else. */
export function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** Says what kind of value was given instead of the one expected. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return value instanceof Promise ? 'a promise' : `a value of type ${typeof value}`;
}

/** Checks whether a value is a list of texts. */
export function isTextList(value: unknown): value is readonly string[] {
  // `every` would pass over holes.
  return Array.isArray(value) && value.findIndex((item) => typeof item !== 'string') === -1;
}

/** Checks whether a value is bytes, also those of another realm, such as a window or a test environment. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]';
}
