import type { CreateRateLimiter } from '@packhouse/base';

/**
 * Returns a function that makes a service whose rates are all used up. Its argument is the `Retry-After` in seconds.
 * Caches the last service.
 */
export function limitedBy<Service>(
  make: (createLimiter: CreateRateLimiter) => Service,
): (retryAfter: number) => Service {
  let last: { readonly retryAfter: number; readonly service: Service } | undefined;
  return (retryAfter) => {
    if (last?.retryAfter !== retryAfter)
      last = { retryAfter, service: make(() => ({ admit: async () => retryAfter })) };
    return last.service;
  };
}
