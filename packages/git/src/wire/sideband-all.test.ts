import { fc, it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { packetsOf, wireText } from './packets.test.util.ts';
import { bandPackets, encodeRefusal } from './sideband-all.ts';

const lines = fc.array(
  fc.oneof(
    fc.constantFrom('flush', 'delim', ''),
    fc.string({ maxLength: 300 }),
    fc.integer({ min: 65_000, max: 65_515 }).map((length) => 'x'.repeat(length)),
  ),
  { maxLength: 8 },
);

describe('bandPackets', () => {
  property.prop([lines])('GIT-099: adds one byte to every packet but flush and delim', (texts) => {
    const plain = packetsOf(Buffer.from(wireText(...texts)));
    const banded = packetsOf(bandPackets(Buffer.from(wireText(...texts))));
    expect(banded).toEqual(
      plain.map((packet) => (packet === 'flush' || packet === 'delim' ? packet : `\x01${packet}`)),
    );
  });

  it('GIT-099: refuses a packet that has no room for a band', () => {
    expect(() => bandPackets(Buffer.from(wireText('x'.repeat(65_516))))).toThrow(RangeError);
  });
});

describe('encodeRefusal', () => {
  it('GIT-017: is one packet, in band 3 with sideband-all', () => {
    expect(Buffer.from(encodeRefusal('no', false)).toString()).toBe('000aERR no');
    expect(Buffer.from(encodeRefusal('no', true)).toString()).toBe('0007\x03no');
  });
});
