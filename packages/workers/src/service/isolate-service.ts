import type { Environment } from '../environment/environment.ts';
import { openService, type OpenedService } from './open-service.ts';

/** One an isolate, made by its first request or call: bindings stay the same for as long as it lives. */
let opened: OpenedService | undefined;

/**
 * The service of this isolate.
 *
 * @throws {ConfigurationError}
 */
export function isolateService(environment: Environment): OpenedService {
  opened ??= openService(environment);
  return opened;
}
