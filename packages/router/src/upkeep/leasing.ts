import type { WorkLeases, WorkStorage } from '@packhouse/hosting';
import { every } from './timer.ts';

/** Runs background work so that only one of the servers of a storage does it at a time (REPO-330). */
export interface Leasing {
  /** True if other servers may use the storage. */
  readonly isShared: boolean;
  /**
   * Runs `work` under the lease of `key`, which is renewed until the work ends.
   *
   * @param options.rest Milliseconds for which other servers leave the work alone after it has succeeded. Default 0.
   * @param work Must change only the storage that it gets. Its signal aborts with that of the options, and when another
   *   server has taken the lease.
   * @returns false if another server holds the lease; `work` did not run.
   * @throws the error of `work`, or of the storage.
   */
  run(key: string, options: LeasedOptions, work: LeasedWork): Promise<boolean>;
}

export interface LeasedOptions {
  readonly signal: AbortSignal;
  readonly rest?: number;
}

export type LeasedWork = (storage: WorkStorage, signal: AbortSignal) => Promise<unknown>;

/** Milliseconds until other servers take over the work of a server that died. */
const leaseTime = 30_000;
const renewPeriod = leaseTime / 3;

/** Creates {@link Leasing}. Without `leases`, this process alone uses the storage, and work runs at once. */
export function createLeasing(
  leases: WorkLeases | undefined,
  own: WorkStorage,
  report: (error: unknown) => void,
): Leasing {
  if (leases === undefined) {
    return {
      isShared: false,
      async run(_key, { signal }, work) {
        await work(own, signal);
        return true;
      },
    };
  }
  return {
    isShared: true,
    async run(key, { signal, rest = 0 }, work) {
      const lease = await leases.take(key, leaseTime);
      if (lease === undefined) return false;
      const lost = new AbortController();
      let renewal = Promise.resolve();
      const end = every(renewPeriod, () => {
        renewal = lease.renew(leaseTime).then((isHeld) => {
          if (!isHeld) lost.abort();
        }, report);
      });
      let hasSucceeded = false;
      try {
        await work(lease.storage, AbortSignal.any([signal, lost.signal]));
        hasSucceeded = true;
      } finally {
        end();
        // A renewal under way would otherwise shorten the rest.
        await renewal;
        // If this fails, the lease expires.
        await (hasSucceeded && rest > 0 ? lease.renew(rest) : lease.release()).catch(report);
      }
      return true;
    },
  };
}
