import { deflatePiece, type Codec } from '../ports/codec.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';

/** Compresses `body` to a zlib stream, in parts between which others have their turn. It must not change meanwhile. */
export async function* deflateInTurns(
  codec: Codec,
  body: Uint8Array,
  level: number,
  work: Work,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (body.length <= deflatePiece) {
    if (work.spend(cost.deflated, body.length)) await work.yield();
    yield codec.deflate(body, level);
    return;
  }
  let left = body.length;
  for (const part of codec.deflateParts(body, level)) {
    const compressed = Math.min(deflatePiece, left);
    left -= compressed;
    if (work.spend(cost.deflated, compressed)) await work.yield();
    yield part;
  }
}
