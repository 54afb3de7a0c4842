import type { Context, RestOptions, RestReply } from '../core/context.ts';
import { replyOf } from '../tools/reply-of.ts';

/** Sends a request to the control plane. A body is JSON unless `headers` say otherwise. */
export async function sendRest(
  context: Pick<Context, 'base' | 'apiToken' | 'fetch'>,
  method: string,
  path: string,
  { body, headers = {}, untyped = false, token = context.apiToken, base = context.base }: RestOptions,
): Promise<RestReply> {
  const sent = new Headers(headers);
  if (token !== null && !sent.has('authorization')) sent.set('authorization', `Bearer ${token}`);
  if (body !== undefined && !untyped && !sent.has('content-type')) sent.set('content-type', 'application/json');
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await context.fetch(base + path, {
    method,
    headers: sent,
    ...(body === undefined ? {} : { body: raw ? (body as BodyInit) : JSON.stringify(body) }),
  });
  return replyOf(response, await response.text());
}
