import type { MemoryShare } from '../pack/receive/incoming-pack.ts';
import type { PackId, PackStore } from '../ports/pack-store.ts';

/**
 * Stores the bytes of a pack again under a new id: a file is put once, so another graph needs another pack. `size` is
 * that of the pack.
 *
 * @throws {NotEnoughMemoryError} if there is not enough memory for one part.
 */
export async function copyPack(store: PackStore, from: PackId, size: number, memory: MemoryShare): Promise<PackId> {
  const partSize = Math.min(store.partSize, size);
  memory.grow(partSize);
  const part = new Uint8Array(partSize);
  const id = await store.reserve();
  const upload = await store.upload(id);
  try {
    let filled = 0;
    let parts = 0;
    for await (const chunk of store.stream(from)) {
      for (let at = 0; at < chunk.length;) {
        const taken = Math.min(part.length - filled, chunk.length - at);
        part.set(chunk.subarray(at, at + taken), filled);
        filled += taken;
        at += taken;
        if (filled < part.length) continue;
        await upload.write(parts++, part);
        filled = 0;
      }
    }
    if (filled > 0) await upload.write(parts, part.subarray(0, filled));
    await upload.complete(size);
    return id;
  } catch (error) {
    await upload.abort().catch(() => {});
    await store.remove(id).catch(() => {});
    throw error;
  } finally {
    memory.shrink(part.length);
  }
}
