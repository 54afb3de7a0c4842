import type { MiddlewareHandler } from 'hono';
import { errorsOf, type OptionsOrErrors } from '../middleware/errors-of.ts';
import { errorRoute, type ErrorRouteOptions } from '../middleware/error-route.ts';

/**
 * Middleware that serves the error route `/cdn-cgi/error/{code}` and passes other requests on (section 8):
 * `app.use(serveErrorRoute())`. Without it an app has no such route (ERR-099).
 *
 * @throws {Error} for an invalid option, naming it.
 */
export const serveErrorRoute = (optionsOrErrors?: OptionsOrErrors, options?: ErrorRouteOptions): MiddlewareHandler => {
  const route = errorRoute(errorsOf(optionsOrErrors), options);
  return async (c, next) => (await route(c.req.raw)) ?? next();
};
