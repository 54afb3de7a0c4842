import type { BlobContent } from '@packhouse/git';
import { noneMatch } from './none-match.ts';

/** The content of a blob, sent unchanged. */
export interface Bytes {
  readonly blob: BlobContent;
  /** Returns the media type. Called only for replies that have a `Content-Type`, because it may read the blob. */
  readonly type: () => Promise<string>;
}

/** Headers that keep a browser from running the content (REPO-150). */
const harmless = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
} as const;

/**
 * Makes the reply with the bytes of a blob (REPO-146 to REPO-152), or 304 if the client has them. A 304 reads no bytes.
 * HEAD reads at most those that decide the media type.
 *
 * @param failed Receives the error if the body fails after the reply has begun.
 */
export async function byteResponse(
  request: Request,
  { blob, type }: Bytes,
  failed: (error: unknown) => void,
): Promise<Response> {
  try {
    const etag = `"${blob.hash}"`;
    if (!noneMatch(request.headers.get('if-none-match'), etag)) {
      await blob.release();
      return new Response(null, { status: 304, headers: { ...harmless, etag } });
    }
    const headers = {
      'content-type': await type(),
      'content-length': String(blob.size),
      etag,
      ...harmless,
    };
    if (request.method === 'HEAD') {
      await blob.release();
      return new Response(null, { status: 200, headers });
    }
    return new Response((await blob.body(failed)) as BodyInit, { status: 200, headers });
  } catch (error) {
    await blob.release();
    throw error;
  }
}
