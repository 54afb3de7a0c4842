import { createRateLimiter, type CreateRateLimiter, type Clock } from '@packhouse/base';
import type { ResourceDirectory, ZoneDirectory } from '../model/resource-directory.ts';
import type { TagStores } from '../model/tag-store.ts';
import { createAdmission, type AuthorizeRequest } from '../admission/admit.ts';
import { createTagLists } from '../lists/tag-lists.ts';
import { createDirectories, type SharedDirectory } from '../registry/directories.ts';
import type { Registry } from '../registry/registry.ts';
import { createHostNotices } from '../resources/host-notices.ts';
import { createTaggedResources } from '../resources/tagged-resources.ts';
import type { Tagging } from '../model/tagging.ts';
import type { TaggingSettings } from '../model/tagging-settings.ts';

export interface TaggingServiceOptions {
  readonly stores: TagStores;
  readonly authorize: AuthorizeRequest;
  /** Result of `createRegistry`. */
  readonly registry: Registry;
  /** Directories of types without their own, in addition to those of `account` and `zone`. */
  readonly directories?: ReadonlyMap<string, ResourceDirectory>;
  /** Directory of types without any other. */
  readonly sharedDirectory?: SharedDirectory | undefined;
  readonly zones: ZoneDirectory;
  readonly settings: Omit<TaggingSettings, 'rest_body_max' | 'docs_base' | 'site'>;
  /** Makes the rate limiter (TAG-144). Default: one in the memory of this process. */
  readonly createLimiter?: CreateRateLimiter | undefined;
  readonly clock: Clock;
}

/** Makes tagging over stores and directories, without the rest of the service. */
export function createTagging(options: TaggingServiceOptions): Tagging {
  const { stores, registry, zones, authorize, settings, clock, createLimiter = createRateLimiter } = options;
  const directories = createDirectories(registry, options.directories ?? new Map(), options.sharedDirectory);
  return {
    types: [...registry.values()].sort((left, right) => (left.type < right.type ? -1 : 1)),
    admit: createAdmission({ authorize, zones, limiter: createLimiter(settings.rate_tags, clock, 'rate_tags') }),
    ...createTaggedResources({ stores, registry, directories, settings, clock }),
    ...createTagLists(stores, registry, clock),
    ...createHostNotices(stores, registry, directories),
  };
}
