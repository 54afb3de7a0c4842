import type { Hosting } from '@packhouse/hosting';
import { operations, type Operation } from './operations.ts';

/** An operation with its route under the base path of the dialect. */
export interface Routed {
  readonly operation: Operation;
  /** The path with parameters in braces, as in OpenAPI. */
  readonly path: string;
  /** The path in the syntax of Hono. */
  readonly pattern: string;
}

export function routeOperations({ dialect }: Pick<Hosting, 'dialect'>): readonly Routed[] {
  const base = `${dialect.basePath}/accounts/{account_id}/${dialect.serviceSegment}`;
  return operations.map((operation) => {
    const path = `${base}${operation.path}`;
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    // A file name may have any character, including line ends, which `.` would not match.
    return { operation, path, pattern: operation.isOpenEnded ? pattern.replace(/:(\w+)$/, ':$1{[^]+}') : pattern };
  });
}
