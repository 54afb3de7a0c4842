/** The dialects, and what else programs need without the service. */
export { cloudflare } from './dialect/cloudflare.ts';
export type { Dialect } from './dialect/dialect.ts';
export { neutral } from './dialect/neutral.ts';
export { isLoopback } from './outbound/loopback.ts';
export { version } from './outbound/version.ts';
