import { parseBearer, type Authorizer, type Clock, type CreateRateLimiter, hashSecret } from '@packhouse/base';
import type { Catalogs } from '@packhouse/hosting';
import type { ServiceSettings } from '../settings/service-settings.ts';
import {
  type AuthorizeRequest,
  type ResourceTypeChanges,
  type SharedDirectory,
  type TagStores,
  type ZoneDirectory,
  listedZones,
  createTagging,
  defaultResourceTypes,
  createRegistry,
  type Tagging,
} from '@packhouse/tagging';
import { repositoryDirectory, repositoryType } from './repository-directory.ts';

/** A host gives these for tagging, beside what it gives for repositories. */
export interface HostedTagging {
  /** Changes of the registry of resource types after those of the setting `resource_types`; these may have directories. */
  readonly resourceTypes?: ResourceTypeChanges;
  /** Asked about resources whose type has no other directory. */
  readonly resourceDirectory?: SharedDirectory;
  /** Default: that of the setting `zones`. */
  readonly zones?: ZoneDirectory;
}

/** Tagging shares these with the rest of the service. */
interface Shared {
  readonly catalog: Catalogs;
  /** Without them the service has no tagging. */
  readonly tags: TagStores | undefined;
  readonly authorizer: Authorizer;
  readonly createLimiter?: CreateRateLimiter;
}

/**
 * The tagging of a service that has repos; `undefined` if it has no store for it.
 *
 * @throws {SettingsError} for changes of the registry that break a rule.
 */
export function serviceTagging(
  options: HostedTagging & Shared,
  settings: ServiceSettings,
  clock: Clock,
): Tagging | undefined {
  const registry = createRegistry(
    [...defaultResourceTypes, repositoryType],
    [
      { name: 'resource_types', changes: settings.resource_types },
      { name: 'resourceTypes', changes: options.resourceTypes ?? {} },
    ],
  );
  if (options.tags === undefined) return undefined;
  return createTagging({
    stores: options.tags,
    authorize: byBearer(options.authorizer),
    registry,
    directories: new Map([[repositoryType.type, repositoryDirectory(options.catalog)]]),
    sharedDirectory: options.resourceDirectory,
    zones: options.zones ?? listedZones(settings.zones),
    settings,
    createLimiter: options.createLimiter,
    clock,
  });
}

/** TAG-016. A token is known by its hash, so that none is kept. */
function byBearer(authorizer: Authorizer): AuthorizeRequest {
  return async (request) => {
    const token = parseBearer(request.headers.get('authorization'));
    const grants = token === undefined ? undefined : await authorizer.authorize(token);
    return token === undefined || grants === undefined ? undefined : { credential: await hashSecret(token), grants };
  };
}
