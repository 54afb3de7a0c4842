import type { PackId, PackStore, RepoState } from '@packhouse/git';
import { type HostedRepo, leftoverAge, sweepLeftovers } from '@packhouse/hosting';
import { describe, expect, it, onTestFinished } from 'vitest';
import { change, replacement, sampleHead, samplePack, sampleToken, update } from '@packhouse/hosting/contract';
import { FaultyFileSystem } from '../src/testing/faulty-file-system.ts';
import { filePacks } from '../src/files/file-packs.ts';
import { memoryPackStore } from '../src/memory/packs.ts';
import { StrictBucket, strictSizedStream } from '../src/testing/strict-bucket.ts';
import { bucketPackStore } from '../src/bucket/pack-store.ts';
import type { MaintainedRepoState } from '../src/repo-state/maintained.ts';
import { memoryRepoState } from '../src/memory/repo-state.ts';
import { repoStateMigrations } from '../src/sql/repo-state/schema.ts';
import { sqlPackReservations } from '../src/sql/repo-state/reservations.ts';
import { sqlRepoState } from '../src/sql/repo-state/repo-state.ts';
import { memoryPackHolders } from '../src/packs/holders.ts';
import { type SqlDriver, migrate } from '@packhouse/base';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';

const start = 1_000_000_000_000;

const repo = 'k3v9p0x2m7q4w8zt';

/** Opens a repository on some storage, with the clock `now`. */
type Place = (now: () => number) => Pick<HostedRepo, 'packs'> & { readonly state: MaintainedRepoState };

const inFiles: Place = (now) => ({
  state: stateInSql().state,
  packs: filePacks('/packs', new FaultyFileSystem({ folders: ['/packs'], now })).repo('local', repo),
});

const inBucket: Place = (now) => {
  const { driver, state } = stateInSql();
  const reservations = sqlPackReservations(driver, repo);
  const sleep = async () => undefined;
  const openStream = strictSizedStream;
  return {
    state,
    packs: bucketPackStore({
      bucket: new StrictBucket(),
      account: 'a1',
      repoId: repo,
      reservations,
      holders: memoryPackHolders(),
      now,
      sleep,
      openStream,
    }),
  };
};

function stateInSql(): { readonly driver: SqlDriver; readonly state: MaintainedRepoState } {
  const driver = openNodeSqlite(':memory:');
  onTestFinished(() => driver.close());
  migrate(driver, 'repo-state', repoStateMigrations);
  return { driver, state: sqlRepoState(driver, repo) };
}

describe.each<[string, Place]>([
  ['memory', (now) => ({ state: memoryRepoState(), packs: memoryPackStore({ now }) })],
  ['SQLite and files', inFiles],
  ['SQLite and a bucket', inBucket],
])('sweepLeftovers: %s', (_, place) => {
  const setUp = async () => {
    let now = start;
    const { state, packs } = place(() => now);
    await state.begin(sampleHead(repo), sampleToken('t1'));
    const put = async () => {
      const id = await packs.reserve();
      await packs.put(id, 'pack', [Uint8Array.of(1)]);
      return id;
    };
    return { packs, state, put, wait: (time: number) => (now += time) };
  };
  const left = async (packs: PackStore, ids: readonly PackId[]) => {
    const reads = await Promise.allSettled(ids.map((id) => packs.read(id, 'pack', [{ offset: 0, length: 1 }])));
    return ids.filter((_, i) => reads[i]?.status === 'fulfilled');
  };

  it('GIT-153: removes exactly the packs older than 22 hours that are not in the manifest', async () => {
    const { packs, state, put, wait } = await setUp();
    const [named, orphan] = [await put(), await put()];
    wait(2_000);
    const young = await put();
    await state.commit(change([update('refs/heads/a', null, 1)], { addPacks: [samplePack({ id: named })] }));
    expect(await sweepLeftovers(state, packs, start + leftoverAge)).toEqual([]);
    expect(await sweepLeftovers(state, packs, start + leftoverAge + 1_000)).toEqual([orphan]);
    expect(await left(packs, [named, orphan, young])).toEqual([named, young]);
    expect(await sweepLeftovers(state, packs, start + leftoverAge + 1_000)).toEqual([]);
  });

  it('GIT-153: removes packs begun before the process started at once', async () => {
    const { packs, state, put, wait } = await setUp();
    const dead = await put();
    wait(2_000);
    const running = await put();
    expect(await sweepLeftovers(state, packs, start + 1_000, 0)).toEqual([dead]);
    expect(await left(packs, [dead, running])).toEqual([running]);
  });

  it('keeps a pack that is committed during the sweep', async () => {
    const { packs, state, put } = await setUp();
    const late = await put();
    const racing: PackStore = Object.assign(Object.create(packs) as PackStore, {
      leftovers: async (before: number) => {
        const ids = await packs.leftovers(before);
        await state.commit(change([update('refs/heads/a', null, 1)], { addPacks: [samplePack({ id: late })] }));
        return ids;
      },
      remove: (id: PackId) => packs.remove(id),
    });
    expect(await sweepLeftovers(state, racing, start + 2 * leftoverAge)).toEqual([]);
    expect(await left(packs, [late])).toEqual([late]);
  });

  it('GIT-153: keeps the bytes of a replaced pack', async () => {
    const { packs, state, put } = await setUp();
    const [old, next, orphan] = [await put(), await put(), await put()];
    await state.commit(change([update('refs/heads/a', null, 1)], { addPacks: [samplePack({ id: old })] }));
    await state.replacePacks(replacement([old], samplePack({ id: next })));
    expect(await sweepLeftovers(state, packs, start + 2 * leftoverAge)).toEqual([orphan]);
    expect(await left(packs, [old, next])).toEqual([old, next]);
    await packs.remove(old);
    await state.forgetPacks([old]);
    expect(await sweepLeftovers(state, packs, start + 2 * leftoverAge)).toEqual([]);
    expect(await left(packs, [old, next])).toEqual([next]);
  });

  it('keeps a pack that is replaced between its two reads of the state', async () => {
    const { packs, state, put } = await setUp();
    const [old, next] = [await put(), await put()];
    await state.commit(change([update('refs/heads/a', null, 1)], { addPacks: [samplePack({ id: old })] }));
    const replace = () => state.replacePacks(replacement([old], samplePack({ id: next })));
    // In any order of its reads, the pack is in the manifest or retired at every moment.
    const racing: RepoState = Object.create(state) as RepoState;
    let looks = 0;
    const between = async <T>(look: () => Promise<T>): Promise<T> => {
      const seen = await look();
      if (looks++ === 0) await replace();
      return seen;
    };
    racing.snapshot = () => between(() => state.snapshot());
    racing.retiredPacks = () => between(() => state.retiredPacks());
    expect(await sweepLeftovers(racing, packs, start + 2 * leftoverAge)).toEqual([next]);
    expect(looks).toBe(2);
    expect(await left(packs, [old])).toEqual([old]);
  });

  it('removes stored bytes of a pack that ended up in rows', async () => {
    const { packs, state, put } = await setUp();
    const id = await put();
    const empty = new Uint8Array(0);
    await state.commit(
      change([update('refs/heads/a', null, 1)], {
        addPacks: [samplePack({ id, where: 'rows', files: { pack: empty, idx: empty, graph: empty } })],
      }),
    );
    expect(await sweepLeftovers(state, packs, start + 2 * leftoverAge)).toEqual([id]);
  });

  it('REPO-116: removes all packs of a deleted repository', async () => {
    const { packs, state, put } = await setUp();
    const id = await put();
    await state.commit(change([update('refs/heads/a', null, 1)], { addPacks: [samplePack({ id })] }));
    const next = await put();
    await state.replacePacks(replacement([id], samplePack({ id: next })));
    await state.erase();
    expect([...(await sweepLeftovers(state, packs, start + 2 * leftoverAge))].sort()).toEqual([id, next].sort());
    expect(await left(packs, [id, next])).toEqual([]);
  });

  it('removes nothing if the manifest cannot be read', async () => {
    const { packs, state, put } = await setUp();
    const id = await put();
    state.snapshot = () => Promise.reject(new Error('locked'));
    await expect(sweepLeftovers(state, packs, start + 2 * leftoverAge)).rejects.toThrow('locked');
    expect(await left(packs, [id])).toEqual([id]);
  });
});
