import * as fc from 'fast-check';
import type { CodecCase } from './codec-case.test.util.ts';
import { check, checkBytes, checkNumber } from './checks.test.util.ts';
import { bodies, longStreams, shortStreams } from './good-streams.test.util.ts';
import { inflateAtOnce, inflateInPieces, type Sizes } from './in-pieces.test.util.ts';
import { joined, noise, prose } from './made-stream.test.util.ts';

/** Bytes after a stream: the start of another, zeros, and noise. */
const tail = joined(Uint8Array.of(0x78, 0x9c), new Uint8Array(10), noise(20));

const sizes = (max: number): fc.Arbitrary<Sizes> =>
  fc.array(fc.integer({ min: 1, max }), { minLength: 1, maxLength: 6 }) as unknown as fc.Arbitrary<Sizes>;

/** Bytes of which some come again, so that there is something to compress. */
const body = fc.oneof(
  fc.uint8Array({ maxLength: 3000 }),
  fc
    .array(fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 60 })), { maxLength: 20 })
    .map((runs) => joined(...runs.flatMap(([bytes, times]) => Array.from({ length: times }, () => bytes)))),
);

export const inflateCases: readonly CodecCase[] = [
  {
    name: 'inflate: finds output and end of any stream in any pieces',
    async run(codec, oracle) {
      const inflater = codec.inflater();
      const property = fc.asyncProperty(body, sizes(700), sizes(700), async (bytes, pieces, rooms) => {
        for (const stream of await oracle.streamsOf(bytes)) {
          const found = inflateInPieces(inflater, joined(stream, tail), pieces, rooms);
          checkNumber(found.end, stream.length, 'the end');
          checkBytes(found.output, bytes, 'the output');
        }
      });
      await fc.assert(property, { numRuns: 60 });
      inflater.close();
    },
  },
  {
    name: 'inflate: finds the end of short streams in every split in two and with every room',
    run(codec) {
      const inflater = codec.inflater();
      for (const { name, stream, body: bytes } of shortStreams) {
        const input = joined(stream, tail);
        for (let cut = 1; cut <= stream.length + 1; cut++) {
          for (const room of [1, 2, 3, 5, 258, bytes.length + 1]) {
            const found = inflateInPieces(inflater, input, [cut, input.length], [room]);
            checkNumber(found.end, stream.length, `the end of ${name}, cut at ${cut}, room of ${room}`);
            checkBytes(found.output, bytes, name);
          }
        }
        for (const piece of [1, 2, 3])
          checkNumber(inflateInPieces(inflater, input, [piece], [7]).end, stream.length, `${name} in ${piece}s`);
      }
      inflater.close();
    },
  },
  {
    name: 'inflate: goes through long streams, with matches as far back as they may be',
    async run(codec, oracle) {
      const inflater = codec.inflater();
      const made = await Promise.all(
        bodies.map(async ({ name, body: bytes }) =>
          (await oracle.streamsOf(bytes)).map((stream) => ({ name, stream, body: bytes })),
        ),
      );
      for (const { name, stream, body: bytes } of [...longStreams, ...made.flat()]) {
        const input = joined(stream, tail);
        const ways: readonly (readonly [Sizes, Sizes])[] = [
          [[input.length], [bytes.length + 1]],
          [[4096], [32_768]],
          [
            [1000, 1],
            [999, 70_000, 3],
          ],
        ];
        for (const [pieces, rooms] of ways) {
          const found = inflateInPieces(inflater, input, pieces, rooms);
          checkNumber(found.end, stream.length, `the end of ${name}`);
          checkBytes(found.output, bytes, name);
        }
      }
      inflater.close();
    },
  },
  {
    name: 'inflate: takes all of a stream that is cut short, and never says that it ended',
    run(codec) {
      const inflater = codec.inflater();
      for (const { name, stream, body: bytes } of shortStreams) {
        for (let cut = 0; cut < stream.length; cut++) {
          const target = new Uint8Array(bytes.length + 1);
          inflater.reset();
          const { consumed, produced } = inflater.step(stream, 0, cut, target, 0, target.length);
          checkNumber(consumed, cut, `what was used of ${name}, cut at ${cut}`);
          checkBytes(target.subarray(0, produced), bytes.subarray(0, produced), name);
        }
      }
      inflater.close();
    },
  },
  {
    name: 'inflate: does nothing without input, nor after the end',
    run(codec) {
      const inflater = codec.inflater();
      const stream = codec.deflate(prose(100), 6);
      const target = new Uint8Array(101);
      inflater.reset();
      for (let again = 0; again < 2; again++) {
        const { consumed, produced } = inflater.step(stream, 0, 0, target, 0, 101);
        check(consumed === 0 && produced === 0, 'a step without input did something');
      }
      checkNumber(inflater.step(stream, 0, stream.length, target, 0, 101).produced, 100, 'what came out');
      for (let again = 0; again < 2; again++) {
        const { consumed, produced } = inflater.step(tail, 0, tail.length, target, 0, 101);
        check(consumed === 0 && produced === 0, 'a step after the end did something');
      }
      checkBytes(target.subarray(0, 100), prose(100), 'the output');
      inflater.close();
    },
  },
  {
    name: 'inflate: keeps several streams apart',
    run(codec) {
      const made = [prose(5000), noise(5000), new Uint8Array(5000)].map((bytes) => {
        const inflater = codec.inflater();
        inflater.reset();
        return { inflater, bytes, stream: codec.deflate(bytes, 6), output: new Uint8Array(5001), at: 0, size: 0 };
      });
      for (let turn = 0; turn < 60; turn++) {
        for (const one of made) {
          const end = Math.min(one.at + 100, one.stream.length);
          const { consumed, produced } = one.inflater.step(one.stream, one.at, end, one.output, one.size, 5001);
          one.at += consumed;
          one.size += produced;
        }
      }
      for (const { inflater, bytes, output, size } of made) {
        checkBytes(output.subarray(0, size), bytes, 'one of three streams');
        inflater.close();
      }
    },
  },
  {
    name: 'inflate: begins anew in the middle of a stream',
    run(codec) {
      const inflater = codec.inflater();
      const stream = codec.deflate(prose(9000), 6);
      const target = new Uint8Array(9001);
      for (let cut = 0; cut < stream.length; cut += 97) {
        inflater.reset();
        inflater.step(stream, 0, cut, target, 0, 1 + cut);
        const short = shortStreams[cut % shortStreams.length] as (typeof shortStreams)[number];
        const found = inflateAtOnce(inflater, joined(short.stream, tail), short.body.length);
        checkNumber(found.end, short.stream.length, `the end of ${short.name}`);
        checkBytes(found.output, short.body, short.name);
      }
      inflater.close();
    },
  },
];
