import { fc, it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { bandOf, bytesOf, packetsOf } from './packets.test.util.ts';
import { BandFramer, encodeBand, frameBand, keepAlivePacket, type SideBand } from './side-band.ts';

const sideBands = fc.constantFrom<Exclude<SideBand, 'none'>>('side-band', 'side-band-64k');
const most = { 'side-band': 1000, 'side-band-64k': 65_520 };
const sizes = fc.array(fc.oneof(fc.nat(50), fc.nat(3000), fc.nat(200_000)), { maxLength: 12 });

/** Bytes that show where they belong. */
function payload(size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, at) => (at * 31 + (at >> 8)) & 255);
}

function* pieces(whole: Uint8Array, lengths: readonly number[]): Generator<Uint8Array> {
  let at = 0;
  for (const length of lengths) yield whole.subarray(at, (at += length));
}

describe('frameBand', () => {
  property.prop([sizes, sideBands], { numRuns: 40 })(
    'GIT-069: carries any payload in packets of the right size',
    async (lengths, sideBand) => {
      const whole = payload(lengths.reduce((sum, length) => sum + length, 0));
      const framed = await bytesOf(frameBand(pieces(whole, lengths), sideBand));
      const packets = packetsOf(framed);
      expect(packets.every((packet) => packet.length > 1 && packet.length + 4 <= most[sideBand])).toBe(true);
      expect(bandOf(packets, 1).equals(whole)).toBe(true);
      // Small pieces share packets: at most a few more than needed, for the ends of the buffers.
      expect(packets.length).toBeLessThanOrEqual(
        Math.ceil(whole.length / (most[sideBand] - 5)) + Math.ceil(framed.length / 500_000) + 2,
      );
    },
  );

  it('GIT-069: hands the payload through as it is without side-bands', async () => {
    const chunks = [payload(10), payload(100_000)];
    const out: Uint8Array[] = [];
    for await (const chunk of frameBand(chunks, 'none')) out.push(chunk);
    expect(out[0]).toEqual(chunks[0]);
    expect(out[1]).toEqual(chunks[1]);
  });
});

describe('BandFramer', () => {
  property.prop([fc.array(fc.tuple(fc.nat(150_000), fc.boolean()), { maxLength: 12 }), sideBands], { numRuns: 40 })(
    'gives out what it has at any moment, and goes on',
    (steps, sideBand) => {
      const framer = new BandFramer(sideBand);
      const out: Uint8Array[] = [];
      const put: Uint8Array[] = [];
      for (const [size, take] of steps) {
        const piece = payload(size);
        put.push(piece);
        out.push(...framer.add(piece));
        const taken = take ? framer.take() : undefined;
        if (taken !== undefined) out.push(taken);
        if (take) expect(framer.take()).toBeUndefined();
      }
      out.push(framer.take() ?? new Uint8Array(0));
      expect(bandOf(packetsOf(Buffer.concat(out)), 1).equals(Buffer.concat(put))).toBe(true);
    },
  );
});

describe('a BandFramer that lends', () => {
  it.each(['side-band', 'side-band-64k'] as const)('fills one buffer again and again: %s', (sideBand) => {
    const framer = new BandFramer(sideBand, { isLent: true });
    const whole = payload(3_000_000);
    const out: Uint8Array[] = [];
    const buffers = new Set<ArrayBufferLike>();
    const put = (filled: Uint8Array): void => {
      out.push(filled.slice());
      buffers.add(filled.buffer);
      filled.fill(0);
    };
    for (const piece of pieces(whole, [10, 200_000, 1_300_000, 1_499_990])) {
      for (const filled of framer.add(piece)) put(filled);
    }
    put(framer.take() ?? new Uint8Array(0));
    expect(bandOf(packetsOf(Buffer.concat(out)), 1).equals(whole)).toBe(true);
    // The first is small; the second stays.
    expect(buffers.size).toBe(2);
  });
});

describe('encodeBand', () => {
  it('GIT-069: splits what is longer than a packet', () => {
    expect(packetsOf(encodeBand(2, 'x'.repeat(1000), 'side-band')).map((packet) => packet.length)).toEqual([996, 6]);
    expect(packetsOf(encodeBand(3, 'failed\n', 'side-band-64k'))).toEqual(['\x03failed\n']);
  });

  it('GIT-071: has only band 1 without side-bands', () => {
    expect(encodeBand(1, 'a', 'none')).toEqual(Uint8Array.of(97));
    expect(encodeBand(2, 'a', 'none')).toHaveLength(0);
    expect(encodeBand(3, 'a', 'none')).toHaveLength(0);
  });

  it('GIT-070, GIT-099: keep-alives are empty packets of a band', () => {
    expect(Buffer.from(keepAlivePacket()).toString('latin1')).toBe('0005\x01');
    expect(Buffer.from(keepAlivePacket(2)).toString('latin1')).toBe('0005\x02');
  });
});
