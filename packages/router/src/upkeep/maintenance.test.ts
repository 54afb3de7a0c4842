import { createGitEngine, RepoGoneError, type PackStore } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import type { DueRepo, HostedRepo, HostedRepoState } from '@packhouse/hosting';
import { change, replacement, sampleHead, samplePack, sampleToken, update } from '@packhouse/hosting/contract';
import { memoryCatalogs, memoryRepos, memoryStorage, memoryWorkLeases } from '@packhouse/storage';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AbandonedError, abandonable } from './abandonable.ts';
import { createLeasing } from './leasing.ts';
import { startMaintenance, type Maintenance } from './maintenance.ts';

const begin = Date.UTC(2026, 10, 20, 9);

let due: DueRepo[];
/** Milliseconds since 1970 from which on they are due. */
let dueFrom: number;
let looks: string[];
let failing: Map<string, unknown>;
/** Ids of repositories that are deleted once their maintenance has failed. */
let vanishing: Set<string>;
let reported: unknown[];
let maintenance: Maintenance;
/** Blocks the maintenance of every repository until it resolves. */
let gate: Promise<void>;

const repo = (id: string): DueRepo => ({ account: 'a', id, namespace: 'n', name: id });

beforeEach(() => {
  vi.useFakeTimers({ now: begin });
  [due, looks, reported, failing, vanishing] = [[], [], [], new Map(), new Set()];
  gate = Promise.resolve();
  dueFrom = begin - 1_500;
  maintenance = startMaintenance({
    due: async (now, limit) => due.filter(() => now >= dueFrom).slice(0, limit),
    leasing: createLeasing(
      undefined,
      {
        catalog: memoryCatalogs(),
        repos: {
          ...memoryRepos(),
          repo(_account, id): HostedRepo {
            const { state, packs } = memoryRepos().repo('a', id, 'unrestricted');
            looks.push(id);
            const asked = async (): ReturnType<HostedRepoState['snapshot']> => {
              await gate;
              const failure = failing.get(id);
              if (vanishing.has(id)) failing.delete(id);
              if (failure !== undefined) throw failure;
              due = due.filter((one) => one.id !== id);
              throw new RepoGoneError('deleted');
            };
            return {
              id,
              packs,
              state: new Proxy(state, {
                get: (target, name) => (name === 'snapshot' ? asked : Reflect.get(target, name)),
              }),
            };
          },
        },
      },
      (error) => reported.push(error),
    ),
    engine: createGitEngine({ codec: nodeCodec() }),
    clock: { now: () => Date.now() },
    grace: 1_000,
    done: async () => undefined,
    report: (error) => reported.push(error),
  });
});

afterEach(async () => {
  await maintenance.stop();
  vi.useRealTimers();
});

describe('startMaintenance', () => {
  it('maintains due repositories within seconds, one after the other, and ignores deleted ones', async () => {
    due = ['a', 'b', 'c'].map(repo);
    await vi.advanceTimersByTimeAsync(3_000);
    expect([looks, reported]).toEqual([['a', 'b', 'c'], []]);
    due = [repo('d')];
    await vi.advanceTimersByTimeAsync(3_000);
    expect(looks).toEqual(['a', 'b', 'c', 'd']);
  });

  it('GIT-193: maintains the pushes of a short time together', async () => {
    due = [repo('a')];
    dueFrom = begin;
    await vi.advanceTimersByTimeAsync(1_999);
    expect(looks).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(looks).toEqual(['a']);
  });

  it('reports no failure of a repository that was deleted during its maintenance', async () => {
    due = ['a', 'b'].map(repo);
    failing.set('a', new Error('no such folder'));
    vanishing.add('a');
    await vi.advanceTimersByTimeAsync(30_000);
    expect([looks, reported]).toEqual([['a', 'b'], []]);
  });

  it('reports the first failure, not that of asking whether the repository still exists', async () => {
    due = [repo('a')];
    let count = 0;
    vi.spyOn(failing, 'get').mockImplementation(() => new Error(`failure ${++count}`));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(reported).toEqual([new Error('failure 1')]);
  });

  it('reports a failure, goes on with the others, and retries with growing delays up to an hour', async () => {
    due = ['bad', 'good'].map(repo);
    failing.set('bad', new Error('the disk is full'));
    await vi.advanceTimersByTimeAsync(2_000);
    expect([looks, reported]).toEqual([['bad', 'good'], [new Error('the disk is full')]]);
    const times: number[] = [];
    for (let second = 0; second < 6 * 3_600; second++) {
      const before = looks.length;
      await vi.advanceTimersByTimeAsync(1_000);
      if (looks.length > before) times.push(second);
    }
    const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
    expect(gaps.slice(0, 3)).toEqual([10, 20, 40]);
    expect(gaps.at(-1)).toBe(3_600);
    expect(reported).toHaveLength(looks.filter((id) => id === 'bad').length);
    failing.clear();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(due).toEqual([]);
  });

  it('stop waits for running maintenance, and no more begins', async () => {
    const opened = Promise.withResolvers<void>();
    gate = opened.promise;
    due = ['a', 'b'].map(repo);
    await vi.advanceTimersByTimeAsync(2_000);
    let isStopped = false;
    const stopping = maintenance.stop().then(() => (isStopped = true));
    await vi.advanceTimersByTimeAsync(10_000);
    expect([looks, isStopped]).toEqual([['a'], false]);
    opened.resolve();
    await stopping;
    expect([looks, reported]).toEqual([['a'], []]);
  });

  it.each([
    ['REPO-333: an hour for other servers', memoryWorkLeases, 3_600_000],
    ['a minute if there are none', () => undefined, 60_000],
  ] as const)('keeps replaced packs %s', async (_, leasesOf, milliseconds) => {
    await maintenance.stop();
    const storage = memoryStorage();
    const { state } = storage.repos.repo('a', 'r', 'unrestricted');
    await state.begin(sampleHead('r'), sampleToken('t'));
    const pack = samplePack();
    await state.commit(change([update('refs/heads/main', null, 1)], { addPacks: [pack], at: begin }));
    await state.commit(change([update('refs/heads/main', 1, null)], { at: begin }));
    const ifVersion = (await state.snapshot())?.version;
    await state.replacePacks(replacement([pack.id], undefined, { at: begin, ifVersion }));
    maintenance = startMaintenance({
      due: async () => [repo('r')],
      leasing: createLeasing(leasesOf(storage), storage, (error) => reported.push(error)),
      engine: createGitEngine({ codec: nodeCodec() }),
      clock: { now: () => Date.now() },
      grace: 86_400_000,
      done: async () => undefined,
      report: (error) => reported.push(error),
    });
    const retired = async () => (await state.retiredPacks()).length;
    await vi.advanceTimersByTimeAsync(milliseconds - 1_000);
    expect(await retired()).toBe(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([await retired(), reported]).toEqual([0, []]);
  });

  it('maintains nothing after stop', async () => {
    await maintenance.stop();
    due = [repo('a')];
    await vi.advanceTimersByTimeAsync(10_000);
    expect(looks).toEqual([]);
  });
});

describe('abandonable', () => {
  const stop = new AbortController();
  const bytes = new Uint8Array(70_000);
  let packs: PackStore;

  it('behaves like the store until the abort; then all work fails, except cleaning up', async () => {
    const { packs: store } = memoryRepos().repo('a', 'k3v9p0x2m7q4w8zt', 'unrestricted');
    packs = abandonable(store, stop.signal);
    const id = await packs.reserve();
    await packs.put(id, 'pack', [bytes]);
    expect(await packs.read(id, 'pack', [{ offset: 0, length: bytes.length }])).toEqual([bytes]);
    const stream = packs.stream(id)[Symbol.asyncIterator]();
    const upload = await packs.upload(await packs.reserve());
    stop.abort();
    const given = AbandonedError;
    await expect(packs.reserve()).rejects.toThrow(given);
    await expect(packs.put(id, 'idx', [bytes])).rejects.toThrow(given);
    await expect(packs.upload(id)).rejects.toThrow(given);
    await expect(packs.read(id, 'pack', [{ offset: 0, length: 1 }])).rejects.toThrow(given);
    await expect(stream.next()).rejects.toThrow(given);
    await expect(upload.write(0, bytes)).rejects.toThrow(given);
    await expect(upload.complete(bytes.length)).rejects.toThrow(given);
    await upload.abort();
    await packs.remove(id);
    expect(await packs.leftovers(Number.MAX_SAFE_INTEGER)).not.toContain(id);
  });
});
