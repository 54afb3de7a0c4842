import { done, optionsOf, resultOf } from './calls.ts';
import type { Rest } from './rest.ts';
import type { BodyOf, CallOptions, ResultOf } from './types.ts';

/** The webhooks of a namespace, or of one repository. */
export interface Webhooks {
  /** The result has the secret that signs deliveries, which no later call returns. */
  create(webhook: BodyOf<'createRepoWebhook'>, call?: CallOptions): Promise<ResultOf<'createRepoWebhook'>>;
  list(call?: CallOptions): Promise<ResultOf<'listRepoWebhooks'>>;
  get(id: string, call?: CallOptions): Promise<ResultOf<'getRepoWebhook'>>;
  /** Absent members stay. `active: true` starts a webhook again that the service has stopped. */
  update(id: string, change: BodyOf<'updateRepoWebhook'>, call?: CallOptions): Promise<ResultOf<'updateRepoWebhook'>>;
  delete(id: string, call?: CallOptions): Promise<void>;
  /** Sends a `ping` event, and returns what became of it. */
  ping(id: string, call?: CallOptions): Promise<ResultOf<'pingRepoWebhook'>>;
}

const ofRepo = '/namespaces/{namespace}/repos/{repo_name}/webhooks';

/** @param repo Default: those of the namespace. */
export function createWebhooks(rest: Rest, namespace: string, repo: string | undefined): Webhooks {
  // Both forms have the same members and results. Without a repository, the path leaves out its name.
  const base = (repo === undefined ? '/namespaces/{namespace}/webhooks' : ofRepo) as typeof ofRepo;
  const path = { namespace, repo_name: repo ?? '' };
  const one = `${base}/{webhook_id}` as const;
  const paramsOf = (id: string) => ({ path: { ...path, webhook_id: id } });
  return {
    create: (body, call = {}) => resultOf(rest.POST(base, { params: { path }, body, ...optionsOf(call) })),
    list: (call = {}) => resultOf(rest.GET(base, { params: { path }, ...optionsOf(call) })),
    get: (id, call = {}) => resultOf(rest.GET(one, { params: paramsOf(id), ...optionsOf(call) })),
    update: (id, body, call = {}) => resultOf(rest.PATCH(one, { params: paramsOf(id), body, ...optionsOf(call) })),
    delete: (id, call = {}) => done(rest.DELETE(one, { params: paramsOf(id), ...optionsOf(call) })),
    ping: (id, call = {}) => resultOf(rest.POST(`${one}/ping`, { params: paramsOf(id), ...optionsOf(call) })),
  };
}
