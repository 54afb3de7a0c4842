import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { PiecedBody } from '../bucket/bucket.ts';

/** Bytes between two pauses, a few milliseconds. */
const step = 1_048_576;

/** Returns the SHA-256 of a body in hexadecimal digits, and lets other work run in between. */
export async function bodyDigest(body: PiecedBody): Promise<string> {
  const hash = createHash('sha256');
  let hashed = 0;
  for (const piece of body instanceof Uint8Array ? [body] : body.pieces()) {
    hash.update(piece);
    hashed += piece.length;
    if (hashed < step) continue;
    hashed = 0;
    await setImmediate();
  }
  return hash.digest('hex');
}
