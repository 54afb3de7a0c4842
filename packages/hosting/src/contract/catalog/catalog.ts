import type {
  Catalogs,
  DeletedRepo,
  Direction,
  NewRepo,
  Place,
  RepoRecord,
  RepoSort,
  RepoUpdate,
  TokenLine,
} from '../../ports/catalog.ts';
import { fc, test } from '@fast-check/vitest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parsePackId, type PackId } from '@packhouse/git';
import { testRandomCatalog } from './random.ts';
import { sampleNewRepo } from './samples.ts';

/** Empty catalogs for one test. */
export interface CatalogFixture {
  /** Each call may return another handle or connection; all must show the same state. */
  readonly catalog: Catalogs;
  close(): void | Promise<void>;
}

const token = (id: string, createdAt = 1000, expiresAt = 5000): TokenLine => ({ id, createdAt, expiresAt });
const all = { search: '', sort: 'name', direction: 'asc' } as const;
const packId = (digit: string): PackId => parsePackId(digit.repeat(32)) as PackId;

/** Tests an adapter against the contract of `Catalog`: `testCatalog('memory', () => fixture)`. */
export function testCatalog(adapter: string, make: () => CatalogFixture | Promise<CatalogFixture>): void {
  describe(`Catalog: ${adapter}`, () => {
    let fixture: CatalogFixture;
    beforeEach(async () => {
      fixture = await make();
    });
    afterEach(() => fixture.close());
    const open = (account = 'a1') => fixture.catalog(account);
    const add = async (id: string, name: string, more: Partial<NewRepo> = {}, account = 'a1') => {
      const outcome = await open(account).reserveRepo(sampleNewRepo(id, name, more), token(`t-${id}`));
      await open(account).publishRepo(id);
      return outcome;
    };

    it('REPO-062: keeps the spelling of a namespace, and finds the only one in any case', async () => {
      expect(await open().createNamespace('Team', 'eu', 1000)).toBe('created');
      expect(await open().createNamespace('tEAM', 'us', 2000)).toBe('exists');
      const found = { name: 'Team', jurisdiction: 'eu', repoCount: 0, createdAt: 1000, updatedAt: 1000 };
      expect(await open().namespace('TEAM')).toEqual(found);
      expect(await open().namespaces({ limit: 10 })).toEqual([found]);
      expect(await open().countNamespaces()).toBe(1);
    });

    it.each(['', 'a\0b', '\uFEFFx', 'Ünd 😀'])('REPO-110: stores the description %j', async (description) => {
      await add('r1', 'Notes', { description });
      expect(await open().repo('Team', 'Notes')).toMatchObject({ description });
    });

    it('REPO-102, REPO-106: a repo creates its namespace and is counted in every state', async () => {
      expect(await open().reserveRepo(sampleNewRepo('r1', 'Notes', { createdAt: 7 }), token('t1'))).toEqual({
        kind: 'reserved',
        repo: {
          ...sampleNewRepo('r1', 'Notes', { createdAt: 7 }),
          jurisdiction: 'unrestricted',
          updatedAt: 7,
          lastPushAt: null,
          version: 0,
          revision: 0,
          unsettled: null,
        },
      });
      expect(await open().namespace('team')).toMatchObject({ name: 'Team', repoCount: 1, updatedAt: 7 });
      await open().reserveRepo(sampleNewRepo('r2', 'b', { namespace: 'TEAM', createdAt: 9 }), token('t2'));
      expect(await open().namespace('team')).toMatchObject({ name: 'Team', repoCount: 2, updatedAt: 9, createdAt: 7 });
      expect((await open().repo('team', 'B'))?.namespace).toBe('Team');
    });

    it('REPO-101: a repo has the jurisdiction of its namespace', async () => {
      await open().createNamespace('Team', 'eu', 1);
      await add('r1', 'a');
      expect((await open().repo('Team', 'a'))?.jurisdiction).toBe('eu');
      expect((await open().deleteRepo('Team', 'a', 5, 0)).kind).toBe('deleted');
      expect(await open().dueErasures(5)).toMatchObject([{ id: 'r1', jurisdiction: 'eu', deletedAt: 5, packs: [] }]);
    });

    it('REPO-112: exactly one of two reservations of a name succeeds, ignoring case', async () => {
      const outcomes = await Promise.all([
        open().reserveRepo(sampleNewRepo('r1', 'Notes'), token('t1')),
        open().reserveRepo(sampleNewRepo('r2', 'nOTES'), token('t2')),
      ]);
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['exists', 'reserved']);
      expect(await open().countRepos('team', '')).toBe(1);
    });

    it('REPO-180: publishing makes a repo ready, once it exists', async () => {
      await open().reserveRepo(sampleNewRepo('r1', 'a'), token('t1'));
      expect((await open().repo('team', 'a'))?.status).toBe('creating');
      expect(await open().publishRepo('r1')).toBe(true);
      expect((await open().repo('team', 'a'))?.status).toBe('ready');
      expect(await open().publishRepo('r9')).toBe(false);
    });

    it('REPO-130, REPO-057, LIM-012: publishing stores the results of an import, which is not a push', async () => {
      await open().reserveRepo(sampleNewRepo('r1', 'a', { createdAt: 1000, status: 'importing' }), token('t1'));
      const found = { defaultBranch: 'trunk', at: 5000, bytes: 70, version: 2 };
      expect(await open().publishRepo('r1', found)).toBe(true);
      expect(await open().repo('team', 'a')).toMatchObject({
        status: 'ready',
        defaultBranch: 'trunk',
        updatedAt: 5000,
        lastPushAt: null,
        version: 2,
      });
      expect(await open().storedBytes()).toBe(70);
      expect(await open().publishRepo('r9', found)).toBe(false);
      expect(await open().storedBytes()).toBe(70);
    });

    it('REPO-133: work that shows signs of life is not unfinished, and is notified when its repo is gone', async () => {
      await open().reserveRepo(sampleNewRepo('r1', 'a', { createdAt: 1000, status: 'importing' }), token('t1'));
      expect(await open().renewRepo('r1', 3000)).toBe(true);
      expect(await open().unfinished(3000)).toEqual([]);
      expect((await open().unfinished(3001)).map(({ id }) => id)).toEqual(['r1']);
      await open().deleteRepo('team', 'a', 3000, 0);
      expect(await open().renewRepo('r1', 4000)).toBe(false);
    });

    it('REPO-057: a sign of life after the end of the work changes nothing', async () => {
      await open().reserveRepo(sampleNewRepo('r1', 'a', { createdAt: 1000, status: 'importing' }), token('t1'));
      await open().publishRepo('r1', { defaultBranch: 'main', at: 2000, bytes: 1, version: 2 });
      expect(await open().renewRepo('r1', 3000)).toBe(true);
      expect((await open().repoById('r1'))?.updatedAt).toBe(2000);
    });

    it('TAG-127: finds a repo by its id, in any state, until it is gone', async () => {
      await open().reserveRepo(sampleNewRepo('r1', 'Notes'), token('t1'));
      expect(await open().repoById('r1')).toMatchObject({
        id: 'r1',
        name: 'Notes',
        namespace: 'Team',
        status: 'creating',
      });
      await open().publishRepo('r1');
      expect(await open().repoById('r1')).toEqual(await open().repo('team', 'notes'));
      for (const other of ['R1', 'r', '', '__proto__', "'\0%"]) expect(await open().repoById(other)).toBeUndefined();
      expect(await open('a2').repoById('r1')).toBeUndefined();
      await open().deleteRepo('team', 'notes', 2000, 0);
      expect(await open().repoById('r1')).toBeUndefined();
    });

    const event = { id: 'e1', at: 7, body: '{}' };
    const updated = (name: string, more: Partial<RepoUpdate> = {}): RepoUpdate => ({
      name,
      description: 'new',
      defaultBranch: 'trunk',
      readOnly: true,
      revision: 0,
      at: 3000,
      forkSource: `repos:Team/${name}`,
      events: [event],
      ...more,
    });

    it('REPO-237, REPO-238: an update frees the old name at once, and reaches the forks', async () => {
      await add('r1', 'Notes');
      await add('r2', 'fork', { parentId: 'r1', source: 'repos:Team/Notes' });
      await add('r3', 'other', { parentId: 'r2', source: 'repos:Team/fork' });
      const before = await open().repoById('r1');
      const repo = {
        ...before,
        name: 'Plans',
        description: 'new',
        defaultBranch: 'trunk',
        readOnly: true,
        updatedAt: 3000,
        revision: 1,
        unsettled: [event],
      };
      expect(await open().updateRepo('r1', updated('Plans'))).toEqual({ kind: 'updated', repo });
      expect(await open().repo('team', 'notes')).toBeUndefined();
      expect(await open().repo('team', 'PLANS')).toEqual(repo);
      expect((await open().tokenRepo('t-r1'))?.name).toBe('Plans');
      expect((await open().repoById('r2'))?.source).toBe('repos:Team/Plans');
      expect((await open().repoById('r3'))?.source).toBe('repos:Team/fork');
      expect(await open().namespace('team')).toMatchObject({ repoCount: 3 });
      expect((await add('r4', 'notes')).kind).toBe('reserved');
      expect((await open().repos('team', all, { limit: 9 })).map(({ name }) => name)).toEqual([
        'fork',
        'notes',
        'other',
        'Plans',
      ]);
    });

    it('REPO-238: refuses a name of another repo, and takes another spelling of the same name', async () => {
      await add('r1', 'Notes');
      await open().reserveRepo(sampleNewRepo('r2', 'taken'), token('t2'));
      expect(await open().updateRepo('r1', updated('TAKEN'))).toEqual({ kind: 'exists' });
      expect(await open().updateRepo('r2', updated('free'))).toEqual({ kind: 'missing' });
      expect(await open().updateRepo('r9', updated('free'))).toEqual({ kind: 'missing' });
      expect(await open('a2').updateRepo('r1', updated('free'))).toEqual({ kind: 'missing' });
      expect(await open().updateRepo('r1', updated('nOTES'))).toMatchObject({
        kind: 'updated',
        repo: { name: 'nOTES' },
      });
      expect((await open().repo('team', 'notes'))?.id).toBe('r1');
    });

    it('REPO-238: an update waits for the one before it, which stays unsettled until it is settled', async () => {
      await add('r1', 'a');
      await open().updateRepo('r1', updated('b'));
      expect((await open().unsettled()).map(({ id }) => id)).toEqual(['r1']);
      expect(await open('a2').unsettled()).toEqual([]);
      expect(await open().updateRepo('r1', updated('c', { revision: 1 }))).toEqual({ kind: 'stale' });
      expect(await open().settleRepo('r1', 2)).toMatchObject({ unsettled: [event] });
      expect(await open().settleRepo('r1', 1)).toMatchObject({ name: 'b', unsettled: null });
      expect(await open().unsettled()).toEqual([]);
      expect(await open().updateRepo('r1', updated('c'))).toEqual({ kind: 'stale' });
      expect(await open().updateRepo('r1', updated('c', { revision: 1, at: 1 }))).toMatchObject({
        kind: 'updated',
        repo: { name: 'c', revision: 2, updatedAt: 3000 },
      });
      expect(await open().settleRepo('r9', 1)).toBeUndefined();
      // The record of a deleted repo has the events that its state may lack.
      const { repo } = (await open().deleteRepo('team', 'c', 4000, 0)) as { repo: DeletedRepo };
      expect(repo.record).toMatchObject({ name: 'c', unsettled: [event] });
      expect((await open().dueErasures(4000))[0]?.record).toEqual(repo.record);
      expect(await open().unsettled()).toEqual([]);
    });

    it('REPO-133: lists and drops interrupted work, without remembering its name', async () => {
      await open().reserveRepo(sampleNewRepo('r1', 'a', { createdAt: 1000 }), token('t1'));
      await add('r2', 'b');
      expect(await open().unfinished(1000)).toEqual([]);
      expect((await open().unfinished(1001)).map(({ id }) => id)).toEqual(['r1']);
      expect(await open().dropRepo('r1', 2000)).toMatchObject({ id: 'r1', deletedAt: 2000 });
      expect(await open().dropRepo('r1', 2000)).toBeUndefined();
      expect(await open().dropRepo('r2', 2000)).toBeUndefined();
      expect(await open().repo('team', 'a')).toBeUndefined();
      expect(await open().publishRepo('r1')).toBe(false);
      expect(await open().deleteRepo('team', 'a', 2001, 0)).toEqual({ kind: 'missing' });
      expect(await open().tokenRepo('t1')).toBeUndefined();
      expect((await open().dueErasures(2000)).map(({ id }) => id)).toEqual(['r1']);
    });

    it('REPO-105, REPO-106: deletes a namespace once it is empty', async () => {
      expect(await open().deleteNamespace('team', 9)).toBe('missing');
      await add('r1', 'a');
      expect(await open().deleteNamespace('team', 9)).toBe('not empty');
      await open().deleteRepo('team', 'a', 3000, 0);
      expect(await open().namespace('team')).toMatchObject({ repoCount: 0, updatedAt: 3000 });
      expect(await open().deleteNamespace('TEAM', 9)).toBe('deleted');
      expect(await open().namespace('team')).toBeUndefined();
    });

    it('REPO-116, REPO-117: remembers the last deletion of a name for the given time', async () => {
      await add('r1', 'Notes');
      await open().touch('r1', { pushedAt: 1500, bytes: 5, version: 3 });
      const record = await open().repoById('r1');
      const deleted = { id: 'r1', jurisdiction: 'unrestricted', deletedAt: 2000, packs: [], record };
      expect(await open().deleteRepo('team', 'notes', 2000, 0, ['r2'])).toEqual({ kind: 'missing' });
      expect(record).toMatchObject({ name: 'Notes', lastPushAt: 1500, status: 'ready' });
      expect(await open().deleteRepo('team', 'notes', 2000, 0)).toEqual({
        kind: 'deleted',
        repo: deleted,
        erased: false,
      });
      expect(await open().repo('team', 'notes')).toBeUndefined();
      expect(await open().tokenRepo('t-r1')).toBeUndefined();
      expect(await open().deleteRepo('TEAM', 'NOTES', 2500, 1999)).toEqual({
        kind: 'remembered',
        repo: deleted,
        erased: false,
      });
      expect(await open().deleteRepo('team', 'notes', 2500, 2000)).toEqual({ kind: 'missing' });
      expect(await open().deleteRepo('team', 'other', 2500, 0)).toEqual({ kind: 'missing' });
      await add('r2', 'notes', { createdAt: 2600 });
      expect(await open().deleteRepo('team', 'notes', 2700, 0)).toMatchObject({ kind: 'deleted', repo: { id: 'r2' } });
      expect(await open().deleteRepo('team', 'notes', 2800, 0)).toMatchObject({
        kind: 'remembered',
        repo: { id: 'r2' },
      });
    });

    it('REPO-190: keeps the record of a deleted repo, unless it was never ready', async () => {
      await add('r1', 'a');
      await open().reserveRepo(sampleNewRepo('r2', 'b'), token('t2'));
      await open().reserveRepo(sampleNewRepo('r3', 'c'), token('t3'));
      const record = await open().repoById('r1');
      await open().deleteRepo('team', 'a', 2000, 0);
      expect((await open().deleteRepo('team', 'b', 2001, 0)) as object).toMatchObject({ repo: { record: undefined } });
      expect((await open().dropRepo('r3', 2002))?.record).toBeUndefined();
      expect((await open().dueErasures(9000)).map((one) => one.record)).toEqual([record, undefined, undefined]);
    });

    it('REPO-118: keeps a pending erasure and its packs until it is complete', async () => {
      await add('r1', 'a');
      await open().deleteRepo('team', 'a', 2000, 0);
      expect(await open().dueErasures(1999)).toEqual([]);
      await open().notePacks('r1', [packId('a'), packId('b')]);
      expect(await open().dueErasures(2000)).toMatchObject([{ id: 'r1', packs: [packId('a'), packId('b')] }]);
      await open().forgetErased(9000);
      await open().setErasureDue('r1', 7000);
      expect(await open().dueErasures(6999)).toEqual([]);
      expect((await open().dueErasures(7000)).length).toBe(1);
      expect(await open().deleteRepo('team', 'a', 7000, 0)).toMatchObject({ kind: 'remembered', erased: true });
      await open().setErasureDue('r1', null);
      expect(await open().dueErasures(9e15)).toEqual([]);
      expect(await open().deleteRepo('team', 'a', 7000, 0)).toMatchObject({ kind: 'remembered', erased: true });
      await open().forgetErased(2001);
      expect(await open().deleteRepo('team', 'a', 7000, 0)).toEqual({ kind: 'missing' });
    });

    it('TOKEN-011, TOKEN-013: finds the repo of a token, and drops the oldest expired ones', async () => {
      await add('r1', 'a');
      expect((await open().tokenRepo('t-r1'))?.id).toBe('r1');
      expect(await open().addToken('gone', token('t9'), 0, 2)).toBe(false);
      for (const i of [1, 2, 3, 4]) {
        expect(await open().addToken('r1', token(`t${i}`, 1000 + i, 2000 + i), 1999, 2)).toBe(true);
      }
      expect(await open().addToken('r1', token('t5', 3000, 9000), 2004, 2)).toBe(true);
      const known = await Promise.all(['t-r1', 't1', 't2', 't3', 't4', 't5'].map((id) => open().tokenRepo(id)));
      expect(known.map((repo) => repo?.id)).toEqual(['r1', undefined, undefined, 'r1', 'r1', 'r1']);
    });

    it('LIM-011: drops the tokens that a repo dropped, only in its account', async () => {
      await add('r1', 'a');
      await add('r1', 'a', {}, 'a2');
      await open().addToken('r1', token('t1'), 0, 2);
      await open().dropTokens([]);
      await open().dropTokens(['t-r1', 'unknown']);
      expect(await open().tokenRepo('t-r1')).toBeUndefined();
      expect((await open().tokenRepo('t1'))?.id).toBe('r1');
      expect((await open('a2').tokenRepo('t-r1'))?.id).toBe('r1');
    });

    it('REPO-057, LIM-012: a push updates its times and the bytes of the account, never backwards', async () => {
      await add('r1', 'a');
      await add('r2', 'b');
      expect(await open().storedBytes()).toBe(0);
      await open().touch('r1', { pushedAt: 3000, bytes: 500, version: 3 });
      expect(await open().repo('team', 'a')).toMatchObject({ lastPushAt: 3000, updatedAt: 3000, createdAt: 1000 });
      await open().touch('r1', { pushedAt: 2000, bytes: 100, version: 2 });
      await open().touch('r2', { pushedAt: 2000, bytes: 40, version: 2 });
      await open().touch('gone', { pushedAt: 2000, bytes: 40, version: 2 });
      expect(await open().repo('team', 'a')).toMatchObject({ lastPushAt: 3000, updatedAt: 3000, version: 3 });
      expect(await open().storedBytes()).toBe(540);
      await open().touch('r2', { pushedAt: null, bytes: 50, version: 3 });
      await open().touch('r1', { pushedAt: null, bytes: 600, version: 4 });
      expect(await open().repo('team', 'a')).toMatchObject({ lastPushAt: 3000, updatedAt: 3000, version: 4 });
      expect(await open().storedBytes()).toBe(650);
      await open().touch('r2', { pushedAt: null, bytes: 40, version: 4 });
      await open().touch('r1', { pushedAt: 4000, bytes: 300, version: 5 });
      expect(await open().repo('team', 'a')).toMatchObject({ lastPushAt: 4000, version: 5 });
      expect(await open().storedBytes()).toBe(340);
      await open().deleteRepo('team', 'a', 5000, 0);
      expect(await open().storedBytes()).toBe(40);
    });

    it('REPO-011: separates accounts', async () => {
      await add('r1', 'a');
      await open().touch('r1', { pushedAt: 1, bytes: 7, version: 2 });
      const other = open('a2');
      expect(await other.namespace('team')).toBeUndefined();
      expect(await other.namespaces({ limit: 9 })).toEqual([]);
      expect(await other.countNamespaces()).toBe(0);
      expect(await other.repo('team', 'a')).toBeUndefined();
      expect(await other.repos('team', all, { limit: 9 })).toEqual([]);
      expect(await other.countRepos('team', '')).toBe(0);
      expect(await other.tokenRepo('t-r1')).toBeUndefined();
      expect(await other.publishRepo('r1')).toBe(false);
      expect(await other.addToken('r1', token('t2'), 0, 9)).toBe(false);
      expect(await other.storedBytes()).toBe(0);
      expect((await add('r1', 'A', {}, 'a2')).kind).toBe('reserved');
      expect(await other.deleteRepo('team', 'a', 5, 0)).toMatchObject({ kind: 'deleted' });
      expect(await other.deleteNamespace('team', 9)).toBe('deleted');
      expect(await open().dueErasures(9e15)).toEqual([]);
      expect((await open().repo('team', 'a'))?.id).toBe('r1');
    });

    it('a missing namespace has no repos', async () => {
      expect(await open().repos('none', all, { limit: 5 })).toEqual([]);
      expect(await open().countRepos('none', '')).toBe(0);
      expect(await open().countRepos('none', 'x')).toBe(0);
    });

    testOrders(add, open);
    testRandomCatalog(open);
  });
}

/** Compares slices of lists with a naive sort of all rows. */
function testOrders(
  add: (id: string, name: string, more: Partial<NewRepo>, account: string) => Promise<unknown>,
  open: (account: string) => ReturnType<Catalogs>,
): void {
  const compare = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0);
  let run = 0;
  const sorts: readonly RepoSort[] = ['created_at', 'updated_at', 'last_push_at', 'name'];

  test.prop(
    {
      repos: fc.uniqueArray(
        fc.record({
          name: fc.stringMatching(/^[aAbB1][a-bA-B1._-]{0,3}$/),
          createdAt: fc.integer({ min: 1, max: 3 }),
          pushedAt: fc.option(fc.integer({ min: 1, max: 4 })),
        }),
        { maxLength: 12, selector: ({ name }) => name.toLowerCase() },
      ),
      sort: fc.constantFrom(...sorts),
      direction: fc.constantFrom<Direction>('asc', 'desc'),
      search: fc.constantFrom('', '', 'A', 'b1', '-'),
      limit: fc.integer({ min: 1, max: 6 }),
      offset: fc.nat(8),
      start: fc.nat(12),
    },
    { numRuns: 60 },
  )('REPO-094, REPO-115: every slice of every order is that of the total order', async (given) => {
    const account = `run${(run += 1)}`;
    for (const [i, { name, createdAt, pushedAt }] of given.repos.entries()) {
      const id = `${(i * 7) % 13}`;
      await add(id, name, { createdAt }, account);
      if (pushedAt !== null) await open(account).touch(id, { pushedAt, bytes: 1, version: 2 });
    }
    const catalog = open(account);
    const { search, sort, direction, limit, offset, start } = given;
    const list = { search, sort, direction };
    const everything = await Promise.all(
      given.repos.map(({ name }) => catalog.repo('team', name) as Promise<RepoRecord>),
    );
    const key = (repo: RepoRecord): number | string =>
      ({
        created_at: repo.createdAt,
        updated_at: repo.updatedAt,
        last_push_at: repo.lastPushAt ?? -1,
        name: repo.name.toLowerCase(),
      })[sort];
    const expected = everything
      .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
      .toSorted((a, b) => (direction === 'asc' ? 1 : -1) * compare(key(a), key(b)) || compare(a.id, b.id));

    expect(await catalog.countRepos('TEAM', search)).toBe(expected.length);
    expect(await catalog.repos('TEAM', list, { limit, offset })).toEqual(expected.slice(offset, offset + limit));
    const after = expected[start];
    if (after !== undefined) {
      const place: Place = { key: key(after), tie: after.id };
      expect(await catalog.repos('team', list, { limit, after: place })).toEqual(
        expected.slice(start + 1, start + 1 + limit),
      );
    }
  });

  test.prop(
    {
      rows: fc.uniqueArray(
        fc.record({ name: fc.stringMatching(/^[aAbB1][a-bA-B1._]{0,3}$/), at: fc.integer({ min: 1, max: 3 }) }),
        {
          maxLength: 12,
          selector: ({ name }) => name.toLowerCase(),
        },
      ),
      limit: fc.integer({ min: 1, max: 6 }),
      start: fc.nat(12),
    },
    { numRuns: 40 },
  )('REPO-103: namespaces stand newest first, ties by name', async ({ rows, limit, start }) => {
    const catalog = open(`run${(run += 1)}`);
    for (const { name, at } of rows) await catalog.createNamespace(name, 'eu', at);
    const expected = rows.toSorted((a, b) => b.at - a.at || compare(a.name.toLowerCase(), b.name.toLowerCase()));
    const names = expected.map(({ name }) => name);
    const slice = await catalog.namespaces({ limit, offset: start });
    expect(slice.map(({ name }) => name)).toEqual(names.slice(start, start + limit));
    const after = expected[start];
    if (after !== undefined) {
      const place = { key: after.at, tie: after.name.toLowerCase() };
      const rest = await catalog.namespaces({ limit, after: place });
      expect(rest.map(({ name }) => name)).toEqual(names.slice(start + 1, start + 1 + limit));
    }
  });
}
