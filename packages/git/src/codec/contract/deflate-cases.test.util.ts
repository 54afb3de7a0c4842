import * as fc from 'fast-check';
import { deflatePiece } from '../../ports/codec.ts';
import type { CodecCase } from './codec-case.test.util.ts';
import { check, checkBytes, checkNumber } from './checks.test.util.ts';
import { bodies } from './good-streams.test.util.ts';
import { inflateAtOnce } from './in-pieces.test.util.ts';
import { adler32, joined, noise, prose, zlibHeader } from './made-stream.test.util.ts';

const levels = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const tail = noise(9);

export const deflateCases: readonly CodecCase[] = [
  {
    name: 'deflate: makes streams that others read, of any body at any level',
    async run(codec, oracle) {
      const inflater = codec.inflater();
      const property = fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), fc.nat(9), async (body, level) => {
        const stream = codec.deflate(body, level);
        checkBytes(await oracle.inflate(stream), body, 'what others read');
        const found = inflateAtOnce(inflater, joined(stream, tail), body.length);
        checkNumber(found.end, stream.length, 'the end');
        checkBytes(found.output, body, 'what it reads itself');
      });
      await fc.assert(property);
      inflater.close();
    },
  },
  {
    name: 'deflate: makes streams of long bodies at every level, at most an eighth longer than the body',
    async run(codec, oracle) {
      for (const { name, body } of bodies) {
        for (const level of levels) {
          const stream = codec.deflate(body, level);
          // 9 bits for each byte, in the fixed code, as some zlib does at level 1 for what does not compress.
          check(stream.length < body.length * 1.125 + 64, `${name} at level ${level} takes ${stream.length} bytes`);
          checkBytes(await oracle.inflate(stream), body, `${name} at level ${level}`);
        }
      }
    },
  },
  {
    name: 'deflateAside: makes parts of one stream, in any order',
    async run({ deflateAside }, oracle) {
      if (deflateAside === undefined) return;
      const body = joined(prose(40_000), prose(40_000), noise(90_000));
      const ends = [0, 30_000, 30_001, 80_000, body.length];
      const parts = ends.slice(1).map((end, i) => {
        const start = ends[i] as number;
        const dictionary = i === 0 ? undefined : body.subarray(Math.max(0, start - 32_768), start);
        return deflateAside(body.subarray(start, end), { level: 6, dictionary, isLast: end === body.length });
      });
      const stream = joined(zlibHeader(), ...(await Promise.all(parts)), adler32(body));
      checkBytes(await oracle.inflate(stream), body, 'what others read');
    },
  },
  {
    name: 'deflate: compresses from level 1 on, and better at 9',
    run(codec) {
      const lengths = levels.map((level) => codec.deflate(prose(100_000), level).length);
      const [stored = 0, fast = 0] = lengths;
      check(stored > 100_000, 'level 0 compresses');
      check(fast < 80_000, `level 1 leaves ${fast} bytes`);
      check((lengths[9] as number) < fast, 'level 9 is no better than level 1');
    },
  },
  {
    name: 'deflate: makes the same stream whatever was compressed before, in memory of its own',
    run(codec) {
      for (const level of [0, 1, 6, 9]) {
        const body = prose(40_000);
        const first = codec.deflate(body, level);
        const kept = first.slice();
        codec.deflate(noise(90_000), level);
        codec.deflate(new Uint8Array(0), level);
        checkBytes(first, kept, 'a stream that was made before');
        checkBytes(codec.deflate(body, level), kept, 'the stream of the same body');
        checkBytes(body, prose(40_000), 'the body');
        codec.deflate(body, 9 - level);
        checkBytes(codec.deflate(body, level), kept, 'the stream after another level');
      }
    },
  },
  {
    name: 'deflateParts: makes streams that others read, nearly as short, a piece at a time',
    async run(codec, oracle) {
      const long = joined(prose(200_000), noise(150_000), prose(100_000));
      for (const body of [new Uint8Array(0), prose(1), prose(deflatePiece), prose(deflatePiece + 1), long]) {
        for (const level of [0, 1, 6]) {
          const parts = [...codec.deflateParts(body, level)];
          const stream = joined(...parts);
          checkBytes(await oracle.inflate(stream), body, `${body.length} bytes at level ${level}`);
          const whole = codec.deflate(body, level).length;
          check(stream.length < 1.02 * whole + 64, `${stream.length} bytes at level ${level} in place of ${whole}`);
          check(parts.length >= body.length / deflatePiece, `${body.length} bytes come in ${parts.length} parts`);
        }
      }
    },
  },
  {
    name: 'deflateParts: goes on where others compress in between',
    async run(codec, oracle) {
      const [left, right] = [prose(300_000), noise(300_000)];
      const [a, b] = [codec.deflateParts(left, 6), codec.deflateParts(right, 1)];
      const [lefts, rights]: [Uint8Array[], Uint8Array[]] = [[], []];
      for (let open = true; open;) {
        const [one, other] = [a.next(), b.next()];
        if (one.done !== true) lefts.push(one.value);
        if (other.done !== true) rights.push(other.value);
        codec.deflate(prose(1000), 6);
        open = one.done !== true || other.done !== true;
      }
      checkBytes(await oracle.inflate(joined(...lefts)), left, 'the one');
      checkBytes(await oracle.inflate(joined(...rights)), right, 'the other');
    },
  },
  {
    name: 'deflate: knows levels 0 to 9',
    run(codec) {
      for (const level of [10, -2, 1000]) {
        let thrown: unknown;
        try {
          codec.deflate(new Uint8Array(1), level);
        } catch (error) {
          thrown = error;
        }
        check(thrown instanceof RangeError, `level ${level}: ${String(thrown)}`);
      }
    },
  },
];
