import { openApi, type OpenApiPart } from '@packhouse/base';
import type { Hosting } from '@packhouse/hosting';
import { routeOperations, type Routed } from '../routes.ts';
import { failureSchema, namedSchemas, requestSchemas, successSchema } from './schemas.ts';

const { json, pathParameters, text } = openApi;
const bytesSchema = text({ format: 'binary' });

/**
 * Makes the OpenAPI 3.1 document of the REST API, as data for JSON. It only describes requests. The service does not
 * validate by it, because a validator would check in another order than REPO-036 demands.
 */
export function restDocument(hosting: Pick<Hosting, 'dialect' | 'settings'>): object {
  const { dialect, settings } = hosting;
  const schemas = requestSchemas(settings);
  const paths: Record<string, OpenApiPart> = {};
  for (const routed of routeOperations(hosting)) {
    paths[routed.path] = { ...paths[routed.path], [routed.operation.method]: documented(routed, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Repositories', version: dialect.basePath.split('/').at(-1) ?? '' },
    servers: [{ url: settings.public_url }],
    components: {
      schemas: namedSchemas,
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'A platform API token' } },
    },
    paths,
  };
}

function documented({ operation, path }: Routed, schemas: ReturnType<typeof requestSchemas>): OpenApiPart {
  const { id, summary, status, idleStatus, query, body, bytes, isUpload, headers = {} } = operation;
  return {
    operationId: id,
    summary,
    security: [{ token: [] }],
    parameters: [
      ...pathParameters(path),
      ...(query === undefined ? [] : queryParameters(schemas[query])),
      ...Object.entries(headers).map(([name, description]) => ({
        name,
        in: 'header',
        required: false,
        description,
        schema: text(),
      })),
    ],
    ...(body && { requestBody: { required: true, content: json(schemas[body]) } }),
    ...(isUpload && {
      requestBody: { required: true, content: { 'application/octet-stream': { schema: bytesSchema } } },
    }),
    responses: {
      [status]: { description: status === 204 ? 'Done' : 'Success', ...contentOf(operation) },
      ...(idleStatus && { [idleStatus]: { description: 'Nothing had to change', ...contentOf(operation) } }),
      ...(bytes && { 304: { description: 'The client has the bytes already' } }),
      default: { description: 'Failure', content: json(failureSchema) },
    },
  };
}

/** Converts the members of a query schema to parameters. */
function queryParameters({ properties, required }: OpenApiPart): readonly OpenApiPart[] {
  return Object.entries(properties as OpenApiPart).map(([name, schema]) => ({
    name,
    in: 'query',
    required: (required as readonly string[]).includes(name),
    schema,
  }));
}

/** Returns the content of a success by media type. */
function contentOf(operation: Routed['operation']): OpenApiPart {
  if (operation.bytes !== undefined) {
    return { content: Object.fromEntries(operation.bytes.map((type) => [type, { schema: bytesSchema }])) };
  }
  const { result, info, alternative } = operation;
  if (result === undefined) return {};
  const content = json(successSchema(result, info));
  const other = alternative === undefined ? {} : { [alternative.type]: { schema: bytesSchema } };
  return { content: { ...content, ...other } };
}
