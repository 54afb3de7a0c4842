import assert from 'node:assert/strict';
import type { Context, RestReply } from '../core/context.ts';
import { assertReason } from './reasons.ts';

/** The expected failure of a control plane request. */
export interface Failure {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  /** The case (REPO-298). Absent: any. */
  readonly reason?: string;
  /** Absent: the failure must have no `source`. */
  readonly pointer?: string;
  /** Absent: the failure must have no `details`. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export type FailureName =
  | 'authentication'
  | 'permission'
  | 'noRoute'
  | 'noMethod'
  | 'mediaType'
  | 'malformed'
  | 'rate'
  | 'namespaceName'
  | 'repoName'
  | 'branchName'
  | 'ttl'
  | 'cursor'
  | 'noNamespace'
  | 'noRepo'
  | 'noToken'
  | 'namespaceExists'
  | 'namespaceNotEmpty'
  | 'readOnly';

/** The failures with their own text (REPO-048, REPO-160 to REPO-171). */
export const failures: Readonly<Record<FailureName, Failure>> = {
  authentication: { status: 401, code: 10000, message: 'Authentication error' },
  permission: { status: 403, code: 10000, message: 'Insufficient permission' },
  noRoute: { status: 404, code: 7003, message: 'No route for the URI' },
  noMethod: { status: 405, code: 7001, message: 'Method not available for the URI' },
  mediaType: { status: 415, code: 10415, message: 'Unsupported media type' },
  malformed: { status: 400, code: 10100, message: 'Malformed JSON body' },
  rate: { status: 429, code: 10429, message: 'Rate limit exceeded' },
  namespaceName: { status: 400, code: 10100, message: 'Invalid namespace name', pointer: '/namespace' },
  repoName: {
    status: 400,
    code: 10101,
    message: 'Invalid repo name: must match /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/',
    pointer: '/name',
  },
  branchName: { status: 400, code: 10100, message: 'Invalid branch name', pointer: '/default_branch' },
  ttl: { status: 400, code: 10103, message: 'ttl must be between 60 and 31536000 seconds', pointer: '/ttl' },
  cursor: { status: 400, code: 10100, message: 'Invalid cursor', pointer: '/cursor' },
  noNamespace: { status: 404, code: 10200, message: 'Namespace not found' },
  noRepo: { status: 404, code: 10200, message: 'Repository not found' },
  noToken: { status: 404, code: 10200, message: 'Token not found' },
  namespaceExists: { status: 409, code: 10201, message: 'Namespace already exists' },
  namespaceNotEmpty: { status: 409, code: 10202, message: 'Namespace is not empty' },
  readOnly: { status: 409, code: 10203, message: 'Repository is read-only' },
};

/** Returns the failure of a body above a limit (REPO-041, REPO-309). */
export function bodyTooLarge(limit: number): Failure {
  return { status: 413, code: 10413, message: 'Request body too large', details: { limit } };
}

/** Returns the failure for an invalid field whose text is one of the forms of REPO-048. */
export function badField(field: string, message: string): Failure {
  return { status: 400, code: 10100, message, pointer: `/${field}` };
}

/** Returns the failure of a change that another value of a ref hinders (REPO-247). */
export function staleRef(head: string | null, pointer?: string): Failure {
  const pointed = pointer === undefined ? {} : { pointer };
  return { status: 409, code: 10204, message: 'The ref has another value', ...pointed, details: { head } };
}

/** Returns the failure of a change that a rule forbids (REPO-247, REPO-255). */
export function refusedUpdate(why: string, pointer?: string): Failure {
  const pointed = pointer === undefined ? {} : { pointer };
  const usual = pointer?.startsWith('/changes/') === true ? 'change_refused' : 'ref_refused';
  const reason = reasons[why] ?? usual;
  return { status: 409, code: 10205, message: `The update was refused: ${why}`, reason, ...pointed };
}

/** Refusals of updates with a separate reason (REPO-298). */
const reasons: Readonly<Record<string, string>> = {
  'non-fast-forward': 'non_fast_forward',
  'nothing to commit': 'nothing_to_commit',
  'the idempotency key was used for another commit': 'idempotency_key_reused',
};

/** Returns the failure for a repo name that is taken; `name` as sent (REPO-112). */
export function repoExists(name: string): Failure {
  return { status: 409, code: 10201, message: `repo already exists: ${name}` };
}

/** Members of an error item that go beyond the public service (REPO-298 to REPO-300). */
export const adviceMembers: readonly string[] = ['reason', 'retryable', 'hint'];

/** Asserts a complete failure: status, envelope and first item (REPO-034, REPO-035). `what` describes the request. */
export function assertFailure(t: Pick<Context, 'dialect'>, reply: RestReply, expected: Failure, what: string): void {
  const { status, code, message, reason, pointer, details } = expected;
  assert.equal(reply.status, status, `${what}: expected ${status} ${message}, got ${shown(reply)}`);
  assert.equal(reply.headers.get('content-type'), 'application/json', `${what}: expected a JSON reply`);
  const { errors, ...envelope } = reply.json ?? {};
  const failed = { result: null, success: false, messages: [] };
  assert.deepEqual(envelope, failed, `${what}: expected the envelope of a failure, got ${shown(reply)}`);
  assert.ok(Array.isArray(errors) && errors.length > 0, `${what}: expected at least one error`);
  const { documentation_url: link, ...rest } = errors[0];
  const item = Object.fromEntries(Object.entries(rest).filter(([name]) => !adviceMembers.includes(name)));
  const wanted = { code, message, ...(pointer !== undefined && { source: { pointer } }), ...(details && { details }) };
  assert.deepEqual(item, wanted, `${what}: expected this first error`);
  if (reason !== undefined) assert.equal(rest.reason, reason, `${what}: expected the reason`);
  assertReason(rest, code, status, what);
  assert.match(link, t.dialect.errorDocumentation(code), `${what}: expected the documentation address of ${code}`);
}

/** Asserts the status and envelope of a success, and returns its `result`. `what` describes the request. */
// A case knows which shape it asked for, and asserts it.
// oxlint-disable-next-line typescript/no-explicit-any
export function assertSuccess(reply: RestReply, status: number, what: string): any {
  assert.equal(reply.status, status, `${what}: expected ${status}, got ${shown(reply)}`);
  assert.equal(reply.headers.get('content-type'), 'application/json', `${what}: expected a JSON reply`);
  const { result, result_info: _, ...rest } = reply.json ?? {};
  const envelope = { success: true, errors: [], messages: [] };
  assert.deepEqual(rest, envelope, `${what}: expected the envelope of a success, got ${shown(reply)}`);
  return result;
}

/** Describes a reply briefly, for messages. */
export function shown({ status, text }: RestReply): string {
  return `${status} ${text.length > 300 ? `${text.slice(0, 300)}...` : text}`;
}

/** Sends a request and asserts its failure. */
export async function assertRefused(
  t: Context,
  [method, path, body]: readonly [method: string, path: string, body?: unknown],
  expected: Failure,
): Promise<RestReply> {
  const reply = await t.rest(method, path, body === undefined ? {} : { body });
  const sent = body === undefined ? '' : ` ${JSON.stringify(body).slice(0, 200)}`;
  assertFailure(t, reply, expected, `${method} ${path.slice(0, 200)}${sent}`);
  return reply;
}
