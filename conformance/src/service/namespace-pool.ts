import { probedNamespaces } from '../binding/client.ts';
import type { Target } from '../core/target.ts';
import { ownConnections } from './own-connection.ts';

/**
 * The namespaces that the bindings of a target give access to. Each case gets one for itself, so that it can count the
 * content.
 */
export class NamespacePool {
  readonly #pools = new WeakMap<Target, Promise<Pool>>();

  /**
   * Waits until a namespace is free.
   *
   * @throws if the probe of the target does not answer as one.
   */
  async take(target: Target): Promise<TakenNamespace> {
    let opening = this.#pools.get(target);
    if (opening === undefined) {
      opening = openPool(target);
      this.#pools.set(target, opening);
    }
    const { free, waiting } = await opening;
    const name = free.pop() ?? (await new Promise<string>((resolve) => waiting.push(resolve)));
    return {
      name,
      release() {
        const next = waiting.shift();
        if (next === undefined) free.push(name);
        else next(name);
      },
    };
  }
}

export interface TakenNamespace {
  readonly name: string;
  release(): void;
}

interface Pool {
  readonly free: string[];
  readonly waiting: ((name: string) => void)[];
}

async function openPool(target: Target): Promise<Pool> {
  const { binding } = target;
  if (binding === undefined) throw new Error('the target has no binding');
  return { free: [...(await probedNamespaces(binding, ownConnections(target)))], waiting: [] };
}
