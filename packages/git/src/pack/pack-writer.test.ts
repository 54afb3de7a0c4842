import { expect, it } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import { madePack } from './made-pack.test.util.ts';
import { packHeader, packHeaderSize, PackSum } from './pack-writer.ts';

it('GIT-067: writes header and trailer as they must be, and counts the bytes', () => {
  const { bytes } = madePack([{ kind: 3, body: Uint8Array.of(1, 2, 3) }]);
  const sum = new PackSum(nodeCodec());
  const chunks = [sum.pass(packHeader(1))];
  expect(sum.size).toBe(packHeaderSize);
  for (let at = 12; at < bytes.length - 20; at += 3)
    chunks.push(sum.pass(bytes.subarray(at, Math.min(at + 3, bytes.length - 20))));
  chunks.push(sum.trailer());
  expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  expect(sum.size).toBe(bytes.length);
});

it('writes counts of four bytes', () => {
  expect([...packHeader(0xfedcba98).subarray(8)]).toEqual([0xfe, 0xdc, 0xba, 0x98]);
});
