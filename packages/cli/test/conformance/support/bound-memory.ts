import { createBinding } from '@packhouse/binding';
import { bindingProbe } from '@packhouse/conformance/binding-probe';
import type { StartBound } from './bound.ts';
import { openInMemory } from './memory.ts';

const path = '/binding-probe';

/** Runs the service in memory, in this process, with a probe at a separate path. */
export const boundInMemory: StartBound = async ({ namespaces, secret, settings = {}, ...options }) => {
  const { origin, stop } = await openInMemory({ ...options, settings }, (service, hosting) => {
    const bindings = namespaces.map((namespace) => {
      const binding = createBinding({ hosting, account: 'local', namespace });
      return [namespace, () => binding] as const;
    });
    const probe = bindingProbe({ bindings: Object.fromEntries(bindings), secret });
    return async (request) => await (new URL(request.url).pathname === path ? probe(request) : service(request));
  });
  return { origin, probeUrl: `${origin}${path}`, stop };
};
