import type { MemoryShare } from './incoming-pack.ts';

/** Memory for which no other request waits. Default of each part: no-op. */
export function memoryShare(parts: Partial<MemoryShare>): MemoryShare {
  const share: MemoryShare = {
    resize: async () => {},
    grow: () => {},
    growInTurn(bytes) {
      try {
        share.grow(bytes);
        return true;
      } catch {
        return false;
      }
    },
    shrink: () => {},
    reading: () => {},
    ...parts,
  };
  return share;
}
