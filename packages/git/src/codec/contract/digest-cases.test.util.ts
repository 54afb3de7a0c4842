import * as fc from 'fast-check';
import type { CodecCase } from './codec-case.test.util.ts';
import { check, checkBytes, checkNumber } from './checks.test.util.ts';
import { ascii, joined, noise } from './made-stream.test.util.ts';

/** RFC 3174 §7.3, and that of nothing. */
const published: readonly (readonly [message: string, times: number, digest: string])[] = [
  ['abc', 1, 'a9993e364706816aba3e25717850c26c9cd0d89d'],
  ['abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq', 1, '84983e441c3bd26ebaae4aa1f95129e5e54670f1'],
  ['a', 1_000_000, '34aa973cd4c4daa4f61eeb2bdbad27316534016f'],
  ['0123456701234567012345670123456701234567012345670123456701234567', 10, 'dea356a2cddd90c7a7ecedc5ebb563934f460452'],
  ['', 1, 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
];

const bytesOf = (digits: string): Uint8Array =>
  Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));

const parts = fc.array(fc.uint8Array({ maxLength: 40_000 }), { maxLength: 4 });

export const digestCases: readonly CodecCase[] = [
  {
    name: 'SHA-1: answers what RFC 3174 says',
    run(codec) {
      for (const [message, times, digest] of published) {
        const running = codec.sha1();
        for (let i = 0; i < times; i++) running.update(ascii(message));
        checkBytes(running.digest(), bytesOf(digest), `running over ${times} of ${message}`);
        checkBytes(codec.sha1Of(ascii(message.repeat(times))), bytesOf(digest), `at once over ${times} of ${message}`);
      }
      checkBytes(codec.sha1Of(), codec.sha1Of(new Uint8Array(0)), 'of no parts');
    },
  },
  {
    name: 'SHA-1: is that of others for every length around its blocks',
    async run(codec, oracle) {
      for (let length = 0; length < 200; length++) {
        const bytes = noise(length);
        checkBytes(codec.sha1Of(bytes), await oracle.sha1(bytes), `of ${length} bytes`);
      }
    },
  },
  {
    name: 'SHA-1: of parts is that of their sum',
    async run(codec, oracle) {
      const property = fc.asyncProperty(parts, async (some) => {
        const expected = await oracle.sha1(joined(...some));
        checkBytes(codec.sha1Of(...some), expected, 'in one call');
        const running = codec.sha1();
        for (const part of some) running.update(part);
        checkBytes(running.digest(), expected, 'running');
      });
      await fc.assert(property);
    },
  },
  {
    name: 'SHA-1: keeps several sums apart, and gives each away for good',
    run(codec) {
      const [one, two] = [codec.sha1(), codec.sha1()];
      one.update(ascii('a'));
      two.update(ascii('abc'));
      one.update(ascii('bc'));
      const digest = one.digest();
      checkBytes(two.digest(), digest, 'the second');
      codec.sha1Of(ascii('other'));
      checkBytes(digest, codec.sha1Of(ascii('abc')), 'the first');
      digest.fill(0);
      check(codec.sha1Of(ascii('abc'))[0] === 0xa9, 'a digest is shared');
    },
  },
  {
    name: 'CRC-32: answers the check value, also in two parts',
    run(codec) {
      checkNumber(codec.crc32(ascii('123456789')), 0xcbf43926, 'the check value');
      checkNumber(codec.crc32(new Uint8Array(0)), 0, 'of nothing');
      checkNumber(codec.crc32(new Uint8Array(0), 0xcbf43926), 0xcbf43926, 'of nothing more');
      checkNumber(codec.crc32(ascii('6789'), codec.crc32(ascii('12345'))), 0xcbf43926, 'in two parts');
    },
  },
  {
    name: 'CRC-32: is that of others, from any place in memory, and goes on from a seed',
    async run(codec, oracle) {
      const property = fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.nat(300),
        fc.nat(9),
        async (bytes, cut, skipped) => {
          const placed = joined(new Uint8Array(skipped), bytes).subarray(skipped);
          const expected = await oracle.crc32(bytes);
          checkNumber(codec.crc32(placed), expected, 'at once');
          checkNumber(
            codec.crc32(placed.subarray(cut), codec.crc32(placed.subarray(0, cut))),
            expected,
            'in two parts',
          );
        },
      );
      await fc.assert(property);
    },
  },
  {
    name: 'compares ranges as a loop would',
    run(codec) {
      const bytes = fc.uint8Array({ maxLength: 50, max: 3 });
      const place = fc.nat(55);
      const property = fc.property(bytes, bytes, place, place, place, (a, b, aStart, bStart, length) => {
        let same = aStart + length <= a.length && bStart + length <= b.length;
        for (let i = 0; same && i < length; i++) same = a[aStart + i] === b[bStart + i];
        check(codec.equal(a, aStart, b, bStart, length) === same, 'two ranges');
        const rest = Math.max(0, Math.min(length, a.length - aStart));
        check(codec.equal(a, aStart, a.slice(), aStart, rest) === aStart <= a.length, 'a range and its copy');
      });
      fc.assert(property, { numRuns: 500 });
      const long = noise(1000);
      for (let at = 0; at < 1000; at++) {
        const other = joined(new Uint8Array(3), long);
        other[3 + at] = (long[at] as number) ^ 0x80;
        check(!codec.equal(long, 0, other, 3, 1000), `a byte that differs at ${at}`);
        check(!codec.equal(long, 0, other, 3, at + 1), `a last byte that differs at ${at}`);
        check(codec.equal(long, 0, other, 3, at), `what is before ${at}`);
        check(codec.equal(long, at + 1, other, at + 4, 999 - at), `what is after ${at}`);
      }
    },
  },
];
