import type { Hosting } from '@packhouse/hosting';
import { operations, type Operation } from './operations.ts';

/** An operation with its route under the base path of the dialect. */
export interface Routed {
  readonly operation: Operation;
  /** The path with parameters in braces, as OpenAPI has it. */
  readonly path: string;
  /** The path as the router takes it. */
  readonly pattern: string;
}

export function routeOperations({ dialect }: Pick<Hosting, 'dialect'>): readonly Routed[] {
  const base = `${dialect.basePath}/accounts/{account_id}/${dialect.serviceSegment}`;
  return operations.map((operation) => {
    const path = `${base}${operation.path}`;
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    // A name may hold any character, line ends too.
    return { operation, path, pattern: operation.isOpenEnded ? pattern.replace(/:(\w+)$/, ':$1{[^]+}') : pattern };
  });
}
