import type { MiddlewareHandler } from 'hono';
import { errorsOf, type OptionsOrErrors } from '../middleware/errors-of.ts';
import { errorRoute, type ErrorRouteOptions } from '../middleware/error-route.ts';

/**
 * Middleware that serves the error route `/cdn-cgi/error/{code}` and lets other requests pass (section 8):
 * `app.use(serveErrorRoute())`. An app that does not use it has no such route (ERR-099).
 *
 * @throws {Error} at once if an option is wrong, naming it.
 */
export const serveErrorRoute = (optionsOrErrors?: OptionsOrErrors, options?: ErrorRouteOptions): MiddlewareHandler => {
  const route = errorRoute(errorsOf(optionsOrErrors), options);
  return async (c, next) => (await route(c.req.raw)) ?? next();
};
