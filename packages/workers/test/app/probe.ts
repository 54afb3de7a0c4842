import { DurableObject } from 'cloudflare:workers';
import type { Repos } from '@packhouse/binding';
import { bindingProbe } from '@packhouse/conformance/binding-probe';

interface Env {
  readonly PROBES: DurableObjectNamespace<Probe>;
  readonly SECRET: string;
  /** Bindings, each under the name of its namespace. */
  readonly [namespace: `bound${number}`]: Repos;
}

/** Keeps the stubs of handles from request to request, which a Worker cannot. */
export class Probe extends DurableObject<Env> {
  readonly #probe: (request: Request) => Promise<Response>;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    const bound = Object.entries(env).filter(([name]) => name.startsWith('bound'));
    const bindings = bound.map(([namespace, binding]) => [namespace, () => binding as Repos] as const);
    this.#probe = bindingProbe({ bindings: Object.fromEntries(bindings), secret: env.SECRET });
  }

  override fetch(request: Request): Promise<Response> {
    return this.#probe(request);
  }
}

/** A Worker beside the service, through whose bindings the conformance suite goes. */
export default {
  fetch: (request: Request, env: Env): Promise<Response> => env.PROBES.getByName('probe').fetch(request),
};
