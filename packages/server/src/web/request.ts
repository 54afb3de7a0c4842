import type { Client } from '../http/client.ts';
import { UnservableRequestError } from '../http/plain-reply.ts';
import { requestBody, type RequestBody } from '../http/request-body.ts';
import { checkHost } from '../http/request-target.ts';

/** What {@link fromRuntime} makes of a runtime's request. */
export interface HandedRequest {
  readonly request: Request;
  readonly body: RequestBody | undefined;
}

/**
 * A runtime's request as the service takes it: with a URL also where HTTP/1.0 left out the host, with a `signal` of
 * ours, and with a body that is counted.
 *
 * @throws {UnservableRequestError} for a `Host` that is none, or a target that is no path.
 */
export function fromRuntime(given: Request, client: Client, fallbackHost: string): HandedRequest {
  const host = given.headers.get('host');
  // HTTP/2 has none: there the runtime has made the URL of the authority.
  if (host !== null) checkHost(host);
  const request = withUrl(given, fallbackHost);
  const body = request.body === null ? undefined : countedBody(request.body, client);
  if (body !== undefined) Object.defineProperty(request, 'body', { value: body.stream, configurable: true });
  // What the runtimes mean by theirs differs: Deno's also fires once a reply is complete.
  client.signalOn(request);
  return { request, body };
}

/** Only what was asked for is given back: the runtime itself takes in, or cuts, what was not read. */
function countedBody(given: ReadableStream<Uint8Array>, client: Client): RequestBody {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return requestBody(
    {
      async read() {
        reader ??= given.getReader();
        return (await reader.read()).value;
      },
      cancel: (reason) => reader?.cancel(reason).catch(() => undefined),
    },
    client,
  );
}

/** The path of a request for the log: without query, user and password. Empty if it has none. */
export function pathOf(given: Request): string {
  try {
    return new URL(given.url, 'http://host.invalid').pathname;
  } catch {
    return '';
  }
}

function withUrl(given: Request, fallbackHost: string): Request {
  let url: string;
  try {
    url = given.url;
    if (/^https?:\/\//i.test(url) && URL.canParse(url)) return given;
  } catch {
    url = '';
  }
  if (!url.startsWith('/')) throw new UnservableRequestError(400, 'Malformed request target');
  const { method, headers, body } = given;
  const init: RequestInit & { duplex: 'half' } = { method, headers, body, duplex: 'half' };
  return new Request(`http://${fallbackHost}${url}`, init);
}
