import { SettingsError } from '@packhouse/base';
import { mountPathOf } from '@packhouse/hosting';
import { Hono } from 'hono';

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
    // The helper in its place knows contexts of its own copy of Hono alone; an app may have another.
    const mounted = context.req.routePath.replace(/\/?\*$/, '');
    if (mounted !== mountPathOf(publicUrl)) {
      const { origin } = new URL(publicUrl);
      throw new SettingsError('public_url', `is ${publicUrl}, but the app is mounted at ${origin}${mounted}`);
    }
    return await answer(context.req.raw, context.env);
  });
  return app;
}
