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
  /** The mocked origin, such as `https://www.example.test`. */
  readonly baseUrl: string;
  /** Default: `neutral`. */
  readonly dialect?: 'neutral' | 'cloudflare';
  /**
   * The faults at the start and after each reset. Faults of tokens, pages and lost replies need a service, so they are
   * not allowed here. A rate limit answers with error 1015.
   */
  readonly faults?: readonly PlatformFault[];
  /** Three upper-case letters at the end of ray ids. Default: `LOC`. */
  readonly site?: string;
  /** Default: the time of the machine. */
  readonly clock?: Clock;
}

/** A mock of the platform in front of any origin, as request handlers. */
export interface ErrorsMock {
  /**
   * Handlers for `/cdn-cgi/error/{code}` and for the requests that faults match. Other requests of the origin fall
   * through to other handlers.
   */
  readonly handlers: readonly HttpHandler[];
  readonly faults: Faults<PlatformFault>;
  /** Restores the faults that the mock was created with. */
  reset(): void;
}

/**
 * Creates a mock of platform errors only, for any path of an origin. Put its handlers before the handlers of the origin
 * itself.
 *
 * @throws {MockOptionsError} for an unknown option, such as a misspelt one, or an impossible fault.
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
    // `platformFaults` allows no other kinds.
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
