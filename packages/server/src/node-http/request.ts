import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { UnservableRequestError } from '../http/plain-reply.ts';
import { checkHost, targetPath } from '../http/request-target.ts';

/**
 * Turns Node's request into a Fetch `Request` with the body of `makeBody`. GET and HEAD get no body, because their
 * content has no meaning (RFC 9110 §9.3.1). `fallbackHost` replaces the `Host` header, which HTTP/1.0 may omit.
 *
 * @throws {UnservableRequestError} for a malformed or repeated `Host` (RFC 9112 §3.2), or a target without a path.
 */
export function fromIncoming(
  incoming: IncomingMessage,
  fallbackHost: string,
  makeBody: () => ReadableStream<Uint8Array>,
): Request {
  const method = incoming.method ?? 'GET';
  const scheme = (incoming.socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http';

  const headers = new Headers();
  const raw = incoming.rawHeaders;
  try {
    for (let index = 0; index + 1 < raw.length; index += 2)
      headers.append(raw[index] as string, raw[index + 1] as string);
  } catch {
    throw new UnservableRequestError(400, 'Malformed header');
  }
  // Not `incoming.headers.host`, which is only the first of several.
  const host = headers.get('host') ?? fallbackHost;
  checkHost(host);

  const takesBody = method !== 'GET' && method !== 'HEAD' && method !== 'TRACE';
  const forbidden = method === 'TRACE' || method === 'CONNECT';
  const init: RequestInit & { duplex: 'half' } = {
    method: forbidden ? 'GET' : method,
    headers,
    body: takesBody ? makeBody() : null,
    duplex: 'half',
  };
  let request: Request;
  try {
    request = new Request(`${scheme}://${host}${targetPath(targetOf(incoming))}`, init);
  } catch {
    throw new UnservableRequestError(400, 'Malformed request target');
  }
  // `Request` rejects TRACE and CONNECT, so the method is overridden; the router answers 405.
  if (forbidden) Object.defineProperty(request, 'method', { value: method, configurable: true });
  return request;
}

/** Returns the request target as the client sent it. Express removes the mount path of a handler from `url`. */
export function targetOf(incoming: IncomingMessage & { readonly originalUrl?: string }): string {
  return incoming.originalUrl ?? incoming.url ?? '/';
}
