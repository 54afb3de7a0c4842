import { createRoute, OpenAPIHono, z, type RouteConfig } from '@hono/zod-openapi';
import type { Hosting } from '@packhouse/hosting';
import { routeOperations, type Routed } from '../routes.ts';
import { failureSchema, requestSchemas, successSchema } from './schemas.ts';

/**
 * The OpenAPI 3.1 document of the REST API. It describes and does not check: a validator made of it would check in
 * another order (REPO-036). To load this module and to make the document takes longer than all the rest of a service, so
 * it is imported by whoever asks for the document.
 */
export function restDocument(hosting: Pick<Hosting, 'dialect' | 'settings'>): object {
  const { dialect, settings } = hosting;
  const schemas = requestSchemas(settings);
  const app = new OpenAPIHono();
  for (const routed of routeOperations(hosting)) app.openAPIRegistry.registerPath(routeOf(routed, schemas));
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Repositories', version: dialect.basePath.split('/').at(-1) ?? '' },
    servers: [{ url: settings.public_url }],
  });
  document.components = {
    ...document.components,
    securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'A platform API token' } },
  };
  return document;
}

function routeOf({ operation, path }: Routed, schemas: ReturnType<typeof requestSchemas>): RouteConfig {
  const { id, summary, method, status, query, body } = operation;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  return createRoute({
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
}

/** What a success brings. */
function contentOf(operation: Routed['operation']): { readonly content?: Record<string, { schema: z.ZodType }> } {
  if (operation.bytes !== undefined) {
    const schema = z.string().openapi({ format: 'binary' });
    return { content: Object.fromEntries(operation.bytes.map((type) => [type, { schema }])) };
  }
  const { result, info } = operation;
  return result === undefined ? {} : { content: { 'application/json': { schema: successSchema(result, info) } } };
}
