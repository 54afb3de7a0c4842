import { fc, it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { PacketReader } from './packet-reader.ts';
import { bodyOf, bytesOf, cut, readerOf } from './packets.test.util.ts';
import { encodePacket, lineText, packetText, type Packet } from './pkt-line.ts';
import { MalformedRequestError, RequestTooLargeError } from './request-error.ts';

const packet: fc.Arbitrary<Packet> = fc.oneof(
  fc.constantFrom<Packet>({ kind: 'flush' }, { kind: 'delim' }),
  fc.uint8Array({ maxLength: 300 }).map((bytes): Packet => ({ kind: 'data', bytes })),
);
const places = fc.array(fc.nat(), { maxLength: 40 });

function encode(packets: readonly Packet[]): Buffer {
  return Buffer.concat(
    packets.map((one) =>
      one.kind === 'data' ? encodePacket(one.bytes) : Buffer.from(one.kind === 'flush' ? '0000' : '0001'),
    ),
  );
}

async function readAll(reader: PacketReader, count = Infinity): Promise<Packet[]> {
  const packets: Packet[] = [];
  while (packets.length < count) {
    const next = reader.buffered() ?? (await reader.read());
    if (next === undefined) break;
    packets.push(next.kind === 'data' ? { kind: 'data', bytes: Uint8Array.from(next.bytes) } : next);
  }
  return packets;
}

describe('PacketReader', () => {
  property.prop([fc.array(packet, { maxLength: 20 }), fc.uint8Array({ maxLength: 500 }), places])(
    'reads the packets and hands over the rest, wherever the body is cut',
    async (packets, rest, cuts) => {
      const body = Buffer.concat([encode(packets), rest]);
      const reader = readerOf(...cut(body, cuts));
      expect(await readAll(reader, packets.length)).toEqual(packets);
      expect(Buffer.compare(await bytesOf(reader.rest()), rest)).toBe(0);
      expect(reader.received).toBe(body.length);
    },
  );

  property.prop([fc.array(packet, { minLength: 1, maxLength: 8 }), fc.nat(), places])(
    'GIT-016: a body that ends inside a packet is malformed',
    async (packets, end, cuts) => {
      const body = encode([...packets, { kind: 'data', bytes: new Uint8Array(9) }]);
      const short = body.subarray(0, body.length - 1 - (end % 12));
      await expect(readAll(readerOf(...cut(short, cuts)))).rejects.toThrow(MalformedRequestError);
    },
  );

  property.prop([fc.uint8Array({ maxLength: 200 }), places])(
    'GIT-016: any bytes are packets or malformed',
    async (bytes, cuts) => {
      try {
        const packets = await readAll(readerOf(...cut(bytes, cuts)));
        expect(encode(packets).toString('latin1').toLowerCase()).toBe(
          Buffer.from(bytes).toString('latin1').toLowerCase(),
        );
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedRequestError);
      }
    },
  );

  it.each(['0002', '0003', 'fff1', 'ffff', '00g0', '-001', '0x10', ' 004', 'PACK'])(
    'GIT-016: refuses the length %j',
    async (digits) => {
      await expect(readerOf(`${digits}${'x'.repeat(70_000)}`).read()).rejects.toThrow(MalformedRequestError);
    },
  );

  it('GIT-016: takes packets of 65,520 bytes and lengths in capital letters', async () => {
    const reader = readerOf('fff0', 'x'.repeat(65_516), '000Aabcdef', '0004');
    expect(await readAll(reader)).toEqual([
      { kind: 'data', bytes: new TextEncoder().encode('x'.repeat(65_516)) },
      { kind: 'data', bytes: new TextEncoder().encode('abcdef') },
      { kind: 'data', bytes: new Uint8Array(0) },
    ]);
  });

  it('GIT-164: counts the packets and the rest against the limit', async () => {
    const body = [packetText('line\n'), 'x'.repeat(11)];
    expect((await bytesOf(new PacketReader(bodyOf(body), 20).rest())).length).toBe(20);
    const reader = new PacketReader(bodyOf(body), 19);
    expect(await reader.read()).toMatchObject({ kind: 'data' });
    await expect(bytesOf(reader.rest())).rejects.toThrow(new RequestTooLargeError(19));
  });

  it('passes on chunks unchanged, without copying', async () => {
    const chunks = [Buffer.from('0000PACK'), Buffer.from('more')];
    const reader = readerOf(...chunks);
    await reader.read();
    const rest = [];
    for await (const chunk of reader.rest()) rest.push(chunk);
    expect(rest[0]?.buffer).toBe(chunks[0]?.buffer);
    expect(rest[1]).toBe(chunks[1]);
  });

  it('lets go of the body when its reader stops early', async () => {
    let closed = 0;
    const body = async function* (): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield Buffer.from('0000more');
      } finally {
        closed++;
      }
    };
    const reader = new PacketReader(body());
    await reader.read();
    for await (const chunk of reader.rest()) if (chunk.length > 0) break;
    expect(closed).toBe(1);
  });
});

describe('packets as text', () => {
  property.prop([fc.string({ unit: 'binary', maxLength: 200 })])('have the length of their UTF-8', async (text) => {
    const encoded = new TextEncoder().encode(packetText(text));
    const [read] = await readAll(readerOf(encoded));
    expect(read).toEqual({ kind: 'data', bytes: new TextEncoder().encode(text) });
  });

  it('never are longer than a packet can be', () => {
    expect(packetText('x'.repeat(65_516)).slice(0, 4)).toBe('fff0');
    expect(() => packetText('x'.repeat(65_517))).toThrow(RangeError);
  });

  it('lose one LF at their end when they are read', () => {
    expect(lineText(Buffer.from('a\n\n'))).toBe('a\n');
    expect(lineText(Buffer.from('a'))).toBe('a');
    expect(lineText(Buffer.from(''))).toBe('');
  });
});
