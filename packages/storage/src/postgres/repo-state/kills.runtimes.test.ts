import { expect, it } from 'vitest';
import { DatabaseUnavailable, migratePostgres } from '@packhouse/base';
import { openNodePostgres } from '@packhouse/base/node-postgres';
import { startPostgres } from '@packhouse/fixtures/postgres';
import type { NewPack, RepoChange } from '@packhouse/git';
import { wholeState } from '@packhouse/git/contract';
import {
  change,
  sampleEvent,
  sampleHead,
  samplePack,
  sampleRepoId,
  sampleToken,
  update,
} from '@packhouse/hosting/contract';
import { postgresRepoStateMigrations } from './schema.ts';
import { postgresRepoState } from './repo-state.ts';

const kills = Number(process.env['PACKHOUSE_KILLS'] ?? 3);
const workers = 6;

interface Pushed {
  readonly push: RepoChange;
  readonly pack: NewPack;
  /** False if the database was killed before its reply. */
  readonly isAcknowledged: boolean;
}

it(
  'REPO-322: a database that is killed and restarted has each acknowledged push, and no part of another one',
  async () => {
    const server = await startPostgres();
    const url = await server.createDatabase();
    const opened = [openNodePostgres(url), openNodePostgres(url)] as const;
    await migratePostgres(opened[0], 'repo-state', postgresRepoStateMigrations);
    const id = sampleRepoId();
    const on = (number: number) => postgresRepoState(opened[number % 2 === 0 ? 0 : 1], id);
    await on(0).begin(sampleHead(id), sampleToken('t1'));
    const pushed: Pushed[] = [];
    let number = 0;
    const pushUntil = async (killed: AbortSignal): Promise<void> => {
      while (!killed.aborted) {
        const index = number++;
        const files = { pack: new Uint8Array(2_000).fill(index), idx: Uint8Array.of(2), graph: Uint8Array.of(3) };
        const pack = samplePack({ where: 'rows', files });
        const event = sampleEvent(`e${index}`);
        const push = change([{ ...update(`refs/heads/${index}`, null, 1), event }], { addPacks: [pack] });
        const isAcknowledged = await on(index)
          .commit(push)
          .then(
            () => true,
            (error: unknown) => {
              expect(error).toBeInstanceOf(DatabaseUnavailable);
              return false;
            },
          );
        pushed.push({ push, pack, isAcknowledged });
      }
    };
    for (let kill = 0; kill < kills; kill++) {
      const killed = new AbortController();
      const before = pushed.length;
      const working = Promise.all(Array.from({ length: workers }, () => pushUntil(killed.signal)));
      await expect.poll(() => pushed.length).toBeGreaterThan(before + workers + (kill % 7));
      await server.kill();
      killed.abort();
      await working;
      await server.restart();
    }
    const { refs, packs, version } = await wholeState(on(0));
    const { events } = await on(0).pendingEvents(pushed.length + 1);
    const names = new Set(refs.map((ref) => ref.name));
    const stored = pushed.filter(({ push }) => names.has(push.updates[0]!.name));
    expect(pushed.filter((push) => push.isAcknowledged && !stored.includes(push))).toEqual([]);
    expect(packs?.map((pack) => pack.id).toSorted()).toEqual(stored.map(({ pack }) => pack.id).sort());
    expect(events.map((event) => event.id).toSorted()).toEqual(
      stored.map(({ push }) => push.updates[0]?.event?.id ?? '').sort(),
    );
    expect(version).toBe(1 + stored.length);
    for (const { push, pack } of stored) {
      expect(await on(0).commit(push)).toMatchObject({ kind: 'done', updates: [{ kind: 'ok' }] });
      expect(await on(0).rowFiles([pack.id], ['pack'])).toMatchObject([{ bytes: pack.files?.pack }]);
    }
    expect(pushed.some(({ isAcknowledged }) => !isAcknowledged)).toBe(true);
    await Promise.all(opened.map((driver) => driver.close()));
    await server.close();
  },
  kills * 60_000,
);
