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

/** The same function, but so that no more than `most` of its calls go on at once: others wait in the order they came. */
export function fewAtOnce<Input, Output>(
  most: number,
  work: (input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  let active = 0;
  const waiting: (() => void)[] = [];
  return async (input) => {
    if (active >= most) await new Promise<void>((begin) => void waiting.push(begin));
    else active += 1;
    try {
      return await work(input);
    } finally {
      // Who waits takes the place over.
      const next = waiting.shift();
      if (next === undefined) active -= 1;
      else next();
    }
  };
}
