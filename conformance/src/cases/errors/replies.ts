import assert from 'node:assert/strict';
import type { Context } from '../../core/context.ts';
import { rawGet, type RawReply, type RawRequest } from '../../tools/raw-get.ts';

/** The four formats (ERR-072). */
export const mediaTypes = ['text/html', 'application/json', 'application/problem+json', 'text/markdown'] as const;
export type MediaType = (typeof mediaTypes)[number];

/** Returns the path that shows the reply of a code (ERR-092). */
export const routeOf = (code: number | string): string => `/cdn-cgi/error/${code}`;

/** A complete reply of the zone. */
export interface ErrorReply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** The type before any `;`, in lower case; empty if the header is absent. */
  readonly type: string;
}

/** Requests a path of the zone, or any absolute URL. */
export async function ask(t: Context, path: string, init: RequestInit = {}): Promise<ErrorReply> {
  const reply = await t.fetch(path.startsWith('/') ? t.zone + path : path, init);
  return whole(reply.status, reply.headers, new Uint8Array(await reply.arrayBuffer()));
}

/** Requests a path of the zone in a format. */
export async function askFor(t: Context, path: string, accept: string, init: RequestInit = {}): Promise<ErrorReply> {
  return await ask(t, path, { ...init, headers: { ...(init.headers as Record<string, string>), accept } });
}

/** Converts a reply of a separate connection. */
export function fromRaw({ status, headers, body }: RawReply): ErrorReply {
  return whole(status, headers, body);
}

/** Requests 1020 in a format, with any host and any headers. */
export async function askAs(t: Context, accept: string, request: RawRequest): Promise<ErrorReply> {
  const headers = [['Accept', accept] as const, ...(request.headers ?? [])];
  return fromRaw(await rawGet(t.zone, routeOf(1020), { ...request, headers }));
}

/** Ends the case unless the zone answers for any host. A proxy that rejects hosts may answer with its own error. */
export async function demandAnyHost(t: Context): Promise<void> {
  const { status, type, text } = await askAs(t, 'application/json', { host: 'shop.example' });
  if (type !== 'application/json' || !/"error_code":\s*1020\b/.test(text)) {
    t.skip(`needs a service that takes any Host: shop.example is answered ${status}`);
  }
}

function whole(status: number, headers: Headers, bytes: Uint8Array): ErrorReply {
  const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return { status, headers, bytes, text: Buffer.from(bytes).toString(), type };
}

/** Returns true if a server rejected a request because of the length of this header (RFC 9110, section 5.4). */
export function isTooLong(header: string, { status }: ErrorReply): boolean {
  return header.length > 4096 && [400, 413, 431].includes(status);
}

/** Requests in flight at once. */
const abreast = 8;

/**
 * Runs work for each item, a few at a time, and returns the results.
 *
 * @throws the first error.
 */
export async function forEach<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(abreast, items.length) }, worker));
  return results;
}

/** The parsed JSON form, with members in order. */
export type Members = Readonly<Record<string, unknown>>;

/** Asserts that a reply is an object in JSON. */
export function membersOf(reply: ErrorReply, what: string): Members {
  let value: unknown;
  try {
    value = JSON.parse(reply.text);
  } catch {
    assert.fail(`${what}: expected JSON, got ${reply.status} ${reply.text.slice(0, 200)}`);
  }
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), `${what}: expected one object`);
  return value as Members;
}

/** Returns the ray id in the header of a reply (ERR-076). */
export function rayIdOf(t: Context, { headers }: ErrorReply, what: string): string {
  const value = headers.get(t.dialect.requestIdHeader) ?? '(none)';
  assert.match(value, /^[0-9a-f]{16}-[A-Z]{3}$/, `${what}: expected a ray id in ${t.dialect.requestIdHeader}`);
  return value.slice(0, 16);
}

/** Asserts that a body has the form of its media type. */
export function assertForm(reply: ErrorReply, what: string): void {
  const first = reply.text.slice(0, 60);
  switch (reply.type) {
    case 'text/html':
      return assert.match(first, /^<!doctype html>/i, `${what}: expected an HTML document`);
    case 'text/markdown':
      return assert.match(first, /^(?:---\n|# )/, `${what}: expected Markdown`);
    default:
      membersOf(reply, what);
  }
}
