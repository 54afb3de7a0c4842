import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { delimPkt, flushPkt, PacketCutter, pkt, type Packet } from './pkt-line.ts';

const cut = (chunks: Buffer[]): string[] => {
  const packets: string[] = [];
  const cutter = new PacketCutter((packet: Packet) => packets.push(Buffer.isBuffer(packet) ? `=${packet}` : packet));
  for (const chunk of chunks) cutter.feed(chunk);
  cutter.end();
  return packets;
};

describe('PacketCutter', () => {
  it('separates data from special packets', () => {
    expect(cut([Buffer.from(`${pkt('hi\n')}${delimPkt}${pkt('')}${flushPkt}0002`)])).toEqual([
      '=hi\n',
      'delim',
      '=',
      'flush',
      'response-end',
    ]);
  });

  it.each(['0003', 'zzzz', ' 12a', '-001'])('refuses the length %j', (digits) => {
    expect(() => cut([Buffer.from(`${digits}data`)])).toThrow('Not a packet');
  });

  it('refuses a stream that stops inside a packet', () => {
    expect(() => cut([Buffer.from('0009ab')])).toThrow('ends inside');
  });

  test.prop([fc.array(fc.oneof(fc.constantFrom('flush', 'delim'), fc.string())), fc.array(fc.nat(20))])(
    'returns the written packets, wherever the stream is cut',
    (written, cuts) => {
      const texts = written.map((one) => (one === 'flush' ? flushPkt : one === 'delim' ? delimPkt : pkt(one)));
      const bytes = Buffer.from(texts.join(''));
      const chunks: Buffer[] = [];
      let at = 0;
      for (const length of cuts) {
        chunks.push(bytes.subarray(at, at + length));
        at += length;
      }
      chunks.push(bytes.subarray(at));
      expect(cut(chunks)).toEqual(written.map((one) => (one === 'flush' || one === 'delim' ? one : `=${one}`)));
    },
  );
});
