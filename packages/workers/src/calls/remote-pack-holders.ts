import type { PackHolders } from '@packhouse/storage/workers';
import { callObject, type CallOptions } from './call-object.ts';
import type { HolderCalls } from './holder-calls.ts';

/** Where an account's object is, and who pays. */
export interface RemoteHoldersOptions extends Pick<CallOptions<HolderCalls>, 'stub' | 'usage'> {
  readonly account: string;
}

/** The holders of packs of an account, in its object: one method, one call. Called again, each does no harm. */
export function remotePackHolders({ account, ...options }: RemoteHoldersOptions): PackHolders {
  const call = <T>(ask: (calls: HolderCalls) => Promise<T>): Promise<T> =>
    callObject({ ...options, repeatable: true }, ask);
  return {
    hold: (ids, repos, at) => call((calls) => calls.holdPacks(account, ids, repos, at)),
    release: (ids, repo) => call((calls) => calls.releasePacks(account, ids, repo)),
    drop: (ids, repo) => call((calls) => calls.dropHolder(account, ids, repo)),
    held: (repo, time) => call((calls) => calls.heldPacks(account, repo, time)),
  };
}
