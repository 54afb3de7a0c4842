import type { OpenApiPart } from '@packhouse/base';
import { z } from 'zod';
import { operations } from './operations.ts';
import { failureSchema, namedSchemas, successSchema } from './openapi/schemas.ts';

/**
 * Returns the schema that the OpenAPI document has for a reply with this status; undefined for a reply without a body.
 */
function toldSchema(method: string, path: string, status: number): OpenApiPart | undefined {
  const [segments = ''] = path.split('?');
  const operation = operations.find(
    (one) =>
      one.method === method.toLowerCase() &&
      new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`, 'u').test(segments),
  );
  if (operation?.status !== status || operation.bytes !== undefined) return failureSchema;
  return operation.result === undefined ? undefined : successSchema(operation.result, operation.info);
}

/** Throws unless a reply has exactly the members that the OpenAPI document lists (REPO-012, REPO-029). */
export function expectTold(method: string, path: string, status: number, json: unknown): void {
  const schema = toldSchema(method, path, status);
  if (schema === undefined) {
    if (json !== undefined) throw new Error(`${method} ${path}: ${JSON.stringify(json)}, but the document has no body`);
    return;
  }
  const checked = z.fromJSONSchema(closed(schema) as Parameters<typeof z.fromJSONSchema>[0]).safeParse(json);
  if (!checked.success) throw new Error(`${method} ${path}: ${JSON.stringify(json)}: ${checked.error.message}`);
}

/** Resolves the references of a schema, and forbids further members in its objects. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...part } = schema as Record<string, unknown>;
  if (typeof $ref === 'string') return closed(namedSchemas[$ref.split('/').at(-1) as keyof typeof namedSchemas]);
  const inner = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closed(value)]));
  return 'properties' in part ? { ...inner, additionalProperties: false } : inner;
}
