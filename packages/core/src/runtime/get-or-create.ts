// Creates a value in a map when it is first needed, as `Map.prototype.getOrInsertComputed` does, which Node 20 lacks.

type AnyMap<Key, Value> = { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown };

/** Returns the value of a key. If there is none, creates and stores it. */
export function getOrCreate<Key, Value>(map: AnyMap<Key, Value>, key: Key, create: (key: Key) => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = create(key);
  map.set(key, value);
  return value;
}
