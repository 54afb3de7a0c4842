import { textResponse } from '@packhouse/base';

/** Sent with every reply of a Git route (GIT-014). */
export const uncached: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache, max-age=0, must-revalidate',
  pragma: 'no-cache',
  expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
};

/** A refusal by HTTP status: the text alone, which Git shows to its user (GIT-007). */
export function refusal(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response {
  return textResponse(text, {
    status,
    headers: { ...uncached, 'content-type': 'text/plain; charset=utf-8', ...headers },
  });
}

/** A success (GIT-009). */
export function success(contentType: string, body: ReadableStream<Uint8Array> | Uint8Array): Response {
  return new Response(body as BodyInit, { status: 200, headers: { ...uncached, 'content-type': contentType } });
}
