import { PackhouseError } from './packhouse-error.ts';

export interface SendOptions {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly token: string | (() => string | Promise<string>);
  /** Most attempts for one request. */
  readonly attempts: number;
  readonly onRetry: ((reason: unknown, pause: number) => void) | undefined;
}

const json = 'application/json';
/** Methods whose repetition changes nothing more (RFC 9110 §9.2.2). */
const idempotent = ['GET', 'HEAD', 'PUT', 'DELETE'];
/** Statuses of gateways, which may come without an envelope. */
const gateway = [502, 503, 504];
/** A server that asks for a longer pause is not worth waiting for, in milliseconds. */
const longestPause = 60_000;

/**
 * Sends a request, and again where that is safe: after a reply that says `retryable` (REPO-299), and after a lost reply
 * if the method is idempotent or the request has a key. A body that is not JSON is sent once.
 *
 * @param request With `Accept: application/json` the reply must be JSON, and is returned when all of it has arrived.
 * @throws {PackhouseError} for a reply without success.
 * @throws the error of `fetch` if there is no whole reply.
 */
export async function send(request: Request, { fetch, token, attempts, onRetry }: SendOptions): Promise<Response> {
  request.headers.set('authorization', `Bearer ${typeof token === 'string' ? token : await token()}`);
  // In Firefox no request has a `body`.
  const isRepeatable = !request.body || request.headers.get('content-type') === json;
  const isSafe = idempotent.includes(request.method) || request.headers.has('idempotency-key');
  for (let attempt = 1; ; attempt++) {
    const mayRepeat = isRepeatable && attempt < attempts;
    let pause = Math.random() * 250 * 2 ** attempt;
    try {
      const response = await fetch(isRepeatable ? request.clone() : request);
      if (response.ok || response.status === 304)
        return request.headers.get('accept') === json ? await whole(response) : response;
      throw new PackhouseError(response, await response.text());
    } catch (error) {
      if (!mayRepeat || request.signal.aborted) throw error;
      if (error instanceof PackhouseError) {
        const isOfGateway = error.errors.length === 0 && gateway.includes(error.status);
        if (!error.retryable && !(isSafe && isOfGateway)) throw error;
        if (error.retryAfter !== undefined) pause += error.retryAfter * 1000;
        if (pause > longestPause) throw error;
      } else if (!isSafe) throw error;
      onRetry?.(error, pause);
    }
    await sleep(pause, request.signal);
  }
}

/**
 * Reads a reply to its end, so that a lost end is like a lost reply.
 *
 * @throws {PackhouseError} if the reply is not JSON.
 */
async function whole(response: Response): Promise<Response> {
  if (response.body === null) return response;
  const text = await response.text();
  if (!response.headers.get('content-type')?.startsWith(json) || !isJson(text)) throw new PackhouseError(response, '');
  return new Response(text, response);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
  });
}
