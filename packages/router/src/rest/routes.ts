import { createRoute, z, type RouteConfig } from '@hono/zod-openapi';
import type { Hosting } from '@packhouse/hosting';
import { operations, type Operation } from './operations.ts';
import { failureSchema, requestSchemas, successSchema } from './schemas.ts';

/** An operation with its route under the base path of the dialect. */
export interface Routed {
  readonly operation: Operation;
  readonly route: RouteConfig;
  /** The path as the router takes it. */
  readonly pattern: string;
  /** The path of the document, with parameters in braces. */
  readonly path: string;
}

export function routeOperations({ dialect, settings }: Pick<Hosting, 'dialect' | 'settings'>): readonly Routed[] {
  const schemas = requestSchemas(settings);
  const base = `${dialect.basePath}/accounts/{account_id}/${dialect.serviceSegment}`;
  return operations.map((operation) => {
    const { id, summary, method, status, query, body, isOpenEnded } = operation;
    const path = `${base}${operation.path}`;
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
    const route = createRoute({
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
          ...contentOf(operation),
        },
        ...(operation.bytes && { 304: { description: 'The client has the bytes already' } }),
        default: { description: 'Failure', content: { 'application/json': { schema: failureSchema } } },
      },
    });
    // A name may hold any character, line ends too.
    const pattern = isOpenEnded ? route.getRoutingPath().replace(/:(\w+)$/, ':$1{[^]+}') : route.getRoutingPath();
    return { operation, route, pattern, path };
  });
}

/** What a success brings. */
function contentOf(operation: Operation): { readonly content?: Record<string, { schema: z.ZodType }> } {
  if (operation.bytes !== undefined) {
    const schema = z.string().openapi({ format: 'binary' });
    return { content: Object.fromEntries(operation.bytes.map((type) => [type, { schema }])) };
  }
  const { result, info } = operation;
  return result === undefined ? {} : { content: { 'application/json': { schema: successSchema(result, info) } } };
}
