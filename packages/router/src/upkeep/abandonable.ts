import type { PackStore, PackUpload } from '@packhouse/git';

/** Thrown when work was stopped on purpose. */
export class AbandonedError extends Error {
  override readonly name = 'AbandonedError';

  constructor() {
    super('the work was abandoned');
  }
}

/**
 * Wraps a store so that its reads and writes fail once `signal` is aborted. Long work on the store then ends soon,
 * along the same path as after a broken store. Methods that clean up keep working.
 *
 * @throws {AbandonedError} from each read and write after the abort.
 */
export function abandonable(packs: PackStore, signal: AbortSignal): PackStore {
  const demand = (): void => {
    if (signal.aborted) throw new AbandonedError();
  };
  return {
    partSize: packs.partSize,
    async reserve() {
      demand();
      return packs.reserve();
    },
    async put(id, file, chunks) {
      demand();
      await packs.put(id, file, chunks);
    },
    async upload(id) {
      demand();
      return abandonableUpload(await packs.upload(id), demand);
    },
    async read(id, file, ranges) {
      demand();
      return packs.read(id, file, ranges);
    },
    async *stream(id, start, end) {
      for await (const chunk of packs.stream(id, start, end)) {
        demand();
        yield chunk;
      }
    },
    framed: (id) => packs.framed(id),
    remove: (id) => packs.remove(id),
    leftovers: (before) => packs.leftovers(before),
  };
}

function abandonableUpload(upload: PackUpload, demand: () => void): PackUpload {
  return {
    async write(index, part) {
      demand();
      await upload.write(index, part);
    },
    async complete(size) {
      demand();
      await upload.complete(size);
    },
    abort: () => upload.abort(),
  };
}
