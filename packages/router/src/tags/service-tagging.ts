import {
  isServedAccount,
  parseBearer,
  type Authorizer,
  type Clock,
  type CreateRateLimiter,
  hashSecret,
} from '@packhouse/base';
import { isApiSecret, type Catalogs } from '@packhouse/hosting';
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

/** The options of a host for tagging. */
export interface HostedTagging {
  /**
   * Changes to the registry of resource types, applied after those of the setting `resource_types`. Unlike the setting,
   * they may have directories.
   */
  readonly resourceTypes?: ResourceTypeChanges;
  /** Finds resources whose type has no directory. */
  readonly resourceDirectory?: SharedDirectory;
  /** Finds the account of a zone. Default: looks it up in the setting `zones`. */
  readonly zones?: ZoneDirectory;
}

/** Options that tagging shares with the rest of the service. */
interface Shared {
  readonly catalog: Catalogs;
  /** If undefined, the service has no tagging. */
  readonly tags: TagStores | undefined;
  readonly authorizer: Authorizer;
  readonly createLimiter?: CreateRateLimiter;
}

/**
 * Creates the tagging of a service with repositories; undefined if the service has no store for tags.
 *
 * @throws {SettingsError} if a change to the registry breaks a rule. Also thrown without a store.
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
    authorize: byBearer(options.authorizer, settings.accounts),
    registry,
    directories: new Map([[repositoryType.type, repositoryDirectory(options.catalog)]]),
    sharedDirectory: options.resourceDirectory,
    zones: servedZones(options.zones ?? listedZones(settings.zones), settings.accounts),
    settings,
    createLimiter: options.createLimiter,
    clock,
  });
}

/**
 * Authorizes by bearer token (TAG-016). The credential is the hash of the token, so that no token stays in memory. A
 * grant in an account that is not served permits nothing (REPO-217).
 */
function byBearer(authorizer: Authorizer, accounts: ServiceSettings['accounts']): AuthorizeRequest {
  return async (request, account) => {
    const token = parseBearer(request.headers.get('authorization'));
    if (token === undefined) return undefined;
    // Any other token is known without the zone.
    const grants = await authorizer.authorize(token, (await isApiSecret(token)) ? await account() : undefined);
    if (grants === undefined) return undefined;
    const served = grants.filter(({ account }) => account === undefined || isServedAccount(account, accounts));
    return { credential: await hashSecret(token), grants: served };
  };
}

/** A zone of an account that is not served counts as unknown. */
function servedZones(zones: ZoneDirectory, accounts: ServiceSettings['accounts']): ZoneDirectory {
  return {
    async accountOf(zone) {
      const account = await zones.accountOf(zone);
      return isServedAccount(account, accounts) ? account : undefined;
    },
  };
}
