import type { Environment } from './environment/environment.ts';
import { mountable } from '@packhouse/router';
import type { Hono } from 'hono';
import { ConfigurationError } from './environment/configuration.ts';
import { isolateService } from './service/open-service.ts';
import { serve } from './service/serve.ts';

export { CatalogObject } from './objects/catalog-object.ts';
export { RepoObject } from './objects/repo-object.ts';
export { ReposBinding } from './binding/repos-binding.ts';
export type { BindingProps } from './binding/bound-namespace.ts';
export type { Environment } from './environment/environment.ts';

/**
 * The service as a Hono app, for your own Worker: `app.route(path, packhouseApp)`. `public_url` must end in that path.
 * The module of the Worker must export `CatalogObject`, `RepoObject` and `ReposBinding` (REPO-216).
 *
 * @example
 * import { packhouseApp } from '@packhouse/workers';
 * import { Hono } from 'hono';
 *
 * export { CatalogObject, RepoObject, ReposBinding } from '@packhouse/workers';
 * export default new Hono().route('/git-host', packhouseApp);
 */
export const packhouseApp: Hono<{ Bindings: Environment }> = mountable(serve, publicUrlIn);

/** Returns undefined for a wrong configuration, which `serve` reports. */
function publicUrlIn(environment: Environment): string | undefined {
  try {
    return isolateService(environment).settings.public_url;
  } catch (error) {
    if (error instanceof ConfigurationError) return undefined;
    throw error;
  }
}

/** The Worker. It serves REST and Git from one origin. */
export default {
  fetch: (request: Request, environment: Environment): Promise<Response> => serve(request, environment),
};
