import { openApi, repoErrors, type OpenApiPart } from '@packhouse/base';
import { taggingErrors } from '../../model/tagging-error.ts';
import { tagOperations, type NotFoundMode, type TagOperation } from './operations.ts';
import {
  bodySchema,
  failureReference,
  namedSchemas,
  resultSchema,
  successEnvelope,
  type DocumentedType,
} from './schemas.ts';

const { json, pathParameters } = openApi;

export interface TagDocumentOptions {
  readonly basePath: string;
  readonly types: readonly DocumentedType[];
  readonly notFound: NotFoundMode;
  /** Security requirements, as in OpenAPI. Default: `token`, a bearer token. */
  readonly security?: readonly OpenApiPart[];
}

/** The part of a service's OpenAPI document that describes tagging. */
export interface TagDocument {
  readonly paths: Readonly<Record<string, OpenApiPart>>;
  readonly schemas: Readonly<Record<string, OpenApiPart>>;
}

/** Describes the ten operations of the tagging API in OpenAPI 3.1, as plain data. */
export function tagDocument(options: TagDocumentOptions): TagDocument {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of tagOperations(options.types, options.notFound)) {
    const place = operation.level === 'account' ? 'accounts/{account_id}' : 'zones/{zone_id}';
    const path = `${options.basePath}/${place}${operation.path}`;
    paths[path] = { ...paths[path], [operation.method]: documented(operation, path, options) };
  }
  return { paths, schemas: namedSchemas(options.types) };
}

function documented(operation: TagOperation, path: string, options: TagDocumentOptions): OpenApiPart {
  const { id, summary, description, body, level, parameters } = operation;
  const types = options.types.filter((type) => type.level === level);
  return {
    operationId: id,
    tags: ['Tags'],
    summary,
    description,
    security: options.security ?? [{ token: [] }],
    parameters: [...pathParameters(path), ...parameters],
    ...(body && {
      requestBody: { required: true, content: json(bodySchema(types, body === 'identity and tags')) },
    }),
    responses: { ...success(operation, options.types), ...failures(operation, options.notFound) },
  };
}

function success({ result, level }: TagOperation, types: TagDocumentOptions['types']): OpenApiPart {
  if (result === undefined) return { 204: { description: 'Done' } };
  const schema = successEnvelope(resultSchema(result, level, types), result !== 'resource');
  return { 200: { description: 'Success', content: json(schema) } };
}

const everywhere: TagOperation['errors'] = ['authentication', 'permission', 'noRoute', 'rate', 'internal'];

/** Makes one response per status, with the meaning of each code. */
function failures({ method, level, errors }: TagOperation, notFound: NotFoundMode): OpenApiPart {
  const words = new Map<number, string[]>();
  for (const kind of [...errors, ...everywhere]) {
    const row =
      kind in taggingErrors
        ? taggingErrors[kind as keyof typeof taggingErrors]
        : repoErrors[kind as keyof typeof repoErrors];
    const { code, message } = row;
    let { status } = row;
    if (kind === 'resourceNotFound' && method === 'get') {
      if (notFound === 'empty' && level === 'account') continue;
      if (notFound === '500') status = 500;
    }
    words.set(status, [
      ...(words.get(status) ?? []),
      `${code} ${message.replaceAll(/[{}]/g, (brace) => (brace === '{' ? '<' : '>'))}`,
    ]);
  }
  return Object.fromEntries(
    [...words].map(([status, texts]) => [status, { description: texts.join('; '), content: json(failureReference) }]),
  );
}
