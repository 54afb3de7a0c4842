import { beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '@packhouse/base';
import { repoStateMigrations, sqlRepoState } from '@packhouse/storage';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { memoryPackHolders, StrictBucket, strictSizedStream } from '@packhouse/storage/testing';
import { bucketPackStore, sqlPackReservations } from '@packhouse/storage/workers';
import type { NewPack, ObjectId, PackFile, PackId, PackStore, RefName } from '@packhouse/git';
import { moveRows, sweepUploads, uploadAge, type OwnRepo } from '../src/objects/repo-steps.ts';

const id = '0123456789abcdef';
const files: Readonly<Record<PackFile, Uint8Array>> = {
  pack: Uint8Array.of(1, 2, 3),
  idx: Uint8Array.of(4),
  graph: Uint8Array.of(5, 6),
};

describe('small packs that move to the bucket', () => {
  let repo: OwnRepo;
  let state: ReturnType<typeof sqlRepoState>;

  beforeEach(async () => {
    const driver = openNodeSqlite(':memory:');
    migrate(driver, 'repo-state', repoStateMigrations);
    state = sqlRepoState(driver, id);
    const head = { account: 'a', id, namespace: 'n', name: 'r', defaultBranch: 'main', readOnly: false } as const;
    await state.begin(
      { ...head, status: 'ready' },
      { id: 't', secretHash: '0'.repeat(64), scope: 'write', createdAt: 1, expiresAt: 2, revokedAt: null },
    );
    const reservations = sqlPackReservations(driver, id);
    const packs = bucketPackStore({
      bucket: new StrictBucket(),
      account: 'a',
      repoId: id,
      reservations,
      holders: memoryPackHolders(),
      openStream: strictSizedStream,
      sleep: async () => undefined,
    });
    // What these steps need of the environment and the costs is nothing.
    repo = { id, account: 'a', driver, packs, reservations, now: 1_000 } as unknown as OwnRepo;
  });

  const push = async (number: number): Promise<PackId> => {
    const pack: NewPack = {
      id: String(number).padStart(32, '0') as PackId,
      where: 'rows',
      objects: 1,
      packSize: 3,
      idxSize: 1,
      graphSize: 2,
      exact: false,
      after: 0,
      borrowed: 'no',
      files,
    };
    await state.commit({
      pushId: `p${number}`,
      at: 1,
      updates: [
        {
          name: `refs/heads/b${number}` as RefName,
          old: null,
          new: { oid: '1'.repeat(40) as ObjectId, kind: 'commit', peeled: null },
          forward: true,
        },
      ],
      atomic: false,
      addPacks: [pack],
      leansOn: [],
      addShallow: [],
    });
    return pack.id;
  };
  const places = async (): Promise<readonly string[]> =>
    (await state.snapshot())?.packs.map(({ where }) => where) ?? [];
  const stored = async (pack: PackId, file: PackFile): Promise<Uint8Array | undefined> =>
    (await repo.packs.read(pack, file, [{ offset: 0, length: files[file].length }]))[0];

  /** The store whose `nth` put fails before or after it has happened. */
  const failing = (nth: number, when: 'before' | 'after'): PackStore => {
    let count = 0;
    return new Proxy(repo.packs, {
      get(target, name) {
        if (name !== 'put') return (target as never)[name];
        return async (...given: Parameters<PackStore['put']>) => {
          count += 1;
          if (count === nth && when === 'before') throw new Error('cut');
          await target.put(...given);
          if (count === nth) throw new Error('cut');
        };
      },
    });
  };

  it('lie there whole, and a second run changes nothing', async () => {
    const moved = [await push(1), await push(2)];
    await moveRows(repo);
    const before = await state.snapshot();
    await moveRows(repo);
    expect(await state.snapshot()).toEqual(before);
    expect(await places()).toEqual(['store', 'store']);
    for (const pack of moved) {
      for (const file of ['pack', 'idx', 'graph'] as const) expect(await stored(pack, file)).toEqual(files[file]);
    }
    expect(await repo.reservations.before(9e15)).toEqual([]);
  });

  for (let nth = 1; nth <= 6; nth++) {
    it.each(['before', 'after'] as const)(
      `are moved by the next run when put ${nth} fails %s it is done`,
      async (when) => {
        const moved = [await push(1), await push(2)];
        await expect(moveRows({ ...repo, packs: failing(nth, when) })).rejects.toThrow('cut');
        expect(await places()).toEqual(nth > 3 ? ['store', 'rows'] : ['rows', 'rows']);
        await moveRows(repo);
        expect(await places()).toEqual(['store', 'store']);
        for (const pack of moved) expect(await stored(pack, 'pack')).toEqual(files.pack);
        expect(await repo.reservations.before(9e15)).toEqual([]);
      },
    );
  }

  it('GIT-153: uploads of dead pushes go after a day, and those of packs in the manifest stay', async () => {
    const pack = await push(1);
    await moveRows(repo);
    const dead = await repo.packs.reserve();
    await repo.packs.put(dead, 'idx', [Uint8Array.of(1)]);
    await repo.reservations.reserve([dead], 5_000);
    await repo.reservations.reserve([pack], 5_000);
    expect(await sweepUploads({ ...repo, now: uploadAge })).toBeGreaterThan(uploadAge);
    expect(await stored(pack, 'idx')).toEqual(files.idx);
    await sweepUploads({ ...repo, now: 5_001 + uploadAge });
    expect(await stored(pack, 'idx')).toEqual(files.idx);
    await expect(repo.packs.read(dead, 'idx', [{ offset: 0, length: 1 }])).rejects.toThrow();
  });

  it('REPO-116: of a repository that was deleted need nothing', async () => {
    await push(1);
    await state.erase();
    await moveRows(repo);
    expect(await repo.reservations.before(9e15)).toEqual([]);
  });
});
