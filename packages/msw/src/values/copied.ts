/**
 * A copy of data: of lists, plain objects and bytes at any depth. What is changed in one is not seen in the other; all else
 * is the same in both. (`structuredClone` is not in every test environment, and refuses the proxies of some frameworks.)
 */
export function copied<Data>(data: Data): Data {
  return copyOf(data, new Map()) as Data;
}

/** `copies`: what has been copied, so that what is there twice is so in the copy, and a circle comes to an end. */
function copyOf(data: unknown, copies: Map<unknown, unknown>): unknown {
  if (copies.has(data)) return copies.get(data);
  const copy = emptyLike(data);
  if (copy === undefined) return data;
  copies.set(data, copy);
  if (copy instanceof Uint8Array) return copy;
  for (const [name, one] of Object.entries(data as object)) {
    // A key `__proto__` is one as others are.
    const value = copyOf(one, copies);
    Object.defineProperty(copy, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}

/** The copy, but for members; undefined for what is not copied. */
function emptyLike(data: unknown): object | undefined {
  if (Array.isArray(data)) return [];
  // Bytes may come from another realm: what Node makes is that in some test environments.
  const kind: string = Object.prototype.toString.call(data);
  if (kind === '[object Uint8Array]') return new Uint8Array(data as Uint8Array);
  return kind === '[object Object]' ? {} : undefined;
}
