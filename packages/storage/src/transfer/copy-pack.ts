import { StorageError, type PackId, type PackStore } from '@packhouse/git';
import {
  checkIndex,
  DamagedPackError,
  digestOf,
  PackDigest,
  packDigests,
  readWhole,
  type PackDigests,
  type PackSizes,
} from './pack-digest.ts';

/**
 * Copies the three files of a pack, verifies the checksums of pack and index, and reads the copy again.
 *
 * @param remove Removes files of the pack from the target, if it may have any. If all are equal to the source, they stay.
 * @returns `present` if all of it was there.
 * @throws {DamagedPackError} for a pack that is not sound, {@link StorageError} if a store fails or a file is missing.
 */
export async function copyPack(
  from: PackStore,
  to: PackStore,
  { id, sizes }: { readonly id: PackId; readonly sizes: PackSizes },
  remove?: () => Promise<void>,
): Promise<'copied' | 'present'> {
  if (remove !== undefined) {
    const [wanted, found] = [await packDigests(from, id, sizes), await foundDigests(to, id, sizes)];
    if (found !== undefined && isSame(wanted, found)) return 'present';
    // Also aborts an upload that was interrupted.
    await remove();
  }
  const { digest, checksum } = await sendPack(from, to, id, sizes.pack);
  const idx = await readWhole(from, id, 'idx', sizes.idx);
  checkIndex(id, idx, checksum);
  const graph = await readWhole(from, id, 'graph', sizes.graph);
  await to.put(id, 'graph', [graph]);
  await to.put(id, 'idx', [idx]);
  const sent = { pack: digest, idx: digestOf(idx), graph: digestOf(graph) };
  if (!isSame(sent, await packDigests(to, id, sizes))) throw new DamagedPackError(id, 'differs from its copy');
  return 'copied';
}

async function sendPack(from: PackStore, to: PackStore, id: PackId, size: number) {
  const digest = new PackDigest();
  const part = new Uint8Array(Math.min(size, to.partSize));
  const upload = size > to.partSize ? await to.upload(id) : undefined;
  try {
    let [filled, parts, sum] = [0, 0, 0];
    for await (const chunk of from.stream(id)) {
      digest.add(chunk);
      sum += chunk.length;
      if (sum > size) throw new DamagedPackError(id, `has more than ${size} bytes`);
      for (let at = 0; at < chunk.length;) {
        const length = Math.min(chunk.length - at, part.length - filled);
        part.set(chunk.subarray(at, at + length), filled);
        [filled, at] = [filled + length, at + length];
        if (filled < part.length || upload === undefined) continue;
        await upload.write(parts++, part);
        filled = 0;
      }
    }
    if (sum !== size) throw new DamagedPackError(id, `has ${sum} bytes, not ${size}`);
    const ended = digest.end(id);
    if (upload === undefined) await to.put(id, 'pack', [part]);
    else {
      if (filled > 0) await upload.write(parts, part.subarray(0, filled));
      await upload.complete(size);
    }
    return ended;
  } catch (error) {
    await upload?.abort().catch(() => undefined);
    throw error;
  }
}

/** Returns undefined if a file is missing, short or damaged. */
async function foundDigests(store: PackStore, id: PackId, sizes: PackSizes): Promise<PackDigests | undefined> {
  try {
    return await packDigests(store, id, sizes);
  } catch (error) {
    if (error instanceof StorageError) return undefined;
    throw error;
  }
}

function isSame(one: PackDigests, other: PackDigests): boolean {
  return one.pack === other.pack && one.idx === other.idx && one.graph === other.graph;
}
