import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { runs } from '@packhouse/fixtures';
import { NotEnoughMemoryError } from '../../work/memory-error.ts';
import { join } from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeCodec } from '../../codec/node.ts';
import { objectIdAt } from '../../object/object-id.ts';
import type { GitObject } from '../../object/kind.ts';
import type { IncomingPack, IndexOptions } from './incoming-pack.ts';
import { BufferPool } from '../buffer-pool.ts';
import { writeEntryHeader, type EntryType } from '../entry-header.ts';
import { indexIncomingPack } from './index-incoming.ts';
import { indexOptions } from './index-options.test.util.ts';
import { memoryShare } from './memory-share.test.util.ts';
import { copy, idOf, insert, madePack, someEntries, varint, type MadeEntry } from '../made-pack.test.util.ts';
import { MemoryStore } from '../memory-store.test.util.ts';
import { PackError } from '../pack-error.ts';
import { parsePackIndexFile } from '../pack-index-file.ts';
import { PageCache } from '../read/page-cache.ts';
import { stockGit, type StockGit } from '../stock-git.test.util.ts';
import { openStoredPack } from '../read/stored-pack.ts';
import { cost, sliceUnits } from '../../work/costs.ts';
import { Scheduler } from '../../work/scheduler.ts';

const codec = nodeCodec();
const inMemory = 1 << 20;
const uploaded = 256;

/** The bytes in chunks of the given sizes, over and over, in one buffer that is used again. */
async function* inChunks(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(Math.max(...sizes));
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const chunk = bytes.subarray(at, at + (sizes[i % sizes.length] as number));
    buffer.set(chunk);
    yield buffer.subarray(0, chunk.length);
    at += chunk.length;
  }
}

async function bodiesOf(pack: IncomingPack): Promise<Map<string, string>> {
  const bodies = new Map<string, string>();
  for (let i = 0; i < pack.index.count; i++) {
    const { kind, body } = await pack.objects.read(i);
    expect(pack.kinds[i]).toBe(kind);
    expect(pack.sizes[i]).toBe(body.length);
    bodies.set(pack.index.id(i), Buffer.from(body).toString('hex'));
  }
  return bodies;
}

function expected(objects: readonly GitObject[]): Map<string, string> {
  return new Map(objects.map((object) => [idOf(object), Buffer.from(object.body).toString('hex')]));
}

const sorted = (map: Map<string, string>): [string, string][] => [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));

const someChunks = fc.array(fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 5000 })), {
  minLength: 1,
  maxLength: 5,
});

describe('beside git index-pack', () => {
  const outside: GitObject[] = Array.from({ length: 4 }, (_, i) => ({
    kind: 3,
    body: new Uint8Array(100 + 200 * i).map((_, j) => (i * 31 + j * j) & 255),
  }));

  let git: StockGit;
  beforeAll(() => {
    git = stockGit();
    for (const { body } of outside) git.run(['hash-object', '-w', '--stdin'], body);
  });
  afterAll(() => git.remove());

  function gitIndex(bytes: Uint8Array): Buffer {
    writeFileSync(join(git.folder, 'p.pack'), bytes);
    git.run(['index-pack', '--threads=1', '-o', 'p.idx', 'p.pack']);
    return readFileSync(join(git.folder, 'p.idx'));
  }

  test.prop([someEntries(), someChunks, fc.constantFrom(inMemory, uploaded)], { numRuns: runs(40) })(
    'GIT-118: any complete pack gets the same .idx, byte for byte, and its objects are read as they are',
    async (entries, chunks, partSize) => {
      const { bytes } = madePack(entries);
      const store = new MemoryStore(partSize);
      const pack = await indexIncomingPack(inChunks(bytes, chunks), indexOptions(store));
      expect(Buffer.from(await pack.idx()).equals(gitIndex(bytes))).toBe(true);
      expect(pack.sent).toBe(entries.length);
      expect(pack.packSize).toBe(bytes.length);
      expect(sorted(await bodiesOf(pack))).toEqual(sorted(expected(entries)));

      const large = bytes.length > 3 * partSize;
      expect(pack.bytes === undefined).toBe(large);
      expect(store.files.size).toBe(large ? 1 : 0);
      const id = await pack.keep();
      expect(await pack.keep()).toBe(id);
      expect(Buffer.from(store.files.get(`${id}.pack`) as Uint8Array).equals(bytes)).toBe(true);

      const { index } = await parsePackIndexFile(await pack.idx(), pack.packSize, new Scheduler().begin());
      for (const rows of [undefined, bytes]) {
        const reader = openStoredPack({
          id,
          index,
          store,
          bytes: rows,
          codec,
          pages: new PageCache(2000, 400),
          work: new Scheduler().begin(),
        });
        for (let i = index.count - 1; i >= 0; i--) {
          const read = await reader.read(i);
          expect(idOf(read)).toBe(index.id(i));
          const entry = await reader.entry(i);
          expect(entry.base).toBe(pack.bases[i]);
          expect(entry.end).toBe(index.offsets[i + 1]);
        }
      }
      await pack.discard();
      expect(store.files.size + store.reserved.size).toBe(0);
    },
  );

  test.prop([someEntries(outside), someChunks, fc.constantFrom(inMemory, uploaded)], { numRuns: runs(40) })(
    'GIT-118: any thin pack is completed to one that git takes, with the same objects as git completes it to',
    async (entries, chunks, partSize) => {
      const { bytes } = madePack(entries);
      const store = new MemoryStore(partSize);
      const byId = new Map(outside.map((object) => [idOf(object), object]));
      const pack = await indexIncomingPack(
        inChunks(bytes, chunks),
        indexOptions(store, { stored: async (oids, at) => byId.get(objectIdAt(oids, at)) }),
      );
      const used = outside.filter((object) => entries.some((entry) => entry.base === object));
      expect(pack.sent).toBe(entries.length);
      if (entries.length === 0) return;
      expect(pack.index.count).toBe(entries.length + used.length);
      expect(sorted(await bodiesOf(pack))).toEqual(sorted(expected([...entries, ...used])));
      await pack.keep();
      // Only the completed pack is left.
      expect(store.files.size).toBe(1);
      const completed = store.files.get(`${await pack.keep()}.pack`) as Uint8Array;
      expect(completed.length).toBe(pack.packSize);
      expect(Buffer.from(await pack.idx()).equals(gitIndex(completed))).toBe(true);
      expect(Buffer.from(pack.checksum).equals(completed.subarray(-20))).toBe(true);
      const result = git.run(['index-pack', '--stdin', '--fix-thin'], bytes).toString();
      const name = /[0-9a-f]{40}/.exec(result)?.[0] as string;
      const theirs = git.run(['show-index'], readFileSync(join(git.folder, `objects/pack/pack-${name}.idx`)));
      const ids = theirs
        .toString()
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[1]);
      expect(Array.from({ length: pack.index.count }, (_, i) => pack.index.id(i) as string).toSorted()).toEqual(ids);
      await pack.discard();
      expect(store.files.size + store.reserved.size).toBe(0);
    },
  );

  test.prop(
    [
      someEntries(),
      fc.constantFrom(inMemory, uploaded),
      fc.array(
        fc.record({
          kind: fc.constantFrom('flip', 'cut', 'insert', 'remove', 'zero'),
          at: fc.nat(),
          bytes: fc.uint8Array({ minLength: 1, maxLength: 30 }),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      fc.boolean(),
    ],
    { numRuns: runs(400) },
  )(
    'GIT-140 to GIT-148: a changed pack is refused, or equal in content; nothing of a refused one is left',
    async (entries, partSize, changes, sign) => {
      const original = madePack(entries).bytes;
      let bytes = Buffer.from(original);
      for (const { kind, at, bytes: other } of changes) {
        const place = at % Math.max(1, bytes.length);
        const rest = kind === 'insert' ? place : place + other.length;
        if (kind === 'flip') bytes[place] = (bytes[place] as number) ^ (other[0] as number);
        else if (kind === 'cut') bytes = bytes.subarray(0, place);
        else if (kind === 'zero') bytes.fill(0, place, Math.min(bytes.length, place + other.length));
        else
          bytes = Buffer.concat([
            bytes.subarray(0, place),
            kind === 'insert' ? other : Buffer.alloc(0),
            bytes.subarray(rest),
          ]);
      }
      // With a checksum that fits, the checks behind it are reached.
      if (sign && bytes.length > 32) {
        const body = bytes.subarray(0, -20);
        bytes = Buffer.concat([body, codec.sha1Of(body)]);
      }
      const store = new MemoryStore(partSize);
      try {
        const pack = await indexIncomingPack(inChunks(bytes, [97, 1000]), indexOptions(store));
        for (const [id, hex] of await bodiesOf(pack)) expect(idOf({ kind: 3, body: Buffer.from(hex, 'hex') })).toBe(id);
        await pack.discard();
      } catch (error) {
        // A count that is larger than it was may need more memory than there is.
        const isRefusal = error instanceof PackError || error instanceof NotEnoughMemoryError;
        expect(isRefusal).toBe(true);
        if (error instanceof PackError) expect(error.reason).not.toMatch(/stored/);
      }
      expect(store.files.size + store.reserved.size).toBe(0);
    },
  );
});

/** Returns the error that refuses a pack. The store must be empty afterwards. */
async function refusal(bytes: Uint8Array, more: Partial<IndexOptions> = {}, partSize = inMemory): Promise<PackError> {
  const store = new MemoryStore(partSize);
  const error: unknown = await indexIncomingPack(inChunks(bytes, [4096]), indexOptions(store, more)).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PackError);
  expect(store.files.size + store.reserved.size).toBe(0);
  return error as PackError;
}

const reason = async (...parameters: Parameters<typeof refusal>): Promise<string> =>
  (await refusal(...parameters)).reason;

/** Makes entries up to so long: their content is stored behind empty blocks. */
function padded(length: number): (entry: MadeEntry, type: number, data: Uint8Array) => Uint8Array {
  return (_entry, type, data) => {
    const header = new Uint8Array(10);
    const headerEnd = writeEntryHeader(header, 0, type as EntryType, data.length);
    const stored: Uint8Array[] = [];
    for (let at = 0; at < data.length; at += 65_535) {
      const block = data.subarray(at, at + 65_535);
      const isLast = at + block.length === data.length;
      stored.push(Buffer.of(isLast ? 1 : 0, block.length & 255, block.length >> 8, ~block.length, ~block.length >> 8));
      stored.push(block);
    }
    const rest = Buffer.concat([...stored, adler32(data)]);
    const empty = Buffer.of(0, 0, 0, 255, 255);
    const blocks = Buffer.alloc(5 * Math.floor((length - headerEnd - 2 - rest.length) / 5), empty);
    return Buffer.concat([header.subarray(0, headerEnd), Buffer.of(0x78, 1), blocks, rest]);
  };
}

function adler32(bytes: Uint8Array): Uint8Array {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return Uint8Array.of(b >> 8, b & 255, a >> 8, a & 255);
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const blob = (value: string): MadeEntry => ({ kind: 3, body: text(value) });
const one = blob('one, that is long enough to be a base');
const two: MadeEntry = { kind: 3, body: text('one, that is long enough to be a bass'), base: one, by: 'offset' };
const three: MadeEntry = { kind: 3, body: text('one, that is longer than a bass'), base: two, by: 'id' };
const entries = [one, two, three];
const good = madePack(entries);

describe.each([
  ['in memory', inMemory],
  ['uploaded', 16],
])('refuses with the reason of the specification: %s', (_name, partSize) => {
  it('takes the pack that the others are made from', async () => {
    const pack = await indexIncomingPack(inChunks(good.bytes, [4096]), indexOptions(new MemoryStore(partSize)));
    expect(pack.index.count).toBe(3);
  });

  it('GIT-140: bad pack header', async () => {
    expect(await reason(madePack(entries, { signature: 'PUCK' }).bytes, {}, partSize)).toBe('bad pack header');
    expect(await reason(madePack(entries, { version: 4 }).bytes, {}, partSize)).toBe('bad pack header');
    expect(await reason(text('<!DOCTYPE html>'), {}, partSize)).toBe('bad pack header');
  });

  it('GIT-141: object count mismatch', async () => {
    for (const count of [1, 2, 4, 5, 400]) {
      expect(await reason(madePack(entries, { count }).bytes, {}, partSize)).toBe('object count mismatch');
    }
    expect(await reason(madePack(entries, { count: 0 }).bytes, {}, partSize)).toBe('object count mismatch');
  });

  test.prop([fc.uint8Array({ minLength: 300, maxLength: 300 }), fc.nat(250), fc.constantFrom(1, 7, 4096)])(
    'GIT-141: object count mismatch, for any trailer',
    async (body, length, chunk) => {
      const bytes = madePack([{ kind: 3, body: body.subarray(length) }], { count: 2 }).bytes;
      const store = new MemoryStore(partSize);
      await expect(indexIncomingPack(inChunks(bytes, [chunk]), indexOptions(store))).rejects.toThrow(
        'object count mismatch',
      );
    },
  );

  it('GIT-141: garbage after pack', async () => {
    for (const garbage of ['x', 'PACK', 'x'.repeat(5000)]) {
      expect(await reason(Buffer.concat([good.bytes, text(garbage)]), {}, partSize)).toBe('garbage after pack');
    }
  });

  it('GIT-142: pack checksum mismatch', async () => {
    expect(await reason(madePack(entries, { trailer: new Uint8Array(20) }).bytes, {}, partSize)).toBe(
      'pack checksum mismatch',
    );
  });

  it('GIT-143: corrupt object', async () => {
    const second = `corrupt object at offset ${good.offsets[1]}`;
    const unknownType = madePack(entries, {
      encode: (entry) => (entry === two ? Uint8Array.of(0x50, 1, 2, 3) : undefined),
    });
    expect(await reason(unknownType.bytes, {}, partSize)).toBe(second);
    const noZlib = madePack(entries, { encode: (entry) => (entry === two ? Uint8Array.of(0x31, 1, 2, 3) : undefined) });
    expect(await reason(noZlib.bytes, {}, partSize)).toBe(second);
    for (const off of [-1, 1]) {
      const alone = madePack([one], {
        encode: (entry, type) => {
          const size = entry.body.length + off;
          return Buffer.concat([
            Uint8Array.of((type << 4) | 0x80 | (size & 15), size >> 4),
            codec.deflate(entry.body, 6),
          ]);
        },
      });
      expect(await reason(alone.bytes, {}, partSize)).toBe('corrupt object at offset 12');
      const wrongSize = madePack(entries, {
        encode: (entry, type, data) =>
          entry === one
            ? Buffer.concat([
                Uint8Array.of((type << 4) | 0x80 | ((data.length + off) & 15), (data.length + off) >> 4),
                codec.deflate(data, 6),
              ])
            : undefined,
      });
      expect(await reason(wrongSize.bytes, {}, partSize)).toBe('corrupt object at offset 12');
    }
  });

  it.each([100, 40_000])('GIT-143: an entry that is much longer than its content of %d bytes', async (size) => {
    const content = blob('x'.repeat(size));
    const most = 2 * size + 64 * 1024;
    const withLength = (length: number): Uint8Array => madePack([content], { encode: padded(length) }).bytes;
    const store = new MemoryStore(partSize);
    expect((await indexIncomingPack(inChunks(withLength(most), [4096]), indexOptions(store))).sent).toBe(1);
    expect(await reason(withLength(most + 5), {}, partSize)).toBe('corrupt object at offset 12');
  });

  it.each<[string, number[]]>([
    ['another base size', [one.body.length + 1, 1, 1, 65]],
    ['another result size', [one.body.length, 2, 1, 65]],
    ['a copy from outside the base', [one.body.length, 10, 0x91, 30, 10]],
    ['the reserved instruction', [one.body.length, 1, 0, 1, 65]],
    ['a cut-off instruction', [one.body.length, 5, 5, 65]],
    ['nothing at all', []],
    ['an empty result, in fewer bytes than Git reads', [one.body.length, 0]],
  ])('GIT-144: corrupt delta: %s', async (_what, delta) => {
    for (const by of ['offset', 'id'] as const) {
      const bad: MadeEntry = { kind: 3, body: text('?'), base: one, by, delta: Uint8Array.from(delta) };
      expect(await reason(madePack([one, bad]).bytes, {}, partSize)).toBe(`corrupt delta at offset ${good.offsets[1]}`);
    }
  });

  it('GIT-144: corrupt delta: an offset that no entry starts at', async () => {
    for (const distance of [0, 1, (good.offsets[1] as number) - 11, 100_000]) {
      const bad = madePack(entries, {
        encode: (entry, _type, data) =>
          entry === two
            ? Buffer.concat([
                Buffer.from([0x60 | (data.length & 15) | 0x80, data.length >> 4]),
                distanceBytes(distance),
                codec.deflate(data, 6),
              ])
            : undefined,
      });
      expect(await reason(bad.bytes, {}, partSize)).toBe(`corrupt delta at offset ${good.offsets[1]}`);
    }
  });

  it('GIT-145: missing base', async () => {
    expect(await reason(madePack([{ ...two, by: 'id' }]).bytes, {}, partSize)).toBe(`missing base ${idOf(one)}`);
    expect(await reason(madePack([three, { ...two, by: 'id' }]).bytes, {}, partSize)).toBe(`missing base ${idOf(two)}`);
    const a: { -readonly [key in keyof MadeEntry]: MadeEntry[key] } = { kind: 3, body: text('aaa'), by: 'id' };
    const b: MadeEntry = { kind: 3, body: text('bbb'), by: 'id', base: a };
    a.base = b;
    expect(await reason(madePack([a, b]).bytes, {}, partSize)).toMatch(/^missing base/);
  });

  it('GIT-146: invalid object, whole or a delta', async () => {
    const commit: MadeEntry = {
      kind: 1,
      body: text(`tree ${'1'.repeat(40)}\nauthor A <a> 1 +0\ncommitter A <a> 1 +0\n\nm`),
    };
    const bad: MadeEntry = {
      kind: 1,
      body: text(`tree ${'1'.repeat(39)}\nauthor A <a> 1 +0\ncommitter A <a> 1 +0\n\nm`),
    };
    expect(await reason(madePack([commit, bad]).bytes, {}, partSize)).toBe(`invalid object ${idOf(bad)}`);
    expect(await reason(madePack([commit, { ...bad, base: commit, by: 'offset' }]).bytes, {}, partSize)).toBe(
      `invalid object ${idOf(bad)}`,
    );
    const tree: MadeEntry = {
      kind: 2,
      body: Buffer.concat([text('100644 b\0'), Buffer.alloc(20, 1), text('100644 a\0'), Buffer.alloc(20, 1)]),
    };
    expect(await reason(madePack([tree]).bytes, {}, partSize)).toBe(`invalid object ${idOf(tree)}`);
    const loose = await indexIncomingPack(
      inChunks(madePack([tree]).bytes, [50]),
      indexOptions(new MemoryStore(partSize), { strict: false }),
    );
    expect(loose.index.count).toBe(1);
  });

  it('GIT-147: object collision', async () => {
    const storedNumber = (oids: Uint8Array, at: number): number => (objectIdAt(oids, at) === idOf(two) ? 0 : -1);
    for (const other of [
      { kind: 3, body: text('other') },
      { kind: 1, body: two.body },
    ] as GitObject[]) {
      expect(await reason(good.bytes, { storedNumber, stored: async () => other }, partSize)).toBe(
        `object collision ${idOf(two)}`,
      );
    }
    const same = await indexIncomingPack(
      inChunks(good.bytes, [99]),
      indexOptions(new MemoryStore(partSize), { storedNumber, stored: () => ({ kind: 3, body: two.body }) }),
    );
    expect(same.index.count).toBe(3);
  });

  it('GIT-148: truncated pack, wherever it ends', async () => {
    for (let length = 0; length < good.bytes.length; length++) {
      expect(await reason(good.bytes.subarray(0, length), {}, partSize)).toBe('truncated pack');
    }
  });

  it('LIM-051: file too large, whole or a delta, with its id', async () => {
    const large = blob('x'.repeat(200_001));
    const options = { blobMax: 200_000 };
    const expectedReason = `file too large: ${idOf(large)} (200001 bytes, limit 200000, blob_max)`;
    const whole = await refusal(madePack([one, large]).bytes, options, partSize);
    expect([whole.reason, whole.commandReason]).toEqual([expectedReason, 'file too large']);
    const base = blob('x'.repeat(199_000));
    expect(await reason(madePack([base, { ...large, base, by: 'offset' }]).bytes, options, partSize)).toBe(
      expectedReason,
    );
    expect(await reason(madePack([blob('x'.repeat(3300))]).bytes, { blobMax: 100 }, partSize)).toBe(
      'file too large (3300 bytes, limit 100, blob_max)',
    );
    const fits = await indexIncomingPack(
      inChunks(madePack([large]).bytes, [99]),
      indexOptions(new MemoryStore(partSize), { blobMax: 200_001 }),
    );
    expect(fits.sizes[0]).toBe(200_001);
  });

  it('LIM-056: object too large', async () => {
    const tree: MadeEntry = {
      kind: 2,
      body: Buffer.concat([text(`100644 ${'n'.repeat(300)}\0`), Buffer.alloc(20, 1)]),
    };
    const error = await refusal(madePack([tree]).bytes, { objectMax: 300 }, partSize);
    expect([error.reason, error.commandReason]).toEqual([
      'object too large: 328 bytes, limit 300 (object_max)',
      'object too large',
    ]);
  });

  it('LIM-066: commit too large, whole and as a delta', async () => {
    const body = text(`tree ${'1'.repeat(40)}\nauthor A <a> 1 +0\ncommitter A <a> 1 +0\n\n${'m'.repeat(300)}`);
    const small: MadeEntry = { kind: 1, body: body.subarray(0, -200) };
    const delta: MadeEntry = { kind: 1, body, base: small, by: 'offset' };
    for (const commits of [[{ kind: 1, body } as const], [small, delta]]) {
      const error = await refusal(madePack(commits).bytes, { commitMax: 300 }, partSize);
      expect([error.reason, error.commandReason]).toEqual([
        `commit too large: ${body.length} bytes, limit 300 (commit_max)`,
        'commit too large',
      ]);
    }
  });

  it('LIM-069: delta chain too large', async () => {
    const chain: MadeEntry[] = [one];
    for (let i = 0; i < 10; i++) {
      chain.push({ kind: 3, body: text(`${i}${'.'.repeat(5000)}`), base: chain[i] as MadeEntry, by: 'offset' });
    }
    const { bytes } = madePack(chain);
    const error = await refusal(bytes, { chainMax: 40_000 }, partSize);
    expect(error.reason).toMatch(/^delta chain too large: 4\d{4} bytes, limit 40000 \(delta_chain_max\)$/);
    expect(error.commandReason).toBe('delta chain too large');
    const roomy = indexOptions(new MemoryStore(partSize), { chainMax: 100_000 });
    expect((await indexIncomingPack(inChunks(bytes, [99]), roomy)).sent).toBe(11);
  });

  it('LIM-059: not enough memory for the tables', async () => {
    const indexing = indexIncomingPack(
      inChunks(madePack(entries, { count: 1_000_000_000 }).bytes, [4096]),
      indexOptions(new MemoryStore(partSize)),
    );
    await expect(indexing).rejects.toThrow(/^not enough memory: \d+ bytes, limit \d+ \(request_memory_max\)$/);
  });

  it('LIM-062: delta chain too deep', async () => {
    const chain = [one];
    for (let i = 0; i < 10; i++)
      chain.push({
        kind: 3,
        body: text(`${i} at the front of the chain`),
        base: chain[i] as MadeEntry,
        by: i % 2 ? 'id' : 'offset',
      });
    const { bytes } = madePack(chain);
    const error = await refusal(bytes, { chainDepthMax: 9 }, partSize);
    expect([error.reason, error.commandReason]).toEqual([
      'delta chain too deep: 10 deltas, limit 9 (delta_depth_max)',
      'delta chain too deep',
    ]);
    expect(
      (await indexIncomingPack(inChunks(bytes, [99]), indexOptions(new MemoryStore(partSize), { chainDepthMax: 10 })))
        .index.count,
    ).toBe(11);
  });
});

function distanceBytes(distance: number): Buffer {
  const digits = [distance & 127];
  for (let rest = distance >> 7; rest > 0; rest >>= 7) digits.unshift((--rest & 127) | 128);
  return Buffer.from(digits);
}

describe.each([
  ['in memory', inMemory],
  ['uploaded', 16],
])('a pack of version 3, which is never sent: %s', (_name, partSize) => {
  it('GIT-067, GIT-140: is kept as version 2, under another checksum', async () => {
    const store = new MemoryStore(partSize);
    const sent = madePack(entries, { version: 3 }).bytes;
    const pack = await indexIncomingPack(inChunks(sent, [4096]), indexOptions(store));
    const id = await pack.keep();
    expect([...store.files.keys()]).toEqual([`${id}.pack`]);
    expect(Buffer.from(store.files.get(`${id}.pack`) as Uint8Array).equals(good.bytes)).toBe(true);
    expect(Buffer.from(pack.checksum).equals(good.bytes.subarray(-20))).toBe(true);
    expect(sorted(await bodiesOf(pack))).toEqual(sorted(expected(entries)));
  });

  it('GIT-142: is refused if its own checksum is wrong, though that of version 2 would be right', async () => {
    const wrong = madePack(entries, { version: 3, trailer: good.bytes.subarray(-20) }).bytes;
    expect(await reason(wrong, {}, partSize)).toBe('pack checksum mismatch');
  });

  it('GIT-067: is kept as version 2 also if it is empty', async () => {
    const store = new MemoryStore(partSize);
    const pack = await indexIncomingPack(inChunks(madePack([], { version: 3 }).bytes, [9]), indexOptions(store));
    expect(Buffer.concat(pack.bytes ?? []).equals(madePack([]).bytes)).toBe(true);
  });
});

it('GIT-111: an empty pack is fine, and nothing of it is stored unless it is to be kept', async () => {
  const store = new MemoryStore(inMemory);
  const pack = await indexIncomingPack(inChunks(madePack([]).bytes, [5]), indexOptions(store));
  expect([pack.index.count, pack.sent]).toEqual([0, 0]);
  await pack.discard();
  expect(store.files.size + store.reserved.size).toBe(0);
  const id = await pack.keep();
  expect(Buffer.concat(pack.bytes ?? []).equals(store.files.get(`${id}.pack`) as Uint8Array)).toBe(true);
});

it('takes an object that stands twice in a pack, and finds the first', async () => {
  const pack = await indexIncomingPack(
    inChunks(madePack([one, two, { kind: 3, body: one.body }]).bytes, [9]),
    indexOptions(new MemoryStore(inMemory)),
  );
  expect(pack.index.count).toBe(3);
  expect(pack.index.findId(pack.index.id(2))).toBe(0);
});

it('GIT-147: refuses two different objects of one id within a pack', async () => {
  // No such blobs are known, so the test uses a weak digest: by length only.
  const weak = {
    ...codec,
    sha1Of: (...parts: readonly Uint8Array[]) => new Uint8Array(20).fill(parts[0]?.length as number),
  };
  const options = indexOptions(new MemoryStore(inMemory), { codec: weak });
  const pack = madePack([blob('left'), blob('right'), blob('rigHt')]).bytes;
  await expect(indexIncomingPack(inChunks(pack, [60]), options)).rejects.toThrow(`object collision ${'0c'.repeat(20)}`);
  await expect(
    indexIncomingPack(inChunks(madePack([blob('left'), blob('right')]).bytes, [60]), options),
  ).resolves.toBeDefined();
});

it('shows each commit and tag once, with its ordinal', async () => {
  const commit: MadeEntry = {
    kind: 1,
    body: text(`tree ${'1'.repeat(40)}\nauthor A <a> 1 +0\ncommitter A <a> 1 +0\n\nm`),
  };
  const next: MadeEntry = { ...commit, body: Buffer.concat([commit.body, text('ore')]), base: commit, by: 'offset' };
  const tag: MadeEntry = { kind: 4, body: text(`object ${'1'.repeat(40)}\ntype commit\ntag t\n\nm`) };
  const seen: string[] = [];
  const all = [one, commit, tag, next];
  await indexIncomingPack(
    inChunks(madePack(all).bytes, [60]),
    indexOptions(new MemoryStore(inMemory), {
      visit: (ordinal, kind, body) => seen.push(`${ordinal} ${idOf({ kind, body })}`),
    }),
  );
  expect(seen.toSorted()).toEqual([`1 ${idOf(commit)}`, `2 ${idOf(tag)}`, `3 ${idOf(next)}`]);
});

it('makes bases again that it had to let go for memory', async () => {
  // Five levels of 4 MiB with two branches each do not fit the stack, whichever branch comes last.
  const size = 4 << 20;
  const list: MadeEntry[] = [{ kind: 3, body: new Uint8Array(size) }];
  let level = [...list];
  for (let depth = 0; depth < 5; depth++) {
    level = level.flatMap((base) =>
      [1, 2].map((mark): MadeEntry => {
        // One byte in front of all but the last of the base: every body shows its whole descent.
        const body = new Uint8Array(size);
        body[0] = mark;
        body.set(base.body.subarray(0, size - 1), 1);
        const delta = Uint8Array.from([
          ...varint(size),
          ...varint(size),
          ...insert(body.subarray(0, 1)),
          ...copy(0, size - 1),
        ]);
        return { kind: 3, body, base, by: mark === 1 ? 'id' : 'offset', delta };
      }),
    );
    list.push(...level);
  }
  const pack = await indexIncomingPack(
    inChunks(madePack(list).bytes, [65536]),
    indexOptions(new MemoryStore(inMemory)),
  );
  expect(Array.from(list, (_, i) => pack.index.id(i))).toEqual(list.map(idOf));
});

it('GIT-118: stores a thin pack that is too large for memory completed, and only that', async () => {
  const noise = (seed: number): Uint8Array =>
    new Uint8Array(2000).map((_, i) => Math.imul(i + seed, 0x9e3779b1) >>> 13);
  const list: MadeEntry[] = [
    { kind: 3, body: noise(1) },
    { ...two, by: 'id' },
    { kind: 3, body: noise(2) },
  ];
  const store = new MemoryStore(uploaded);
  const pack = await indexIncomingPack(
    inChunks(madePack(list).bytes, [100]),
    indexOptions(store, { stored: (oids, at) => (objectIdAt(oids, at) === idOf(one) ? one : undefined) }),
  );
  expect(pack.bytes).toBeUndefined();
  const id = await pack.keep();
  expect([...store.files.keys()]).toEqual([`${id}.pack`]);
  expect([...store.reserved]).toEqual([id]);
  expect(sorted(await bodiesOf(pack))).toEqual(sorted(expected([...list, one])));
  await pack.discard();
  expect(store.files.size + store.reserved.size).toBe(0);
});

it('GIT-118: appends one base for a chain whose objects are all stored, of any size', async () => {
  const noise = randomBytes(900_000);
  const bodies = Array.from({ length: 25 }, (_, i) => Buffer.concat([noise, Buffer.alloc(i, 'x')]));
  const objects = bodies.map((body): MadeEntry => ({ kind: 3, body }));
  const entries = objects.slice(1).map((object, i): MadeEntry => ({ ...object, base: objects[i] as MadeEntry }));
  const numberOf = (oids: Uint8Array, at: number): number =>
    objects.findIndex((object) => idOf(object) === objectIdAt(oids, at));
  const { bytes } = madePack(entries);
  const pack = await indexIncomingPack(
    inChunks(bytes, [65_536]),
    indexOptions(new MemoryStore(inMemory), {
      stored: (oids, at) => objects[numberOf(oids, at)] as GitObject | undefined,
      storedNumber: numberOf,
    }),
  );
  expect([pack.sent, pack.index.count]).toEqual([24, 25]);
});

it('GIT-118: reads the bases of a thin pack in the order of the store', async () => {
  const bases = ['a', 'b', 'c', 'd'].map((text) => ({ kind: 3 as const, body: Buffer.from(text.repeat(100)) }));
  const places = [2, 0, 3, 1];
  const placeOf = (oids: Uint8Array, at: number): number =>
    places[bases.findIndex((base) => idOf(base) === objectIdAt(oids, at))] ?? -1;
  const entries = bases.map((base, i): MadeEntry => ({
    kind: 3,
    body: Buffer.from(`${base.body.toString()}${i}`),
    base,
  }));
  const read: number[] = [];
  const stored = async (oids: Uint8Array, at: number): Promise<GitObject | undefined> => {
    const place = placeOf(oids, at);
    read.push(place);
    return bases[places.indexOf(place)];
  };
  const { bytes } = madePack(entries);
  await indexIncomingPack(
    inChunks(bytes, [100]),
    indexOptions(new MemoryStore(inMemory), { stored, storedNumber: placeOf }),
  );
  expect(read.filter((place) => place >= 0)).toEqual([0, 1, 2, 3]);
});

it('tells the store nothing of a pack that stays in memory, until it is to be kept', async () => {
  const store = new MemoryStore(inMemory);
  const pack = await indexIncomingPack(inChunks(good.bytes, [100]), indexOptions(store));
  expect(store.reserved.size).toBe(0);
  await pack.discard();
  const id = await pack.keep();
  expect([...store.reserved]).toEqual([id]);
  await pack.discard();
  expect(store.files.size + store.reserved.size).toBe(0);
});

describe('LIM-059: the memory of a push', () => {
  const share = (room: number) => {
    const taken: number[] = [];
    const read: number[] = [];
    let held = 0;
    return {
      taken,
      read,
      held: () => held,
      memory: memoryShare({
        resize: async (bytes) => void taken.push(bytes),
        grow(bytes) {
          const needed = held + bytes;
          if (needed > room) throw new NotEnoughMemoryError({ needed, limit: room, setting: 'memory_max' });
          held = needed;
        },
        shrink: (bytes) => void (held -= bytes),
        reading: (bytes) => void read.push(bytes),
      }),
    };
  };

  it('is reserved once the object count is known, except for a pack that ends up in rows', async () => {
    const { memory, taken } = share(0);
    const index = (bodyLength: number | undefined): Promise<unknown> =>
      indexIncomingPack(inChunks(good.bytes, [100]), indexOptions(new MemoryStore(inMemory), { memory, bodyLength }));
    await index(1_500_000);
    expect(taken).toEqual([]);
    await index(1_500_001);
    await index(undefined);
    expect(taken.every((bytes) => bytes > 16 * 1024 * 1024)).toBe(true);
    expect(taken).toHaveLength(2);
  });

  it('is taken for very many objects also where their bytes are few', async () => {
    const { memory, taken } = share(0);
    const bytes = madePack(entries, { count: 100_000 }).bytes;
    const indexing = indexIncomingPack(
      inChunks(bytes, [100]),
      indexOptions(new MemoryStore(inMemory), { memory, bodyLength: 1_400_000 }),
    );
    await expect(indexing).rejects.toThrow(PackError);
    expect(taken).toHaveLength(1);
    expect(taken[0]).toBeGreaterThan(100_000 * 100);
  });

  it('is taken for what few bytes inflate to', async () => {
    const body = text(`tree ${'1'.repeat(40)}\nauthor A <a> 1 +0\ncommitter A <a> 1 +0\n\n${'m'.repeat(3_000_000)}`);
    const { bytes } = madePack([{ kind: 1, body }]);
    const commitMax = 4_000_000;
    const { memory } = share(1_000_000);
    const short = indexOptions(new MemoryStore(inMemory), { memory, commitMax, bodyLength: bytes.length });
    await expect(indexIncomingPack(inChunks(bytes, [4096]), short)).rejects.toThrow(NotEnoughMemoryError);
    const enough = { memory: share(3_000_000).memory, commitMax };
    const paid = indexOptions(new MemoryStore(inMemory), { ...enough, bodyLength: bytes.length });
    expect((await indexIncomingPack(inChunks(bytes, [65_536]), paid)).sent).toBe(1);
  });

  const large = { kind: 3, body: Buffer.alloc(20_000_000, 'large') } as const;
  const delta: MadeEntry = { kind: 3, body: Buffer.concat([large.body, Buffer.from('!')]), base: large, by: 'offset' };

  it('is taken for a large object on its own, and given back', async () => {
    const { memory, held } = share(64 * 1024 * 1024);
    await indexIncomingPack(
      inChunks(madePack([large, delta]).bytes, [65_536]),
      indexOptions(new MemoryStore(inMemory), { memory, blobMax: 2 ** 25 }),
    );
    expect(held()).toBe(0);
  });

  it('is taken for what a large entry has beyond its content', async () => {
    let [held, most] = [0, 0];
    const memory = memoryShare({
      grow: (bytes) => void (most = Math.max(most, (held += bytes))),
      shrink: (bytes) => void (held -= bytes),
    });
    const mostWith = async (length: number): Promise<number> => {
      const encode = padded(length);
      const { bytes } = madePack([large, delta], {
        encode: (entry, type, data) => (entry === large ? encode(entry, type, data) : undefined),
      });
      most = 0;
      const options = indexOptions(new MemoryStore(inMemory), { memory, blobMax: 2 ** 25 });
      await indexIncomingPack(inChunks(bytes, [65_536]), options);
      return most;
    };
    const { length } = large.body;
    const usual = await mostWith(length + 10_000);
    // Eight mebibytes of an object in work are planned, and an empty block has five bytes.
    const more = length - 8 * 1024 * 1024;
    expect((await mostWith(2 * length)) - usual).toSatisfy((paid: number) => paid > more - 5 && paid <= more);
    expect(held).toBe(0);
  });

  it('is taken for large objects that the pack holds twice, while they are compared', async () => {
    const other = { kind: 3, body: Buffer.concat([large.body, Buffer.from('?')]) } as const;
    const twin: MadeEntry = { ...large, base: other, by: 'offset' };
    const { memory, read, held } = share(64 * 1024 * 1024);
    const options = indexOptions(new MemoryStore(inMemory), { memory, blobMax: 2 ** 25 });
    await indexIncomingPack(inChunks(madePack([large, other, twin]).bytes, [65_536]), options);
    // The base, and what is made of it.
    expect(Math.max(...read)).toBeGreaterThan(2 * large.body.length);
    expect(held()).toBe(0);
  });

  it('refuses a large object if memory is short', async () => {
    const { memory } = share(16 * 1024 * 1024);
    const pack = madePack([large, delta]).bytes;
    const options = indexOptions(new MemoryStore(inMemory), { memory, blobMax: 2 ** 25 });
    await expect(indexIncomingPack(inChunks(pack, [4096]), options)).rejects.toThrow(NotEnoughMemoryError);
  });
});

describe('the buffers of a push', () => {
  const slab = 8 * 1024 * 1024;
  const partSize = 5 * 1024 * 1024;
  const random = (size: number): Uint8Array => {
    const body = new Uint8Array(size);
    for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(body.subarray(at, Math.min(size, at + 65_536)));
    return body;
  };
  const sizes = [
    ['in memory', 6_000_000, 2],
    ['uploaded', 17_000_000, 3],
  ] as const;
  const packOf = (size: number): Uint8Array => madePack([{ kind: 3, body: random(size) }], { level: 0 }).bytes;
  /** Watches what is lent. */
  const pool = (): { buffers: BufferPool; lent: Set<ArrayBufferLike> } => {
    const buffers = new BufferPool(8 * slab);
    const lent = new Set<ArrayBufferLike>();
    const { take, give } = { take: buffers.take.bind(buffers), give: buffers.give.bind(buffers) };
    buffers.take = (size) => {
      const taken = take(size);
      expect(lent.has(taken.buffer)).toBe(false);
      return (lent.add(taken.buffer), taken);
    };
    buffers.give = (buffer) => {
      if (buffer.buffer.byteLength === slab) expect(lent.delete(buffer.buffer)).toBe(true);
      give(buffer);
    };
    return { buffers, lent };
  };

  it.each(sizes)('are given back when it is done: %s', async (_, size, parts) => {
    const { buffers, lent } = pool();
    const store = new MemoryStore(partSize);
    const pack = await indexIncomingPack(
      inChunks(packOf(size), [65_536]),
      indexOptions(store, { buffers, blobMax: size }),
    );
    await pack.keep();
    await pack.release();
    await pack.release();
    expect([lent.size, buffers.idleBytes]).toEqual([0, parts * slab]);
  });

  it.each(sizes)('are given back when it breaks off: %s', async (_, size, parts) => {
    const { buffers, lent } = pool();
    const bytes = packOf(size).subarray(0, size - 1000);
    const indexing = indexIncomingPack(
      inChunks(bytes, [65_536]),
      indexOptions(new MemoryStore(partSize), { buffers, blobMax: size }),
    );
    await expect(indexing).rejects.toThrow(PackError);
    expect([lent.size, buffers.idleBytes]).toEqual([0, parts * slab]);
  });

  it('GIT-190: are no more than planned if memory is short, also while a thin pack is completed', async () => {
    const { buffers } = pool();
    const list: MadeEntry[] = [
      { kind: 3, body: random(12_000_000) },
      { ...two, by: 'id' },
    ];
    const pack = await indexIncomingPack(
      inChunks(madePack(list, { level: 0 }).bytes, [65_536]),
      indexOptions(new MemoryStore(partSize), {
        buffers,
        blobMax: 12_000_000,
        memoryLeft: 0,
        stored: (oids, at) => (objectIdAt(oids, at) === idOf(one) ? one : undefined),
      }),
    );
    expect(pack.index.count).toBe(3);
    await pack.release();
    expect(buffers.idleBytes).toBe(slab);
  });

  it('are not given back while the store may still read them', async () => {
    const { buffers, lent } = pool();
    const store = new MemoryStore(partSize);
    const pack = await indexIncomingPack(
      inChunks(packOf(6_000_000), [65_536]),
      indexOptions(store, { buffers, blobMax: 6_000_000 }),
    );
    store.put = () => Promise.reject(new Error('lost'));
    await expect(pack.keep()).rejects.toThrow('lost');
    await pack.release();
    expect([lent.size, buffers.idleBytes]).toEqual([2, 0]);
  });
});

it('appends no base that was made meanwhile', async () => {
  // The third leans on the second, which is made as soon as the first is appended; the repository has all three.
  const stored = new Map([one, two, three].map((object) => [idOf(object), object]));
  const pack = await indexIncomingPack(
    inChunks(madePack([{ ...two, by: 'id' }, three]).bytes, [60]),
    indexOptions(new MemoryStore(inMemory), {
      stored: (oids, at) => stored.get(objectIdAt(oids, at)),
      // The store has the second in front of the first.
      storedNumber: (oids, at) => [three, two, one].findIndex((object) => idOf(object) === objectIdAt(oids, at)),
    }),
  );
  expect(Array.from({ length: pack.index.count }, (_, i) => pack.index.id(i))).toEqual([two, three, one].map(idOf));
});

it.each([65_000, 70_000, 250_000, 300_000])('takes whole objects of %d bytes, however they come', async (size) => {
  const list: MadeEntry[] = [1, 2].map((mark) => ({
    kind: 3,
    body: new Uint8Array(size).map((_, i) => (i * mark) >> 7),
  }));
  list.push({
    kind: 1,
    body: text(`tree ${'1'.repeat(40)}\nauthor A <a> 1 +0\ncommitter A <a> 1 +0\n\n${'m'.repeat(size)}`),
  });
  for (const chunk of [100, 1000, 1_000_000]) {
    const pack = await indexIncomingPack(
      inChunks(madePack(list).bytes, [chunk]),
      indexOptions(new MemoryStore(inMemory)),
    );
    expect(Array.from(list, (_, i) => pack.index.id(i))).toEqual(list.map(idOf));
  }
});

test.prop([fc.uint8Array({ maxLength: 400 })], { numRuns: runs(300) })(
  'any bytes at all are refused, or a pack',
  async (bytes) => {
    const head = madePack([], { count: 3 }).bytes.subarray(0, 12);
    for (const input of [bytes, Buffer.concat([head, bytes])]) {
      await expect(indexIncomingPack(inChunks(input, [100]), indexOptions(new MemoryStore(64)))).rejects.toThrow(
        PackError,
      );
    }
  },
);

describe('no stretch without a yield is long', () => {
  const mebibyte = 1024 * 1024;
  const base: MadeEntry = { kind: 3, body: new Uint8Array(16 * mebibyte) };
  const size = varint(base.body.length);
  const same = Uint8Array.from([...size, ...size, ...copy(0, base.body.length)]);
  const bytewise = new Uint8Array(10 + 8 * mebibyte);
  bytewise.set([...size, ...varint(4 * mebibyte)]);
  const start = size.length + varint(4 * mebibyte).length;
  for (let at = start; at < start + 8 * mebibyte; at += 2) bytewise[at] = 1;

  it.each<[string, () => MadeEntry[]]>([
    ['a blob of 32 MiB of zeros', () => [{ kind: 3, body: new Uint8Array(32 * mebibyte) }]],
    ['the same delta of a large blob, 30 times', () => [base, ...Array.from({ length: 30 }, () => sameOf(base))]],
    ['a large tree', () => [{ kind: 2, body: wideTree(500_000) }]],
    ['a large tree as a delta', () => treeAsDelta()],
    [
      'a delta of 4 million instructions',
      () => [
        base,
        {
          kind: 3,
          body: new Uint8Array(4 * mebibyte),
          base,
          by: 'offset',
          delta: bytewise.subarray(0, start + 8 * mebibyte),
        },
      ],
    ],
  ])('LIM-068: %s', async (_what, make) => {
    const scheduler = new Scheduler();
    const { bytes } = madePack(make());
    const pack = await indexIncomingPack(
      inChunks(bytes, [65_536]),
      indexOptions(new MemoryStore(8 * mebibyte), { work: scheduler.begin() }),
    );
    expect(pack.sent).toBe(make().length);
    expect(scheduler.longestStretch).toBeLessThan(2.5 * sliceUnits);
  });

  function sameOf(of: MadeEntry): MadeEntry {
    return { kind: 3, body: of.body, base: of, by: 'offset', delta: same };
  }

  function wideTree(entries: number): Uint8Array {
    const body = Buffer.alloc(entries * 34, 1);
    for (let i = 0; i < entries; i++) body.write(`100644 ${String(i).padStart(6, '0')}\0`, i * 34, 'latin1');
    return body;
  }

  function treeAsDelta(): MadeEntry[] {
    const whole: MadeEntry = { kind: 2, body: wideTree(200_000) };
    const body = whole.body.subarray(0, -34);
    const sizes = [...varint(whole.body.length), ...varint(body.length)];
    return [
      whole,
      { kind: 2, body, base: whole, by: 'offset', delta: Uint8Array.from([...sizes, ...copy(0, body.length)]) },
    ];
  }

  it('GIT-147: compares the same delta of one base without making it again', async () => {
    const scheduler = new Scheduler();
    const { bytes } = madePack([base, ...Array.from({ length: 30 }, () => sameOf(base))]);
    await indexIncomingPack(
      inChunks(bytes, [65_536]),
      indexOptions(new MemoryStore(8 * mebibyte), { work: scheduler.begin() }),
    );
    // Once to take each in; the first and the base are another pair, which are read once more.
    expect(scheduler.totals[cost.rebuilt]).toBeLessThan(33 * base.body.length);
  });
});
