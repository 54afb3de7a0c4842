import type { TagSummary } from './tag-store.ts';
import type { ResourceType } from './resource-types.ts';

/** Whose resources a request is about: those of an account, or of a zone and the account that owns it. */
export interface TagScope {
  readonly account: string;
  /** Null on the routes of the account. */
  readonly zone: string | null;
}

/** A tagged resource as replies show it, members in this order (TAG-027 to TAG-035). */
export interface TaggedResource {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly etag: string;
  readonly zone_id?: string;
  readonly tags_updated_at?: string;
  /** The parent, under the name of its type: `worker_id`, `access_application_id`; it stands after `zone_id`. */
  readonly [parent: string]: unknown;
}

/** `result_info` of the lists, members in this order (TAG-076). */
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
 * The tagging API but for HTTP: each method does the checks of section 13 of `tagging.md` that follow the body's size,
 * in their order. They throw `TaggingError`, and {@link Tagging.admit} `HostingError` too, for what a client is to be
 * told.
 *
 * `query`: the part of the URL from `?` on, as it came, or the empty text. `body`: the JSON value of the body;
 * `undefined` for one that is empty or no JSON in UTF-8. `ifMatch`: that header as it came, null without one.
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
  /** `key`: the segment of the path, as it came; empty where there is none (TAG-074, TAG-158). */
  values(account: string, key: string, query: string): Promise<TagList<string>>;
  summary(account: string, query: string): Promise<TagList<TagSummary>>;
  /**
   * For the host: a resource got another name. Lists look for it by that name from now on (TAG-069). To be called when
   * its directory has the new name, which a set that runs meanwhile asks for.
   *
   * @throws {RangeError} for what no resource can be: an unknown type, a zone or parent too many or too few. Also for a
   *   type without a directory, whose resources are called as their ids are (TAG-029).
   */
  resourceRenamed(account: string, resource: HostResource, name: string): Promise<void>;
  /**
   * For the host: a resource is gone. Removes its record, if there is one (TAG-127). Idempotent. To be called when its
   * directory does not know the resource any more, so that no set which runs meanwhile leaves a record.
   *
   * @throws {RangeError} for what no resource can be.
   */
  resourceDeleted(account: string, resource: HostResource): Promise<void>;
}

/** A resource as code of the host names it. */
export interface HostResource {
  readonly type: string;
  readonly id: string;
  /** Needed for types of the zone level. */
  readonly zone?: string;
  /** Needed for types that have a parent. */
  readonly parent?: string;
}
