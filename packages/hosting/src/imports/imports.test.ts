import { createGitEngine, packRefs, RepoGoneError, type RepoSnapshot } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Context } from '../internal/context.ts';
import { neutral } from '../dialect/neutral.ts';
import type { Catalog, NewRepo, RepoRecord } from '../ports/catalog.ts';
import type { Outbound } from '../ports/outbound.ts';
import { randomIds } from '@packhouse/base';
import type { HostedRepo } from '../ports/repo-storage.ts';
import { resolveSettings, type Settings } from '../settings/settings.ts';
import { createLongWork } from '../lifecycle/long-work.ts';
import { createImports } from './imports.ts';

const snapshot: RepoSnapshot = {
  version: 1,
  refs: packRefs([]),
  packs: [],
  shallow: [],
  defaultBranch: 'main',
  retiredTips: [],
};

/** A catalog with one repo, and a remote that replies with `answer`. By default it never replies. */
function world(settings: Partial<Settings> = {}, answer: Outbound['fetch'] = () => new Promise(() => {})) {
  const calls: string[] = [];
  const reported: unknown[] = [];
  const background: Promise<void>[] = [];
  let isThere = true;
  let failing: string | undefined;
  let isPublished = false;
  let isErased = false;
  let status = 'importing';
  const may = (name: string): void => {
    calls.push(name);
    if (failing === name) throw new Error(`no ${name}`);
  };
  const catalog: Partial<Catalog> = {
    reserveRepo: async (repo: NewRepo) => {
      may('reserve');
      return {
        kind: 'reserved',
        repo: { ...repo, jurisdiction: 'eu', updatedAt: 0, lastPushAt: null, version: 0, revision: 0, unsettled: null },
      };
    },
    renewRepo: async () => {
      may('renew');
      return isThere;
    },
    publishRepo: async () => {
      may('publish');
      if (failing === 'reply') {
        isPublished = true;
        throw new Error('no reply');
      }
      return isThere;
    },
    dropRepo: async (id) => {
      may('drop');
      return isPublished ? undefined : { id, jurisdiction: 'eu', deletedAt: 0, packs: [] };
    },
    repoById: async (id) => (isPublished ? ({ id, status: 'ready', name: 'x' } as RepoRecord) : undefined),
    storedBytes: async () => 0,
  };
  const state = {
    begin: async () => may('begin'),
    setStatus: async () => {
      may('ready');
      status = 'ready';
    },
    open: async () => ({ kind: 'open', head: { status, defaultBranch: 'main' }, version: 1 }),
    storedBytes: async () => 0,
    async snapshot() {
      if (isErased) throw new RepoGoneError();
      return snapshot;
    },
    erase: async () => may('erase'),
  };
  const context = {
    dialect: neutral,
    settings: resolveSettings(settings, neutral),
    catalog: () => catalog as Catalog,
    storage: { repo: () => ({ state }) as unknown as HostedRepo },
    clock: { now: () => 0 },
    ids: randomIds,
    background: (work: Promise<void>) => void background.push(work),
    report: (error: unknown) => void reported.push(error),
  } as unknown as Context;
  const asked = Promise.withResolvers<void>();
  const outbound: Outbound = {
    async lookup() {
      asked.resolve();
      return ['1.1.1.1'];
    },
    fetch: answer,
  };
  const longWork = createLongWork(context);
  const imports = createImports(context, createGitEngine({ codec: nodeCodec() }), longWork, outbound);
  return {
    stop: () => longWork.stop(),
    calls,
    reported,
    background,
    start: () => imports.start('a1', 'team', 'x', { url: 'https://git.example/x.git' }),
    /** Returns the error kind of an import. Time passes from its first request on, then `then` runs. */
    async failure(milliseconds: number, then: () => void = () => {}): Promise<unknown> {
      const started = this.start().then(
        () => undefined,
        (error: unknown) => (error as { kind: unknown }).kind,
      );
      await asked.promise;
      await vi.advanceTimersByTimeAsync(milliseconds);
      then();
      await vi.advanceTimersByTimeAsync(100);
      return started;
    },
    asked: asked.promise,
    leave: () => (isThere = false),
    vanish: () => (isErased = true),
    fail: (name: string) => (failing = name),
  };
}

/** A remote without refs. */
const empty: Outbound['fetch'] = async (request) => {
  const kind = request.method === 'GET' ? 'advertisement' : 'result';
  const headers = { 'content-type': `application/x-git-upload-pack-${kind}` };
  return new Response(kind === 'result' ? '0000' : '000eversion 2\n0000', { headers });
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('imports', () => {
  it('REPO-132: publish the repo, then stop renewing it', async () => {
    const { start, calls } = world({}, empty);
    expect((await start()).repo.status).toBe('ready');
    await vi.advanceTimersByTimeAsync(100_000);
    expect(calls).toEqual(['reserve', 'begin', 'ready', 'publish']);
  });

  it('REPO-133: renew the repo often enough that the sweep does not drop it', async () => {
    const { start, calls, stop, asked } = world({ sync_wait: 0 });
    const started = start();
    await asked;
    await vi.advanceTimersByTimeAsync(29_999);
    expect((await started).repo.status).toBe('importing');
    expect(calls.filter((name) => name === 'renew').length).toBeGreaterThanOrEqual(3);
    stop();
    await vi.advanceTimersByTimeAsync(100);
    expect(calls.slice(-2)).toEqual(['drop', 'erase']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('REPO-044: succeed when the catalog has published the repo and only its reply is lost', async () => {
    const { start, fail, calls } = world({}, empty);
    fail('reply');
    expect((await start()).repo).toMatchObject({ status: 'ready', name: 'x' });
    expect(calls).not.toContain('drop');
  });

  it('REPO-132: wait for their turn after the reply, and can be cancelled while they wait', async () => {
    const answer = vi.fn<Outbound['fetch']>(() => new Promise(() => {}));
    const { start, stop, calls, asked } = world({ sync_wait: 0, imports_max: 1 }, answer);
    const statuses: string[] = [];
    for (const started of [start(), start()]) void started.then(({ repo }) => statuses.push(repo.status));
    await asked;
    // The second reply comes later, since secrets are hashed in another thread.
    while (statuses.length < 2) await vi.advanceTimersByTimeAsync(1);
    expect(statuses).toEqual(['importing', 'importing']);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(answer).toHaveBeenCalledTimes(1);
    stop();
    await vi.advanceTimersByTimeAsync(200);
    expect(calls.filter((name) => name === 'drop')).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('LIM-022: are rejected while 100 of the account wait, and accepted again when one has ended', async () => {
    const ends: ((response: Response) => void)[] = [];
    const { start, stop } = world({ sync_wait: 0, imports_max: 1 }, () => new Promise((end) => void ends.push(end)));
    const kinds: string[] = [];
    const begin = (): void =>
      void start().then(
        () => kinds.push('begun'),
        (error: unknown) => kinds.push((error as { kind: string }).kind),
      );
    const settled = async (count: number): Promise<void> => {
      while (kinds.length < count || ends.length === 0) await vi.advanceTimersByTimeAsync(1);
    };
    for (let i = 0; i < 103; i++) begin();
    await settled(103);
    expect(kinds.filter((kind) => kind === 'rate')).toHaveLength(2);
    ends[0]?.(new Response(null, { status: 404 }));
    while (ends.length < 2) await vi.advanceTimersByTimeAsync(1);
    ends[1]?.(new Response(null, { status: 404 }));
    while (ends.length < 3) await vi.advanceTimersByTimeAsync(1);
    begin();
    await settled(104);
    expect(kinds.at(-1)).toBe('begun');
    stop();
    await vi.advanceTimersByTimeAsync(200);
  });

  it('REPO-133: end at once when the service has stopped, so that no caller waits for them', async () => {
    const { start, stop, background, asked } = world({ sync_wait: 0 });
    stop();
    const started = start();
    await asked;
    await vi.advanceTimersByTimeAsync(200);
    await Promise.all([...background, started]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('REPO-119: end when another process has deleted the repo', async () => {
    const elsewhere = world();
    elsewhere.leave();
    expect(await elsewhere.failure(10_000)).toBe('repoNotFound');
  });

  it('REPO-119: fail if the repo is deleted before it is published', async () => {
    const { start, leave } = world({}, empty);
    leave();
    await expect(start()).rejects.toMatchObject({ kind: 'repoNotFound' });
  });

  it('REPO-119: fail as deleted when their files have gone', async () => {
    const deleted = world({}, async () => {
      deleted.vanish();
      throw new Error('no such file');
    });
    await expect(deleted.start()).rejects.toMatchObject({ kind: 'repoNotFound' });
    expect(deleted.reported).toEqual([]);
  });

  it('REPO-119: continue when renewing the repo fails, and report the error', async () => {
    const unheard = world();
    unheard.fail('renew');
    expect(await unheard.failure(9_000, unheard.stop)).toBe('repoNotFound');
    expect(unheard.reported).toEqual([new Error('no renew')]);
  });

  it('REPO-128: are undone when the remote sends nothing', async () => {
    const silent = world({ sync_wait: 3600 });
    expect(await silent.failure(61_000)).toBe('upstreamUnavailable');
    expect(silent.calls.slice(-2)).toEqual(['drop', 'erase']);
  });

  it('GIT-155: are left to the sweep when only publishing failed, since a push may have been acknowledged', async () => {
    const { start, fail, calls, background } = world({}, empty);
    fail('publish');
    await expect(start()).rejects.toThrow('no publish');
    await Promise.all(background);
    expect(calls.slice(-3)).toEqual(['ready', 'publish', 'publish']);
  });

  it.each(['begin', 'ready'])('REPO-133: are undone and pass on the error when %s fails', async (step) => {
    const { start, fail, calls, background } = world({}, empty);
    fail(step);
    await expect(start()).rejects.toThrow(`no ${step}`);
    expect(calls).toContain('drop');
    await Promise.all(background);
  });

  it('REPO-133: report errors of the service after the reply, but not those of the remote', async () => {
    const late = (answer: Outbound['fetch']): Outbound['fetch'] => {
      return async (request) => {
        await new Promise((resolve) => setTimeout(resolve, 2_000));
        return answer(request, undefined);
      };
    };
    const broken = world({ sync_wait: 1 }, late(empty));
    broken.fail('publish');
    const refused = world(
      { sync_wait: 1 },
      late(async (_request) => new Response('', { status: 404 })),
    );
    for (const { start, background, asked } of [broken, refused]) {
      const started = start();
      await asked;
      await vi.advanceTimersByTimeAsync(10_000);
      expect((await started).repo.status).toBe('importing');
      await Promise.all(background);
    }
    expect(broken.reported).toEqual([new Error('no publish')]);
    expect(refused.reported).toEqual([]);
    expect(refused.calls).toContain('drop');
  });

  it('REPO-128: log the reason when the client gets an error that has many reasons', async () => {
    const { start, reported } = world({}, async () => {
      throw new TypeError('fetch failed', { cause: new Error('self-signed certificate') });
    });
    await expect(start()).rejects.toMatchObject({ kind: 'upstreamUnavailable' });
    const why = 'the remote cannot be reached: fetch failed: self-signed certificate';
    expect(reported).toMatchObject([
      { name: 'ImportFailure', level: 'warn', message: `the import of repo x in namespace team failed: ${why}` },
    ]);
  });

  it('REPO-128: fail without reserving a name when the service has no `outbound`', async () => {
    const { calls } = world();
    const context = { settings: resolveSettings({}, neutral) } as Context;
    const imports = createImports(context, createGitEngine({ codec: nodeCodec() }), createLongWork(context), undefined);
    const started = imports.start('a1', 'team', 'x', { url: 'https://git.example/x' });
    await expect(started).rejects.toMatchObject({ kind: 'upstreamUnavailable' });
    expect(calls).toEqual([]);
  });
});
