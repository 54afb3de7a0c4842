import type { SqlDriver } from './driver.ts';

/**
 * Wraps a port over a database so that no caller sees a change before it is durable (GIT-155): each asynchronous method
 * resolves or rejects when all that it may have seen or done survives a power cut. So a reader waits for the writer too;
 * a reader in another process does not.
 *
 * @throws the error of the system from a method whose sync failed.
 */
export function durablePort<Port extends object>(port: Port, driver: Pick<SqlDriver, 'durable'>): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]): unknown => {
        const result: unknown = member.apply(target, given);
        return result instanceof Promise ? whenDurable(result, driver) : result;
      };
    },
  });
}

async function whenDurable<T>(result: Promise<T>, driver: Pick<SqlDriver, 'durable'>): Promise<T> {
  try {
    return await result;
  } finally {
    const durable = driver.durable();
    if (durable !== undefined) await durable;
  }
}
