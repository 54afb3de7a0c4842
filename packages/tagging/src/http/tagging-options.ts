import type { AuthorizeRequest } from '../admission/admit.ts';
import type { ResourceType } from '../model/resource-types.ts';
import type { SharedDirectory } from '../registry/directories.ts';
import type { TaggingSettings } from '../model/tagging-settings.ts';
import type { TagStores } from '../model/tag-store.ts';
import type { ZoneDirectory } from '../model/resource-directory.ts';
import type { Clock, CreateRateLimiter, FailureRecord, Ids, OpenApiPart } from '@packhouse/base';

/** What the tagging API needs of the app that mounts it. Settings have the names and defaults of the specification. */
export interface TaggingOptions extends Partial<TaggingSettings> {
  /** Where tags are kept: `memoryTagStores()`, `sqlTagStores(driver)`, or one of your own. */
  readonly store: TagStores;
  /**
   * Finds the credential of a request, of any form (TAG-020), and what it allows; `undefined` is answered 401. Must leave
   * the body unread. What it throws is answered 500.
   */
  readonly authorize: AuthorizeRequest;
  /** All types that resources can have. Default: `defaultResourceTypes`. */
  readonly resourceTypes?: readonly ResourceType[];
  /** Knows the resources of types that have no directory of their own. Default: every id exists (TAG-130). */
  readonly directory?: SharedDirectory;
  /** Knows whose a zone is, such as `listedZones({ z9: 'a1' })`. Default: there are no zones, and their routes answer 403. */
  readonly zones?: ZoneDirectory;
  /** What stands before `/accounts` and `/zones` in paths, without a final `/`; may be empty. Default `/v4`. */
  readonly basePath?: string;
  /** Default `x-ray-id`. */
  readonly requestIdHeader?: string;
  /** What the OpenAPI document says of the app. */
  readonly openapi?: TaggingDocumentOptions;
  /** Makes what counts the requests of `rate_tags` by credential (TAG-144). Default: this process does, in memory. */
  readonly createLimiter?: CreateRateLimiter;
  readonly clock?: Clock;
  readonly ids?: Pick<Ids, 'requestId'>;
  /** Told of failures that were answered 500, code 10400. Must not throw. Default: nobody. */
  readonly log?: (record: FailureRecord) => void;
}

export interface TaggingDocumentOptions {
  /** Default: the origin that the document comes from. */
  readonly servers?: readonly { readonly url: string }[];
  /** Forms of credentials, by name. Default: `token`, a bearer token. */
  readonly securitySchemes?: Readonly<Record<string, OpenApiPart>>;
  /** Which of them a request needs: one item's names together. Default: any one of them. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}
