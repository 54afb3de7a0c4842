import { fc } from '@fast-check/vitest';
import { StorageError, type PackId } from '../ports/pack-store.ts';
import { describe, expect, it } from 'vitest';
import { collected, equalBytes, referenceFraming, sampleBytes } from './bytes.ts';
import type { OpenPacks } from './pack-store.ts';

export function testPackReads(open: OpenPacks): void {
  const stored = async (bytes: Uint8Array): Promise<PackId> => {
    const id = await open().reserve();
    await open().put(id, 'pack', [bytes]);
    return id;
  };

  describe('ranges', () => {
    it('returns ranges in the requested order, even overlapping, repeated or none', async () => {
      const id = await stored(Uint8Array.of(0, 1, 2, 3, 4, 5));
      const ranges = [
        { offset: 4, length: 2 },
        { offset: 0, length: 6 },
        { offset: 4, length: 2 },
        { offset: 3, length: 1 },
      ];
      expect((await open().read(id, 'pack', ranges)).map((bytes) => [...bytes])).toEqual([
        [4, 5],
        [0, 1, 2, 3, 4, 5],
        [4, 5],
        [3],
      ]);
      expect(await open().read(id, 'pack', [])).toEqual([]);
    });

    it('returns bytes that the caller may change', async () => {
      const id = await stored(Uint8Array.of(1, 2));
      (await open().read(id, 'pack', [{ offset: 0, length: 2 }]))[0]?.fill(9);
      expect(await open().read(id, 'pack', [{ offset: 0, length: 2 }])).toEqual([Uint8Array.of(1, 2)]);
    });

    it.each([
      [0, 7],
      [6, 1],
      [5, 2],
      [-1, 1],
      [0, 0],
      [1.5, 1],
      [2 ** 52, 2 ** 40],
      [0, Number.NaN],
    ])('refuses a range of offset %d, length %d in 6 bytes', async (offset, length) => {
      const id = await stored(new Uint8Array(6));
      const ranges = [
        { offset: 0, length: 1 },
        { offset, length },
      ];
      await expect(open().read(id, 'pack', ranges)).rejects.toThrow(StorageError);
    });

    it('returns any ranges of any file', async () => {
      const bytes = sampleBytes(3_000);
      const id = await stored(bytes);
      const range = fc
        .nat(2_999)
        .chain((offset) =>
          fc.record({ offset: fc.constant(offset), length: fc.integer({ min: 1, max: 3_000 - offset }) }),
        );
      await fc.assert(
        fc.asyncProperty(fc.array(range, { maxLength: 40 }), async (ranges) => {
          const read = await open().read(id, 'pack', ranges);
          expect(read).toEqual(ranges.map(({ offset, length }) => bytes.slice(offset, offset + length)));
        }),
        { numRuns: 25 },
      );
    });
  });

  describe('streams', () => {
    const size = 2 * 1_048_576 + 77;
    const bytes = sampleBytes(size, 2);

    it('streams any part of the pack in order', async () => {
      const id = await stored(bytes);
      await fc.assert(
        fc.asyncProperty(fc.nat(size), fc.nat(size), async (a, b) => {
          const [start, end] = [Math.min(a, b), Math.max(a, b)];
          expect(equalBytes(await collected(open().stream(id, start, end)), bytes.subarray(start, end))).toBe(true);
        }),
        {
          numRuns: 8,
          examples: [
            [0, size],
            [size, size],
            [1_048_576, 0],
            [1_048_575, 1_048_577],
          ],
        },
      );
      expect(equalBytes(await collected(open().stream(id)), bytes)).toBe(true);
      expect(equalBytes(await collected(open().stream(id, size - 5)), bytes.subarray(size - 5))).toBe(true);
    });

    it('keeps a chunk valid while the consumer is slow', async () => {
      const id = await stored(bytes);
      let at = 0;
      for await (const chunk of open().stream(id)) {
        await new Promise((resolve) => setTimeout(resolve, 2));
        expect(equalBytes(chunk, bytes.subarray(at, at + chunk.length))).toBe(true);
        at += chunk.length;
      }
      expect(at).toBe(size);
    });

    it('runs several at once, even if some break off', async () => {
      const id = await stored(bytes);
      const broken = async () => {
        for await (const chunk of open().stream(id)) return chunk.length;
        return 0;
      };
      const results = await Promise.all([
        collected(open().stream(id)),
        broken(),
        collected(open().stream(id, 7)),
        broken(),
        collected(open().stream(id)),
      ]);
      expect(
        equalBytes(results[0], bytes) && equalBytes(results[2], bytes.subarray(7)) && equalBytes(results[4], bytes),
      ).toBe(true);
      expect(equalBytes(await collected(open().stream(id)), bytes)).toBe(true);
      await open().remove(id);
      await expect(collected(open().stream(id))).rejects.toThrow(StorageError);
    });

    it.each([
      [0, 7],
      [7, undefined],
      [-1, 3],
      [4, 3],
      [0.5, 3],
    ])('refuses the bytes %d to %s of 6', async (start, end) => {
      const id = await stored(new Uint8Array(6));
      await expect(collected(open().stream(id, start, end))).rejects.toThrow(StorageError);
    });
  });

  describe('framed', () => {
    it.each([1, 65_514, 65_515, 65_516, 3 * 65_515, 16 * 65_515 - 1, 16 * 65_515, 16 * 65_515 + 1, 2_500_000])(
      'GIT-069: cuts a pack of %d bytes into side-band-64k packets',
      async (size) => {
        const bytes = sampleBytes(size, 3);
        const id = await stored(bytes);
        expect(equalBytes(await collected(open().framed(id)), referenceFraming(bytes))).toBe(true);
      },
    );

    it('may end early', async () => {
      const bytes = sampleBytes(2_500_000, 4);
      const id = await stored(bytes);
      for await (const chunk of open().framed(id)) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      expect(equalBytes(await collected(open().framed(id)), referenceFraming(bytes))).toBe(true);
    });
  });
}
