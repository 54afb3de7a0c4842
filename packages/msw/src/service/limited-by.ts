import type { CreateRateLimiter } from '@packhouse/base';

/** A service whose rates are all used up, for a number of seconds that it tells clients to wait; keeps the last one made. */
export function limitedBy<Service>(
  make: (createLimiter: CreateRateLimiter) => Service,
): (retryAfter: number) => Service {
  let last: { readonly retryAfter: number; readonly service: Service } | undefined;
  return (retryAfter) => {
    if (last?.retryAfter !== retryAfter) last = { retryAfter, service: make(() => ({ admit: () => retryAfter })) };
    return last.service;
  };
}
