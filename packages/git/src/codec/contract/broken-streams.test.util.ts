import { ascii, Bits, joined, madeStream, zlibHeader } from './made-stream.test.util.ts';

export interface BrokenStream {
  readonly name: string;
  readonly stream: Uint8Array;
}

const hello = ascii('hello');
const stored = new Bits().stored(true, hello);
const whole = madeStream(hello, stored);

/** A block of type 2 with these numbers of codes less their least, and these lengths of the first code lengths. */
function dynamic(literals: number, distances: number, lengths: readonly number[]): Bits {
  const bits = new Bits()
    .block(true, 2)
    .number(literals, 5)
    .number(distances, 5)
    .number(lengths.length - 4, 4);
  for (const length of lengths) bits.number(length, 3);
  return bits;
}

/** In the order of RFC 1951 §3.2.7: 16, 17, 18, 0. With one bit each, 0 is the code 0 and 18 the code 1. */
const zerosAndRuns = [0, 0, 1, 1];

/** Blocks that RFC 1951 forbids, without the bytes before them and the checksum after them. */
const blocks: readonly (readonly [string, Bits])[] = [
  ['the reserved block type', new Bits().block(true, 3)],
  ['a stored block whose length is not confirmed', new Bits().stored(true, hello, 5)],
  ['a length beyond all, 286', new Bits().block(true, 1).fixed(97).fixed(286)],
  ['a length beyond all, 287', new Bits().block(true, 1).fixed(97).fixed(287)],
  ['a distance beyond all, 30', new Bits().block(true, 1).fixed(97).fixed(257).code(30, 5)],
  ['a distance beyond all, 31', new Bits().block(true, 1).fixed(97).fixed(257).code(31, 5)],
  ['a match of what is before the first byte', new Bits().block(true, 1).fixed(97).fixed(257).code(1, 5)],
  ['a match right at the start', new Bits().block(true, 1).fixed(257).code(0, 5)],
  ['287 literals and lengths', dynamic(30, 0, [1, 1, 0, 0])],
  ['31 distances', dynamic(0, 30, [1, 1, 0, 0])],
  ['more code lengths than a code has room for', dynamic(0, 0, [1, 1, 1, 1])],
  ['a code of code lengths that leaves bits without meaning', dynamic(0, 0, [2, 0, 0, 0])],
  ['a repeat of nothing', dynamic(0, 0, [1, 1, 0, 0]).code(0, 1)],
  ['a run beyond the last code', dynamic(0, 0, zerosAndRuns).code(1, 1).number(127, 7).code(1, 1).number(127, 7)],
  ['no code for the end of a block', dynamic(0, 0, zerosAndRuns).code(1, 1).number(127, 7).code(1, 1).number(109, 7)],
];

const headers: readonly (readonly [string, Uint8Array])[] = [
  ['bytes that are no header', Uint8Array.of(1, 2)],
  ['a header whose check is wrong', Uint8Array.of(0x78, 0x9d)],
  ['another method', zlibHeader(7)],
  ['a window of 64 KiB', zlibHeader(8, 8)],
  ['a preset dictionary', joined(zlibHeader(8, 7, true), Uint8Array.of(0, 0, 0, 1))],
  ['gzip', Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3)],
  ['no header at all', new Uint8Array(0)],
];

const wrongSums = Array.from({ length: 32 }, (_, bit) => {
  const stream = whole.slice();
  const at = stream.length - 4 + (bit >> 3);
  stream[at] = (stream[at] as number) ^ (1 << (bit & 7));
  return { name: `a wrong Adler-32, bit ${bit}`, stream };
});

/** Streams that must be refused, regardless of the bytes after them. */
export const brokenStreams: readonly BrokenStream[] = [
  ...blocks.map(([name, bits]) => ({ name, stream: madeStream(new Uint8Array(0), bits) })),
  ...headers.map(([name, header]) => ({ name, stream: madeStream(hello, stored, header) })),
  ...wrongSums,
];
