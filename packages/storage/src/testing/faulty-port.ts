export interface FaultyPortOptions {
  /** Whether a fault is taken out by the call that it made fail. Default: the test takes it out. */
  readonly once?: boolean;
}

/**
 * A port whose methods reject with what `faults` holds under their names, without having been called. All others become
 * asynchronous.
 */
export function faultyPort<T extends object>(
  port: T,
  faults: Map<string, Error>,
  { once = false }: FaultyPortOptions = {},
): T {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...given: unknown[]) => {
        const fault = faults.get(String(name));
        if (once) faults.delete(String(name));
        if (fault !== undefined) throw fault;
        return (member as (...values: unknown[]) => unknown).apply(target, given);
      };
    },
  });
}
