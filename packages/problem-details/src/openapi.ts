export type { JsonSchema, SchemaReference } from './openapi/json-schema.ts';
export type { OpenApiOptions } from './openapi/options.ts';
export { platformProblemSchema } from './openapi/problem-schema.ts';
export {
  type PlatformErrorResponse,
  type PlatformErrorResponses,
  platformErrorResponses,
  type ResponseOptions,
} from './openapi/responses.ts';
