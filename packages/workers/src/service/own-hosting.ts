import type { Hosting } from '@packhouse/hosting';
import { createAreas, type AreaStorage } from '@packhouse/router';
import { readConfiguration } from '../environment/configuration.ts';
import type { Environment } from '../environment/environment.ts';
import { logFailure } from '../request/log.ts';
import { isolateEngine } from './isolate-engine.ts';
import { workerOutbound } from './worker-outbound.ts';

/**
 * Makes the hosting service for the alarm of an object. It authorizes no client, because an alarm has none.
 *
 * @throws {ConfigurationError}
 */
export function ownHosting(environment: Environment, storage: AreaStorage): Hosting {
  const { dialect, settings } = readConfiguration(environment);
  return createAreas({
    storage,
    engine: isolateEngine(),
    authorize: async () => undefined,
    outbound: workerOutbound(environment),
    dialect,
    settings,
    report: logFailure,
  }).hosting;
}
