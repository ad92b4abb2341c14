// Checks values that come from outside, such as parsed JSON.

/** Checks whether a value is an object with keys. A promise that was not awaited has none. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isPromise(value);
}

/** Returns the value if it is an object with keys, and an empty object otherwise. */
export function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** Parses JSON; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Describes an unexpected value for an error message. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  if (isMap(value)) return 'a Map';
  return isPromise(value) ? 'a promise' : `a value of type ${typeof value}`;
}

/** Checks whether a value is a list of texts. */
export function isTextList(value: unknown): value is readonly string[] {
  // `every` would skip holes.
  return Array.isArray(value) && value.findIndex((item) => typeof item !== 'string') === -1;
}

// Values may come from another realm, such as a window, or have replaced globals. Jest runs tests in a realm without Node's own
// errors, and zone.js replaces `Promise`, but not what async functions return. `instanceof` fails for both.

/** Checks whether a value is a `Uint8Array`. */
export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array || (ArrayBuffer.isView(value) && hasTag(value, 'Uint8Array'));
}

/** Checks whether a value is an `ArrayBuffer`. */
export function isBuffer(value: unknown): value is ArrayBuffer {
  return hasTag(value, 'ArrayBuffer');
}

/** Checks whether a value is an error. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || hasTag(value, 'Error');
}

/** Checks whether a value is a promise. */
export function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise || hasTag(value, 'Promise');
}

/** Checks whether a value is a `Map`, whose entries are not keys. */
export function isMap(value: unknown): boolean {
  return hasTag(value, 'Map');
}

function hasTag(value: unknown, tag: string): boolean {
  return Object.prototype.toString.call(value) === `[object ${tag}]`;
}

/** Leaves out the keys without a value, which would replace defaults. */
export function withoutUndefined<Given extends object>(
  given: Given,
): { [Key in keyof Given]: Exclude<Given[Key], undefined> } {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as { [Key in keyof Given]: Exclude<Given[Key], undefined> };
}
