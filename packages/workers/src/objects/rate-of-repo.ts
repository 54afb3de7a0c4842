import { createRateLimiter, systemClock, type RateLimiter } from '@packhouse/base';
import { readConfiguration } from '../environment/configuration.ts';
import type { Environment } from '../environment/environment.ts';

/** Counts the requests to one repository (LIM-053). */
export function rateOfRepo(environment: Environment): RateLimiter {
  return createRateLimiter(readConfiguration(environment).settings.rate_git, systemClock);
}
