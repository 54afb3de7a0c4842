import type { LocalService } from './local-service.ts';

/** Returns the bytes of the packs, indexes and graphs in repositories. Shared bytes of a fork count in its parent. */
export async function storedBytes({ storage }: LocalService, repos: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const id of repos) {
    const snapshot = await storage.repo('local', id, 'unrestricted').state.snapshot();
    for (const { packSize, idxSize, graphSize, borrowed } of snapshot?.packs ?? []) {
      if (borrowed === 'no') bytes += packSize + idxSize + graphSize;
    }
  }
  return bytes;
}
