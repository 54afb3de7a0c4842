/** Fills the bytes given with unpredictable ones. */
export type RandomBytes = (bytes: Uint8Array<ArrayBuffer>) => void;

/**
 * Random bytes that no ray id has used yet, from `poolUsed` on. Asking a runtime costs about the same for few bytes and
 * for many, on Node half of the time that a whole response takes.
 */
const pool = new Uint8Array(512);
let poolUsed = pool.length;

const fromRuntime: RandomBytes = (bytes) => {
  if (poolUsed + bytes.length > pool.length) {
    crypto.getRandomValues(pool);
    poolUsed = 0;
  }
  bytes.set(pool.subarray(poolUsed, poolUsed + bytes.length));
  poolUsed += bytes.length;
};

/** A new ray id: 16 lower-case hexadecimal digits (ERR-085). `random` must be of cryptographic quality. */
export function newRayId(random: RandomBytes = fromRuntime): string {
  const bytes = new Uint8Array(8);
  random(bytes);
  let id = '';
  for (const byte of bytes) id += (byte < 16 ? '0' : '') + byte.toString(16);
  return id;
}
