import { PlatformError } from '@packhouse/problem-details';

/** Marks message text that clients must not see. */
export const secret = 'SECRET';

/** An exception with its own response, as in other frameworks. */
class Teapot extends Error {
  getResponse(): Response {
    return new Response('short and stout', { status: 418, headers: { 'x-pot': 'tea', vary: 'X-Pot' } });
  }
}

class BadTeapot extends Error {
  getResponse(): Response {
    throw new Error(`${secret}: no pot`);
  }
}

/** Makes an error like a second copy of the package in the same bundle. */
function ofOtherCopy(code: number): Error {
  const brand = Symbol.for('@packhouse/problem-details/platform-error');
  return Object.assign(new Error('of another copy'), { code, [brand]: true });
}

async function usedResponse(): Promise<Response> {
  const response = new Response('used');
  await response.text();
  return response;
}

function lockedResponse(): Response {
  const response = new Response('locked');
  response.body?.getReader();
  return response;
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** Thrown values, by the name of their path. */
export const thrown: Readonly<Record<string, () => unknown>> = {
  'platform-error': () => new PlatformError(1015),
  'retry-after': () => new PlatformError(1015, { retryAfter: 7 }),
  'retry-after-on-1020': () => new PlatformError(1020, { retryAfter: 7 }),
  'platform-error-with-cause': () => new PlatformError(502, { cause: new Error(secret) }),
  'own-code': () => new PlatformError(2404, { extensions: { x_page: 'none' } }),
  'other-copy': () => ofOtherCopy(1020),
  'unknown-code': () => new PlatformError(4711),
  'no-code': () => ofOtherCopy(undefined as never),
  teapot: () => new Teapot('not shown'),
  'bad-teapot': () => new BadTeapot(`${secret} teapot`),
  response: () => new Response('thrown as it is', { status: 403, headers: { 'x-thrown': 'yes' } }),
  'used-response': usedResponse,
  'locked-response': lockedResponse,
  // The response of a failed `fetch`.
  'response-of-failure': () => Response.error(),
  error: () => new Error(`${secret} error`),
  'type-error': () => new TypeError(`${secret} type error`),
  'frozen-error': () => Object.freeze(new Error(`${secret} frozen`)),
  'error-of-a-client': () => Object.assign(new Error(`${secret} of a client`), { response: new Response(secret) }),
  string: () => `${secret} string`,
  undefined: () => undefined,
  null: () => null,
  number: () => 42,
  symbol: () => Symbol(`${secret} symbol`),
  object: () => ({ why: `${secret} object` }),
  revoked,
};
