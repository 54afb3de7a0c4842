/**
 * A test whether a name starts with one of many prefixes, in the logarithm of their number: a client may send tens of
 * thousands for tens of thousands of refs. Without prefixes every name passes (GIT-091).
 */
export function prefixTest(prefixes: readonly string[]): (name: string) => boolean {
  if (prefixes.length === 0 || prefixes.includes('')) return () => true;
  const roots = withoutNested(prefixes);
  // Names that share a prefix are neighbours in any lexical order, and no prefix here starts with another one: so only
  // the last prefix that does not sort behind the name can be one of it.
  return (name) => {
    let low = 0;
    let high = roots.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((roots[middle] as string) <= name) low = middle + 1;
      else high = middle;
    }
    return low > 0 && name.startsWith(roots[low - 1] as string);
  };
}

/** Tests if a name starts with one of the prefixes: {@link prefixTest} for one name, without sorting. */
export function startsWithAny(name: string, prefixes: readonly string[]): boolean {
  return prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix));
}

/** The prefixes that do not start with another one, sorted; `['']` for none, which means all names. */
export function rootPrefixes(prefixes: readonly string[]): readonly string[] {
  return prefixes.length === 0 ? [''] : withoutNested(prefixes);
}

/** Sorted, without those that start with another one. */
function withoutNested(prefixes: readonly string[]): readonly string[] {
  const roots: string[] = [];
  for (const prefix of [...prefixes].sort()) {
    const last = roots.at(-1);
    if (last === undefined || !prefix.startsWith(last)) roots.push(prefix);
  }
  return roots;
}
