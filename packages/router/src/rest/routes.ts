import { createRoute, z, type RouteConfig } from '@hono/zod-openapi';
import type { Hosting } from '@packhouse/hosting';
import { operations, type Operation } from './operations.ts';
import { failureSchema, requestSchemas, successSchema } from './schemas.ts';

/** An operation with its route under the base path of the dialect. */
export interface Routed {
  readonly operation: Operation;
  readonly route: RouteConfig & { getRoutingPath(): string };
}

export function routeOperations({ dialect, settings }: Pick<Hosting, 'dialect' | 'settings'>): readonly Routed[] {
  const schemas = requestSchemas(settings);
  const base = `${dialect.basePath}/accounts/{account_id}/${dialect.serviceSegment}`;
  return operations.map((operation) => {
    const { id, summary, method, status, query, body, result, info } = operation;
    const path = `${base}${operation.path}`;
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
    return {
      operation,
      route: createRoute({
        operationId: id,
        summary,
        method,
        path,
        security: [{ token: [] }],
        request: {
          params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))),
          ...(query && { query: schemas[query] }),
          ...(body && { body: { required: true, content: { 'application/json': { schema: schemas[body] } } } }),
        },
        responses: {
          [status]: {
            description: status === 204 ? 'Done' : 'Success',
            ...(result && { content: { 'application/json': { schema: successSchema(result, info) } } }),
          },
          default: { description: 'Failure', content: { 'application/json': { schema: failureSchema } } },
        },
      }),
    };
  });
}
