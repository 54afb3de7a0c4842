import type { BlobContent } from '@packhouse/git';
import { noneMatch } from './none-match.ts';

/** Content that is answered as it is. */
export interface Bytes {
  readonly blob: BlobContent;
  /** Its media type; asked only where a reply tells it. */
  readonly type: () => Promise<string>;
}

/** No content is ever taken for something that acts (REPO-150). */
const harmless = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
} as const;

/**
 * The reply with the bytes of a blob (REPO-146 to REPO-152), 304 if the client has them. HEAD and 304 read none of them, but
 * for those that tell the type.
 *
 * @param failed Told of what breaks a reply off that has begun.
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
