import { WorkerEntrypoint } from 'cloudflare:workers';
import type {
  CreateOptions,
  CreateRepoResult,
  ImportParams,
  ListOptions,
  RepoListResult,
  Repos,
} from '@packhouse/binding';
import type { Environment } from '../environment/environment.ts';
import { BoundNamespace, type BindingProps } from './bound-namespace.ts';
import { RepoTarget } from './repo-target.ts';

/** The methods on the stub of a service binding. `get` is separate, because it returns a stub. */
type Methods = Omit<Repos, 'get'>;

/**
 * The runtime binding of one namespace, for service bindings of other Workers (BIND-021). A binding to this entry point
 * has the `props` `account` and `namespace`, which no argument of a caller can change. On `Env` of the caller, the
 * binding has the type `Repos` of `@packhouse/binding`, or `Artifacts` of `@cloudflare/workers-types`.
 */
export class ReposBinding extends WorkerEntrypoint<Environment, BindingProps> implements Methods {
  create(name: string, opts?: CreateOptions): Promise<CreateRepoResult> {
    return this.#bound().call('create', (repos) => repos.create(name, opts));
  }

  get(name: string): Promise<RepoTarget> {
    const bound = this.#bound();
    return bound.call('get', async (repos) => new RepoTarget(bound, await repos.get(name)));
  }

  import(params: ImportParams): Promise<CreateRepoResult> {
    return this.#bound().call('import', (repos) => repos.import(params));
  }

  list(opts?: ListOptions): Promise<RepoListResult> {
    return this.#bound().call('list', (repos) => repos.list(opts));
  }

  delete(name: string): Promise<boolean> {
    return this.#bound().call('delete', (repos) => repos.delete(name));
  }

  #bound(): BoundNamespace {
    return new BoundNamespace(this.env, this.ctx.props);
  }
}
