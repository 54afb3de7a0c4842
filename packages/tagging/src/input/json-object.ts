/** A JSON object. Only own members count, so that inherited names are absent (TAG-052). */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns an own member of an object, or `undefined`. */
export function member(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
