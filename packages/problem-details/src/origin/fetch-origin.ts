import { isThrownPlatformError, PlatformError } from '../thrown/platform-error.ts';
import { failureOf } from './failure-of.ts';
import { toOriginRequest } from './origin-request.ts';
import { userAgent } from './user-agent.ts';

/** Options of a request to an origin. */
export interface OriginOptions {
  /**
   * Function that takes a `Request` of this runtime; default: the runtime's `fetch`. Its errors are mapped in the same
   * way.
   */
  readonly fetch?: (request: Request, init?: RequestInit) => Promise<Response>;
  /**
   * Maximum seconds for connecting; default 15 (ERR-158). They only extend the total time, since `fetch` neither limits
   * connecting nor reports it.
   */
  readonly connectTimeout?: number;
  /** Maximum seconds from then until the response headers are complete; default 120 (ERR-159). */
  readonly readTimeout?: number;
  /**
   * Seconds after which `fetch` has connected or failed. A longer silence is the origin's and gives 524. Without this
   * option the cause is unknown and gives 502. Default: 10 with Node's `fetch`, else unknown.
   */
  readonly connectsWithin?: number;
}

/** Longer timers fire at once. */
const longestTimer = 2_147_483_647;

/**
 * Calls `fetch` for an origin, and throws a failure as the `PlatformError` of ERR-132 to ERR-140, with the original
 * error as `cause`. The README has a table of what each runtime can tell apart. Streams bodies both ways. Returns
 * redirects and responses of any status unchanged. Drops headers about the client's connection (RFC 9110 §7.6.1), and
 * sets `Host` from the URL. On Node and Bun it requests an uncompressed body.
 *
 * Aborts the request after `connectTimeout` plus `readTimeout` without complete response headers. The body of a
 * response has no time limit.
 *
 * @throws PlatformError if the request to the origin fails.
 * @throws the unchanged error of `fetch` if the signal of the request or of `init` is aborted.
 * @throws TypeError if the arguments make no valid request; RangeError if a time is negative or not a number.
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
        // A `fetch` that ignores its signal may still resolve.
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
