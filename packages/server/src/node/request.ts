import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { requestBody, type RequestBody } from './request-body.ts';

/** A request that HTTP or the Fetch standard does not let through to the handler; answered with `status` and the message. */
export class UnservableRequestError extends Error {
  override readonly name = 'UnservableRequestError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What {@link fromIncoming} makes of a Node request. */
export interface BridgedRequest {
  readonly request: Request;
  /** Absent for GET and HEAD, whose content has no meaning (RFC 9110 §9.3.1). */
  readonly body: RequestBody | undefined;
}

const hostForm = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$/;

/**
 * Turns Node's request into a Fetch `Request` whose body streams with backpressure. Its `signal` fires when the client
 * goes away. `fallbackHost` stands in for the `Host` header that HTTP/1.0 may leave out.
 *
 * @throws {UnservableRequestError} for a `Host` that is none (RFC 9112 §3.2), or a target that is no path.
 */
export function fromIncoming(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: { readonly signal: () => AbortSignal; readonly fallbackHost: string; readonly expectsContinue: boolean },
): BridgedRequest {
  const method = incoming.method ?? 'GET';
  const host = incoming.headers.host ?? options.fallbackHost;
  if (!hostForm.test(host)) throw new UnservableRequestError(400, 'Malformed Host header');
  const scheme = (incoming.socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http';

  const headers = new Headers();
  const raw = incoming.rawHeaders;
  try {
    for (let index = 0; index + 1 < raw.length; index += 2)
      headers.append(raw[index] as string, raw[index + 1] as string);
  } catch {
    throw new UnservableRequestError(400, 'Malformed header');
  }

  const takesBody = method !== 'GET' && method !== 'HEAD' && method !== 'TRACE';
  const body = takesBody ? requestBody(incoming, options.expectsContinue ? outgoing : undefined) : undefined;
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

/** What the log may tell of a request target: its path, without query, user and password. Empty if it has none. */
export function loggedPath(target: string): string {
  if (target === '*') return target;
  try {
    return targetPath(target).replace(/[?#].*$/s, '');
  } catch {
    return '';
  }
}

/** The path and query of a request target: as it stands, or of its absolute form (RFC 9112 §3.2.2). */
function targetPath(target: string): string {
  if (target.startsWith('/')) return target;
  if (/^https?:\/\//i.test(target)) {
    try {
      const url = new URL(target);
      return url.pathname + url.search;
    } catch {
      // Falls through: no URL, no path.
    }
  }
  throw new UnservableRequestError(400, 'Malformed request target');
}
