import assert from 'node:assert/strict';
import type { Context, RestReply } from '../../../core/context.ts';
import { shown } from '../../../steps/replies.ts';

/** A refusal of tagging, by its row in section 14 or in `repositories.md`. */
export interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

const refusal = (status: number, code: number, message: string): Refusal => ({ status, code, message });

export type RefusalName =
  | 'setPayload'
  | 'resourceMissing'
  | 'resourceType'
  | 'filterForm'
  | 'keyMissing'
  | 'tooManyFilters'
  | 'keyTooLong'
  | 'valueTooLong'
  | 'tooManyValues'
  | 'invalidKey'
  | 'deletePayload'
  | 'cursor'
  | 'noMatch'
  | 'authentication'
  | 'permission'
  | 'noRoute'
  | 'noMethod'
  | 'mediaType'
  | 'bodyTooLarge'
  | 'rate';

/** TAG-154 to TAG-170 without parameters. */
export const refusals: Readonly<Record<RefusalName, Refusal>> = {
  setPayload: refusal(400, 1002, 'Invalid set payload'),
  resourceMissing: refusal(400, 1003, 'resource_type and resource_id are required'),
  resourceType: refusal(400, 1006, 'Invalid resource type'),
  filterForm: refusal(400, 1007, 'tag parameter must be in format...'),
  keyMissing: refusal(400, 1009, 'tag_key is required'),
  tooManyFilters: refusal(400, 1010, 'too many tag filters (maximum 20)'),
  keyTooLong: refusal(400, 1011, 'tag key too long (maximum 256 characters)'),
  valueTooLong: refusal(400, 1012, 'tag value too long (maximum 1024 characters)'),
  tooManyValues: refusal(400, 1013, 'too many OR values in tag filter (maximum 10)'),
  invalidKey: refusal(400, 1014, 'Invalid tag key'),
  deletePayload: refusal(400, 1015, 'Invalid delete payload'),
  cursor: refusal(400, 10100, 'Invalid cursor'),
  noMatch: refusal(412, 10412, 'etag does not match'),
  authentication: refusal(401, 10000, 'Authentication error'),
  permission: refusal(403, 10000, 'Insufficient permission'),
  noRoute: refusal(404, 7003, 'No route for the URI'),
  noMethod: refusal(405, 7001, 'Method not available for the URI'),
  mediaType: refusal(415, 10415, 'Unsupported media type'),
  bodyTooLarge: refusal(413, 10413, 'Request body too large'),
  rate: refusal(429, 10429, 'Rate limit exceeded'),
};

/** TAG-166. */
export function badParameter(name: string): Refusal {
  return refusal(400, 10100, `Invalid query parameter: ${name}`);
}

/** TAG-142, TAG-143. */
export function tooManyTags(maximum: number): Refusal {
  return refusal(400, 10110, `too many tags (maximum ${maximum})`);
}

/** Reasons of the failures of tagging that one code has, by the table of section 14. */
const reasons: Readonly<Record<number, string>> = {
  1002: 'invalid_set_payload',
  1003: 'resource_required',
  1006: 'invalid_resource_type',
  1007: 'invalid_tag_filter',
  1009: 'tag_key_required',
  1010: 'too_many_tag_filters',
  1011: 'tag_key_too_long',
  1012: 'tag_value_too_long',
  1013: 'too_many_filter_values',
  1014: 'invalid_tag_key',
  1015: 'invalid_delete_payload',
  10200: 'resource_not_found',
  10412: 'etag_mismatch',
};

/** Asserts the reason of a failure that tagging alone has, and that a client need not retry (REPO-298, REPO-299). */
export function assertReason(reply: RestReply, { code, message }: Refusal, what: string): void {
  const ofParameter = message === refusals.cursor.message ? 'invalid_cursor' : 'invalid_parameter';
  const reason = code === refusals.cursor.code ? ofParameter : reasons[code];
  if (reason === undefined) return;
  const [item] = reply.json.errors;
  assert.deepEqual([item.reason, item.retryable], [reason, false], `${what}: expected this reason`);
}

/** Returns the refusal of a filter, by its code. */
export function filterRefusal(code: number): Refusal {
  const found = Object.values(refusals).find((one) => one.code === code);
  assert.ok(found, `no refusal has the code ${code}`);
  return found;
}

/** Asserts status, envelope and the one error of a reply. `what` describes the request. */
export function assertRefusal(reply: RestReply, { status, code, message }: Refusal, what: string): void {
  assert.equal(reply.status, status, `${what}: expected ${status} with ${code} ${message}, got ${shown(reply)}`);
  const { code: itsCode, message: itsMessage } = onlyError(reply, what);
  assert.deepEqual([itsCode, itsMessage], [code, message], `${what}: expected this error`);
}

/** Returns the one error of a reply in the envelope of a failure (TAG-021, TAG-022). */
export function onlyError(reply: RestReply, what: string): Pick<Refusal, 'code' | 'message'> {
  const { result, success, errors } = reply.json ?? {};
  assert.deepEqual(
    { result, success },
    { result: null, success: false },
    `${what}: expected the envelope of a failure`,
  );
  assert.ok(Array.isArray(errors) && errors.length === 1, `${what}: expected exactly one error, got ${shown(reply)}`);
  return errors[0];
}

/** Sends a request and asserts its refusal. */
export async function refuses(
  t: Context,
  [method, path, body]: readonly [method: string, path: string, body?: unknown],
  expected: Refusal,
): Promise<void> {
  const reply = await t.tags(method, path, body === undefined ? {} : { body });
  const sent = body === undefined ? '' : ` ${JSON.stringify(body).slice(0, 200)}`;
  assertRefusal(reply, expected, `${method} ${path.slice(0, 200)}${sent}`);
}
