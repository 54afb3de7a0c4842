import type { AuthorizeRequest } from '../admission/admit.ts';
import type { ResourceType } from '../model/resource-types.ts';
import type { SharedDirectory } from '../registry/directories.ts';
import type { TaggingSettings } from '../model/tagging-settings.ts';
import type { TagStores } from '../model/tag-store.ts';
import type { ZoneDirectory } from '../model/resource-directory.ts';
import type { Clock, CreateRateLimiter, FailureRecord, Ids, OpenApiPart } from '@packhouse/base';

/** Options of the tagging API. Settings have the names and defaults of the specification. */
export interface TaggingOptions extends Partial<TaggingSettings> {
  /** Store of the tags: `memoryTagStores()`, `sqlTagStores(driver)`, or your own. */
  readonly store: TagStores;
  /**
   * Authenticates a request with any form of credential and returns its grants (TAG-020). If it returns `undefined`,
   * the reply is 401. If it throws, the reply is 500. Must not read the body.
   */
  readonly authorize: AuthorizeRequest;
  /** All resource types. Default: `defaultResourceTypes`. */
  readonly resourceTypes?: readonly ResourceType[];
  /** Directory for types without their own. Default: every id exists (TAG-130). */
  readonly directory?: SharedDirectory;
  /**
   * Maps zones to accounts, such as `listedZones({ z9: 'a1' })`. Default: no zones exist, and their routes reply 403.
   */
  readonly zones?: ZoneDirectory;
  /** Prefix of `/accounts` and `/zones` in paths, without a final `/`; may be empty. Default `/v4`. */
  readonly basePath?: string;
  /** Default `x-ray-id`. */
  readonly requestIdHeader?: string;
  /** Details of the app for the OpenAPI document. */
  readonly openapi?: TaggingDocumentOptions;
  /** Makes the rate limiter for `rate_tags`, by credential (TAG-144). Default: one in the memory of this process. */
  readonly createLimiter?: CreateRateLimiter;
  readonly clock?: Clock;
  readonly ids?: Pick<Ids, 'requestId'>;
  /** Receives failures that were answered 500 with code 10400. Must not throw. Default: none are logged. */
  readonly log?: (record: FailureRecord) => void;
}

export interface TaggingDocumentOptions {
  /** Default: the origin that serves the document. */
  readonly servers?: readonly { readonly url: string }[];
  /** Forms of credentials by name. Default: `token`, a bearer token. */
  readonly securitySchemes?: Readonly<Record<string, OpenApiPart>>;
  /** Alternatives; a request must satisfy all names of one item. Default: any one form of credential. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}
