import { encodeUtf8 } from '../bytes/utf8.ts';
import { kindName, type GitObject } from '../object/kind.ts';
import { objectIdAt, type ObjectId } from '../object/object-id.ts';
import type { Codec, Sha1 } from '../ports/codec.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import { pieceBytes } from './inflate.ts';

/** SHA-1 of bytes that may be many: others have their turn in between. */
export async function hashInTurns(
  codec: Codec,
  bytes: Uint8Array,
  work: Work,
  sha1: Sha1 = codec.sha1(),
): Promise<Uint8Array> {
  await updateInTurns(sha1, bytes, work);
  return sha1.digest();
}

/** Adds such bytes to a running SHA-1. */
export async function updateInTurns(sha1: Sha1, bytes: Uint8Array, work: Work): Promise<void> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = bytes.subarray(at, at + pieceBytes);
    sha1.update(piece);
    if (work.spend(cost.hashed, piece.length)) await work.yield();
  }
}

/** Returns the id of an object, whose body may be long. */
export async function hashObject(codec: Codec, { kind, body }: GitObject, work: Work): Promise<ObjectId> {
  const sha1 = codec.sha1();
  sha1.update(encodeUtf8(`${kindName(kind)} ${body.length}\0`));
  return objectIdAt(await hashInTurns(codec, body, work, sha1));
}
