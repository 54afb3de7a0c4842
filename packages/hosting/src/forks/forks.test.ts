import {
  createGitEngine,
  newPackId,
  packRefs,
  parseObjectId,
  parseRefName,
  RepoGoneError,
  type NewPack,
  type ObjectId,
  type PackId,
  type PackRecord,
  type RefName,
  type RefPage,
  type RefQuery,
  type RepoChange,
  type RepoSnapshot,
  type RowFile,
} from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { neutral } from '../dialect/neutral.ts';
import { type HostingError, randomIds } from '@packhouse/base';
import type { Context } from '../internal/context.ts';
import type { Catalog, NewRepo, RepoRecord } from '../ports/catalog.ts';
import type { HostedRepo, RepoStorage } from '../ports/repo-storage.ts';
import { createLongWork } from '../lifecycle/long-work.ts';
import { resolveSettings, type Settings } from '../settings/settings.ts';
import { createForks } from './forks.ts';
import { openRelative, type RelativeName } from '../lookup/open-relative.ts';
import type { KnownRepos } from '../lookup/known-repos.ts';
import type { RepoIdentity, RepoPath } from '../lookup/open-repo.ts';

const parent: RepoRecord = {
  id: 'parent',
  namespace: 'Team',
  jurisdiction: 'eu',
  name: 'Notes',
  description: 'of the parent',
  defaultBranch: 'trunk',
  readOnly: true,
  source: null,
  parentId: null,
  rootId: null,
  status: 'ready',
  createdAt: 0,
  updatedAt: 0,
  lastPushAt: null,
  version: 1,
  revision: 0,
  unsettled: null,
};
const head = {
  name: parseRefName('refs/heads/trunk') as RefName,
  oid: parseObjectId('1'.repeat(40)) as ObjectId,
  kind: 'commit',
  peeled: null,
} as const;

/** A pack whose objects are all reachable, so that a fork need not read it. */
function pack(where: PackRecord['where'], bytes = 90): PackRecord {
  const sizes = { packSize: bytes, idxSize: 1, graphSize: 1 };
  const id = newPackId();
  return { id, where, objects: 7, ...sizes, exact: true, position: 3, after: 2, borrowed: 'no', at: 5 };
}

/** A parent with one ref and one pack, and records of what a fork of it does. */
function world(settings: Partial<Settings> = {}, only = pack('store')) {
  const calls: string[] = [];
  const reported: unknown[] = [];
  const background: Promise<void>[] = [];
  const faults = new Map<string, unknown>();
  const may = (name: string): void => {
    calls.push(name);
    if (faults.has(name)) throw faults.get(name);
  };
  const snapshot: RepoSnapshot = {
    version: 1,
    refs: packRefs([{ name: head.name, target: head }]),
    packs: [only],
    shallow: [],
    defaultBranch: 'trunk',
    retiredTips: [],
  };
  const seen = {
    stored: 0,
    isThere: true,
    snapshots: [snapshot],
    change: undefined as RepoChange | undefined,
    onCommit: () => {},
    /** Refs of the parent that its snapshots omit, sorted by name. */
    refs: [] as readonly Parameters<typeof packRefs>[0][number][],
    reserved: undefined as NewRepo | undefined,
    jurisdiction: 'eu',
    status: 'forking',
    share: async (): Promise<boolean> => true,
    parent,
    /** Packs that the store lists as leftovers. */
    begun: [] as PackId[],
    removed: [] as PackId[],
    put: [] as string[],
    /** Packs that the parent still has in rows. */
    rows: [only].map(({ id }) => id),
  };
  const catalog: Partial<Catalog> = {
    repo: async () => seen.parent,
    repoById: async (id) => (id === 'parent' ? seen.parent : seen.isThere ? ({ id } as RepoRecord) : undefined),
    reserveRepo: async (repo) => {
      may('reserve');
      seen.reserved = repo;
      const { jurisdiction } = seen;
      return {
        kind: 'reserved',
        repo: { ...repo, jurisdiction, updatedAt: 0, lastPushAt: null, version: 0, revision: 0, unsettled: null },
      };
    },
    renewRepo: async () => seen.isThere,
    publishRepo: async () => {
      may('publish');
      return seen.isThere;
    },
    dropRepo: async (id) => {
      may('drop');
      return { id, jurisdiction: 'eu', deletedAt: 0, packs: [] } as never;
    },
    storedBytes: async () => seen.stored,
    notePacks: async () => {},
  };
  const state = {
    begin: async () => may('begin'),
    setStatus: async () => {
      may('ready');
      seen.status = 'ready';
    },
    open: async () => ({ kind: 'open', head: { status: seen.status, defaultBranch: 'trunk' }, version: 2 }),
    snapshot: async () => undefined,
    commit: async (change: RepoChange) => {
      may('commit');
      seen.onCommit();
      seen.change = change;
      return { kind: 'done', version: 2, updates: change.updates.map(() => ({ kind: 'ok' })) };
    },
    storedBytes: async () => 90,
    erase: async () => may('erase'),
  };
  const parentState = {
    snapshot: async (known?: number) => {
      may('snapshot');
      const now = seen.snapshots.length > 1 && known === undefined ? seen.snapshots.shift() : seen.snapshots[0];
      return now?.version === known ? undefined : now;
    },
    refs: async (_: number, query: RefQuery): Promise<RefPage> => {
      const { after = '', names = [] } = query as { after?: string; names?: readonly RefName[] };
      const found = seen.refs.filter(({ name }) => (query.kind === 'named' ? names.includes(name) : name > after));
      const page = found.slice(0, 1_024);
      return { chunks: [packRefs(page)], next: found.length > page.length ? page.at(-1)?.name : undefined };
    },
    rowFiles: async (ids: readonly PackId[]): Promise<RowFile[]> =>
      ids
        .filter((id) => seen.rows.includes(id))
        .flatMap((id) =>
          (['pack', 'idx', 'graph'] as const).map((file) => ({ id, file, bytes: new TextEncoder().encode(file) })),
        ),
  };
  const packs = {
    reserve: async () => newPackId(),
    put: async (id: PackId, file: string) => void seen.put.push(`${id} ${file}`),
    remove: async (id: PackId) => {
      if (faults.has('remove')) throw faults.get('remove');
      seen.removed.push(id);
    },
    leftovers: async () => seen.begun,
  };
  const context = {
    dialect: neutral,
    settings: resolveSettings(settings, neutral),
    catalog: () => catalog as Catalog,
    storage: {
      repo: (_account: string, id: string) =>
        ({ state: id === 'parent' ? parentState : state, packs }) as unknown as HostedRepo,
      sharePacks: async (...[, , , ids]: Parameters<RepoStorage['sharePacks']>) => {
        may('share');
        seen.begun.push(...ids);
        return seen.share();
      },
    },
    clock: { now: () => 0 },
    ids: randomIds,
    background: (work: Promise<void>) => void background.push(work),
    report: (error: unknown) => void reported.push(error),
  } as unknown as Context;
  const longWork = createLongWork(context);
  const forks = createForks(context, createGitEngine({ codec: nodeCodec() }), longWork);
  const start = (body: object = {}) =>
    forks.start('a1', 'team', 'notes', { name: 'try', default_branch_only: false, ...body });
  return {
    calls,
    reported,
    background,
    faults,
    seen,
    snapshot,
    only,
    longWork,
    forks,
    start,
    /** Returns the kind of error that a fork fails with. */
    failure: (): Promise<unknown> =>
      start().then(
        () => 'none',
        (error: unknown) => (error as HostingError).kind ?? (error as Error).message,
      ),
  };
}

describe('relatives', () => {
  const family = (...others: readonly Partial<RepoRecord>[]) => {
    const repos = others.map((repo) => ({ ...parent, ...repo }));
    const context = {
      catalog: (): Partial<Catalog> => ({
        repo: async (namespace, name) => repos.find((repo) => repo.namespace === namespace && repo.name === name),
        repoById: async (id) => repos.find((repo) => repo.id === id),
      }),
      storage: { repo: (_: string, id: string) => ({ id, state: { snapshot: async () => ({ refs: packRefs([]) }) } }) },
    } as unknown as Context;
    return async (place: { id: string } | { repo: string }, relative: RelativeName) => {
      const whole = { account: 'a1', namespace: 'Team', jurisdiction: 'eu', ...place } as RepoPath | RepoIdentity;
      const known = { snapshot: () => undefined, keep: () => {} } as unknown as KnownRepos;
      return openRelative(context, known, whole, relative).then(
        ({ repo }) => (repo as unknown as { readonly id: string }).id,
        (error: unknown) => (error as HostingError).kind,
      );
    };
  };

  it('REPO-275: a family stays together without its first repo, and takes in no other with that name', async () => {
    const open = family(
      { id: 'other', name: 'root' },
      { id: 'child', name: 'child', parentId: 'root', rootId: 'root' },
      { id: 'grandchild', name: 'grandchild', parentId: 'gone', rootId: 'root', namespace: 'Else' },
      { id: 'begun', name: 'begun', parentId: 'child', rootId: 'root', status: 'forking' },
    );
    expect(await open({ repo: 'child' }, { namespace: 'Else', repo: 'grandchild' })).toBe('grandchild');
    expect(await open({ id: 'grandchild' }, { repo: 'grandchild' })).toBe('grandchild');
    expect(await open({ repo: 'child' }, { repo: 'begun' })).toBe('forking');
    expect(await open({ repo: 'child' }, { repo: 'root' })).toBe('repoNotFound');
    expect(await open({ repo: 'root' }, { repo: 'child' })).toBe('repoNotFound');
    expect(await open({ repo: 'none' }, { repo: 'child' })).toBe('repoNotFound');
  });

  it('REPO-275: a caller with the id of a repo reads no other namespace', async () => {
    const open = family(
      { id: 'root', name: 'root' },
      { id: 'child', name: 'child', parentId: 'root', rootId: 'root' },
      { id: 'far', name: 'far', parentId: 'root', rootId: 'root', namespace: 'Else' },
    );
    expect(await open({ id: 'child' }, { namespace: 'Team', repo: 'root' })).toBe('root');
    expect(await open({ repo: 'root' }, { namespace: 'Else', repo: 'far' })).toBe('far');
    expect(await open({ id: 'root' }, { namespace: 'Else', repo: 'far' })).toBe('repoNotFound');
  });

  it('REPO-275: a fork of a fork belongs to the family of the first repo', async () => {
    const { start, seen } = world();
    await start();
    expect(seen.reserved).toMatchObject({ parentId: 'parent', rootId: 'parent' });
    seen.parent = { ...parent, rootId: 'root' };
    await start();
    expect(seen.reserved).toMatchObject({ parentId: 'parent', rootId: 'root' });
  });
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Counts the passes of the event loop until the test ends. */
function countPasses(): () => number {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let pass = 0;
  let ends = false;
  const count = (): void => {
    pass += 1;
    if (!ends) setImmediate(count);
  };
  count();
  onTestFinished(() => {
    ends = true;
  });
  return () => pass;
}

describe('forks', () => {
  it('REPO-120, REPO-124: share the packs of the parent, and become visible by one commit', async () => {
    const { start, calls, seen, only } = world();
    const { repo, objects } = await start();
    expect(calls).toEqual(['reserve', 'begin', 'snapshot', 'share', 'commit', 'ready', 'publish']);
    expect([repo.status, repo.defaultBranch, objects]).toEqual(['ready', 'trunk', 7]);
    expect(seen.reserved).toMatchObject({
      namespace: 'Team',
      name: 'try',
      description: null,
      readOnly: false,
      source: 'repos:Team/Notes',
      status: 'forking',
    });
    const { position: _, at: __, ...added } = only;
    expect(seen.change).toMatchObject({
      isImport: true,
      atomic: true,
      updates: [{ name: 'refs/heads/trunk', old: null, new: { oid: head.oid } }],
      addPacks: [{ ...added, after: 0, borrowed: 'whole' }],
    });
    expect([seen.put, seen.removed]).toEqual([[], []]);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(calls.at(-1)).toBe('publish');
  });

  it('BIND-073: can be created by the id of the parent', async () => {
    const { forks, seen } = world();
    const body = { name: 'x', read_only: true, description: 'd' };
    const { repo } = await forks.startById('a1', 'parent', body);
    expect(repo).toMatchObject({ name: 'x', readOnly: true, description: 'd', source: 'repos:Team/Notes' });
    seen.isThere = false;
    await expect(forks.startById('a1', 'none', body)).rejects.toMatchObject({ kind: 'repoNotFound' });
    seen.parent = { ...parent, status: 'importing' };
    await expect(forks.startById('a1', 'parent', body)).rejects.toMatchObject({ kind: 'importing', retryAfter: 1 });
  });

  it.each(['creating', 'importing', 'forking'] as const)(
    'REPO-089: are rejected for a parent that is %s',
    async (status) => {
      const { failure, seen, calls } = world();
      seen.parent = { ...parent, status };
      expect(await failure()).toBe(status);
      expect(calls).toEqual([]);
    },
  );

  it('REPO-122: are empty if the parent is empty', async () => {
    const { start, calls, seen, snapshot } = world();
    seen.snapshots = [{ ...snapshot, refs: packRefs([]), packs: [] }];
    expect((await start()).objects).toBe(0);
    expect(calls).toEqual(['reserve', 'begin', 'snapshot', 'ready', 'publish']);
  });

  it('REPO-123: start again when packs of the parent are replaced, and remove packs that they no longer need', async () => {
    const { start, calls, seen, snapshot, only } = world();
    const merged = pack('store');
    seen.snapshots = [snapshot, { ...snapshot, version: 2, packs: [merged] }];
    const answers = [false, true];
    seen.share = async () => answers.shift() ?? false;
    await start();
    expect(calls.filter((name) => name === 'share')).toHaveLength(2);
    expect(seen.change?.addPacks.map(({ id }) => id)).toEqual([merged.id]);
    expect(seen.removed).toEqual([only.id]);
  });

  it('REPO-133: become ready even if removing packs that they do not need fails', async () => {
    const { start, seen, snapshot, faults, reported } = world();
    seen.snapshots = [snapshot, { ...snapshot, version: 2, packs: [pack('store')] }];
    const answers = [false, true];
    seen.share = async () => answers.shift() ?? false;
    faults.set('remove', new Error('no remove'));
    expect((await start()).repo.status).toBe('ready');
    expect(reported).toEqual([new Error('no remove')]);
  });

  it('REPO-133: fail when the parent replaces its packs during every attempt', async () => {
    const { failure, seen, calls } = world();
    seen.share = async () => false;
    expect(await failure()).toMatch(/replaced 20 times/);
    expect(calls.slice(-2)).toEqual(['drop', 'erase']);
  });

  it('REPO-133: fail and are undone when the parent is deleted meanwhile', async () => {
    const { failure, seen, faults, calls } = world();
    seen.share = async () => {
      faults.set('snapshot', new RepoGoneError());
      return false;
    };
    expect(await failure()).toBe('repoNotFound');
    expect(calls.slice(-2)).toEqual(['drop', 'erase']);
  });

  it('REPO-101: copy nothing of the parent into another jurisdiction', async () => {
    const { failure, seen, calls } = world({}, pack('rows'));
    seen.jurisdiction = 'unrestricted';
    expect(await failure()).toBe('repoNotFound');
    expect(calls).toEqual(['reserve', 'begin', 'drop', 'erase']);
  });

  it.each(['snapshot', 'share', 'commit', 'ready'])('REPO-133: are undone when %s fails', async (step) => {
    const { failure, faults, calls, background, seen } = world();
    faults.set(step, new Error(`no ${step}`));
    expect(await failure()).toBe(`no ${step}`);
    expect(calls.slice(-2)).toEqual(['drop', 'erase']);
    // The erasure finds the shared packs.
    expect(seen.removed).toEqual([]);
    await Promise.all(background);
  });

  it('REPO-176: report a full disk to the operator when they fail after the reply', async () => {
    const { start, seen, faults, reported, background } = world({ sync_wait: 1 });
    const shared = Promise.withResolvers<boolean>();
    const asked = Promise.withResolvers<void>();
    seen.share = () => {
      asked.resolve();
      return shared.promise;
    };
    const started = start();
    await asked.promise;
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await started).repo.status).toBe('forking');
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    faults.set('commit', full);
    shared.resolve(true);
    await Promise.all(background);
    expect(reported).toEqual([full]);
  });

  it('REPO-119, REPO-132: return after `sync_wait`, and continue until they are cancelled', async () => {
    const { start, seen, longWork, calls, reported, only } = world({ sync_wait: 1 });
    const shared = Promise.withResolvers<boolean>();
    const asked = Promise.withResolvers<void>();
    seen.share = () => {
      asked.resolve();
      return shared.promise;
    };
    const started = start();
    await asked.promise;
    await vi.advanceTimersByTimeAsync(1_000);
    const { repo, objects } = await started;
    expect([repo.status, objects]).toEqual(['forking', 0]);
    longWork.cancel(repo.id);
    seen.isThere = false;
    await vi.advanceTimersByTimeAsync(100);
    shared.resolve(true);
    await vi.advanceTimersByTimeAsync(0);
    // The repo was erased before the packs were shared, so the erasure did not find them.
    expect(seen.removed).toEqual([only.id]);
    expect(calls).not.toContain('commit');
    expect([calls.slice(-2), reported]).toEqual([['drop', 'erase'], []]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('REPO-123: remove no pack of the parent if they are deleted before packs are shared', async () => {
    const { failure, seen, faults } = world();
    seen.isThere = false;
    faults.set('share', new Error('no share'));
    expect(await failure()).toBe('no share');
    expect(seen.removed).toEqual([]);
  });

  it('REPO-119: fail if they are deleted before they are published', async () => {
    const { failure, seen, only } = world();
    seen.isThere = false;
    expect(await failure()).toBe('repoNotFound');
    expect(seen.removed).toEqual([only.id]);
  });

  it.each([
    ['LIM-012', { account_storage_max: 1_000 }, 909],
    ['LIM-050', { repo_storage_max: 91 }, 0],
  ])('%s, GIT-166: count shared bytes before they share a pack', async (_, settings, stored) => {
    const { failure, seen, calls } = world(settings);
    seen.stored = stored;
    expect(await failure()).toBe('importTooLarge');
    expect(calls).toEqual(['reserve', 'begin', 'snapshot', 'drop', 'erase']);
  });

  it('LIM-012: do not count the same free bytes twice when they run at the same time', async () => {
    const { start, failure, seen } = world({ account_storage_max: 183 });
    const [shared, asked] = [Promise.withResolvers<boolean>(), Promise.withResolvers<void>()];
    seen.share = () => {
      asked.resolve();
      return shared.promise;
    };
    const first = start();
    await asked.promise;
    expect(await failure()).toBe('importTooLarge');
    shared.resolve(true);
    expect((await first).repo.status).toBe('ready');
    // The catalog of this test counts no bytes, so only a plan that is still recorded could prevent this fork.
    expect(await failure()).toBe('none');
  });

  it('LIM-012: may use the last byte of the quota', async () => {
    const { start, seen } = world({ account_storage_max: 1_000 });
    seen.stored = 908;
    expect((await start()).repo.status).toBe('ready');
  });

  it('REPO-124: copy small packs in rows under new ids', async () => {
    const { start, seen, only, calls } = world({}, pack('rows'));
    await start();
    expect(calls).not.toContain('share');
    const [copy] = (seen.change as RepoChange).addPacks as readonly [NewPack];
    expect(copy).toMatchObject({ where: 'rows', objects: 7, borrowed: 'no' });
    expect(copy.id).not.toBe(only.id);
    expect(Object.keys(copy.files ?? {})).toEqual(['pack', 'idx', 'graph']);
    expect(new TextDecoder().decode(copy.files?.graph)).toBe('graph');
  });

  it('put packs that are too large for the rows of one commit into the store', async () => {
    const { start, seen } = world({}, pack('rows', 4 * 1_048_576));
    await start();
    const [copy] = (seen.change as RepoChange).addPacks as readonly [NewPack];
    expect([copy.where, copy.files, copy.borrowed]).toEqual(['store', undefined, 'no']);
    expect(seen.put).toEqual(['pack', 'idx', 'graph'].map((file) => `${copy.id} ${file}`));
  });

  it('start again when packs are no longer in rows', async () => {
    const { start, seen, snapshot } = world({}, pack('rows'));
    const settled = pack('store');
    seen.rows = [];
    seen.snapshots = [snapshot, { ...snapshot, version: 2, packs: [settled] }];
    await start();
    expect(seen.change?.addPacks.map(({ id }) => id)).toEqual([settled.id]);
  });

  it('let other work run in between when many run at the same time', async () => {
    const { start, seen } = world();
    const pass = countPasses();
    const passes: number[] = [];
    seen.onCommit = () => void passes.push(pass());
    await Promise.all(Array.from({ length: 20 }, start));
    expect(new Set(passes).size).toBe(20);
  });

  it('REPO-124: let other work run between slices of many refs, and end there when the fork is deleted', async () => {
    const { start, failure, seen, snapshot, longWork } = world();
    const names = Array.from({ length: 7_000 }, (_, i) => parseRefName(`refs/heads/${String(i).padStart(5, '0')}`));
    seen.refs = [...names.map((name) => ({ name: name as RefName, target: head })), { name: head.name, target: head }];
    seen.snapshots = [{ ...snapshot, refs: undefined }];
    const pass = countPasses();
    const passes: number[] = [];
    seen.onCommit = () => void passes.push(pass());
    await start();
    expect(new Set(passes).size).toBe(7);
    passes.length = 0;
    seen.onCommit = () => {
      passes.push(pass());
      longWork.stop();
      vi.advanceTimersByTime(100);
    };
    expect(await failure()).toBe('repoNotFound');
    expect(passes).toHaveLength(1);
  });
});
