/** The table of reasons of docs/specification/repositories.md (REPO-298, REPO-299, BIND-114). */

import assert from 'node:assert/strict';

/** Releases may add reasons, so others are allowed. A message stands where it has no other reason. */
const rows: readonly (readonly [code: number, status: number, reason: string, message?: string])[] = [
  [10000, 401, 'authentication_failed', 'Authentication error'],
  [10000, 403, 'permission_denied', 'Insufficient permission'],
  [7003, 404, 'route_not_found', 'No route for the URI'],
  [7001, 405, 'method_not_allowed', 'Method not available for the URI'],
  [10413, 413, 'body_too_large', 'Request body too large'],
  [10415, 415, 'unsupported_media_type', 'Unsupported media type'],
  [10429, 429, 'rate_limited', 'Rate limit exceeded'],
  [10100, 400, 'malformed_json', 'Malformed JSON body'],
  [10100, 400, 'invalid_input', 'Invalid cursor'],
  [10101, 400, 'invalid_repo_name'],
  [10103, 400, 'invalid_ttl'],
  [10104, 400, 'invalid_url'],
  [10106, 422, 'remote_auth_required'],
  [10200, 404, 'namespace_not_found', 'Namespace not found'],
  [10200, 404, 'repo_not_found', 'Repository not found'],
  [10200, 404, 'token_not_found', 'Token not found'],
  [10200, 404, 'ref_not_found', 'Ref not found'],
  [10200, 404, 'commit_not_found', 'Commit not found'],
  [10200, 404, 'tree_not_found', 'Tree not found'],
  [10200, 404, 'blob_not_found', 'Blob not found'],
  [10200, 404, 'file_not_found', 'File not found'],
  [10200, 404, 'object_not_found', 'Object not found'],
  [10200, 404, 'remote_not_found', 'Remote repository not found'],
  [10200, 404, 'remote_branch_not_found', 'Remote branch not found'],
  [10201, 409, 'namespace_exists', 'Namespace already exists'],
  [10201, 409, 'repo_exists'],
  [10202, 409, 'namespace_not_empty', 'Namespace is not empty'],
  [10203, 409, 'repo_read_only', 'Repository is read-only'],
  [10204, 409, 'stale_ref', 'The ref has another value'],
  [10205, 409, 'ref_refused'],
  [10205, 409, 'non_fast_forward'],
  [10205, 409, 'nothing_to_commit'],
  [10205, 409, 'change_refused'],
  [10205, 409, 'idempotency_key_reused'],
  [10206, 409, 'merge_conflict', 'The merge has conflicts'],
  [10207, 409, 'too_many_api_tokens'],
  [10301, 409, 'repo_creating'],
  [10302, 409, 'repo_importing', 'Repository import in progress'],
  [10303, 409, 'repo_forking', 'Repository fork in progress'],
  [10305, 409, 'namespace_deleting'],
  [10402, 413, 'memory_limit'],
  [10503, 503, 'overloaded'],
  [10507, 507, 'storage_full'],
  [10503, 503, 'storage_gone'],
  [10402, 413, 'import_too_large', 'The repository exceeds the import limits'],
  [10401, 502, 'upstream_unavailable'],
  [10400, 500, 'internal_error'],
];

const retryable: ReadonlySet<string> = new Set([
  'rate_limited',
  'repo_creating',
  'repo_importing',
  'repo_forking',
  'namespace_deleting',
  'overloaded',
  'storage_gone',
  'upstream_unavailable',
]);

/**
 * Asserts that a failure has the reason of its message, and a reason that the table has for its code. Accepts a failure
 * without a reason, since the public service has none.
 *
 * @param status absent for a failure of the binding.
 */
export function assertReason(
  failure: { readonly reason?: unknown; readonly retryable?: unknown; readonly message?: unknown },
  code: number,
  status: number | undefined,
  what: string,
): void {
  const { reason, message } = failure;
  if (reason === undefined) return;
  const named = rows.find((row) => row[3] !== undefined && row[3] === message);
  if (named !== undefined) assert.equal(reason, named[2], `${what}: expected the reason of this message`);
  const known = rows.find((row) => row[2] === reason);
  if (known === undefined) return;
  const seen = [code, status ?? known[1], failure.retryable];
  assert.deepEqual(seen, [known[0], known[1], retryable.has(known[2])], `${what}: expected the row of ${known[2]}`);
}
