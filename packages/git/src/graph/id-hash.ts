import { objectIdBytes } from '../object/object-id.ts';

/** The 32-bit hash of the 20 bytes of an id that stand at `at`. */
export type IdHash = (ids: Uint8Array, at: number) => number;

/** Makes a new hash for each table. It must be unpredictable, or a push could bring many ids that share a slot. */
export function newIdHash(): IdHash {
  /** By word of an id. */
  const factors = Array.from({ length: objectIdBytes / 4 }, () => Math.floor(Math.random() * 2 ** 31) * 2 + 1);
  return (ids, at) => {
    let hash = 0;
    for (let word = 0; word < factors.length; word++) {
      const i = at + 4 * word;
      const value =
        (ids[i] as number) |
        ((ids[i + 1] as number) << 8) |
        ((ids[i + 2] as number) << 16) |
        ((ids[i + 3] as number) << 24);
      hash = (hash + Math.imul(value, factors[word] as number)) | 0;
    }
    return hash >>> 0;
  };
}
