import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { CodecError, type Inflater } from '../ports/codec.ts';
import { nodeCodec, RepeatingInflater } from './node.ts';

const codec = nodeCodec();

/** Inflates a stream that is followed by other bytes, in pieces; answers the output and where the stream ended. */
function inflateInPieces(
  inflater: Inflater,
  input: Uint8Array,
  piece: number,
  room: number,
): { output: Uint8Array; end: number } {
  inflater.reset();
  const output: number[] = [];
  const target = new Uint8Array(room);
  let at = 0;
  for (;;) {
    const end = Math.min(at + piece, input.length);
    const { consumed, produced } = inflater.step(input, at, end, target, 0, room);
    output.push(...target.subarray(0, produced));
    at += consumed;
    if (at < end && produced < room) return { output: Uint8Array.from(output), end: at };
    if (at === input.length && produced === 0) throw new Error('the stream did not end');
  }
}

describe.each([
  ['native handle', () => codec.inflater()],
  ['repeated inflateSync', () => new RepeatingInflater()],
])('inflater on %s', (_name, make) => {
  test.prop([
    fc.uint8Array({ maxLength: 3000 }),
    fc.integer({ min: 1, max: 700 }),
    fc.integer({ min: 1, max: 700 }),
    fc.nat(9),
  ])('finds output and end of any stream in any pieces', (body, piece, room, level) => {
    const stream = deflateSync(body, { level });
    const inflater = make();
    const found = inflateInPieces(inflater, Buffer.concat([stream, Buffer.alloc(30, 0xab)]), piece, room);
    inflater.close();
    expect(found.end).toBe(stream.length);
    expect(Buffer.from(found.output).equals(body)).toBe(true);
  });

  it('goes on with the next stream after a broken one', () => {
    const inflater = make();
    const stream = deflateSync(Buffer.from('hello'));
    const broken = Uint8Array.from(stream);
    broken[broken.length - 1] = (broken[broken.length - 1] as number) ^ 1;
    for (const bad of [broken, Uint8Array.of(1, 2, 3, 4), Uint8Array.of(0x78, 0xbb, 1, 2, 3, 4)]) {
      const input = Buffer.concat([bad, Buffer.alloc(10)]);
      expect(() => inflateInPieces(inflater, input, 100, 100)).toThrow(CodecError);
      expect(inflateInPieces(inflater, Buffer.concat([stream, Buffer.alloc(1)]), 100, 100).output).toEqual(
        Uint8Array.from(Buffer.from('hello')),
      );
    }
    inflater.close();
  });

  it('keeps several streams apart', () => {
    const one = make();
    const two = make();
    const streams = ['first stream', 'second stream'].map((text) => deflateSync(Buffer.from(text)));
    const outputs = [new Uint8Array(20), new Uint8Array(20)];
    const used = [one, two].map((inflater, i) => {
      inflater.reset();
      return { ...inflater.step(streams[i] as Uint8Array, 0, 6, outputs[i] as Uint8Array, 0, 20) };
    });
    const rest = [one, two].map((inflater, i) => {
      const stream = streams[i] as Uint8Array;
      return {
        ...inflater.step(
          stream,
          used[i]?.consumed as number,
          stream.length,
          outputs[i] as Uint8Array,
          used[i]?.produced as number,
          20,
        ),
      };
    });
    expect(rest.map((step, i) => step.produced + (used[i]?.produced as number))).toEqual([12, 13]);
    expect(Buffer.from(outputs[1] as Uint8Array).toString('latin1', 0, 13)).toBe('second stream');
  });
});

test.prop([fc.array(fc.uint8Array({ maxLength: 40_000 }), { maxLength: 4 })])(
  'SHA-1 of parts is that of their sum',
  (parts) => {
    const expected = createHash('sha1').update(Buffer.concat(parts)).digest();
    expect(Buffer.from(codec.sha1Of(...parts)).equals(expected)).toBe(true);
    const running = codec.sha1();
    for (const part of parts) running.update(part);
    expect(Buffer.from(running.digest()).equals(expected)).toBe(true);
  },
);

test.prop([fc.uint8Array({ maxLength: 200 }), fc.nat(200)])('CRC-32 goes on from a seed', (bytes, cut) => {
  const whole = codec.crc32(bytes);
  expect(codec.crc32(bytes.subarray(cut), codec.crc32(bytes.subarray(0, cut)))).toBe(whole);
});

it('computes the CRC-32 of the standard check value', () => {
  expect(codec.crc32(Buffer.from('123456789'))).toBe(0xcbf43926);
});

test.prop([fc.uint8Array({ maxLength: 50 }), fc.uint8Array({ maxLength: 50 }), fc.nat(50), fc.nat(50), fc.nat(50)])(
  'compares ranges as a loop would',
  (a, b, aStart, bStart, length) => {
    let same = aStart + length <= a.length && bStart + length <= b.length;
    for (let i = 0; same && i < length; i++) same = a[aStart + i] === b[bStart + i];
    expect(codec.equal(a, aStart, b, bStart, length)).toBe(same);
    expect(codec.equal(a, aStart, a.slice(), aStart, Math.max(0, Math.min(length, a.length - aStart)))).toBe(
      aStart <= a.length,
    );
  },
);
