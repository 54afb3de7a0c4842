import { describe, expect, it } from 'vitest';
import { nodeCodec } from '../../codec/node.ts';
import { objectIdToBytes, parseObjectId, type ObjectId } from '../../object/object-id.ts';
import { parsePackId, type PackId } from '../../ports/pack-store.ts';
import { sliceUnits } from '../../work/costs.ts';
import { Scheduler, WorkAbortedError, type Work } from '../../work/scheduler.ts';
import { copy, idOf, insert, madePack, varint, type MadeEntry } from '../made-pack.test.util.ts';
import { MemoryStore } from '../memory-store.test.util.ts';
import type { PackReader } from './pack-reader.ts';
import { madeTable } from '../made-table.test.util.ts';
import { PageCache } from './page-cache.ts';
import { openStoredPack } from './stored-pack.ts';

const id = parsePackId('ab'.repeat(16)) as PackId;
const mebibyte = 1024 * 1024;
/** 25 ms: the slice, and what one step may do in between. */
const stretchMax = 2.5 * sliceUnits;

/** A reader of a pack in memory, or through one page of that size. */
function readerOver(entries: readonly MadeEntry[], work: Work, pageSize?: number): PackReader {
  const { bytes, offsets } = madePack(entries);
  const oids = Buffer.concat(entries.map((entry) => objectIdToBytes(parseObjectId(idOf(entry)) as ObjectId)));
  const index = madeTable(oids, Uint32Array.from([...offsets, bytes.length - 20]));
  const store = new MemoryStore(bytes.length);
  store.files.set(`${id}.pack`, new Uint8Array(bytes));
  const pages = new PageCache(0, pageSize);
  const held = pageSize === undefined ? bytes : undefined;
  return openStoredPack({ id, index, store, bytes: held, codec: nodeCodec(), pages, work });
}

/** A chain of objects of that size on zeros: each link changes one byte. */
function chain(size: number, links: number): MadeEntry[] {
  const entries: MadeEntry[] = [{ kind: 3, body: new Uint8Array(size) }];
  for (let link = 1; link <= links; link++) {
    const base = entries[link - 1] as MadeEntry;
    const body = base.body.slice();
    body[link] = 1;
    const delta = [...varint(size), ...varint(size), ...copy(0, link), 1, 1, ...copy(link + 1, size - link - 1)];
    entries.push({ kind: 3, body, base, by: 'offset', delta: Uint8Array.from(delta) });
  }
  return entries;
}

describe('no stretch without a yield is long', () => {
  it.each<[string, () => MadeEntry[]]>([
    ['a whole object of 64 MiB', () => chain(64 * mebibyte, 0)],
    ['40 links of 4 MiB', () => chain(4 * mebibyte, 40)],
    ['2,000 links of 64 KiB', () => chain(64 * 1024, 2000)],
    [
      'a delta that inserts 4 million bytes one by one',
      () => {
        const base: MadeEntry = { kind: 3, body: Buffer.from('base') };
        const size = 4 * mebibyte;
        const delta = new Uint8Array(5 + 2 * size);
        delta.set([...varint(4), ...varint(size)]);
        for (let at = 5; at < delta.length; at += 2) delta[at] = 1;
        return [base, { kind: 3, body: new Uint8Array(size), base, by: 'offset', delta }];
      },
    ],
  ])('LIM-062: %s', async (_what, make) => {
    const scheduler = new Scheduler();
    const entries = make();
    const reader = readerOver(entries, scheduler.begin());
    const { body } = await reader.read(entries.length - 1);
    expect(Buffer.compare(body, (entries.at(-1) as MadeEntry).body)).toBe(0);
    expect(scheduler.longestStretch).toBeLessThan(stretchMax);
  });
});

it.each([undefined, 700, 70_000])(
  'reads right with a turn of others at every step, with pages of %s',
  async (pageSize) => {
    const others: Work = { spend: () => true, yield: () => new Promise((resolve) => setImmediate(resolve)) };
    const entries = [
      ...chain(5000, 8),
      ...chain(2 * mebibyte, 2),
      { kind: 3, body: Buffer.from('small') } as MadeEntry,
    ];
    const reader = readerOver(entries, others, pageSize);
    for (const [i, entry] of entries.entries()) {
      const { body } = await reader.read(i);
      expect([i, Buffer.compare(body, entry.body)]).toEqual([i, 0]);
    }
  },
);

it('stops within a chain when its client has left', async () => {
  const gone = new AbortController();
  const scheduler = new Scheduler();
  const work = scheduler.begin({ signal: gone.signal });
  const reading = readerOver(chain(4 * mebibyte, 40), work).read(40);
  gone.abort();
  await expect(reading).rejects.toThrow(WorkAbortedError);
  expect(work.units).toBeLessThan(stretchMax);
});

it('refuses a large object that does not inflate to its size, or whose delta does not fit', async () => {
  const scheduler = new Scheduler();
  const base: MadeEntry = { kind: 3, body: new Uint8Array(2 * mebibyte) };
  const size = base.body.length;
  for (const end of [copy(1, size), insert(new Uint8Array(1)), [0]]) {
    const delta = Uint8Array.from([...varint(size), ...varint(size), ...end]);
    const entries: MadeEntry[] = [base, { ...base, base, by: 'offset', delta }];
    await expect((async () => readerOver(entries, scheduler.begin()).read(1))()).rejects.toThrow('broken');
  }
});

it('makes a large object in no larger buffer than it needs, also where its chain has much larger ones', async () => {
  const entries: MadeEntry[] = [{ kind: 3, body: new Uint8Array(4 * mebibyte) }];
  for (const size of [900_000, 800_000, 300_000, 280_000]) {
    const base = entries.at(-1) as MadeEntry;
    const delta = Uint8Array.from([...varint(base.body.length), ...varint(size), ...copy(0, size)]);
    entries.push({ kind: 3, body: base.body.slice(0, size), base, by: 'offset', delta });
  }
  const reader = readerOver(entries, new Scheduler().begin({ tenant: 't' }));
  for (const [ordinal, { body }] of entries.entries()) {
    const read = (await reader.read(ordinal)).body;
    expect(Buffer.compare(read, body)).toBe(0);
    expect(read.buffer.byteLength).toBeLessThanOrEqual(1.25 * body.length);
  }
});
