import { RepoGoneError, type ObjectId, type RefName } from '@packhouse/git';
import { memoryCatalogs, memoryRepos } from '@packhouse/storage';
import type { Catalog, HostedRepo, TokenRecord, Touch } from '@packhouse/hosting';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLeasing } from './leasing.ts';
import { MissedTouches } from './missed-touches.ts';
import { startRounds, type Rounds } from './rounds.ts';

const begin = Date.UTC(2026, 10, 20, 9);
const hour = 3_600_000;
const id = 'k3v9p0x2m7q4w8zt';
const head = {
  account: 'a1',
  id,
  namespace: 'default',
  name: 'Notes',
  defaultBranch: 'main',
  readOnly: false,
  status: 'ready',
} as const;
const token: TokenRecord = {
  id: 't1t1t1t1t1t1t1t1',
  secretHash: '0'.repeat(64),
  scope: 'write',
  createdAt: begin,
  expiresAt: begin + hour,
  revokedAt: null,
};

let catalog: Catalog;
let repo: HostedRepo;
let rounds: Rounds | undefined;
let touches: Touch[];
let reported: unknown[];
let missed: MissedTouches;
let refuse: boolean;
let start: () => Promise<void>;

beforeEach(async () => {
  vi.useFakeTimers({ now: begin });
  [touches, reported, missed, refuse] = [[], [], new MissedTouches(), false];
  const catalogs = memoryCatalogs();
  const storage = memoryRepos({ now: () => Date.now() });
  catalog = catalogs('a1');
  const { account: _, ...line } = head;
  await catalog.reserveRepo(
    { ...line, description: null, source: null, parentId: null, rootId: null, createdAt: begin },
    token,
  );
  repo = storage.repo('a1', id, 'unrestricted');
  await repo.state.begin(head, token);
  start = async () => {
    rounds = await startRounds({
      hosting: {
        clock: { now: () => Date.now() },
        sweep: async () => undefined,
        async touch(_account, one, push) {
          if (refuse) throw new Error('locked');
          touches.push(push);
          await catalog.touch(one, push);
        },
      },
      leasing: createLeasing(undefined, { catalog: catalogs, repos: storage }, (error) => reported.push(error)),
      accounts: ['a1'],
      missed,
      report: (error) => reported.push(error),
    });
  };
});

afterEach(async () => {
  await rounds?.stop();
  vi.useRealTimers();
});

/** Commits a push as the engine does, but does not record it in the catalog. */
async function push(name: string, at: number): Promise<void> {
  const target = { oid: '1'.repeat(40) as ObjectId, kind: 'commit', peeled: null } as const;
  await repo.state.commit({
    pushId: name,
    at,
    updates: [{ name: `refs/heads/${name}` as RefName, old: null, new: target, forward: true }],
    atomic: false,
    addPacks: [],
    leansOn: [],
    addShallow: [],
  });
}

describe('startRounds', () => {
  it('GIT-153: removes the leftovers of dead pushes at the start, at any age', async () => {
    await repo.packs.reserve();
    await vi.advanceTimersByTimeAsync(10_000);
    const left = async () => await repo.packs.leftovers(Number.MAX_SAFE_INTEGER);
    await start();
    const running = await repo.packs.reserve();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await left()).toEqual([running]);
  });

  it('GIT-153: keeps the packs of a running push for 22 hours, and no pack for 24 hours', async () => {
    await start();
    await vi.advanceTimersByTimeAsync(hour / 2);
    const pack = await repo.packs.reserve();
    const left = async () => await repo.packs.leftovers(Number.MAX_SAFE_INTEGER);
    await vi.advanceTimersByTimeAsync(22 * hour);
    expect(await left()).toEqual([pack]);
    await vi.advanceTimersByTimeAsync(hour);
    expect(await left()).toEqual([]);
  });

  it('GIT-153: keeps the packs of a running push when the clock is set back', async () => {
    await start();
    await vi.advanceTimersByTimeAsync(hour / 2);
    vi.setSystemTime(begin - hour);
    const running = await repo.packs.reserve();
    await vi.advanceTimersByTimeAsync(hour);
    expect(await repo.packs.leftovers(Number.MAX_SAFE_INTEGER)).toEqual([running]);
  });

  it('GIT-159: records a push that the catalog missed, even if the clock was set back meanwhile', async () => {
    await push('first', begin + 5_000);
    await start();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(touches).toMatchObject([{ pushedAt: begin + 5_000 }]);
    await rounds?.stop();
    await push('second', begin + 1_000);
    await start();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(touches).toMatchObject([{ pushedAt: begin + 5_000 }, { pushedAt: begin + 1_000 }]);
    const known = await catalog.repo('default', 'notes');
    expect(known).toMatchObject({ lastPushAt: begin + 5_000, version: (await repo.state.lastPush())?.version });
    await vi.advanceTimersByTimeAsync(hour);
    expect(touches).toHaveLength(2);
  });

  it('reports a listed repository without a state, unless it is deleted during the walk', async () => {
    await repo.state.erase();
    const found = vi.spyOn(catalog, 'repoById').mockResolvedValue(undefined);
    await start();
    await vi.advanceTimersByTimeAsync(1_000);
    expect([found.mock.calls, reported]).toEqual([[[id]], []]);
    found.mockRestore();
    await vi.advanceTimersByTimeAsync(hour);
    expect(reported).toEqual([expect.any(RepoGoneError)]);
  });

  it('GIT-159: retries within half a minute if a push could not be recorded in the catalog', async () => {
    await start();
    await vi.advanceTimersByTimeAsync(1_000);
    await push('first', begin + 1_000);
    missed.add(head, repo.state);
    refuse = true;
    await vi.advanceTimersByTimeAsync(30_000);
    expect([touches, reported]).toEqual([[], [new Error('locked')]]);
    refuse = false;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(touches).toMatchObject([{ pushedAt: begin + 1_000 }]);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(touches).toHaveLength(1);
  });
});
