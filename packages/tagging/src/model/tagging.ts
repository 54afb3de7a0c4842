import type { TagSummary } from './tag-store.ts';
import type { ResourceType } from './resource-types.ts';

/** The scope of a request: an account, or a zone and the account that owns it. */
export interface TagScope {
  readonly account: string;
  /** Null for account routes. */
  readonly zone: string | null;
}

/** A tagged resource in replies, with members in this order (TAG-027 to TAG-035). */
export interface TaggedResource {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly etag: string;
  readonly zone_id?: string;
  readonly tags_updated_at?: string;
  /** The parent, under the name of its type (`worker_id`, `access_application_id`), after `zone_id`. */
  readonly [parent: string]: unknown;
}

/** `result_info` of lists, with members in this order (TAG-076). */
export interface TagListInfo {
  readonly count: number;
  readonly cursor: string | null;
  readonly cursors: { readonly after: string | null };
}

export interface TagList<T> {
  readonly items: readonly T[];
  readonly info: TagListInfo;
}

/**
 * The tagging API without HTTP. Each method makes the checks of section 13 of `tagging.md` after those of the body
 * size, in their order. Methods throw `TaggingError` for expected failures; {@link Tagging.admit} also throws
 * `HostingError`.
 *
 * `query`: the URL from `?` on, unchanged, or the empty text. `body`: the parsed JSON, or `undefined` if the body is
 * empty or not JSON in UTF-8. `ifMatch`: the header value unchanged, or null without one.
 */
export interface Tagging {
  /** The registered types, by name (TAG-125). */
  readonly types: readonly ResourceType[];
  /**
   * Checks the credential of a request, its permission in an account or zone, and its rate (TAG-016 to TAG-020,
   * TAG-144).
   *
   * @throws {HostingError} `authentication`, `permission` or `rate`.
   */
  admit(
    request: Request,
    where: { readonly account: string } | { readonly zone: string },
    permission: 'read' | 'write',
  ): Promise<TagScope>;
  get(scope: TagScope, query: string): Promise<TaggedResource>;
  set(scope: TagScope, body: unknown, ifMatch: string | null): Promise<TaggedResource>;
  delete(scope: TagScope, body: unknown, ifMatch: string | null): Promise<void>;
  resources(account: string, query: string): Promise<TagList<TaggedResource>>;
  keys(account: string, query: string): Promise<TagList<string>>;
  /** @param key the path segment, unchanged; empty if missing (TAG-074, TAG-158). */
  values(account: string, key: string, query: string): Promise<TagList<string>>;
  summary(account: string, query: string): Promise<TagList<TagSummary>>;
  /**
   * Records the new name of a resource, so that lists find it by that name (TAG-069). Call it once the directory has
   * the new name, which concurrent sets read.
   *
   * @throws {RangeError} for an impossible resource: unknown type, missing or surplus zone or parent. Also for a type
   * without a directory, whose resources have their ids as names (TAG-029).
   */
  resourceRenamed(account: string, resource: HostResource, name: string): Promise<void>;
  /**
   * Removes the record of a deleted resource, if any (TAG-127). Idempotent. Call it once the directory no longer has
   * the resource, so that no concurrent set leaves a record.
   *
   * @throws {RangeError} for an impossible resource.
   */
  resourceDeleted(account: string, resource: HostResource): Promise<void>;
}

/** A resource as the host's code identifies it. */
export interface HostResource {
  readonly type: string;
  readonly id: string;
  /** Required for types of the zone level. */
  readonly zone?: string;
  /** Required for types with a parent. */
  readonly parent?: string;
}
