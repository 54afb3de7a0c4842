export { breakOff } from './hono/break-off.ts';
export { notFoundAs } from './hono/not-found-as.ts';
export { onPlatformError } from './hono/on-platform-error.ts';
export { platformErrors } from './hono/platform-errors.ts';
export { serveErrorRoute } from './hono/serve-error-route.ts';
export type { OptionsOrErrors } from './middleware/errors-of.ts';
