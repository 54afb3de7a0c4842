import type { CodecCase } from './codec-case.test.util.ts';
import { check, checkBytes, checkNumber, checkRefused } from './checks.test.util.ts';
import { brokenStreams } from './broken-streams.test.util.ts';
import { inflateAtOnce, inflateInPieces } from './in-pieces.test.util.ts';
import { ascii, joined, prose } from './made-stream.test.util.ts';

const tail = new Uint8Array(40);

/** That what a stream holds takes no memory before there is room for it. */
export const bombCase: CodecCase = {
  name: 'inflate: lets out no more than there is room for, however much a stream holds',
  run(codec) {
    const inflater = codec.inflater();
    const stream = codec.deflate(new Uint8Array(20_000_000), 9);
    const target = new Uint8Array(3000);
    inflater.reset();
    let at = 0;
    for (let turn = 0; turn < 100; turn++) {
      const { consumed, produced } = inflater.step(stream, at, stream.length, target, 1000, 2000);
      checkNumber(produced, 1000, 'what came out');
      at += consumed;
    }
    check(at < 1000, `100,000 bytes of a thousand to one took ${at} bytes of input`);
    inflater.close();
  },
};

export const refusalCases: readonly CodecCase[] = [
  {
    name: 'inflate: refuses broken streams, at once and byte by byte',
    run(codec) {
      const inflater = codec.inflater();
      for (const { name, stream } of brokenStreams) {
        const input = joined(stream, tail);
        for (const piece of [input.length, 1, 3])
          checkRefused(() => inflateInPieces(inflater, input, [piece], [1000]), `${name}, ${piece} bytes at a time`);
      }
      inflater.close();
    },
  },
  {
    name: 'inflate: goes on refusing a broken stream until it is reset',
    run(codec) {
      const inflater = codec.inflater();
      const whole = codec.deflate(ascii('hello'), 6);
      const target = new Uint8Array(100);
      for (const { name, stream } of brokenStreams) {
        const input = joined(stream, tail);
        inflater.reset();
        for (let again = 0; again < 3; again++)
          checkRefused(() => inflater.step(input, 0, input.length, target, 0, 100), `${name}, time ${again}`);
        checkBytes(inflateAtOnce(inflater, joined(whole, tail), 5).output, ascii('hello'), `what comes after ${name}`);
      }
      inflater.close();
    },
  },
  {
    name: 'inflate: checks the sum in the step that fills the room, where the input holds it',
    run(codec) {
      const inflater = codec.inflater();
      for (const level of [0, 1, 6]) {
        const stream = codec.deflate(prose(2000), level);
        const target = new Uint8Array(2000);
        inflater.reset();
        checkNumber(inflater.step(stream, 0, stream.length, target, 0, 2000).consumed, stream.length, 'what was used');
        stream[stream.length - 1] = (stream[stream.length - 1] as number) ^ 1;
        inflater.reset();
        checkRefused(() => inflater.step(stream, 0, stream.length, target, 0, 2000), `level ${level}`);
      }
      inflater.close();
    },
  },
  bombCase,
];
