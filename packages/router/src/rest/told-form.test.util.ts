import { operations } from './operations.ts';
import { failureSchema, successSchema } from './openapi/schemas.ts';

/** What an operation of this path answers in the envelope, by its status, as the OpenAPI document has it. */
function toldSchema(method: string, path: string, status: number) {
  const [segments = ''] = path.split('?');
  const operation = operations.find(
    (one) =>
      one.method === method.toLowerCase() &&
      new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`, 'u').test(segments),
  );
  if (operation?.status !== status || operation.bytes !== undefined) return failureSchema;
  return operation.result === undefined ? undefined : successSchema(operation.result, operation.info);
}

/** REPO-012, REPO-029: throws unless a reply has the members that the OpenAPI document tells of, and no others. */
export function expectTold(method: string, path: string, status: number, json: unknown): void {
  const told = toldSchema(method, path, status)?.parse(json);
  // What is not told of is left out by `parse`.
  if (JSON.stringify(sorted(told)) !== JSON.stringify(sorted(json))) {
    throw new Error(`${method} ${path}: ${JSON.stringify(json)} has more than the document tells of`);
  }
}

/** Members in one order, whatever order they came in. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
