/** The dialects without the service, for who needs neither repositories nor Git. */
export { cloudflare } from './dialect/cloudflare.ts';
export type { Dialect } from './dialect/dialect.ts';
export { neutral } from './dialect/neutral.ts';
