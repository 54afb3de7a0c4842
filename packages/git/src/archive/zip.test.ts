import { expect, it } from 'vitest';
import { centralHeader, descriptor, localHeader, zipTime } from './zip.ts';

it('has room for more than 32 bits where compressing may lengthen a file beyond them', () => {
  const [size, compressed] = [0xffff_fff0, 0x1_0000_1000];
  const found = { path: Buffer.from('large'), kind: 'file', isExecutable: false, crc: 1, offset: 0 } as const;
  const entry = { ...found, size, compressed, isDeflated: true, hasDescriptor: true };
  const time = zipTime(0);
  const local = Buffer.from(localHeader(entry, time));
  expect([local.readUInt32LE(18), local.readUInt32LE(22), local.readUInt16LE(35)]).toEqual([
    0xffff_ffff, 0xffff_ffff, 1,
  ]);
  const behind = Buffer.from(descriptor(entry));
  expect([behind.readBigUInt64LE(8), behind.readBigUInt64LE(16)]).toEqual([BigInt(compressed), BigInt(size)]);
  const central = Buffer.from(centralHeader(entry, time));
  expect([central.readBigUInt64LE(55), central.readBigUInt64LE(63)]).toEqual([BigInt(size), BigInt(compressed)]);
});
