import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import type { ArchiveEntry } from './archive-entry.ts';
import { JoinedPieces, pieceSize } from './joined-pieces.ts';
import { entryHeaders, globalHeader, tarBlock, tarRecord } from './tar.ts';
import type { ObjectId } from '../object/object-id.ts';

/** Yields a tar archive in pieces, each in a new buffer. */
export async function* tarPieces(
  entries: AsyncGenerator<ArchiveEntry, void, undefined>,
  { commit, time }: { readonly commit: ObjectId; readonly time: number },
  work: Work,
): AsyncGenerator<Uint8Array, void, undefined> {
  const output = new JoinedPieces();
  output.add(globalHeader(commit, time));
  for await (const { content, ...entry } of entries) {
    const whole = content instanceof Uint8Array ? content : undefined;
    const isLink = entry.kind === 'link';
    for (const header of entryHeaders(entry, isLink ? whole : undefined, time)) output.add(header);
    yield* output.filled();
    if (isLink || content === undefined) continue;
    for await (const part of whole === undefined ? (content as AsyncGenerator<Uint8Array>) : [whole]) {
      for (let at = 0; at < part.length; at += pieceSize) {
        const copied = part.subarray(at, at + pieceSize);
        output.add(copied);
        if (work.spend(cost.compared, copied.length)) await work.yield();
        yield* output.filled();
      }
    }
    output.fillUp(tarBlock);
  }
  // Two empty blocks end an archive.
  output.add(new Uint8Array(2 * tarBlock));
  output.fillUp(tarRecord);
  yield* output.filled();
  yield* output.rest();
}
