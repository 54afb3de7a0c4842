import type {
  ResourceIdentity,
  SetTagsOutcome,
  TagChange,
  TaggedResourceList,
  TagPart,
  TagRecord,
  TagSlice,
  TagStore,
  TagSummary,
} from '@packhouse/tagging';
import { callObject, type CallOptions } from './call-object.ts';
import { receiveOutcome, receivePart, receiveRecord, sendChange } from './sent-tags.ts';
import type { TagCalls } from './tag-calls.ts';

/** Where an account's object is, and who pays. */
export interface RemoteTagStoreOptions extends Pick<CallOptions<TagCalls>, 'stub' | 'usage'> {
  readonly account: string;
}

/** The tags of an account in its object: one method, one call. */
export class RemoteTagStore implements TagStore {
  readonly #options: RemoteTagStoreOptions;

  constructor(options: RemoteTagStoreOptions) {
    this.#options = options;
  }

  async record(resource: ResourceIdentity): Promise<TagRecord | undefined> {
    return receiveRecord(await this.#repeatable((calls, account) => calls.tagRecord(account, resource)));
  }

  /** With a condition once: after the first call it need not hold any more. */
  async set(change: TagChange): Promise<SetTagsOutcome> {
    // Made ready for each call, since a stream is read but once.
    const call = (calls: TagCalls, account: string) => calls.setTags(account, sendChange(change));
    return receiveOutcome(await this.#call(call, change.ifMatch === null), change);
  }

  /** A second call may say `missing` of what the first one removed, which means the same; not so with a condition. */
  remove(resource: ResourceIdentity, ifMatch: string | null): Promise<'removed' | 'missing' | 'no match'> {
    return this.#call((calls, account) => calls.removeTags(account, resource, ifMatch), ifMatch === null);
  }

  rename(resource: ResourceIdentity, name: string): Promise<void> {
    return this.#repeatable((calls, account) => calls.renameTagged(account, resource, name));
  }

  async resources(list: TaggedResourceList, slice: TagSlice<ResourceIdentity>): Promise<TagPart<TagRecord>> {
    return receivePart(await this.#repeatable((calls, account) => calls.taggedResources(account, list, slice)));
  }

  keys(slice: TagSlice<string>): Promise<TagPart<string>> {
    return this.#repeatable((calls, account) => calls.tagKeys(account, slice));
  }

  values(key: string, type: string | null, slice: TagSlice<string>): Promise<TagPart<string>> {
    return this.#repeatable((calls, account) => calls.tagValues(account, key, type, slice));
  }

  async summary(slice: TagSlice<string>): Promise<TagPart<TagSummary>> {
    return receivePart(await this.#repeatable((calls, account) => calls.tagSummary(account, slice)));
  }

  keepPlace(id: string, place: string, at: number): Promise<void> {
    return this.#repeatable((calls, account) => calls.keepTagPlace(account, id, place, at));
  }

  keptPlace(id: string): Promise<string | undefined> {
    return this.#repeatable((calls, account) => calls.keptTagPlace(account, id));
  }

  #repeatable<T>(call: (calls: TagCalls, account: string) => Promise<T>): Promise<T> {
    return this.#call(call, true);
  }

  #call<T>(call: (calls: TagCalls, account: string) => Promise<T>, repeatable: boolean): Promise<T> {
    const { account, stub, usage } = this.#options;
    return callObject({ stub, usage, repeatable }, (calls) => call(calls, account));
  }
}
