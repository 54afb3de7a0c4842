import { MalformedRequestError } from '@packhouse/git';

/** What the headers say against a body, before any of it is read; the reply, if there is something. */
export interface BodyRefusal {
  readonly status: 413 | 415;
  readonly text: string;
}

/** GIT-010, GIT-011, GIT-164. `mediaType` is the one the route takes; `tooLarge` the text of its limit. */
export function refuseBody(
  headers: Headers,
  mediaType: string,
  limit: number,
  tooLarge: string,
): BodyRefusal | undefined {
  const type = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== mediaType) return { status: 415, text: 'Unsupported content type' };
  if (encodingOf(headers) === undefined) return { status: 415, text: 'Unsupported content encoding' };
  const length = headers.get('content-length');
  if (length !== null && Number(length) > limit) return { status: 413, text: tooLarge };
  return undefined;
}

/** Bytes of the body if the headers tell; undefined also for one that is compressed. */
export function bodyLength(headers: Headers): number | undefined {
  // Some runtimes take a length that is told twice, and join the two with a comma.
  const length = headers.get('content-length') ?? '';
  return /^\d+$/.test(length) && encodingOf(headers) === 'identity' ? Number(length) : undefined;
}

/** The body after decoding. A missing body is an empty one. */
export function decodedBody(request: Request): AsyncIterable<Uint8Array> {
  if (request.body === null) return nothing();
  return encodingOf(request.headers) === 'gzip' ? gunzip(request.body) : request.body;
}

function encodingOf(headers: Headers): 'identity' | 'gzip' | undefined {
  const encoding = (headers.get('content-encoding') ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return 'identity';
  return encoding === 'gzip' || encoding === 'x-gzip' ? 'gzip' : undefined;
}

async function* gunzip(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const decoded = body.pipeThrough(new DecompressionStream('gzip') as ReadableWritablePair<Uint8Array, Uint8Array>);
  const reader = decoded.getReader();
  try {
    for (;;) {
      const result = await reader.read().catch(() => {
        throw new MalformedRequestError('broken gzip data');
      });
      if (result.done) return;
      yield result.value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {}
