import type { FoundArea } from '../core/area.ts';
import type { Target } from '../core/target.ts';

/** The result of looking at a target. */
export type Found =
  | { readonly kind: 'target'; readonly target: Target; readonly areas: readonly FoundArea[] }
  /** Nothing answers; `error` is that of the request. */
  | { readonly kind: 'nothing'; readonly error: unknown }
  /** Something answers, but has no area that was looked for. */
  | { readonly kind: 'stranger'; readonly areas: readonly FoundArea[] }
  /** The credential is not accepted, or does not open this account or repository. */
  | { readonly kind: 'not admitted'; readonly status: number; readonly url: string }
  /** The one repository of a Git server has refs. */
  | { readonly kind: 'not empty'; readonly url: string };

/** Milliseconds to wait for a reply. */
const replyWait = 10_000;

/** A reply to a probe. */
export interface Probed {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Characters that are read of a reply. */
const textMax = 100_000;

/** Sends a probe. */
export async function ask(
  send: (request: Request) => Promise<Response>,
  method: string,
  url: string,
  init: { readonly token?: string | undefined; readonly headers?: Record<string, string>; readonly body?: string } = {},
): Promise<Probed> {
  const { token, body } = init;
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...init.headers,
  };
  const signal = AbortSignal.timeout(replyWait);
  const request = new Request(url, { method, headers, signal, ...(body === undefined ? {} : { body }) });
  const reply = await send(request);
  return { status: reply.status, headers: reply.headers, text: await beginning(reply) };
}

/** Reads the beginning of a body: an unknown server may send without an end. */
async function beginning({ body }: Response): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > textMax) break;
  }
  return text.slice(0, textMax);
}

/** Describes a probe for a report. */
export function evidenceOf(method: string, url: string, { status }: Pick<Probed, 'status'>): string {
  const { pathname, search } = new URL(url);
  return `${method} ${pathname}${search} was answered ${status}`;
}
