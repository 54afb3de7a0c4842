import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RepoSnapshot, RepoState } from '@packhouse/git';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { change, hashOf, sampleHead, samplePack, sampleToken, update } from '@packhouse/hosting/contract';
import { memoryRepos } from '../src/memory/storage.ts';
import { nodeStorage, type NodeStorage } from '../src/node-storage.ts';
import { FaultyFileSystem } from '../src/testing/faulty-file-system.ts';

const id = 'k3v9p0x2m7q4w8zt';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'packhouse-storage-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('nodeStorage', () => {
  const dataDir = () => join(folder, 'new', 'data');

  it('keeps everything across a restart, in a private database and folder of packs', async () => {
    const first = nodeStorage({ dataDir: dataDir() });
    const repo = first.repos.repo('local', id, 'default');
    await repo.state.begin(sampleHead(id), sampleToken('t1'));
    const pack = await repo.packs.reserve();
    await repo.packs.put(pack, 'pack', [Uint8Array.of(1, 2, 3)]);
    await repo.state.commit(change([update('refs/heads/main', null, 1)], { addPacks: [samplePack({ id: pack })] }));
    const snapshot = await repo.state.snapshot();
    first.close();
    first.close();
    const second = nodeStorage({ dataDir: dataDir() });
    const again = second.repos.repo('local', id, 'default');
    expect(await again.state.open(hashOf('t1'))).toMatchObject({ kind: 'open', snapshot });
    expect(await again.packs.read(pack, 'pack', [{ offset: 0, length: 3 }])).toEqual([Uint8Array.of(1, 2, 3)]);
    second.close();
    expect(readdirSync(dataDir()).sort()).toEqual(['packhouse.sqlite', 'packs']);
    expect(statSync(dataDir()).mode & 0o777).toBe(0o700);
  });

  describe('maintenance', () => {
    const storage = () => nodeStorage({ dataDir: dataDir() });
    const idOf = (name: string) => name.padStart(16, '0');
    const begin = async ({ repos }: NodeStorage, name: string) => {
      const { state } = repos.repo('local', idOf(name), 'default');
      await state.begin({ ...sampleHead(idOf(name)), account: 'local', name }, sampleToken('t1'));
      return state;
    };
    const push = (state: RepoState, at: number, branch: string = `b${at}`) =>
      state.commit(change([update(`refs/heads/${branch}`, null, 1)], { at }));

    it('is due at once after a commit with changes, longest due first, up to a limit', async () => {
      const opened = storage();
      const [one, two, three] = [await begin(opened, 'r1'), await begin(opened, 'r2'), await begin(opened, 'r3')];
      await begin(opened, 'r4');
      expect(await opened.due(9e15, 10)).toEqual([]);
      await push(two, 1_000);
      await push(one, 2_000);
      await push(one, 3_000);
      await push(three, 4_000);
      await one.commit(change([update('refs/heads/none', 9, 1)], { at: 500 }));
      const repo = (name: string) => ({ account: 'local', id: idOf(name), namespace: 'default', name });
      expect(await opened.due(999, 10)).toEqual([]);
      expect(await opened.due(3_999, 10)).toEqual([repo('r2'), repo('r1')]);
      expect(await opened.due(9e15, 2)).toEqual([repo('r2'), repo('r1')]);
      opened.close();
      const again = storage();
      expect(await again.due(9e15, 10)).toEqual([repo('r2'), repo('r1'), repo('r3')]);
      again.close();
    });

    it('is due as planned, or with an earlier commit', async () => {
      const opened = storage();
      const state = await begin(opened, 'r1');
      const isDue = async (now: number) => (await opened.due(now, 1)).length > 0;
      await push(state, 1_000);
      await state.planMaintenance(5_000);
      expect([await isDue(4_999), await isDue(5_000)]).toEqual([false, true]);
      await push(state, 2_000);
      expect([await isDue(1_999), await isDue(2_000)]).toEqual([false, true]);
      await state.planMaintenance(undefined);
      expect(await isDue(9e15)).toBe(false);
      await push(state, 3_000);
      expect([await isDue(2_999), await isDue(3_000)]).toEqual([false, true]);
      // For example, by a commit with a slow clock.
      await push(state, 2_500);
      expect(await isDue(2_500)).toBe(true);
      opened.close();
    });

    it('stays due if a commit followed the version of a plan', async () => {
      const opened = storage();
      const state = await begin(opened, 'r1');
      await push(state, 1_000);
      const { version } = (await state.snapshot()) as RepoSnapshot;
      await push(state, 2_000);
      await state.planMaintenance(undefined, version);
      await state.planMaintenance(8_000, version);
      expect(await opened.due(1_000, 1)).toHaveLength(1);
      await state.planMaintenance(8_000, version + 1);
      expect([(await opened.due(7_999, 1)).length, (await opened.due(8_000, 1)).length]).toEqual([0, 1]);
      opened.close();
    });

    it('is never due for an erased repository', async () => {
      const opened = storage();
      const state = await begin(opened, 'r1');
      await push(state, 1_000);
      await state.erase();
      expect(await opened.due(9e15, 1)).toEqual([]);
      opened.close();
    });
  });

  it('GIT-159: a crash hides no push from the catalog', async () => {
    const crashed = nodeStorage({ dataDir: dataDir() });
    const catalog = crashed.catalog('local');
    await catalog.createNamespace('default', 'default', 1_000);
    const idOf = (name: string) => name.padStart(16, '0');
    const stateOf = (name: string) => crashed.repos.repo('local', idOf(name), 'default').state;
    for (const name of ['waiting', 'unheard', 'empty']) {
      const repo = { namespace: 'default', name, description: null, defaultBranch: 'main', readOnly: false } as const;
      await catalog.reserveRepo(
        { ...repo, id: idOf(name), source: null, parentId: null, rootId: null, status: 'ready', createdAt: 1_000 },
        { id: `t-${name}`, createdAt: 1_000, expiresAt: 2_000 },
      );
      await stateOf(name).begin({ ...sampleHead(idOf(name)), account: 'local', name }, sampleToken(name));
    }
    const push = async (name: string, at: number) => {
      await stateOf(name).commit(change([update('refs/heads/main', null, 1)], { at, addPacks: [samplePack()] }));
      return await stateOf(name).storedBytes();
    };
    const bytes = await push('waiting', 2_000);
    await catalog.touch(idOf('waiting'), { pushedAt: 2_000, bytes, version: 2 });
    const others = await push('unheard', 3_000);
    // The next process finds the database as the crash left it.
    const next = nodeStorage({ dataDir: dataDir() });
    const after = next.catalog('local');
    expect(await after.storedBytes()).toBe(bytes + others);
    for (const [name, version, lastPushAt] of [
      ['waiting', 2, 2_000],
      ['unheard', 2, 3_000],
      ['empty', 0, null],
    ] as const) {
      const updatedAt = lastPushAt ?? 1_000;
      expect(await after.repo('default', name)).toMatchObject({ version, lastPushAt, updatedAt });
    }
    next.close();
    crashed.close();
  });

  it('uses the given file system for packs', async () => {
    const fileSystem = new FaultyFileSystem({ folders: [join(dataDir(), 'packs')] });
    const storage = nodeStorage({ dataDir: dataDir(), fileSystem });
    const { packs } = storage.repos.repo('local', id, 'default');
    const pack = await packs.reserve();
    await packs.put(pack, 'idx', [Uint8Array.of(1)]);
    storage.close();
    expect(fileSystem.files).toEqual([join(dataDir(), 'packs', 'local', id, `${pack}.idx`)]);
  });

  it('refuses a file as the folder, or another file as the database', () => {
    writeFileSync(join(folder, 'file'), 'x');
    expect(() => nodeStorage({ dataDir: join(folder, 'file') })).toThrow(/EEXIST|ENOTDIR/);
    writeFileSync(
      join(folder, 'packhouse.sqlite'),
      'this is no database, but long enough to be looked at as one'.repeat(20),
    );
    expect(() => nodeStorage({ dataDir: folder })).toThrow(/not a database/);
  });
});

describe('memoryRepos', () => {
  it('returns the same repository for the same account and id', async () => {
    const storage = memoryRepos();
    await storage.repo('a1', id, 'default').state.begin(sampleHead(id), sampleToken('t1'));
    expect(await storage.repo('a1', id, 'default').state.open(hashOf('t1'))).toMatchObject({ kind: 'open' });
    expect(await storage.repo('a2', id, 'default').state.open(hashOf('t1'))).toEqual({ kind: 'gone' });
  });
});
