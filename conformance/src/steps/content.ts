/** Content reads of one repo over REST. */

import assert from 'node:assert/strict';
import type { Context, RestReply, TestRepo } from '../core/context.ts';
import { assertSuccess } from './replies.ts';
import type { ShownCommit, ShownEntry } from '../core/shown-content.ts';
import { same } from '../tools/same.ts';

export interface ByteReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

export interface ByteOptions {
  readonly method?: 'GET' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the path of a repo below the account. */
export function pathOf({ namespace, name }: Pick<TestRepo, 'namespace' | 'name'>): string {
  return `/namespaces/${namespace}/repos/${name}`;
}

/** Reads a resource below a repo, such as `/log`, whose reply is an envelope. */
export async function readJson(t: Context, repo: TestRepo, path: string): Promise<RestReply> {
  return t.rest('GET', `${pathOf(repo)}${path}`);
}

/** Reads a resource below a repo whose reply is bytes. */
export async function readBytes(
  t: Context,
  repo: Pick<TestRepo, 'namespace' | 'name'>,
  path: string,
  { method = 'GET', headers = {} }: ByteOptions = {},
): Promise<ByteReply> {
  const response = await t.fetch(`${t.base}${pathOf(repo)}${path}`, {
    method,
    headers: { authorization: `Bearer ${t.apiToken}`, ...headers },
  });
  return {
    status: response.status,
    headers: response.headers,
    body: Buffer.from(await response.arrayBuffer()),
  };
}

/**
 * Returns the commits of a log.
 *
 * @param query such as `ref=main&limit=2`.
 * @throws unless the reply is 200.
 */
export async function logOf(t: Context, repo: TestRepo, query = ''): Promise<readonly ShownCommit[]> {
  const reply = await readJson(t, repo, `/log${query === '' ? '' : `?${query}`}`);
  const result = assertSuccess(reply, 200, `GET log?${query}`) as readonly ShownCommit[];
  assert.ok(!('result_info' in reply.json), 'A log has no result_info.');
  return result;
}

/**
 * Returns a commit.
 *
 * @throws unless the reply is 200.
 */
export async function commitOf(t: Context, repo: TestRepo, hash: string): Promise<ShownCommit> {
  return assertSuccess(await readJson(t, repo, `/commit/${hash}`), 200, `GET commit/${hash}`) as ShownCommit;
}

/**
 * Returns the entries of a tree.
 *
 * @throws unless the reply is 200.
 */
export async function treeOf(t: Context, repo: TestRepo, hash: string): Promise<readonly ShownEntry[]> {
  return assertSuccess(await readJson(t, repo, `/tree/${hash}`), 200, `GET tree/${hash}`) as readonly ShownEntry[];
}

/** Expects a reply of bytes with all common headers; the caller checks its type (REPO-146, REPO-150, REPO-151). */
export function expectBytes(reply: ByteReply, hash: string, content: Uint8Array, what: string): void {
  assert.equal(reply.status, 200, `${what}: expected 200, got ${reply.body.subarray(0, 200).toString()}`);
  const told = headersOf(reply);
  // Bun sends no length with a long streamed reply, even if one is set.
  const isLong = content.length > 1024 * 1024 && reply.headers.get('transfer-encoding') === 'chunked';
  const headers = contentHeaders(hash, content.length);
  same(told, isLong ? { ...headers, 'content-length': null } : headers, `${what}: the headers of a reply of bytes.`);
  assert.ok(reply.body.equals(content), `${what}: expected the ${content.length} bytes of the blob`);
}

const shownHeaders = ['content-length', 'content-security-policy', 'etag', 'x-content-type-options'] as const;

export function headersOf({ headers }: Pick<ByteReply, 'headers'>): Record<string, string | null> {
  return Object.fromEntries(shownHeaders.map((name) => [name, headers.get(name)]));
}

export function contentHeaders(hash: string, size: number): Record<string, string> {
  return {
    'content-length': String(size),
    'content-security-policy': "sandbox; default-src 'none'",
    etag: `"${hash}"`,
    'x-content-type-options': 'nosniff',
  };
}

/** Encodes a path of bytes for a URL: every byte except letters, digits and slashes. */
export function encodedPath(path: Uint8Array): string {
  return Array.from(path, (byte) =>
    /[A-Za-z0-9/]/.test(String.fromCharCode(byte))
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}
