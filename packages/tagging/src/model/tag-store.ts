import type { TagFilter, Tags } from '@packhouse/tag-filter';

/** Which resource of an account is meant: its identity but for the account (terms of `tagging.md`). */
export interface ResourceIdentity {
  readonly type: string;
  /** Null for types of the account level. */
  readonly zone: string | null;
  /** Null for types without a parent. */
  readonly parent: string | null;
  /** As the client wrote it: 1 to 1,024 characters, none of them U+0000 (TAG-134, TAG-140). So is `parent`. */
  readonly id: string;
}

/** What is kept of a resource. Its map of tags may be empty. */
export interface TagRecord {
  readonly resource: ResourceIdentity;
  /** What the resource was called when its tags were last set, or when its directory last told (TAG-069). */
  readonly name: string;
  /** By own members alone, so `__proto__` is a key as others are (TAG-052). */
  readonly tags: Tags;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

/**
 * The records of tags of one account. Each method is one durable transaction: writes of one identity never mix, and
 * who reads sees all of a map or nothing of it (TAG-171 to TAG-174). Texts compare by code point; without case by
 * `foldCase` of `@packhouse/tag-filter` (TAG-071, TAG-073). What is passed in has been checked.
 */
export interface TagStore {
  record(resource: ResourceIdentity): Promise<TagRecord | undefined>;
  /** Makes or replaces a record, if `ifMatch` allows it and no limit is passed; checked in this order (TAG-149). */
  set(change: TagChange): Promise<SetTagsOutcome>;
  /**
   * Removes a record. `missing`: there was none (and `ifMatch`, if any, matches that).
   *
   * @param ifMatch the header as it came, null without one; compared by `ifMatch` of `@packhouse/tag-filter`.
   */
  remove(resource: ResourceIdentity, ifMatch: string | null): Promise<'removed' | 'missing' | 'no match'>;
  /** Changes the name of a record and nothing else; does nothing without one. */
  rename(resource: ResourceIdentity, name: string): Promise<void>;

  /** Records that hold a tag and match all of `list`; by type, zone (none first), parent, id (TAG-065 to TAG-073). */
  resources(list: TaggedResourceList, slice: TagSlice<ResourceIdentity>): Promise<TagPart<TagRecord>>;
  /** The distinct keys. */
  keys(slice: TagSlice<string>): Promise<TagPart<string>>;
  /** The distinct values of a key, of one type or (null) of all. */
  values(key: string, type: string | null, slice: TagSlice<string>): Promise<TagPart<string>>;
  /** The distinct keys, each with all its distinct values. A slice begins after a key. */
  summary(slice: TagSlice<string>): Promise<TagPart<TagSummary>>;

  /**
   * Keeps a place of a list that is too long for a cursor (TAG-141), for at least 24 h and beyond a restart (TAG-080).
   * Idempotent. May forget what was kept more than 48 h before `at`.
   */
  keepPlace(id: string, place: string, at: number): Promise<void>;
  keptPlace(id: string): Promise<string | undefined>;
}

/** Gives the store of an account; does no I/O itself. Accounts never meet (REPO-011). */
export type TagStores = (account: string) => TagStore;

export interface TagChange {
  readonly resource: ResourceIdentity;
  readonly name: string;
  readonly tags: Tags;
  /** The header as it came, null without one. A missing record counts as one of `{}`, but not for `*` (TAG-045 to TAG-049). */
  readonly ifMatch: string | null;
  /** Time of the write. `updatedAt` becomes this, or a millisecond more than it was (TAG-053). */
  readonly at: number;
  /** Most tags in all records of the account; a change that does not raise their number passes (TAG-142). */
  readonly accountMax: number;
  /** Most tags of the resource, null for no limit; a change that does not raise their number passes (TAG-143). */
  readonly resourceMax: number | null;
}

export type SetTagsOutcome =
  | { readonly kind: 'set'; readonly record: TagRecord }
  | { readonly kind: 'no match' }
  /** `maximum`: the limit that is passed, that of the account first. */
  | { readonly kind: 'too many'; readonly maximum: number };

/** What a list of resources is to hold; an empty list or text asks for nothing (TAG-067 to TAG-070). */
export interface TaggedResourceList {
  readonly types: readonly string[];
  readonly ids: readonly string[];
  /** Part of the name, ignoring case. */
  readonly name: string;
  readonly filters: readonly TagFilter[];
  /** Of `filters`. */
  readonly caseInsensitive: boolean;
}

/** A part of a list: the items after a place in its order. */
export interface TagSlice<Place> {
  /** Most items, at least 1. */
  readonly limit: number;
  readonly after?: Place;
  /**
   * Ends the part early, though never before its first item, once keys and values in it have so many UTF-16 code units,
   * so that a page has a bound. Default: no bound.
   */
  readonly lengthMax?: number;
}

export interface TagPart<T> {
  readonly items: readonly T[];
  /** Whether at least one item follows the last one. */
  readonly more: boolean;
}

export interface TagSummary {
  readonly key: string;
  readonly values: readonly string[];
}
