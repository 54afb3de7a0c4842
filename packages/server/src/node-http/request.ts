import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { UnservableRequestError } from '../http/plain-reply.ts';
import { checkHost, targetPath } from '../http/request-target.ts';
import { requestBody, type RequestBody, type Silence } from './request-body.ts';

/** What {@link fromIncoming} makes of a Node request. */
export interface BridgedRequest {
  readonly request: Request;
  /** Absent for GET and HEAD, whose content has no meaning (RFC 9110 §9.3.1). */
  readonly body: RequestBody | undefined;
}

/**
 * Turns Node's request into a Fetch `Request` whose body streams with backpressure. Its `signal` fires when the client
 * goes away. `fallbackHost` stands in for the `Host` header that HTTP/1.0 may leave out.
 *
 * @throws {UnservableRequestError} for a `Host` that is none, or several (RFC 9112 §3.2), or a target that is no path.
 */
export function fromIncoming(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: {
    readonly signal: () => AbortSignal;
    readonly fallbackHost: string;
    readonly expectsContinue: boolean;
    readonly silence: Silence;
  },
): BridgedRequest {
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
  // Not `incoming.headers.host`, which is the first of several.
  const host = headers.get('host') ?? options.fallbackHost;
  checkHost(host);

  const takesBody = method !== 'GET' && method !== 'HEAD' && method !== 'TRACE';
  const continueOn = options.expectsContinue ? outgoing : undefined;
  const body = takesBody ? requestBody(incoming, continueOn, options.silence) : undefined;
  const forbidden = method === 'TRACE' || method === 'CONNECT';
  const init: RequestInit & { duplex: 'half' } = {
    method: forbidden ? 'GET' : method,
    headers,
    body: body?.stream ?? null,
    duplex: 'half',
  };
  let request: Request;
  try {
    request = new Request(`${scheme}://${host}${targetPath(incoming.url ?? '/')}`, init);
  } catch {
    throw new UnservableRequestError(400, 'Malformed request target');
  }
  // Made when asked for: a signal given to the constructor costs every small request a third of its time.
  Object.defineProperty(request, 'signal', { get: options.signal, configurable: true });
  // Fetch forbids to make such a request; whoever owns the address still answers it, with 405.
  if (forbidden) Object.defineProperty(request, 'method', { value: method, configurable: true });
  return { request, body };
}
