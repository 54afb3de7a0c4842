import { expect, it } from 'vitest';
import { nodeCodec } from '../../codec/node.ts';
import { objectIdToBytes, parseObjectId, type ObjectId } from '../../object/object-id.ts';
import { parsePackId, type PackId } from '../../ports/pack-store.ts';
import { idOf, madePack, type MadeEntry, type MadePack } from '../made-pack.test.util.ts';
import { Scheduler } from '../../work/scheduler.ts';
import { MemoryStore } from '../memory-store.test.util.ts';
import { PackError } from '../pack-error.ts';
import type { PackReader } from './pack-reader.ts';
import { madeTable } from '../made-table.test.util.ts';
import { PageCache } from './page-cache.ts';
import { openStoredPack } from './stored-pack.ts';

const id = parsePackId('ab'.repeat(16)) as PackId;

/** A reader over an unchecked pack. */
function readerOver(entries: readonly MadeEntry[], { bytes, offsets }: MadePack): PackReader {
  const oids = Buffer.concat(entries.map((entry) => objectIdToBytes(parseObjectId(idOf(entry)) as ObjectId)));
  const index = madeTable(oids, Uint32Array.from([...offsets, bytes.length - 20]));
  return openStoredPack({
    id,
    index,
    store: new MemoryStore(1000),
    bytes,
    codec: nodeCodec(),
    pages: new PageCache(0),
    work: new Scheduler().begin(),
  });
}

const base: MadeEntry = { kind: 3, body: Buffer.from('the base of it all') };
const other: MadeEntry = { kind: 3, body: Buffer.from('the base of it all, and more') };

it.each<[string, Partial<MadeEntry>]>([
  ['made for another base', { delta: Uint8Array.of(17, 2, 0x90, 2) }],
  ['that is cut off', { delta: Uint8Array.of(18, 2, 0x90) }],
  ['that makes another size', { delta: Uint8Array.of(18, 3, 0x90, 2) }],
  ['whose base is not there', { base: other, by: 'id' }],
])('a stored delta %s is a fault, not an object', (_what, change) => {
  const entries: MadeEntry[] = [base, { kind: 3, body: Buffer.from('th'), base, by: 'offset', ...change }];
  const reader = readerOver(entries, madePack(entries));
  expect(reader.read(0)).toEqual({ kind: 3, body: new Uint8Array(base.body) });
  expect(() => reader.read(1)).toThrow(PackError);
});

it('stored deltas that lean on each other are a fault, not an endless loop', () => {
  const one: { -readonly [key in keyof MadeEntry]: MadeEntry[key] } = { kind: 3, body: Buffer.from('one'), by: 'id' };
  const two: MadeEntry = { kind: 3, body: Buffer.from('two'), by: 'id', base: one };
  one.base = two;
  expect(() => readerOver([one, two], madePack([one, two])).read(0)).toThrow(PackError);
});

it('reads what is at hand at once', () => {
  const entries: MadeEntry[] = [base, { ...other, base, by: 'offset' }];
  expect(readerOver(entries, madePack(entries)).read(1)).toEqual({ kind: 3, body: new Uint8Array(other.body) });
});
