import { newPackId, packFiles, StorageError, StorageGoneError, storageTrouble, type PackId } from '@packhouse/git';
import { testPackStore } from '@packhouse/git/contract';
import { describe, expect, it } from 'vitest';
import type { PackStores } from '../packs/pack-stores.ts';
import { memoryPackReservations, type PackReservations } from '../packs/reservations.ts';
import { FaultyFileSystem } from '../testing/faulty-file-system.ts';
import { filePacks, type FilePacksOptions } from './file-packs.ts';

const [parent, child] = ['k3v9p0x2m7q4w8zt', 'k3v9p0x2m7q4w8zu'];
const soon = (): number => Date.now() + 60_000;

/** Opens a folder on several servers, which share the reservations of their database. */
function servers(disk: FaultyFileSystem, more: Omit<FilePacksOptions, 'reservations'> = {}): () => PackStores {
  const known = new Map<string, PackReservations>();
  const reservations = (account: string, id: string): PackReservations => {
    const found = known.get(`${account}/${id}`) ?? memoryPackReservations();
    known.set(`${account}/${id}`, found);
    return found;
  };
  return () => filePacks('/packs', disk, { ...more, reservations });
}

const disk = (): FaultyFileSystem => new FaultyFileSystem({ folders: ['/packs'], now: () => 1_000 });

async function put(packs: PackStores): Promise<PackId> {
  const id = await packs.repo('local', parent).reserve();
  for (const file of packFiles) await packs.repo('local', parent).put(id, file, [Uint8Array.of(1)]);
  return id;
}

testPackStore(
  'a folder of several servers',
  () => {
    const open = servers(new FaultyFileSystem({ folders: ['/packs'] }));
    const each = [open(), open(), open()];
    let turn = 0;
    const next = (): PackStores => each[turn++ % each.length] as PackStores;
    return {
      open: () => next().repo('local', parent),
      openOther: () => next().repo('local', child),
      close: () => each.forEach((packs) => packs.close()),
    };
  },
  { refusesSecondPut: false, removesUnfinished: true },
);

describe('filePacks with reservations', () => {
  it('REPO-328: finds and removes what a dead server has begun', async () => {
    const files = disk();
    const open = servers(files);
    const dead = open().repo('local', parent);
    const [whole, begun] = [await put(open()), await dead.reserve()];
    await (await dead.upload(begun)).write(0, Uint8Array.of(1));
    const other = open().repo('local', parent);
    expect([...(await other.leftovers(soon()))].sort()).toEqual([whole, begun].sort());
    for (const id of [whole, begun]) await other.remove(id);
    expect([files.files, await other.leftovers(soon())]).toEqual([[], []]);
  });

  it('REPO-328: knows the age of a pack that another server shares, whose files are old', async () => {
    let now = 5_000_000;
    const files = disk();
    const open = servers(files, { now: () => now });
    const id = await put(open());
    now = 6_000_000;
    expect(await open().share('local', parent, child, [id])).toBe(true);
    expect(await open().repo('local', child).leftovers(6_000_000)).toEqual([]);
    expect(await open().repo('local', child).leftovers(6_000_001)).toEqual([id]);
  });

  it('REPO-328: reserves a shared pack before its first file', async () => {
    const files = disk();
    const open = servers(files);
    const missing = newPackId();
    expect(await open().share('local', parent, child, [missing])).toBe(false);
    expect(await open().repo('local', child).leftovers(soon())).toEqual([missing]);
  });

  it('keeps the reservation if the files cannot be removed', async () => {
    let isFailing = false;
    const files = new FaultyFileSystem({
      folders: ['/packs'],
      fault: ({ kind }) => (isFailing && kind === 'remove' ? 'fail' : undefined),
    });
    const open = servers(files);
    const id = await put(open());
    isFailing = true;
    await expect(open().repo('local', parent).remove(id)).rejects.toThrow(StorageError);
    expect(await open().repo('local', parent).leftovers(soon())).toEqual([id]);
  });

  it.each(['put', 'upload', 'share'] as const)('REPO-178: acknowledges no %s into another folder', async (way) => {
    for (const times of [0, 1]) {
      let left = Infinity;
      const demandPresent = (): void => {
        if (left-- <= 0) throw new StorageGoneError();
      };
      const packs = servers(disk(), { demandPresent })();
      const id = await put(packs);
      const store = packs.repo('local', parent);
      left = way === 'share' ? 0 : times;
      const failure = await (
        way === 'put'
          ? store.put(newPackId(), 'idx', [Uint8Array.of(1)])
          : way === 'share'
            ? packs.share('local', parent, child, [id])
            : store.upload(newPackId()).then(async (upload) => upload.complete(0))
      ).then(String, (error: unknown) => error);
      expect(failure).toBeInstanceOf(StorageError);
      expect(storageTrouble(failure)).toBe('storage is gone');
    }
  });
});
