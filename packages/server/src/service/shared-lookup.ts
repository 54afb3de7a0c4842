/** Finds the addresses of a host. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/**
 * Has those who look for the same host at once wait for one answer. A resolver that is silent is waited for in one of the
 * few threads with which files are read, too: requests to a host that cannot be found must not take them all (REPO-201).
 * Nothing is remembered.
 */
export function sharedLookup(lookup: Lookup): Lookup {
  const running = new Map<string, Promise<readonly string[]>>();
  return (host) => {
    const known = running.get(host);
    if (known !== undefined) return known;
    const found = lookup(host).finally(() => running.delete(host));
    running.set(host, found);
    return found;
  };
}
