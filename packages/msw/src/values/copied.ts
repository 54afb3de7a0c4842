/**
 * Returns a deep copy of lists, plain objects and bytes, so that changes to one do not affect the other. Other values
 * are shared. (`structuredClone` is missing in some test environments, and refuses the proxies of some frameworks.)
 */
export function copied<Data>(data: Data): Data {
  return copyOf(data, new Map()) as Data;
}

/** Copies a value. `copies` maps originals to copies, so that shared values stay shared and circles end. */
function copyOf(data: unknown, copies: Map<unknown, unknown>): unknown {
  if (copies.has(data)) return copies.get(data);
  const copy = emptyLike(data);
  if (copy === undefined) return data;
  copies.set(data, copy);
  if (copy instanceof Uint8Array) return copy;
  for (const [name, one] of Object.entries(data as object)) {
    // Treats a key `__proto__` like any other.
    const value = copyOf(one, copies);
    Object.defineProperty(copy, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}

/** Returns an empty copy for members to be added; undefined for a value that is not copied. */
function emptyLike(data: unknown): object | undefined {
  if (Array.isArray(data)) return [];
  // `instanceof` fails for bytes of another realm, which some test environments have.
  const kind: string = Object.prototype.toString.call(data);
  if (kind === '[object Uint8Array]') return new Uint8Array(data as Uint8Array);
  return kind === '[object Object]' ? {} : undefined;
}
