/** A part of an OpenAPI 3.1 document, as plain data. */
export type OpenApiPart = Readonly<Record<string, unknown>>;

/** Makes the parts that every document of an area has. */
export const openApi = {
  text: (rest: OpenApiPart = {}): OpenApiPart => ({ type: 'string', ...rest }),
  integer: (rest: OpenApiPart = {}): OpenApiPart => ({ type: 'integer', ...rest }),
  time: { type: 'string', format: 'date-time', example: '2026-11-20T09:15:02.114Z' } as OpenApiPart,
  object: (properties: OpenApiPart, required: readonly string[] = Object.keys(properties)): OpenApiPart => ({
    type: 'object',
    properties,
    required,
  }),
  list: (items: OpenApiPart, rest: OpenApiPart = {}): OpenApiPart => ({ type: 'array', items, ...rest }),
  reference: (name: string): OpenApiPart => ({ $ref: `#/components/schemas/${name}` }),
  json: (schema: OpenApiPart): OpenApiPart => ({ 'application/json': { schema } }),
  /** The parameters in braces of a path. */
  pathParameters: (path: string): readonly OpenApiPart[] =>
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
};
