import { describe, expect, it } from 'vitest';
import type { RepoChange } from '@packhouse/git';
import type { MaintainedRepoState } from '../repo-state/maintained.ts';
import { migrate, type SqlDriver } from '@packhouse/base';
import { repoStateMigrations } from '../sql/repo-state/schema.ts';
import { sqlRepoState } from '../sql/repo-state/repo-state.ts';
import { faultySql } from '@packhouse/base/testing';
import {
  change,
  oid,
  replacement,
  sampleHead,
  sampleEvent,
  samplePack,
  sampleRepoId,
  sampleToken,
  update,
} from '@packhouse/hosting/contract';

/** Runs `work` in the process that has the database. The first call finds it empty. */
export type WithDatabase = <T>(work: (driver: SqlDriver) => Promise<T>) => Promise<T>;

/** Tests the effects of transactions that fail at any statement. Each test calls `open` once. */
export function testSqlFaults(adapter: string, open: () => WithDatabase): void {
  describe(`SQL that fails half-way: ${adapter}`, () => {
    const id = sampleRepoId();
    const files = { pack: Uint8Array.of(1), idx: Uint8Array.of(2), graph: Uint8Array.of(3) };
    const held = samplePack({ where: 'rows', files });
    const stored = samplePack();
    const old = samplePack({ where: 'rows', files });
    const push: RepoChange = change(
      [
        { ...update('refs/heads/a', 1, 2, false), event: sampleEvent('a') },
        { ...update('refs/heads/b', 1, null), event: sampleEvent('b') },
        update('refs/heads/c', null, 3),
      ],
      { addPacks: [samplePack(), samplePack({ where: 'rows', files })], addShallow: [oid(7)] },
    );

    it.each<[string, (state: MaintainedRepoState) => Promise<unknown>]>([
      ['a commit', (state) => state.commit(push)],
      ['the move of a pack to the store', (state) => state.settle(held.id)],
      [
        'a replacement of packs',
        (state) => state.replacePacks(replacement([stored.id, held.id], samplePack({ where: 'rows', files }))),
      ],
      ['what is forgotten of retired packs', (state) => state.forgetPacks([old.id])],
      ['what is forgotten of what refs left', (state) => state.forgetTips(9e15)],
      ['a token', (state) => state.addToken(sampleToken('t2', 5_000), 5_000, 0, sampleEvent('token'))],
      ['the end of a token', (state) => state.revokeToken('t1', 1_500, sampleEvent('token'))],
      ['what becomes ready', (state) => state.setStatus('ready', 'trunk', [sampleEvent('x'), sampleEvent('y')])],
      ['what is published', (state) => state.releaseEvents()],
      ['what was delivered', (state) => state.delivered(['born'], 9e15)],
      ['an erasure', (state) => state.erase(sampleEvent('deleted'))],
      ['an erasure of what never was', (state) => state.erase()],
    ])('GIT-150, GIT-155: %s is applied as a whole or not at all, if any statement fails', async (_, act) => {
      const on = open();
      const fresh = (driver: SqlDriver) => sqlRepoState(driver, id);
      await on(async (driver) => {
        migrate(driver, 'repo-state', repoStateMigrations);
        await fresh(driver).begin(sampleHead(id), sampleToken('t1'), [sampleEvent('born'), sampleEvent('token of it')]);
        const first = ['a', 'b', 'left'].map((name) => update(`refs/heads/${name}`, null, 1));
        await fresh(driver).commit(change(first, { addPacks: [old, held] }));
        await fresh(driver).commit(change([update('refs/heads/left', 1, null)]));
        await fresh(driver).replacePacks(replacement([old.id], stored));
      });
      const contents = () => on(async (driver) => dump(driver));
      const before = await contents();
      for (let alive = 0; ; alive++) {
        const outcome = await on(async (driver) =>
          act(fresh(faultySql(driver, ({ index }) => (index < alive ? undefined : 'fail')))).then(
            () => 'done',
            (error: unknown) => String(error),
          ),
        );
        const after = await contents();
        if (outcome === 'done') {
          expect(alive).toBeGreaterThan(1);
          expect(after).not.toEqual(before);
          return;
        }
        expect(outcome).toContain('disk is full');
        expect(after).toEqual(before);
      }
    });
  });
}

/** Dumps every row of the repository state tables. */
function dump(driver: SqlDriver): Record<string, unknown> {
  const ofPushes = ['refs', 'retired_tips', 'shallow', 'packs', 'pack_files', 'pack_rows', 'outcomes'];
  const tables = ['repos', ...ofPushes, 'tokens', 'uploads', 'events', 'event_queues'];
  return Object.fromEntries(
    tables.map((table) => [
      table,
      driver
        .all<Record<string, unknown>>(`SELECT * FROM ${table}`)
        .map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([name, value]) => [name, value instanceof Uint8Array ? [...value] : value]),
          ),
        ),
    ]),
  );
}
