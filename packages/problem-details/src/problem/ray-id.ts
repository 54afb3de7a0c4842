/** Fills an array with unpredictable bytes. */
export type RandomBytes = (bytes: Uint8Array<ArrayBuffer>) => void;

/**
 * Random bytes; those from `poolUsed` on are unused. A call of the runtime costs about the same for few and many bytes,
 * on Node half the time of a whole response.
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

/** Makes a ray id: 16 lower-case hexadecimal digits (ERR-085). `random` must be cryptographically secure. */
export function newRayId(random: RandomBytes = fromRuntime): string {
  const bytes = new Uint8Array(8);
  random(bytes);
  let id = '';
  for (const byte of bytes) id += (byte < 16 ? '0' : '') + byte.toString(16);
  return id;
}
