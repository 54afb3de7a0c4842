import { parseBearer } from '../credentials/rest.ts';
import type { HostingOptions } from '../hosting.ts';
import type { Authorizer } from '../ports/authorizer.ts';
import type { Clock } from '../ports/clock.ts';
import type { Settings } from '../settings/settings.ts';
import { hashSecret } from '../tokens/secret.ts';
import type { AuthorizeRequest } from './admission/admit.ts';
import { listedZones } from './admission/listed-zones.ts';
import { createTagging } from './create-tagging.ts';
import { defaultResourceTypes } from './registry/default-resource-types.ts';
import { createRegistry } from './registry/registry.ts';
import { repositoryDirectory, repositoryType } from './registry/repository-directory.ts';
import type { Tagging } from './tagging.ts';

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
