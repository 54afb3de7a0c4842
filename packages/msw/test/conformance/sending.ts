/** Runs in the page: sends requests and passes on the replies. */

/** A request for the page to send. */
export interface SentRequest {
  /** The id for {@link readOn} and {@link leave}. */
  readonly id: number;
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  /** In Base64. */
  readonly body: string | null;
  readonly redirect: RequestRedirect;
}

/** The reply that the page received, with the beginning of a long body. */
export interface SeenReply extends SeenPart {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  /** `opaqueredirect` if the page may not see the reply. */
  readonly type: ResponseType;
  readonly hasBody: boolean;
}

export interface SeenPart {
  /** In Base64. */
  readonly bytes: string;
  /** True at the end of the body. */
  readonly ended: boolean;
}

/** Bytes of a body per read. */
const partMax = 262_144;

/** Browsers have these functions; TypeScript declares them in a later edition of the language. */
interface FromBase64 {
  fromBase64(text: string): Uint8Array<ArrayBuffer>;
}
interface ToBase64 {
  toBase64(): string;
}

const open = new Map<number, { readonly stop: AbortController; reader?: ReadableStreamDefaultReader<Uint8Array> }>();

/** Sends a request as any script of the page would. */
export async function send({ id, url, method, headers, body, redirect }: SentRequest): Promise<SeenReply> {
  const stop = new AbortController();
  open.set(id, { stop });
  try {
    const response = await fetch(url, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      redirect,
      signal: stop.signal,
      ...(body === null ? {} : { body: (Uint8Array as unknown as FromBase64).fromBase64(body) }),
    });
    const { status, statusText, type } = response;
    const reader = response.body?.getReader();
    if (reader !== undefined) open.set(id, { stop, reader });
    const part = await readOn(id);
    return { status, statusText, type, headers: [...response.headers], hasBody: reader !== undefined, ...part };
  } catch (error) {
    open.delete(id);
    throw error;
  }
}

/** Reads the next part of the body of a reply. */
export async function readOn(id: number): Promise<SeenPart> {
  const reader = open.get(id)?.reader;
  if (reader === undefined) {
    open.delete(id);
    return { bytes: '', ended: true };
  }
  const parts: Uint8Array[] = [];
  let length = 0;
  let ended = false;
  while (!ended && length < partMax) {
    const { done, value } = await reader.read();
    ended = done;
    if (value === undefined) continue;
    parts.push(value);
    length += value.length;
  }
  if (ended) open.delete(id);
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes: (bytes as unknown as ToBase64).toBase64(), ended };
}

/** Aborts a request, or the rest of its reply. */
export function leave(id: number): void {
  open.get(id)?.stop.abort();
  open.delete(id);
}
