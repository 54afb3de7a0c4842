import type { BlobContent, Comparison } from '@packhouse/git';
import { noneMatch } from './none-match.ts';

/** Bytes that are found, but not read yet. They hold memory until {@link Bytes.body} was read or they are released. */
export interface Bytes {
  /** Entity tag, with its quotes. */
  readonly etag: string;
  /** Returns the headers that describe the bytes. Called only for replies that have them: it may read bytes. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  /** `failed` receives the error if the bytes break off. */
  readonly body: (failed: (error: unknown) => void) => Promise<Uint8Array | ReadableStream<Uint8Array>>;
  /** Idempotent. */
  readonly release: () => Promise<void>;
}

/** Returns the bytes of a blob. `type` returns the media type, and may read the start of the blob. */
export function blobBytes(blob: BlobContent, type: () => Promise<string>): Bytes {
  return {
    etag: `"${blob.hash}"`,
    headers: async () => ({ 'content-type': await type(), 'content-length': String(blob.size) }),
    body: (failed) => blob.body(failed),
    release: () => blob.release(),
  };
}

/** Returns the bytes of a patch (REPO-274). Its entity tag is weak, since compressors differ. */
export function patchBytes(comparison: Comparison): Bytes {
  return {
    etag: `W/"${comparison.mergeBase ?? 'none'}-${comparison.head}"`,
    headers: async () => ({ 'content-type': 'text/x-diff' }),
    body: async (failed) => comparison.patch(failed),
    release: async () => comparison.release(),
  };
}

/** Headers that keep a browser from running the content (REPO-150). */
const harmless = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
} as const;

/**
 * Makes the reply with bytes (REPO-146 to REPO-152, REPO-291), or 304 if the client has them. A 304 reads no bytes.
 * HEAD reads at most those that decide the media type.
 *
 * @param failed Receives the error if the body fails after the reply has begun.
 */
export async function byteResponse(
  request: Request,
  bytes: Bytes,
  failed: (error: unknown) => void,
): Promise<Response> {
  try {
    const { etag } = bytes;
    if (!noneMatch(request.headers.get('if-none-match'), etag)) {
      await bytes.release();
      return new Response(null, { status: 304, headers: { ...harmless, etag } });
    }
    const headers = { ...(await bytes.headers()), etag, ...harmless };
    if (request.method === 'HEAD') {
      await bytes.release();
      return new Response(null, { status: 200, headers });
    }
    return new Response((await bytes.body(failed)) as BodyInit, { status: 200, headers });
  } catch (error) {
    await bytes.release();
    throw error;
  }
}
