import { textResponse } from '@packhouse/base';

/** Headers of every reply of a Git route, which forbid caching (GIT-014). */
export const uncached: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache, max-age=0, must-revalidate',
  pragma: 'no-cache',
  expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
};

/**
 * Makes a reply that refuses a request by its HTTP status. Its body is one text, which Git shows to the user (GIT-007).
 */
export function refusal(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response {
  return textResponse(text, {
    status,
    headers: { ...uncached, 'content-type': 'text/plain; charset=utf-8', ...headers },
  });
}

/** Makes the reply to a successful request (GIT-009). */
export function success(contentType: string, body: ReadableStream<Uint8Array> | Uint8Array): Response {
  return new Response(body as BodyInit, { status: 200, headers: { ...uncached, 'content-type': contentType } });
}
