import type { TagFilter, Tags } from '@packhouse/tag-filter';

/** Identity of a resource within an account (terms of `tagging.md`). */
export interface ResourceIdentity {
  readonly type: string;
  /** Null for types of the account level. */
  readonly zone: string | null;
  /** Null for types without a parent. */
  readonly parent: string | null;
  /** The client's spelling: 1 to 1,024 characters without U+0000 (TAG-134, TAG-140). The same holds for `parent`. */
  readonly id: string;
}

/** The stored tags of a resource. The map may be empty. */
export interface TagRecord {
  readonly resource: ResourceIdentity;
  /** Name of the resource at the last set of its tags or the last rename (TAG-069). */
  readonly name: string;
  /** Only own members count, so `__proto__` is an ordinary key (TAG-052). */
  readonly tags: Tags;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

/**
 * The tag records of one account. Each method is one durable transaction: writes to one identity never mix, and a read
 * sees a whole map or none (TAG-171 to TAG-174). Texts compare by code point, or if case is ignored by `foldCase` of
 * `@packhouse/tag-filter` (TAG-071, TAG-073). The caller has validated all arguments.
 */
export interface TagStore {
  record(resource: ResourceIdentity): Promise<TagRecord | undefined>;
  /** Creates or replaces a record. Checks `ifMatch` first, then the limits (TAG-149). */
  set(change: TagChange): Promise<SetTagsOutcome>;
  /**
   * Removes a record. Returns `missing` if there was no record and `ifMatch` allows that.
   *
   * @param ifMatch header value unchanged, or null without one; compared by `ifMatch` of `@packhouse/tag-filter`.
   */
  remove(resource: ResourceIdentity, ifMatch: string | null): Promise<'removed' | 'missing' | 'no match'>;
  /** Changes only the name of a record. A no-op if there is no record. */
  rename(resource: ResourceIdentity, name: string): Promise<void>;

  /**
   * Lists records that have a tag and match all of `list`, sorted by type, zone (account level first), parent and id
   * (TAG-065 to TAG-073).
   */
  resources(list: TaggedResourceList, slice: TagSlice<ResourceIdentity>): Promise<TagPart<TagRecord>>;
  /** Lists distinct keys. */
  keys(slice: TagSlice<string>): Promise<TagPart<string>>;
  /** Lists distinct values of a key, for one type or (null) all types. */
  values(key: string, type: string | null, slice: TagSlice<string>): Promise<TagPart<string>>;
  /** Lists distinct keys, each with all its distinct values. A slice begins after a key. */
  summary(slice: TagSlice<string>): Promise<TagPart<TagSummary>>;

  /**
   * Stores a position that is too long for a cursor (TAG-141), for at least 24 h and across restarts (TAG-080).
   * Idempotent. May drop positions stored more than 48 h before `at`.
   */
  keepPlace(id: string, place: string, at: number): Promise<void>;
  keptPlace(id: string): Promise<string | undefined>;
}

/** Returns the store of an account, without I/O. Accounts are separate (REPO-011). */
export type TagStores = (account: string) => TagStore;

export interface TagChange {
  readonly resource: ResourceIdentity;
  readonly name: string;
  readonly tags: Tags;
  /**
   * Header value unchanged, or null without one. A missing record compares like `{}`, except with `*` (TAG-045 to
   * TAG-049).
   */
  readonly ifMatch: string | null;
  /** Time of the write. `updatedAt` becomes this, or its old value plus one millisecond if that is later (TAG-053). */
  readonly at: number;
  /**
   * Maximum number of tags in all records of the account. A change that does not raise the number is allowed (TAG-142).
   */
  readonly accountMax: number;
  /**
   * Maximum number of tags of the resource, null for no limit. A change that does not raise the number is allowed
   * (TAG-143).
   */
  readonly resourceMax: number | null;
}

export type SetTagsOutcome =
  | { readonly kind: 'set'; readonly record: TagRecord }
  | { readonly kind: 'no match' }
  /** `maximum`: the exceeded limit, that of the account first. */
  | { readonly kind: 'too many'; readonly maximum: number };

/** Selects resources. An empty list or text does not restrict (TAG-067 to TAG-070). */
export interface TaggedResourceList {
  readonly types: readonly string[];
  readonly ids: readonly string[];
  /** A substring of the name, ignoring case. */
  readonly name: string;
  readonly filters: readonly TagFilter[];
  /** Applies to `filters`. */
  readonly caseInsensitive: boolean;
}

/** A part of a list: the items after a position. */
export interface TagSlice<Place> {
  /** Maximum number of items, at least 1. */
  readonly limit: number;
  readonly after?: Place;
  /**
   * Ends the part early, but never before its first item, once its keys and values have this many UTF-16 code units.
   * Bounds the size of a page. Default: no bound.
   */
  readonly lengthMax?: number;
}

export interface TagPart<T> {
  readonly items: readonly T[];
  /** True if at least one item follows the last one. */
  readonly more: boolean;
}

export interface TagSummary {
  readonly key: string;
  readonly values: readonly string[];
}
