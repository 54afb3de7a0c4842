import type { Environment } from './environment/environment.ts';
import { serve } from './service/serve.ts';

export { CatalogObject } from './objects/catalog-object.ts';
export { RepoObject } from './objects/repo-object.ts';
export { ReposBinding } from './binding/repos-binding.ts';
export type { BindingProps } from './binding/bound-namespace.ts';
export type { Environment } from './environment/environment.ts';

/** The Worker: every request, of REST and of Git, from one origin. */
export default {
  fetch: (request: Request, environment: Environment): Promise<Response> => serve(request, environment),
};
