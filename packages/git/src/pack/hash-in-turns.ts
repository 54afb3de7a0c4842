import type { Codec } from '../ports/codec.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import { pieceBytes } from './inflate.ts';

/** SHA-1 of bytes that may be many: others have their turn in between. */
export async function hashInTurns(codec: Codec, bytes: Uint8Array, work: Work): Promise<Uint8Array> {
  const sha1 = codec.sha1();
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = bytes.subarray(at, at + pieceBytes);
    sha1.update(piece);
    if (work.spend(cost.hashed, piece.length)) await work.yield();
  }
  return sha1.digest();
}
