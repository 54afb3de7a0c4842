import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../http/client.ts';
import { lingerDefaults } from '../http/linger-limits.ts';
import { UnservableRequestError } from '../http/plain-reply.ts';
import { requestBody, type RequestBody } from '../http/request-body.ts';
import { checkHost } from '../http/request-target.ts';

/** A runtime's request as {@link fromRuntime} passes it to the service. */
export interface HandedRequest {
  readonly request: Request;
  readonly body: RequestBody | undefined;
  /**
   * Reads and drops the rest of the body, within the limits of a lingering close. Needed for a runtime that would close
   * the connection while the client still sends, and so lose the reply (RFC 9112 §9.6).
   */
  readonly takeRest: () => Promise<void>;
}

/**
 * Makes a runtime's request ready for the service: completes the URL if HTTP/1.0 omitted the host, replaces the
 * `signal`, and counts the body.
 *
 * @throws {UnservableRequestError} for a malformed `Host`, or a target without a path.
 */
export function fromRuntime(given: Request, client: Client, fallbackHost: string, takesRest: boolean): HandedRequest {
  const host = given.headers.get('host');
  // HTTP/2 has no `Host`: the runtime has made the URL from the authority.
  if (host !== null) checkHost(host);
  const request = withUrl(given, fallbackHost);
  const { body, takeRest = async () => undefined } =
    request.body === null ? {} : countedBody(request.body, client, takesRest);
  if (body !== undefined) Object.defineProperty(request, 'body', { value: body.stream, configurable: true });
  // The runtimes' own signals differ: Deno's also fires once a reply is complete.
  client.signalOn(request);
  return { request, body, takeRest };
}

/** Without `takesRest`, cancels only a body that was read: the runtime drains or cuts an unread one. */
function countedBody(
  given: ReadableStream<Uint8Array>,
  client: Client,
  takesRest: boolean,
): Pick<HandedRequest, 'body' | 'takeRest'> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const giveBack = async (reason?: unknown): Promise<void> => await reader?.cancel(reason).catch(() => undefined);
  const body = requestBody(
    {
      async read() {
        reader ??= given.getReader();
        return (await reader.read()).value;
      },
      cancel: (reason) => (takesRest || reader === undefined ? undefined : giveBack(reason)),
    },
    client,
  );
  return {
    body,
    async takeRest() {
      const isLeft = body.isSettled() || (reader === undefined && !body.stream.locked);
      if (!takesRest || !isLeft || client.isGone) return;
      reader ??= given.getReader();
      await drop(reader);
      await giveBack();
    },
  };
}

async function drop(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const end = performance.now() + lingerDefaults.total;
  let bytes = 0;
  while (bytes <= lingerDefaults.bytes && performance.now() < end) {
    const patience = Math.min(lingerDefaults.idle, end - performance.now());
    const over = new AbortController();
    const tired = wait(patience, undefined, { signal: over.signal }).catch(() => undefined);
    // A failed read means that the client has left.
    const step = await Promise.race([reader.read().catch(() => undefined), tired]);
    over.abort();
    if (step === undefined || step.done) return;
    bytes += step.value.byteLength;
  }
}

/** Returns the path of a request for the log, without query, user and password. Empty if it has no path. */
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
