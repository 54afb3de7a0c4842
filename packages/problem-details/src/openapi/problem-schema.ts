import type { Entry } from '../catalogue/entry.ts';
import { categoryOf, type ReportSettings, typeOf } from '../problem/describe.ts';
import type { JsonSchema } from './json-schema.ts';
import { defaultSettings, entriesOf, type OpenApiOptions } from './options.ts';

/**
 * Makes the JSON Schema of some errors (ERR-036 to ERR-052), for OpenAPI 3.0 and 3.1. It allows additional members, as
 * RFC 9457 §3.2 requires.
 *
 * @throws RangeError naming a code that the catalogue lacks.
 */
export function platformProblemSchema(codes: readonly number[], options: OpenApiOptions = {}): JsonSchema {
  return schemaOf(entriesOf(codes, options), options.settings ?? defaultSettings);
}

/** Does the same for entries. */
export function schemaOf(entries: readonly Entry[], settings: ReportSettings): JsonSchema {
  const { dialect } = settings;
  const one = <Value extends string | number | boolean>(valueOf: (entry: Entry) => Value): { enum: Value[] } => ({
    enum: [...new Set(entries.map(valueOf))],
  });
  const text = (description: string): JsonSchema => ({ type: 'string', description });
  const canWait = entries.some(({ retryable }) => retryable);
  const mustWait = entries.every(({ retryable }) => retryable);
  const properties: Record<string, JsonSchema> = {
    type: { ...text('URI of this kind of error.'), format: 'uri', ...one(({ code }) => typeOf(code, settings)) },
    title: text('`Error`, the code, and a few words.'),
    status: { type: 'integer', description: 'The HTTP status.', ...one(({ http_status }) => http_status) },
    detail: text('What happened and who is responsible, the same each time.'),
    instance: text('The ray id.'),
    error_code: { type: 'integer', description: 'Stable number of the error.', ...one(({ code }) => code) },
    error_name: { ...text('Stable name of the error.'), ...one(({ error_name }) => error_name) },
    error_category: {
      ...text('Stable name of the group that the error is in.'),
      ...one((entry) => categoryOf(entry, dialect)),
    },
    ray_id: { ...text('Names this reply; new each time.'), pattern: '^[0-9a-f]{16}$' },
    timestamp: { ...text('When the error was generated, in UTC.'), format: 'date-time' },
    zone: text('Host name of the request, or empty.'),
    [dialect.marker]: { type: 'boolean', description: 'Tells these errors from other problems.', enum: [true] },
    retryable: { type: 'boolean', description: 'Whether waiting helps.', ...one(({ retryable }) => retryable) },
    ...(canWait ? { retry_after: waitSchema() } : {}),
    owner_action_required: {
      type: 'boolean',
      description: 'Whether the owner of the site has to act.',
      ...one(({ owner_action_required }) => owner_action_required),
    },
    what_you_should_do: text('Advice for the visitor; Markdown.'),
    footer: text('Who generated the error.'),
  };
  return {
    type: 'object',
    description: 'An error of the platform (RFC 9457).',
    properties,
    required: Object.keys(properties).filter((name) => name !== 'retry_after' || mustWait),
  };
}

/** Schema of `retry_after`, and of the header with the same value (ERR-152). */
export function waitSchema(): JsonSchema {
  return { type: 'integer', description: 'Seconds to wait before the next try.', minimum: 0, maximum: 2_147_483_647 };
}
