import { dropConnectionHeaders } from './connection-headers.ts';
import { userAgent } from './user-agent.ts';

/** Members of `init` that a `Request` takes over; what else there is belongs to the runtime's `fetch`. */
const ofRequest =
  /^(?:body|cache|credentials|duplex|headers|integrity|keepalive|method|mode|priority|redirect|referrer|referrerPolicy|signal|window)$/;

/** A request for an origin, with its client's signal, which may end it beside ours. */
export interface OriginRequest {
  readonly request: Request;
  readonly client: AbortSignal | null;
  /** For `fetch` beside the request. */
  readonly init: RequestInit;
}

/**
 * The request that the arguments of `fetch` make, for an origin: redirects are not followed, a body may be a stream,
 * headers about the connection that it came by are dropped, and the reply is to be one that can be passed on.
 *
 * @throws TypeError if they make none.
 */
export function toOriginRequest(input: Request | URL | string, init: RequestInit, own: AbortSignal): OriginRequest {
  // A request in place of `init` has nothing to spread, whatever realm it is of: its members are those of its class.
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
 * Asks for a body that is not compressed, where `fetch` would unpack it and leave the header that says otherwise, as Node
 * and Bun do: whoever gets such a response passed on cannot read it.
 */
function askForReadableBody(headers: Headers): void {
  if (!truthful.test(userAgent())) headers.set('Accept-Encoding', 'identity');
}
