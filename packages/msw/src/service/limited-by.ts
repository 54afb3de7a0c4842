import type { CreateRateLimiter } from '@packhouse/hosting/tagging';

/** A service whose rates are all used up, made once for each number of seconds that it tells clients to wait. */
export function limitedBy<Service>(
  make: (createLimiter: CreateRateLimiter) => Service,
): (retryAfter: number) => Service {
  const made = new Map<number, Service>();
  return (retryAfter) => {
    const service = made.get(retryAfter) ?? make(() => ({ admit: () => retryAfter }));
    made.set(retryAfter, service);
    return service;
  };
}
