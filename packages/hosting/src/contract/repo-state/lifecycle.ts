import { RepoGoneError } from '@packhouse/git';
import { describe, expect, it } from 'vitest';
import type { HeadUpdate } from '../../ports/repo-storage.ts';
import type { OpenState } from './repo-state.ts';
import {
  change,
  everyToken,
  hashOf,
  replacement,
  sampleHead,
  samplePack,
  samplePackId,
  sampleRepoId,
  sampleToken,
  update,
} from './samples.ts';
import { wholeState } from '@packhouse/git/contract';

const headUpdate = (revision: number): HeadUpdate => ({
  revision,
  name: 'Plans',
  defaultBranch: 'trunk',
  readOnly: true,
  events: [],
});

export function testLifecycle(open: OpenState): void {
  describe('life of a repository', () => {
    const begun = async () => {
      const id = sampleRepoId();
      await open(id).begin(sampleHead(id), sampleToken('t1'));
      return id;
    };

    it('GIT-160: begins empty', async () => {
      const id = await begun();
      expect(await wholeState(open(id))).toEqual({
        version: expect.any(Number),
        refs: [],
        packs: [],
        shallow: [],
        retiredTips: [],
        defaultBranch: 'main',
        name: 'notes',
        refCount: 0,
      });
      expect(await open(id).tokens(everyToken)).toEqual({ tokens: [sampleToken('t1')], total: 1 });
      expect(await open(id).storedBytes()).toBe(0);
    });

    it('begins once: a repeated call changes nothing', async () => {
      const id = await begun();
      await open(id).commit(change([update('refs/heads/main', null, 1)]));
      await open(id).begin({ ...sampleHead(id), name: 'other' }, sampleToken('t2'));
      expect(await open(id).open(hashOf('t1'))).toMatchObject({
        head: { name: 'notes' },
        snapshot: { refs: { count: 1 } },
      });
      expect(await open(id).tokens(everyToken)).toMatchObject({ total: 1 });
    });

    it('GIT-159: stores the last push that changed something', async () => {
      const id = await begun();
      expect(await open(id).lastPush()).toBeUndefined();
      const first = change([update('refs/heads/main', null, 1)]);
      await open(id).commit(first);
      const { version } = (await open(id).snapshot()) as { version: number };
      expect(await open(id).lastPush()).toEqual({ at: first.at, version });
      await open(id).commit({ ...change([update('refs/heads/main', null, 2)]), at: first.at + 1000 });
      expect(await open(id).lastPush()).toEqual({ at: first.at, version });
    });

    it('REPO-057: an import is not a push', async () => {
      const id = await begun();
      await open(id).commit({ ...change([update('refs/heads/main', null, 1)]), isImport: true });
      expect(await wholeState(open(id))).toMatchObject({ refs: [{ name: 'refs/heads/main' }] });
      expect(await open(id).lastPush()).toBeUndefined();
    });

    it('opens in one call: head, token, and a snapshot only if the version of the caller is older', async () => {
      const id = await begun();
      const first = await open(id).open(hashOf('t1'));
      if (first.kind !== 'open') throw new Error('gone');
      expect(first).toEqual({
        kind: 'open',
        head: sampleHead(id),
        token: sampleToken('t1'),
        version: first.snapshot?.version,
        snapshot: await open(id).snapshot(),
        wanted: [],
      });
      expect((await open(id).open(hashOf('t1'), first.version)) as object).toMatchObject({
        token: sampleToken('t1'),
        snapshot: undefined,
      });
      expect(await open(id).snapshot(first.version)).toBeUndefined();
      await open(id).commit(change([update('refs/heads/main', null, 1)]));
      expect(await open(id).open(hashOf('t1'), first.version)).toMatchObject({
        snapshot: { refs: { count: 1 } },
      });
      expect(await open(id).snapshot(first.version)).toMatchObject({ version: first.version + 1 });
    });

    it('GIT-025: returns no snapshot if the token is not found', async () => {
      const id = await begun();
      expect(await open(id).open(hashOf('nobody'))).toMatchObject({
        kind: 'open',
        token: undefined,
        snapshot: undefined,
      });
    });

    it('REPO-180: changes only the status', async () => {
      const id = await begun();
      await open(id).setStatus('importing');
      expect(await open(id).open(hashOf('t1'))).toMatchObject({ head: { ...sampleHead(id), status: 'importing' } });
    });

    it('REPO-130: stores the default branch of an import, and outdates older snapshots', async () => {
      const id = await begun();
      const { version } = (await open(id).snapshot()) as { version: number };
      await open(id).setStatus('ready', sampleHead(id).defaultBranch);
      expect(await open(id).snapshot(version)).toBeUndefined();
      await open(id).setStatus('ready', 'trunk');
      expect(await open(id).snapshot(version)).toMatchObject({ defaultBranch: 'trunk' });
      expect(await open(id).open(hashOf('t1'))).toMatchObject({ head: { defaultBranch: 'trunk', status: 'ready' } });
    });

    it('REPO-238: applies an update of the head once, and outdates older snapshots', async () => {
      const id = await begun();
      const { version } = (await open(id).snapshot()) as { version: number };
      await open(id).updateHead(headUpdate(1));
      const { revision: _, events: __, ...after } = headUpdate(1);
      const snapshot = await open(id).snapshot(version);
      expect(snapshot).toMatchObject({ version: version + 1, defaultBranch: 'trunk', name: 'Plans' });
      const expected = { kind: 'open', head: { ...sampleHead(id), ...after }, version: version + 1 };
      expect(await open(id).open(hashOf('t1'))).toMatchObject(expected);
      await open(id).updateHead({ ...headUpdate(1), name: 'again' });
      await open(id).updateHead({ ...headUpdate(0), name: 'older' });
      expect(await open(id).snapshot(version + 1)).toBeUndefined();
      await open(id).updateHead({ ...headUpdate(3), name: 'newest' });
      await open(id).updateHead({ ...headUpdate(2), name: 'late' });
      expect(await open(id).open(hashOf('t1'))).toMatchObject({ head: { name: 'newest' } });
      expect(await open(id).tokens(everyToken)).toMatchObject({ total: 1 });
    });

    it('REPO-239: counts the refs', async () => {
      const id = await begun();
      const count = async () => (await open(id).snapshot())?.refCount;
      await open(id).commit(change([update('refs/heads/a', null, 1), update('refs/heads/b', null, 1)]));
      expect(await count()).toBe(2);
      await open(id).commit(change([update('refs/heads/a', 1, 2), update('refs/heads/b', 1, null)]));
      expect(await count()).toBe(1);
      const refused = [update('refs/heads/c', null, 1), update('refs/heads/d', 9, 1)];
      await open(id).commit(change(refused, { atomic: true }));
      expect(await count()).toBe(1);
    });

    it('GIT-154: separates repositories', async () => {
      const [one, two] = [await begun(), await begun()];
      const pack = samplePack({
        where: 'rows',
        files: { pack: Uint8Array.of(1), idx: Uint8Array.of(2), graph: Uint8Array.of(3) },
      });
      const push = change([update('refs/heads/main', null, 1)], { addPacks: [pack] });
      await open(one).commit(push);
      expect(await wholeState(open(two))).toMatchObject({ refs: [], packs: [] });
      expect(await open(two).outcome(push.pushId)).toBeUndefined();
      expect(await open(two).rowFiles([pack.id], ['pack'])).toEqual([]);
      expect(await open(two).commit(change([update('refs/heads/x', null, 1)], { leansOn: [pack.id] }))).toEqual({
        kind: 'packs changed',
      });
      await open(two).erase();
      expect(await wholeState(open(one))).toMatchObject({
        refs: [{ name: 'refs/heads/main' }],
        packs: [{ id: pack.id }],
      });
    });

    it('GIT-161: a repository that never began is gone', async () => {
      const id = sampleRepoId();
      expect(await open(id).open(hashOf('t1'))).toEqual({ kind: 'gone' });
      await expect(open(id).snapshot()).rejects.toThrow(RepoGoneError);
    });

    it('GIT-158, REPO-116: an erased repository is gone for every method, forever', async () => {
      const id = await begun();
      const push = change([update('refs/heads/main', null, 1)], { addPacks: [samplePack()] });
      await open(id).commit(push);
      await open(id).erase();
      await open(id).erase();
      await open(id).begin(sampleHead(id), sampleToken('t1'));
      expect(await open(id).open(hashOf('t1'))).toEqual({ kind: 'gone' });
      const methods = [
        () => open(id).snapshot(),
        () => open(id).snapshot(1),
        () => open(id).commit(push),
        () => open(id).commit(change([])),
        () => open(id).outcome(push.pushId),
        () => open(id).rowFiles([samplePackId()], ['pack']),
        () => open(id).replacePacks(replacement([samplePackId()], samplePack())),
        () => open(id).retiredPacks(),
        () => open(id).forgetPacks([samplePackId()]),
        () => open(id).retiredTips(),
        () => open(id).forgetTips(9e15),
        () => open(id).planMaintenance(1),
        () => open(id).setStatus('ready'),
        () => open(id).updateHead(headUpdate(1)),
        () => open(id).addToken(sampleToken('t2'), 0, 10),
        () => open(id).tokens(everyToken),
        () => open(id).tokenId('h'),
        () => open(id).revokeToken('t1', 0),
        () => open(id).storedBytes(),
      ];
      for (const method of methods) await expect(method(), String(method)).rejects.toThrow(RepoGoneError);
    });

    it('REPO-118: an erased repository may be forgotten, and is still gone; a live one may not', async () => {
      const id = await begun();
      await open(id).forget();
      expect(await open(id).open(hashOf('t1'))).toMatchObject({ kind: 'open' });
      await open(id).erase();
      await open(id).forget();
      await open(id).forget();
      expect(await open(id).open(hashOf('t1'))).toEqual({ kind: 'gone' });
      await expect(open(id).snapshot()).rejects.toThrow(RepoGoneError);
      // No trace prevents reusing the id.
      await open(id).begin(sampleHead(id), sampleToken('t2'));
      expect((await open(id).tokens(everyToken)).tokens).toEqual([sampleToken('t2')]);
    });

    it('a repository erased before it began does not begin', async () => {
      const id = sampleRepoId();
      await open(id).erase();
      await open(id).begin(sampleHead(id), sampleToken('t1'));
      expect(await open(id).open(hashOf('t1'))).toEqual({ kind: 'gone' });
    });
  });
}
