import { builtInEntries, type PlatformErrors } from '@packhouse/problem-details';
import {
  type PlatformErrorResponse,
  platformErrorResponses,
  platformProblemSchema,
} from '@packhouse/problem-details/openapi';

/** An OpenAPI document with the members that other areas add to. */
interface Document {
  readonly paths: object;
  readonly components?: { readonly schemas?: object };
}

const schemaName = 'PlatformProblem';

/**
 * The OpenAPI document with the error route (REPO-215). It has codes and names alone: with the texts and examples of 72
 * errors it would be three times as long, and the route shows them.
 */
export function withErrorRoute(document: object, errors: PlatformErrors): object {
  const { paths, components, ...rest } = document as Document;
  const codes = builtInEntries.map(({ code }) => code);
  const schema = { $ref: `#/components/schemas/${schemaName}` };
  const responses = Object.entries<PlatformErrorResponse>(
    platformErrorResponses(codes, { ...errors, html: true, schema }),
  ).map(([status, { content, ...response }]) => [
    status,
    {
      ...response,
      description: codesOf(Number(status)),
      content: Object.fromEntries(Object.entries(content).map(([type, one]) => [type, { schema: one.schema }])),
    },
  ]);
  const operation = {
    operationId: 'showPlatformError',
    tags: ['Error pages'],
    summary: 'Show the error response of a code',
    description: 'The response has the status of its code. It is made for this request: nothing has failed.',
    security: [],
    parameters: [
      {
        name: 'code',
        in: 'path',
        required: true,
        description: 'The number of the error',
        schema: { type: 'integer', enum: codes },
        example: 1015,
      },
    ],
    responses: Object.fromEntries(responses),
  };
  return {
    ...rest,
    paths: { ...paths, '/cdn-cgi/error/{code}': { get: operation } },
    components: {
      ...components,
      schemas: { ...components?.schemas, [schemaName]: platformProblemSchema(codes, errors) },
    },
  };
}

function codesOf(status: number): string {
  const codes = builtInEntries.filter((entry) => entry.http_status === status);
  return codes.map(({ code, short_name }) => `${code} ${short_name}`).join('; ');
}
