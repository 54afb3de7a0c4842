import { packFiles, parsePackId, StorageError, type PackId, type PackStore } from '../ports/pack-store.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { equalBytes, sampleBytes } from './bytes.ts';
import { testPackReads } from './pack-store-reads.ts';
import { testPackUploads } from './pack-store-uploads.ts';

/** Pack stores for one test. */
export interface PackStoreFixture {
  /** Opens the packs of one repository. Each call may return another handle; all must show the same packs. */
  open(): PackStore;
  /**
   * Opens the packs of another repository on the same storage that shares none with it. If keys depend on the account,
   * it is in another account.
   */
  openOther(): PackStore;
  /** Closes everything that was opened. */
  close(): void | Promise<void>;
}

export interface PackStoreCapabilities {
  /** The store refuses a second `put` of a file; otherwise the caller must avoid it. */
  readonly refusesSecondPut: boolean;
  /** Removing a pack ends its unfinished upload, which then cannot be completed. */
  readonly removesUnfinished: boolean;
}

/** The `open` of the fixture in the running test. */
export type OpenPacks = PackStoreFixture['open'];

/** Tests an adapter against the contract of `PackStore`. */
export function testPackStore(
  adapter: string,
  make: () => PackStoreFixture | Promise<PackStoreFixture>,
  capabilities: PackStoreCapabilities,
): void {
  describe(`PackStore: ${adapter}`, () => {
    let fixture: PackStoreFixture;
    beforeEach(async () => {
      fixture = await make();
    });
    afterEach(() => fixture.close());
    const open: OpenPacks = () => fixture.open();
    testFiles(open, () => fixture.openOther(), capabilities);
    testPackUploads(open, capabilities);
    testPackReads(open);
    testLeftovers(open);
  });
}

function testFiles(open: OpenPacks, openOther: OpenPacks, capabilities: PackStoreCapabilities): void {
  describe('files', () => {
    it('reserves valid ids, never the same one twice', async () => {
      const ids = await Promise.all(Array.from({ length: 50 }, () => open().reserve()));
      expect(ids.every((id) => parsePackId(id) === id)).toBe(true);
      expect(new Set(ids).size).toBe(50);
    });

    it('stores each file of a pack separately, from chunks that are reused later', async () => {
      const id = await open().reserve();
      const chunk = new Uint8Array(10);
      for (const [i, file] of packFiles.entries()) {
        chunk.fill(i);
        await open().put(id, file, [chunk, new Uint8Array(0), chunk.subarray(0, i)]);
      }
      for (const [i, file] of packFiles.entries()) {
        expect(await open().read(id, file, [{ offset: 0, length: 10 + i }])).toEqual([new Uint8Array(10 + i).fill(i)]);
        await expect(open().read(id, file, [{ offset: 0, length: 11 + i }])).rejects.toThrow(StorageError);
      }
    });

    it('separates files that are put concurrently', async () => {
      const ids = [await open().reserve(), await open().reserve()];
      const given = ids
        .flatMap((id) => packFiles.map((file) => ({ id, file })))
        .map((one, i) => ({ ...one, bytes: new Uint8Array(100 + i).fill(i) }));
      await Promise.all(given.map(({ id, file, bytes }) => open().put(id, file, [bytes])));
      for (const { id, file, bytes } of given)
        expect(await open().read(id, file, [{ offset: 0, length: bytes.length }])).toEqual([bytes]);
    });

    it('accepts a file in thousands of chunks', async () => {
      const id = await open().reserve();
      const bytes = sampleBytes(100_000);
      await open().put(
        id,
        'idx',
        Array.from({ length: 5_000 }, (_, i) => bytes.subarray(i * 20, (i + 1) * 20)),
      );
      expect(equalBytes((await open().read(id, 'idx', [{ offset: 0, length: 100_000 }]))[0] ?? chunkless, bytes)).toBe(
        true,
      );
    });

    it('has no file of a pack that was only reserved', async () => {
      const id = await open().reserve();
      for (const file of packFiles)
        await expect(open().read(id, file, [{ offset: 0, length: 1 }])).rejects.toThrow(StorageError);
    });

    it.runIf(capabilities.refusesSecondPut)('puts a file once', async () => {
      const id = await open().reserve();
      await open().put(id, 'graph', [Uint8Array.of(1)]);
      await expect(open().put(id, 'graph', [Uint8Array.of(2)])).rejects.toThrow(StorageError);
      expect(await open().read(id, 'graph', [{ offset: 0, length: 1 }])).toEqual([Uint8Array.of(1)]);
    });

    it('GIT-154: separates repositories', async () => {
      const id = await open().reserve();
      await open().put(id, 'pack', [Uint8Array.of(1)]);
      await expect(openOther().read(id, 'pack', [{ offset: 0, length: 1 }])).rejects.toThrow(StorageError);
      await openOther().remove(id);
      expect(await open().read(id, 'pack', [{ offset: 0, length: 1 }])).toEqual([Uint8Array.of(1)]);
      expect(await openOther().leftovers(Date.now() + 60_000)).toEqual([]);
    });

    it('removes all files of a pack, and no other', async () => {
      const [id, other] = [await open().reserve(), await open().reserve()];
      for (const pack of [id, other]) for (const file of packFiles) await open().put(pack, file, [Uint8Array.of(1)]);
      await open().read(id, 'pack', [{ offset: 0, length: 1 }]);
      await open().remove(id);
      await open().remove(id);
      for (const file of packFiles) {
        await expect(open().read(id, file, [{ offset: 0, length: 1 }])).rejects.toThrow(StorageError);
        expect(await open().read(other, file, [{ offset: 0, length: 1 }])).toHaveLength(1);
      }
    });

    it.each(['../../secret', '', 'a'.repeat(33), `${'A'.repeat(32)}`, `${'a'.repeat(31)}/`])(
      'rejects a path or key as an id: %j',
      async (text) => {
        const id = text as PackId;
        await expect(open().read(id, 'pack', [{ offset: 0, length: 1 }])).rejects.toThrow(StorageError);
        await expect(open().put(id, 'pack', [Uint8Array.of(1)])).rejects.toThrow(StorageError);
        await expect((async () => (await open().upload(id)).complete(0))()).rejects.toThrow(StorageError);
      },
    );
  });
}

const chunkless = new Uint8Array(0);

function testLeftovers(open: OpenPacks): void {
  describe('leftovers', () => {
    const soon = () => Date.now() + 60_000;

    it('GIT-153: lists packs that were put, uploaded or only begun, if they are old enough', async () => {
      const [put, uploaded, begun] = [await open().reserve(), await open().reserve(), await open().reserve()];
      await open().put(put, 'graph', [Uint8Array.of(1)]);
      const upload = await open().upload(uploaded);
      await upload.write(0, Uint8Array.of(1));
      await upload.complete(1);
      const unfinished = await open().upload(begun);
      await unfinished.write(0, Uint8Array.of(1));
      expect([...(await open().leftovers(soon()))].sort()).toEqual([put, uploaded, begun].sort());
      expect(await open().leftovers(Date.now() - 60_000)).toEqual([]);
      await unfinished.abort();
    });

    it('does not list removed packs', async () => {
      const [put, begun] = [await open().reserve(), await open().reserve()];
      await open().put(put, 'idx', [Uint8Array.of(1)]);
      const unfinished = await open().upload(begun);
      await unfinished.write(0, Uint8Array.of(1));
      for (const id of [put, begun]) await open().remove(id);
      expect(await open().leftovers(soon())).toEqual([]);
      await unfinished.abort();
    });

    it('is empty without any stored file', async () => {
      expect(await open().leftovers(soon())).toEqual([]);
    });
  });
}
