import { timeLimit } from '../internal/time-limit.ts';
import { reachableAddresses, UnreachableError } from '../outbound/reachable-addresses.ts';
import type { Clock } from '@packhouse/base';
import type { OnEvent } from '../ports/on-event.ts';
import type { Outbound } from '../ports/outbound.ts';
import type { PostWebhook, WebhookTarget } from '../ports/post-webhook.ts';
import { webhookHeaders, webhookKey } from './webhook-headers.ts';
import { parseWebhookSecret } from '../settings/webhook-secret.ts';
import { webhookUrlProblem } from '../settings/webhook-url.ts';

export interface PostWebhookOptions {
  /** Hosts that may have private addresses (REPO-129), as in `webhook_allow`. */
  readonly allow: readonly string[];
  readonly outbound: Outbound;
  readonly clock: Clock;
  /** Value of `User-Agent`. */
  readonly agent: string;
  /** Milliseconds that a whole delivery may take (REPO-201). Default: 15,000. */
  readonly timeout?: number;
}

export interface WebhookSinkOptions extends PostWebhookOptions, WebhookTarget {}

/** A delivery failed. The message says why, without the URL, since that may contain a secret. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  /** The end of the message, which follows the name of the receiver. */
  readonly reason: string;
  /** Status of the reply; undefined without one. */
  readonly status: number | undefined;

  constructor(reason: string, options: { readonly status?: number; readonly cause?: unknown } = {}) {
    super(`the webhook sink ${reason}`, 'cause' in options ? { cause: options.cause } : undefined);
    this.reason = reason;
    this.status = options.status;
  }
}

/** REPO-201. */
const timeoutDefault = 15_000;
/** Bytes of a response body that are read and ignored, so that the receiver can finish sending it. */
const answerMax = 65_536;

/** Creates the function that sends events as webhooks (REPO-200, REPO-201). */
export function webhookPoster(options: PostWebhookOptions): PostWebhook {
  const { allow, outbound, clock, agent, timeout = timeoutDefault } = options;
  const lookup = (host: string): Promise<readonly string[]> => outbound.lookup(host, 'webhook');

  return async ({ url, secrets }, { id, body }, given) => {
    const { signal, isOver, release } = timeLimit(timeout, given);
    const text = JSON.stringify(body);
    try {
      const keys = await Promise.all(secrets.map(keyOf));
      const headers = await webhookHeaders(keys, id, Math.floor(clock.now() / 1000), text);
      const addresses = await before(signal, reachableAddresses(lookup, new URL(url), allow));
      const request = new Request(url, {
        method: 'POST',
        headers: { ...headers, 'user-agent': agent },
        body: text,
        redirect: 'manual',
        signal,
      });
      const response = await before(signal, outbound.fetch(request, addresses));
      await before(signal, readAway(response)).catch(() => {});
      if (!response.ok) throw new WebhookError(`answered ${response.status}`, { status: response.status });
      return response.status;
    } catch (error) {
      throw asWebhookError(error, isOver() ? timeout : undefined);
    } finally {
      release();
    }
  };
}

/**
 * Creates the webhook sink (REPO-200, REPO-201). It rejects with a {@link WebhookError} for each failed delivery.
 *
 * @throws {TypeError} for an invalid URL. An invalid secret rejects each delivery. `resolveSettings` checks both
 * earlier.
 */
export function webhookSink(options: WebhookSinkOptions): OnEvent {
  const problem = webhookUrlProblem(options.url, options.allow);
  if (problem !== undefined) throw new TypeError(`the URL of the webhook sink ${problem}`);
  const post = webhookPoster(options);
  return async (event, signal) => {
    await post(options, event, signal);
  };
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = parseWebhookSecret(secret);
  if (bytes === undefined) throw new TypeError('a secret of the webhook sink is none');
  return webhookKey(bytes);
}

/** Settles like `work`, but rejects at once if the signal aborts, since some steps ignore the signal. */
function before<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

async function readAway({ body }: Response): Promise<void> {
  if (body === null) return;
  const reader = body.getReader();
  let left = answerMax;
  for (let part = await reader.read(); !part.done && left > 0; part = await reader.read()) left -= part.value.length;
  await reader.cancel();
}

function asWebhookError(error: unknown, tooLong: number | undefined): Error {
  if (error instanceof WebhookError) return error;
  if (tooLong !== undefined) return new WebhookError(`took longer than ${tooLong / 1000} s`);
  if (error instanceof UnreachableError) return new WebhookError(`is not sent to: ${error.message}`);
  return new WebhookError(`cannot be reached${codeOf(error)}`, { cause: error });
}

/** Returns the error code of the runtime, such as ECONNREFUSED. Its message may contain the URL. */
function codeOf(error: unknown): string {
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === 'string' && /^[A-Z0-9_]{1,64}$/.test(code) ? ` (${code})` : '';
}
