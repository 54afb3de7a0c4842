import { createCipheriv } from 'node:crypto';

/** Returns bytes that do not compress, the same for the same seed. */
export function noise(size: number, seed = 0): Buffer {
  const iv = Buffer.alloc(16);
  iv.writeUInt32BE(seed);
  return createCipheriv('aes-128-ctr', Buffer.alloc(16), iv).update(Buffer.alloc(size));
}
