/** Makes deltas (gitformat-pack(5), "Deltified representation"). */

/** Bytes of the blocks of a base that are looked for in a target. A shorter match saves nothing. */
const blockSize = 16;
/** Blocks with one hash that are compared; a base of equal bytes has many. */
const candidatesMax = 32;
/** Bytes that may be compared for each byte of base and target. Usual objects take less than two, hostile ones 480. */
const comparedPerByte = 8;
/** Most bytes that one instruction inserts or copies. */
const insertMax = 127;
const copyMax = 0x10000;

/** Factor of the rolling hash, and its power for the byte that leaves a block. */
const factor = 0x08104225;
const leaving = power(factor, blockSize - 1);

function power(base: number, exponent: number): number {
  let product = 1;
  for (let i = 0; i < exponent; i++) product = Math.imul(product, base);
  return product;
}

function hashAt(bytes: Uint8Array, at: number): number {
  let hash = 0;
  for (let i = 0; i < blockSize; i++) hash = (Math.imul(hash, factor) + (bytes[at + i] as number)) | 0;
  return hash;
}

/**
 * Encodes targets as deltas against one base. Its tables are used again for the next base. Costs some 5 nanoseconds for
 * each byte of base and target, and one for each of {@link DeltaEncoder.compared}, of which there are at most 8 a byte.
 */
export class DeltaEncoder {
  #base: Uint8Array = new Uint8Array(0);
  /** By hash: one more than the newest block; 0: none. */
  #heads = new Uint32Array(0);
  /** By block: one more than the block before with the same hash. */
  #next = new Uint32Array(0);
  #shift = 32;
  #out: Uint8Array = new Uint8Array(0);
  #length = 0;
  #limit = 0;
  #compared = 0;

  /** Bytes that the last call compared. */
  get compared(): number {
    return this.#compared;
  }

  /** Chooses the base, which must stay as it is until the next one. At most 2^31 bytes. */
  setBase(base: Uint8Array): void {
    this.#base = base;
    const blocks = Math.floor(base.length / blockSize);
    const bits = Math.max(4, 32 - Math.clz32(blocks));
    this.#shift = 32 - bits;
    const size = 2 ** bits;
    if (this.#heads.length < size) {
      this.#heads = new Uint32Array(size);
      this.#next = new Uint32Array(size);
    } else this.#heads.fill(0, 0, size);
    // Backwards, so that the first of equal blocks is found first.
    for (let block = blocks - 1; block >= 0; block--) {
      const slot = this.#slot(hashAt(base, block * blockSize));
      this.#next[block] = this.#heads[slot] as number;
      this.#heads[slot] = block + 1;
    }
  }

  /**
   * Returns the delta that makes `target` of the base, valid until the next call; undefined if it would take more than
   * `limit` bytes, or too many bytes were compared.
   */
  encode(target: Uint8Array, limit: number): Uint8Array | undefined {
    const base = this.#base;
    if (this.#out.length < limit) this.#out = new Uint8Array(limit);
    this.#length = 0;
    this.#limit = limit;
    this.#compared = 0;
    const comparedMax = comparedPerByte * (base.length + target.length);
    if (!this.#writeSize(base.length) || !this.#writeSize(target.length)) return undefined;
    /** Start of the bytes that no match covers yet. */
    let pending = 0;
    let at = 0;
    const last = target.length - blockSize;
    let hash = last >= 0 ? hashAt(target, 0) : 0;
    while (at <= last) {
      let bestLength = blockSize - 1;
      let bestAt = -1;
      let left = candidatesMax;
      for (let block = this.#heads[this.#slot(hash)] as number; block !== 0 && left > 0; left--) {
        const from = (block - 1) * blockSize;
        const length = matchLength(base, from, target, at);
        this.#compared += length + 1;
        if (length > bestLength) {
          bestLength = length;
          bestAt = from;
        }
        block = this.#next[block - 1] as number;
      }
      if (this.#compared > comparedMax) return undefined;
      if (bestAt < 0) {
        if (at === last) break;
        const gone = Math.imul(target[at] as number, leaving);
        hash = (Math.imul((hash - gone) | 0, factor) + (target[at + blockSize] as number)) | 0;
        at++;
        continue;
      }
      let from = bestAt;
      let start = at;
      while (start > pending && from > 0 && base[from - 1] === target[start - 1]) {
        from--;
        start--;
      }
      const end = at + bestLength;
      if (!this.#insert(target, pending, start) || !this.#copy(from, end - start)) return undefined;
      pending = at = end;
      if (at <= last) hash = hashAt(target, at);
    }
    if (!this.#insert(target, pending, target.length)) return undefined;
    return this.#out.subarray(0, this.#length);
  }

  #slot(hash: number): number {
    return Math.imul(hash, 0x9e3779b1) >>> this.#shift;
  }

  #writeSize(size: number): boolean {
    let rest = size;
    for (; rest >= 0x80; rest = Math.floor(rest / 128)) if (!this.#byte((rest % 128) | 0x80)) return false;
    return this.#byte(rest);
  }

  #byte(value: number): boolean {
    if (this.#length === this.#limit) return false;
    this.#out[this.#length++] = value;
    return true;
  }

  #insert(target: Uint8Array, from: number, to: number): boolean {
    for (let at = from; at < to; at += insertMax) {
      const size = Math.min(insertMax, to - at);
      if (this.#length + 1 + size > this.#limit) return false;
      this.#out[this.#length] = size;
      this.#out.set(target.subarray(at, at + size), this.#length + 1);
      this.#length += 1 + size;
    }
    return true;
  }

  #copy(from: number, length: number): boolean {
    for (let done = 0; done < length; done += copyMax) {
      const size = Math.min(copyMax, length - done);
      // The full size is written as no size at all.
      const shown = size === copyMax ? 0 : size;
      const opAt = this.#length;
      let op = 0x80;
      if (!this.#byte(0)) return false;
      for (let bit = 0, rest = from + done; rest > 0; bit++, rest = Math.floor(rest / 256)) {
        if (rest % 256 === 0) continue;
        op |= 1 << bit;
        if (!this.#byte(rest % 256)) return false;
      }
      for (let bit = 4, rest = shown; rest > 0; bit++, rest >>>= 8) {
        if ((rest & 255) === 0) continue;
        op |= 1 << bit;
        if (!this.#byte(rest & 255)) return false;
      }
      this.#out[opAt] = op;
    }
    return true;
  }
}

function matchLength(base: Uint8Array, from: number, target: Uint8Array, at: number): number {
  const most = Math.min(base.length - from, target.length - at);
  let length = 0;
  while (length < most && base[from + length] === target[at + length]) length++;
  return length;
}
