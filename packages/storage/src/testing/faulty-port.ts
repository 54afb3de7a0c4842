export interface FaultyPortOptions {
  /** Removes a fault after the call that it fails. Default: the test removes it. */
  readonly once?: boolean;
}

/**
 * Wraps a port so that a method rejects with the error in `faults` under its name, without being called. All methods
 * become asynchronous.
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
