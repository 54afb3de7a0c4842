import { builtInEntries, type PlatformErrors } from '@packhouse/problem-details';
import {
  type PlatformErrorResponse,
  platformErrorResponses,
  platformProblemSchema,
} from '@packhouse/problem-details/openapi';

/** An OpenAPI document with the members that areas extend. */
interface Document {
  readonly paths: object;
  readonly components?: { readonly schemas?: object };
}

const schemaName = 'PlatformProblem';

/**
 * Adds the error route to an OpenAPI document (REPO-215). The document lists only codes and names. Texts and examples
 * of 72 errors would make it three times as long, and the route itself shows them.
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
