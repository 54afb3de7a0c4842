import { SettingsError } from '@packhouse/base';
import { mountPathOf } from '@packhouse/hosting';
import { Hono } from 'hono';
import { routePath } from 'hono/route';

/**
 * A service as a Hono app, for `app.route(path, ...)` of another one. Its `public_url` must end in that path, because
 * remotes and links begin with it (REPO-216): a request that comes by another path is an error that says so.
 */
export function mountable<Bindings extends object>(
  answer: (request: Request, environment: Bindings) => Promise<Response>,
  publicUrlIn: (environment: Bindings) => string,
): Hono<{ Bindings: Bindings }> {
  const app = new Hono<{ Bindings: Bindings }>();
  app.all('*', async (context) => {
    const publicUrl = publicUrlIn(context.env);
    const mounted = routePath(context).replace(/\/?\*$/, '');
    if (mounted !== mountPathOf(publicUrl)) {
      const { origin } = new URL(publicUrl);
      throw new SettingsError('public_url', `is ${publicUrl}, but the app is mounted at ${origin}${mounted}`);
    }
    return await answer(context.req.raw, context.env);
  });
  return app;
}
