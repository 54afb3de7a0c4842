import { createPlatformErrors, errorRoute } from '@packhouse/problem-details';
import { cloudflare, neutral } from '@packhouse/hosting/dialects';
import { systemClock, type Clock } from '@packhouse/hosting/tagging';
import type { HttpHandler } from 'msw';
import { answerWithFaults } from './faults/answer-with-faults.ts';
import { FaultList, type Faults } from './faults/fault-list.ts';
import type { Fault } from './faults/fault.ts';
import { intercept } from './handlers/intercept.ts';
import { readOrigin } from './handlers/origin.ts';
import { wholeOrigin } from './handlers/paths.ts';

export interface ErrorsMockOptions {
  /** The origin it answers for, such as `https://www.example.test`. */
  readonly baseUrl: string;
  /** Default `neutral`. */
  readonly dialect?: 'neutral' | 'cloudflare';
  readonly faults?: readonly Fault[];
  /** Three upper-case letters at the end of ray ids. Default `LOC`. */
  readonly site?: string;
  /** Default: the time of the machine. */
  readonly clock?: Clock;
}

/** The platform in front of any origin, behind request handlers. */
export interface ErrorsMock {
  /** They answer `/cdn-cgi/error/{code}` and what faults are for; all else of the origin is left to other handlers. */
  readonly handlers: readonly HttpHandler[];
  readonly faults: Faults<never>;
  /** Faults as they were when the mock was made. */
  reset(): void;
}

/**
 * Platform errors alone, for any path of an origin: put its handlers in front of those that answer for the origin.
 *
 * @throws {MockOptionsError} for a `baseUrl` that is no origin, or a fault that cannot be.
 */
export function createErrorsMock(options: ErrorsMockOptions): ErrorsMock {
  const { site = 'LOC', clock = systemClock } = options;
  const origin = readOrigin(options.baseUrl);
  const dialect = options.dialect === 'cloudflare' ? cloudflare : neutral;
  const faults = new FaultList<never>(options.faults ?? []);
  const platform = createPlatformErrors({ dialect: dialect.errors, site, clock: () => clock.now() });
  const route = errorRoute(platform);
  const answer = answerWithFaults<never>({
    faults,
    platform,
    unknownToken: '',
    answer: async (request) => await route(request),
    limited: (request, retryAfter) => platform.respond(request, { code: 1015, retryAfter }),
    change: async () => {},
  });
  return {
    handlers: [intercept(wholeOrigin(origin), answer)],
    faults,
    reset: () => faults.restart(),
  };
}
