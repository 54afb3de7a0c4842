import { isThrownPlatformError, PlatformError } from '../thrown/platform-error.ts';
import { failureOf } from './failure-of.ts';
import { toOriginRequest } from './origin-request.ts';
import { userAgent } from './user-agent.ts';

/** How an origin is asked. */
export interface OriginOptions {
  /** Takes a `Request` of this runtime; default the runtime's own `fetch`. What it throws is mapped alike. */
  readonly fetch?: (request: Request, init?: RequestInit) => Promise<Response>;
  /**
   * Seconds that connecting may take; default 15 (ERR-158). They only count towards the time of both: `fetch` has no
   * such limit to set, and does not say when it is connected.
   */
  readonly connectTimeout?: number;
  /** Seconds from there until the response headers are complete; default 120 (ERR-159). */
  readonly readTimeout?: number;
  /**
   * Seconds after which `fetch` itself has a connection or has failed. Silence for longer is the origin's, so it gives
   * 524; without it nobody knows whether there is a connection, so it gives 502. Default: 10 with the `fetch` of Node,
   * else unknown.
   */
  readonly connectsWithin?: number;
}

/** A timer beyond it fires at once. */
const longestTimer = 2_147_483_647;

/**
 * `fetch` for the way to an origin: a failure is thrown as the `PlatformError` of ERR-132 to ERR-140, with what was
 * thrown as its `cause`, as far as the runtime tells failures apart (the README has a table). Bodies are streamed both
 * ways. A redirect is a response like any other, and so is one of any status. Headers about the connection that a request
 * came by are not forwarded (RFC 9110 §7.6.1), and `Host` is that of the URL. On Node and Bun a body is asked for
 * uncompressed.
 *
 * When `connectTimeout` and `readTimeout` have both passed without complete response headers, the request is aborted.
 * The body of a response has no time limit.
 *
 * @throws PlatformError where the way to the origin failed.
 * @throws what `fetch` throws when the signal of the request or of `init` is aborted, as it is.
 * @throws TypeError if the arguments make no request; RangeError if a time is no number from 0 on.
 */
export async function fetchOrigin(
  input: Request | URL | string,
  init: RequestInit = {},
  options: OriginOptions = {},
): Promise<Response> {
  const { fetch = globalThis.fetch } = options;
  const limit = toMilliseconds(options.connectTimeout ?? 15) + toMilliseconds(options.readTimeout ?? 120);
  const known = options.connectsWithin ?? (fetch === globalThis.fetch ? connectsWithin() : undefined);
  const silence = known !== undefined && toMilliseconds(known) <= limit ? 524 : 502;
  const timer = new AbortController();
  const { request, client, init: beside } = toOriginRequest(input, init, timer.signal);
  let timeout: ReturnType<typeof setTimeout> | undefined;
  const reply = (async () => fetch(request, beside))();
  const silent = new Promise<never>((_, reject) => {
    timeout = setTimeout(
      () => {
        const cause = new DOMException(`no response headers within ${limit / 1000} s`, 'TimeoutError');
        reject(new PlatformError(silence, { cause }));
        timer.abort(cause);
        // Of a `fetch` that does not look at its signal.
        reply.then((late) => late.body?.cancel()).catch(() => undefined);
      },
      Math.min(limit, longestTimer),
    );
  });
  try {
    return await Promise.race([reply, silent]);
  } catch (thrown) {
    if (isThrownPlatformError(thrown) || client?.aborted === true) throw thrown;
    throw new PlatformError(failureOf(thrown), { cause: thrown });
  } finally {
    clearTimeout(timeout);
  }
}

function toMilliseconds(seconds: number): number {
  if (!(seconds >= 0)) throw new RangeError(`a time of ${seconds} seconds: give a number from 0 on`);
  return seconds * 1000;
}

/** Seconds after which the `fetch` of Node gives up connecting, and says so. */
const node = 10;

/**
 * Seconds after which the runtime's own `fetch` has a connection or has failed, if that is known. Deno, Bun and workerd
 * leave it to the system, where it is minutes (135 s on Linux for one address), and do not say how far they are.
 */
function connectsWithin(): number | undefined {
  return userAgent().startsWith('Node.js/') ? node : undefined;
}
