import { dropConnectionHeaders } from './connection-headers.ts';
import { userAgent } from './user-agent.ts';

/** Members of `init` that `Request` uses; other members belong to the runtime's `fetch`. */
const ofRequest =
  /^(?:body|cache|credentials|duplex|headers|integrity|keepalive|method|mode|priority|redirect|referrer|referrerPolicy|signal|window)$/;

/** A request to an origin, with its client's signal, which may also end it. */
export interface OriginRequest {
  readonly request: Request;
  readonly client: AbortSignal | null;
  /** Additional `init` for `fetch`. */
  readonly init: RequestInit;
}

/**
 * Makes a request to an origin from the arguments of `fetch`. It does not follow redirects, allows a stream as body,
 * drops headers about the client's connection, and asks for a reply that can be passed on.
 *
 * @throws TypeError if the arguments are invalid.
 */
export function toOriginRequest(input: Request | URL | string, init: RequestInit, own: AbortSignal): OriginRequest {
  // A `Request` passed as `init` cannot be spread, since its members are those of its class, in any realm.
  const [from, more] = 'clone' in init ? [new Request(input, init), {}] : [input, init];
  const client = more.signal === undefined ? signalOf(from) : more.signal;
  const signal = client === null ? own : AbortSignal.any([client, own]);
  const request = new Request(from, { duplex: 'half', ...more, redirect: 'manual', signal } as RequestInit);
  dropConnectionHeaders(request.headers);
  askForReadableBody(request.headers);
  const rest = Object.entries(more).filter(([name]) => !ofRequest.test(name));
  return { request, client, init: { ...Object.fromEntries(rest), redirect: 'manual', signal } };
}

function signalOf(input: Request | URL | string): AbortSignal | null {
  return typeof input === 'object' && 'signal' in input ? input.signal : null;
}

/** Deno drops `Content-Encoding` from what it unpacks; workerd unpacks nothing that is only passed on. */
const truthful = /^(?:Deno\/|Cloudflare-Workers)/;

/**
 * Asks for a body without compression where `fetch` decompresses it but keeps the header, as on Node and Bun: a client
 * that gets such a response could not read it.
 */
function askForReadableBody(headers: Headers): void {
  if (!truthful.test(userAgent())) headers.set('Accept-Encoding', 'identity');
}
