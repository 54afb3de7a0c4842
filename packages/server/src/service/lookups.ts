/** Returns the addresses of a host. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/**
 * Shares one running lookup among concurrent callers for the same host. A lookup occupies one of the few threads that
 * also read files, for as long as the resolver is silent. Requests to one unresolvable host must not take them all
 * (REPO-201). Results are not cached.
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

/** Limits a function to `most` concurrent calls. Further calls wait in order. */
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
      // The next waiting call takes over the slot.
      const next = waiting.shift();
      if (next === undefined) active -= 1;
      else next();
    }
  };
}
