import { Skipped, type Target } from '@packhouse/conformance';
import type { Page } from 'playwright-core';
import type * as sending from './sending.ts';
import type { SentRequest } from './sending.ts';

/** Names of headers that no script may set (Fetch, "forbidden request-header"). */
const forbidden = new Set(
  `accept-charset accept-encoding access-control-request-headers access-control-request-method connection content-length
  cookie cookie2 date dnt expect host keep-alive origin referer set-cookie te trailer transfer-encoding upgrade via`.split(
    /\s+/,
  ),
);
const isForbidden = (name: string): boolean => forbidden.has(name) || /^(?:proxy|sec)-/.test(name);

/**
 * Chromium decodes header values as UTF-8 on their way to any service worker. An invalid value arrives empty, and a
 * value that happens to be valid arrives as other characters. `page-fetch.browser.test.ts` checks this.
 */
const beyondAscii = /[\u0080-\u00ff]/;

/** Statuses without a body; `Response` refuses to be constructed with one (Fetch, "null body status"). */
const bodiless = new Set([101, 103, 204, 205, 304]);

/** Returns the skip reason for a case that sends a header with such a value. */
export function changedOnTheWay(name: string): string {
  return `needs the header ${name} with a value beyond ASCII, which Chromium changes on the way to a service worker`;
}

let requests = 0;

/**
 * Sends each request with the `fetch` of the page, and returns the reply here.
 *
 * @throws {Skipped} for requests that no script of a page can send, or replies that it may not see.
 */
export function pageFetch(opened: Page): NonNullable<Target['fetch']> {
  const call = callsOf(opened);
  return async (request) => {
    const { signal } = request;
    const sent = await asSent(request);
    const { id } = sent;
    const leave = (): void => void call('leave', id).catch(() => {});
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => {
      leave();
      aborted.reject(signal.reason);
    };
    aborted.promise.catch(() => {});
    signal.throwIfAborted();
    signal.addEventListener('abort', abort, { once: true });
    const orAborted = async <T>(work: Promise<T>): Promise<T> => await Promise.race([work, aborted.promise]);
    const end = (): void => signal.removeEventListener('abort', abort);
    let reply: sending.SeenReply;
    try {
      reply = await orAborted(call('send', sent));
    } catch (error) {
      end();
      if (signal.aborted) throw signal.reason;
      throw new TypeError('fetch failed', { cause: error });
    }
    if (reply.type === 'opaqueredirect') {
      end();
      throw new Skipped('needs a client that sees a redirect, which a page may not');
    }
    if (reply.ended) end();
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        if (reply.bytes !== '') controller.enqueue(Buffer.from(reply.bytes, 'base64'));
        if (reply.ended) controller.close();
        else aborted.promise.catch((reason: unknown) => controller.error(reason));
      },
      async pull(controller) {
        const { bytes, ended } = await orAborted(call('readOn', id));
        if (bytes !== '') controller.enqueue(Buffer.from(bytes, 'base64'));
        if (!ended) return;
        end();
        controller.close();
      },
      cancel() {
        end();
        leave();
      },
    });
    const { status, statusText } = reply;
    const headers = reply.headers.map(([name, value]): [string, string] => [name, value]);
    return new Response(reply.hasBody && !bodiless.has(status) ? body : null, { status, statusText, headers });
  };
}

/** Calls the page through the protocol of Chromium's tools: Playwright's own calls take several times as long. */
function callsOf(
  opened: Page,
): <Name extends 'send' | 'readOn' | 'leave'>(
  name: Name,
  argument: Parameters<(typeof sending)[Name]>[0],
) => Promise<Awaited<ReturnType<(typeof sending)[Name]>>> {
  const tools = opened.context().newCDPSession(opened);
  const page = tools.then((session) => session.send('Runtime.evaluate', { expression: 'page' }));
  return async (name, argument) => {
    const { objectId = '' } = (await page).result;
    const { result, exceptionDetails: thrown } = await (
      await tools
    ).send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: `function (argument) { return this.${name}(argument); }`,
      arguments: [{ value: argument }],
      awaitPromise: true,
      returnByValue: true,
    });
    if (thrown !== undefined) throw new Error(thrown.exception?.description ?? thrown.text);
    return result.value;
  };
}

async function asSent(request: Request): Promise<SentRequest> {
  const { url, method, redirect } = request;
  // The suite asks for a separate connection (RFC 9112, section 9.6); a page and a mock share no connection at all.
  const headers = [...request.headers].filter(([name]) => name !== 'connection');
  const name = headers.find(([one]) => isForbidden(one))?.[0];
  if (name !== undefined) throw new Skipped(`needs the header ${name}, which no page may set`);
  const changed = headers.find(([, value]) => beyondAscii.test(value))?.[0];
  if (changed !== undefined) throw new Skipped(changedOnTheWay(changed));
  const body = request.body === null ? null : Buffer.from(await request.arrayBuffer()).toString('base64');
  return { id: requests++, url, method, redirect, headers, body };
}
