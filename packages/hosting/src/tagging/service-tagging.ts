import { parseBearer, type Authorizer, type Clock, hashSecret } from '@packhouse/base';
import type { HostingOptions } from '../hosting.ts';
import type { Settings } from '../settings/settings.ts';
import {
  type AuthorizeRequest,
  listedZones,
  createTagging,
  defaultResourceTypes,
  createRegistry,
  type Tagging,
} from '@packhouse/tagging';
import { repositoryDirectory, repositoryType } from './repository-directory.ts';

/**
 * The tagging of a service that has repos; `undefined` if it has no store for it.
 *
 * @throws {SettingsError} for changes of the registry that break a rule.
 */
export function serviceTagging(options: HostingOptions, settings: Settings, clock: Clock): Tagging | undefined {
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
