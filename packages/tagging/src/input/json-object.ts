/** A JSON object. Own members alone count, so that none is there for what it is called (TAG-052). */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A member of an object; `undefined` if it has none of the name. */
export function member(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
