import type { Entry } from '../catalogue/entry.ts';
import { describeError, type ReportSettings } from '../problem/describe.ts';
import type { PlatformProblem } from '../problem/problem.ts';
import type { JsonSchema, SchemaReference } from './json-schema.ts';
import { defaultSettings, entriesOf, type OpenApiOptions } from './options.ts';
import { schemaOf, waitSchema } from './problem-schema.ts';

export interface ResponseOptions extends OpenApiOptions {
  /** Documents the HTML page, too; default false. */
  readonly html?: boolean;
  /** Reference to the result of `platformProblemSchema` in the document, to avoid a schema in each response. */
  readonly schema?: SchemaReference;
}

interface HeaderDescription {
  description: string;
  required: boolean;
  schema: JsonSchema;
}

interface MediaTypeDescription {
  schema: JsonSchema | SchemaReference;
  examples?: Record<string, { summary: string; value: PlatformProblem }>;
}

/** A response object of OpenAPI 3.0 or 3.1. */
export interface PlatformErrorResponse {
  description: string;
  headers: Record<string, HeaderDescription>;
  content: Record<string, MediaTypeDescription>;
}

/**
 * Result of `platformErrorResponses`: response objects by status, under keys that TypeScript does not see. So a route's
 * handler keeps the type of its direct replies: platform errors are thrown, not returned.
 */
export type PlatformErrorResponses = { readonly [status in never]: PlatformErrorResponse };

/**
 * Makes the responses of some errors, by status, for `createRoute` of `@hono/zod-openapi` or any OpenAPI document of
 * version 3.0 or 3.1. They contain both JSON media types with an example of each error, Markdown, and the headers of
 * section 6 that clients can use.
 *
 *     responses: { 200: ..., ...platformErrorResponses([500, 1015], errors) }
 *
 * @param codes codes of the catalogue; codes with the same status share a response.
 * @param options result of `createPlatformErrors`, or some of its members.
 * @throws RangeError naming a code that the catalogue lacks.
 */
export function platformErrorResponses(
  codes: readonly number[],
  options: ResponseOptions = {},
): PlatformErrorResponses {
  const byStatus = new Map<number, Entry[]>();
  for (const entry of entriesOf(codes, options)) {
    byStatus.set(entry.http_status, [...(byStatus.get(entry.http_status) ?? []), entry]);
  }
  return Object.fromEntries([...byStatus].map(([status, entries]) => [String(status), describe(entries, options)]));
}

function describe(entries: readonly Entry[], options: ResponseOptions): PlatformErrorResponse {
  const settings = options.settings ?? defaultSettings;
  const json: MediaTypeDescription = {
    schema: options.schema ?? schemaOf(entries, settings),
    examples: Object.fromEntries(entries.map((entry) => [entry.error_name, example(entry, settings)])),
  };
  const text: MediaTypeDescription = { schema: { type: 'string' } };
  return {
    description: entries.map(({ code, short_name, detail }) => `Error ${code}: ${short_name}. ${detail}`).join('\n\n'),
    headers: headersOf(entries, settings),
    content: {
      'application/json': json,
      'application/problem+json': json,
      'text/markdown': text,
      ...(options.html === true ? { 'text/html': text } : {}),
    },
  };
}

function example(entry: Entry, settings: ReportSettings): { summary: string; value: PlatformProblem } {
  const occurrence = { rayId: '9184027733651048', now: Date.UTC(2026, 10, 5, 7, 41, 12), zone: 'shop.example' };
  const { problem } = describeError(entry, occurrence, settings);
  return { summary: problem.title, value: problem };
}

function headersOf(entries: readonly Entry[], { dialect }: ReportSettings): Record<string, HeaderDescription> {
  const text = (description: string): HeaderDescription => ({
    description,
    required: true,
    schema: { type: 'string' },
  });
  const waiting = entries.filter(({ retryable }) => retryable);
  const wait = { description: 'As `retry_after`.', required: waiting.length === entries.length, schema: waitSchema() };
  return {
    [dialect.rayIdHeader]: text('The ray id, and where the reply was made.'),
    ...(waiting.length === 0 ? {} : { 'Retry-After': wait }),
    'Cache-Control': text('Errors are not stored.'),
    'Content-Language': text('Language of the texts.'),
    Vary: text('`Accept` chooses the format.'),
  };
}
