import { cost, deflatePiece, unitsOf, type Codec, type Inflater, type Sha1 } from '@packhouse/git';

/** Counts the work requested of a codec, in the units of the scheduler's totals, to check the engine's own count. */
export function countingCodec(codec: Codec): { readonly codec: Codec; readonly amounts: Float64Array } {
  const amounts = new Float64Array(Object.keys(unitsOf).length);
  const count = (kind: number, bytes: number): void => {
    amounts[kind] = (amounts[kind] as number) + bytes;
  };
  const hashing = (sha1: Sha1): Sha1 => ({
    update(part) {
      count(cost.hashed, part.length);
      sha1.update(part);
    },
    digest: () => sha1.digest(),
  });
  const inflating = (inflater: Inflater): Inflater => ({
    reset: () => inflater.reset(),
    step(...given) {
      const step = inflater.step(...given);
      count(cost.inflated, step.produced);
      return step;
    },
    close: () => inflater.close(),
  });
  return {
    amounts,
    codec: {
      inflater: () => inflating(codec.inflater()),
      deflate(data, level) {
        count(cost.deflated, data.length);
        return codec.deflate(data, level);
      },
      *deflateParts(data, level) {
        let left = data.length;
        for (const part of codec.deflateParts(data, level)) {
          count(cost.deflated, Math.min(left, deflatePiece));
          left = Math.max(0, left - deflatePiece);
          yield part;
        }
      },
      deflater(level) {
        const deflater = codec.deflater(level);
        return {
          part(piece, isLast) {
            count(cost.deflated, piece.length);
            return deflater.part(piece, isLast);
          },
        };
      },
      sha1: () => hashing(codec.sha1()),
      sha1Of(...parts) {
        for (const part of parts) count(cost.hashed, part.length);
        return codec.sha1Of(...parts);
      },
      crc32: (data, seed) => codec.crc32(data, seed),
      equal(a, aStart, b, bStart, length) {
        count(cost.compared, length);
        return codec.equal(a, aStart, b, bStart, length);
      },
    },
  };
}
