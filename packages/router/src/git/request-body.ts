import { MalformedRequestError } from '@packhouse/git';

/** The reply to a body that is refused by its headers alone. */
export interface BodyRefusal {
  readonly status: 413 | 415;
  readonly text: string;
}

/**
 * Checks the headers of a body before any of it is read (GIT-010, GIT-011, GIT-164). Returns undefined if the body is
 * acceptable.
 *
 * @param mediaType The media type that the route accepts.
 * @param limit The longest allowed body in bytes.
 * @param tooLarge The text of the reply to a larger body.
 */
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

/** Returns the length of the body in bytes; undefined if the headers do not have it or the body is compressed. */
export function bodyLength(headers: Headers): number | undefined {
  // Deno and Bun accept a repeated Content-Length header and join its values with a comma.
  const length = headers.get('content-length') ?? '';
  return /^\d+$/.test(length) && encodingOf(headers) === 'identity' ? Number(length) : undefined;
}

/** Returns the body, decompressed if it is gzip. A missing body counts as empty. */
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
