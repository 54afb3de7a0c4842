import { createPlatformErrors, errorRoute } from '@packhouse/problem-details';
import { systemClock, type Clock } from '@packhouse/base';
import type { HttpHandler } from 'msw';
import { platformFaults } from './faults/check-fault.ts';
import type { PlatformFault } from './faults/fault.ts';
import type { Faults } from './faults/fault-list.ts';
import { intercept } from './handlers/intercept.ts';
import { readOrigin } from './options/origin.ts';
import { wholeOrigin } from './handlers/paths.ts';
import { checkedOptions, type OptionNames } from './options/check-options.ts';
import type { HeldService } from './handlers/held-service.ts';
import { mocked } from './service/mocked.ts';
import { readDialect } from './options/read-dialect.ts';

export interface ErrorsMockOptions {
  /** The origin it answers for, such as `https://www.example.test`. */
  readonly baseUrl: string;
  /** Default `neutral`. */
  readonly dialect?: 'neutral' | 'cloudflare';
  /** Those of tokens, pages and lost replies need a service. A rate limit is told by the error 1015. */
  readonly faults?: readonly PlatformFault[];
  /** Three upper-case letters at the end of ray ids. Default `LOC`. */
  readonly site?: string;
  /** Default: the time of the machine. */
  readonly clock?: Clock;
}

/** The platform in front of any origin, behind request handlers. */
export interface ErrorsMock {
  /** They answer `/cdn-cgi/error/{code}` and what faults are for; all else of the origin is left to other handlers. */
  readonly handlers: readonly HttpHandler[];
  readonly faults: Faults<PlatformFault>;
  /** Faults as they were when the mock was made. */
  reset(): void;
}

/**
 * Platform errors alone, for any path of an origin: put its handlers in front of those that answer for the origin.
 *
 * @throws {MockOptionsError} for an option that is none, such as a misspelt one, or a fault that cannot be.
 */
export function createErrorsMock(given: ErrorsMockOptions): ErrorsMock {
  const options = checkedOptions(given, optionNames);
  const { site = 'LOC', clock = systemClock } = options;
  const origin = readOrigin(options.baseUrl);
  const dialect = readDialect(options.dialect);
  const platform = createPlatformErrors({
    dialect: dialect.errors,
    docsBase: `${origin}/docs`,
    site,
    clock: () => clock.now(),
  });
  const route = errorRoute(platform);
  const nothing: HeldService<void> = {
    answer: async (request) => await route(request),
    limited: (request, retryAfter) => platform.respond(request, { code: 1015, retryAfter }),
    put: async () => {},
    remove: async () => {},
  };
  const { answer, faults, store } = mocked<HeldService<void>, void>({
    open: () => nothing,
    seed: undefined,
    faults: options.faults,
    faultMembers: platformFaults,
    platform,
    unknownToken: '',
  });
  return {
    handlers: [intercept(wholeOrigin(origin), answer)],
    // `platformFaults` lets in no others.
    faults: faults as Faults<PlatformFault>,
    reset: () => void store.reset(),
  };
}

const optionNames: OptionNames<ErrorsMockOptions> = {
  baseUrl: true,
  dialect: true,
  faults: true,
  site: true,
  clock: true,
};
