import { SettingsError } from '@packhouse/base';
import { mountPathOf } from '@packhouse/hosting';
import { Hono } from 'hono';

/**
 * Wraps a service as a Hono app, for `app.route(path, ...)` of another app. The setting `public_url` must end in that
 * path, because remotes and links begin with `public_url` (REPO-216). If the paths differ, each request throws a
 * `SettingsError` that names both.
 *
 * @param publicUrlIn Returns `public_url`; undefined if `answer` reports why it is not known.
 */
export function mountable<Bindings extends object>(
  answer: (request: Request, environment: Bindings) => Promise<Response>,
  publicUrlIn: (environment: Bindings) => string | undefined,
): Hono<{ Bindings: Bindings }> {
  const app = new Hono<{ Bindings: Bindings }>();
  app.all('*', async (context) => {
    const publicUrl = publicUrlIn(context.env);
    // Hono's helper `routePath` replaces this property, but it reads only contexts that the same copy of Hono made.
    const mounted = context.req.routePath.replace(/\/?\*$/, '');
    if (publicUrl !== undefined && mounted !== mountPathOf(publicUrl)) {
      const { origin } = new URL(publicUrl);
      throw new SettingsError('public_url', `is ${publicUrl}, but the app is mounted at ${origin}${mounted}`);
    }
    return await answer(context.req.raw, context.env);
  });
  return app;
}
