import { createHosting, type Hosting, type HostingOptions } from '@packhouse/hosting';
import { readConfiguration } from '../environment/configuration.ts';
import type { Environment } from '../environment/environment.ts';
import { logFailure } from '../request/log.ts';
import { isolateEngine } from './isolate-engine.ts';
import { workerOutbound } from './worker-outbound.ts';

/**
 * The hosting service as an object uses it in its alarm, where there is no client to authorize.
 *
 * @throws {ConfigurationError}
 */
export function ownHosting(
  environment: Environment,
  storage: Pick<HostingOptions, 'catalog' | 'storage' | 'tags'>,
): Hosting {
  const { dialect, settings } = readConfiguration(environment);
  return createHosting({
    ...storage,
    engine: isolateEngine(),
    authorizer: { authorize: async () => undefined },
    outbound: workerOutbound(environment),
    dialect,
    settings,
    report: logFailure,
  });
}
