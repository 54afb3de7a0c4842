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
  for await (const entry of entries) {
    const { kind, content } = entry;
    const whole = content instanceof Uint8Array ? content : undefined;
    for (const header of entryHeaders(entry, kind === 'link' ? whole : undefined, time)) output.add(header);
    if (kind === 'file' && whole !== undefined && whole.length <= pieceSize) {
      output.add(whole);
      if (work.spend(cost.compared, whole.length)) await work.yield();
    } else if (kind === 'file') {
      for await (const part of whole === undefined ? (content as AsyncGenerator<Uint8Array>) : [whole]) {
        for (let at = 0; at < part.length; at += pieceSize) {
          const copied = part.subarray(at, at + pieceSize);
          output.add(copied);
          if (work.spend(cost.compared, copied.length)) await work.yield();
          yield* output.filled();
        }
      }
    }
    output.fillUp(tarBlock);
    // Delegating in an async generator takes long, even to nothing.
    if (output.isFull) yield* output.filled();
  }
  // Two empty blocks end an archive.
  output.add(new Uint8Array(2 * tarBlock));
  output.fillUp(tarRecord);
  yield* output.filled();
  yield* output.rest();
}
