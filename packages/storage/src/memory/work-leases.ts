import { systemClock, type Clock } from '@packhouse/base';
import { LeaseLostError, type WorkLeases, type WorkStorage } from '@packhouse/hosting';

/** Makes leases in memory, for several services over one storage in this process. `storage` is what the work changes. */
export function memoryWorkLeases(storage: WorkStorage, clock: Clock = systemClock): WorkLeases {
  const leases = new Map<string, { readonly fence: number; readonly expires: number }>();
  let fences = 0;
  return {
    async take(key, milliseconds) {
      if ((leases.get(key)?.expires ?? -Infinity) > clock.now()) return undefined;
      const fence = ++fences;
      const isHeld = (): boolean => leases.get(key)?.fence === fence;
      const hold = (time: number): void => void leases.set(key, { fence, expires: clock.now() + time });
      hold(milliseconds);
      return {
        fence,
        storage: fencedStorage(storage, () => {
          if (!isHeld()) throw new LeaseLostError();
        }),
        async renew(time) {
          if (!isHeld()) return false;
          hold(time);
          return true;
        },
        async release() {
          if (isHeld()) leases.delete(key);
        },
      };
    },
  };
}

/** Calls `demand` before each method of the catalog and the states. Packs need no fence, since their ids are random. */
function fencedStorage({ catalog, repos }: WorkStorage, demand: () => void): WorkStorage {
  return {
    catalog: (account) => fencedPort(catalog(account), demand),
    repos: {
      ...repos,
      repo(account, id, jurisdiction) {
        const repo = repos.repo(account, id, jurisdiction);
        return { ...repo, state: fencedPort(repo.state, demand) };
      },
    },
  };
}

function fencedPort<Port extends object>(port: Port, demand: () => void): Port {
  return new Proxy(port, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...given: unknown[]): Promise<unknown> => {
        demand();
        return await Reflect.apply(method, target, given);
      };
    },
  });
}
