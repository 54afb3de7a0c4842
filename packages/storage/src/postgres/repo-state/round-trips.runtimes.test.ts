import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { migratePostgres, type PostgresDriver, type PostgresSession } from '@packhouse/base';
import { openNodePostgres } from '@packhouse/base/node-postgres';
import { startPostgres } from '@packhouse/fixtures/postgres';
import {
  change,
  replacement,
  sampleEvent,
  sampleHead,
  samplePack,
  sampleRepoId,
  sampleToken,
  update,
} from '@packhouse/hosting/contract';
import { postgresPackReservations } from './reservations.ts';
import { postgresRepoStateMigrations } from './schema.ts';
import { postgresRepoState } from './repo-state.ts';

const document = join(import.meta.dirname, '..', '..', '..', '..', '..', 'docs', 'design', 'postgresql.md');

/** Counts statements, and round trips: a statement that is sent after a reply came starts a new one. */
function countingDriver(driver: PostgresDriver) {
  let [statements, roundTrips] = [0, 0];
  let isAnswered = true;
  const send = (): void => {
    statements += 1;
    if (isAnswered) roundTrips += 1;
    isAnswered = false;
  };
  const counting = (session: PostgresSession): PostgresSession => ({
    async rows<Row>(...statement: Parameters<PostgresSession['rows']>) {
      send();
      const rows = await session.rows<Row>(...statement);
      isAnswered = true;
      return rows;
    },
  });
  const counted: PostgresDriver = {
    ...counting(driver),
    transaction: (work, kind) => {
      send();
      return driver.transaction(async (session) => {
        const result = await work(counting(session));
        send();
        return result;
      }, kind);
    },
    close: () => driver.close(),
  };
  return {
    counted,
    async costOf(operation: () => Promise<unknown>): Promise<readonly [statements: number, roundTrips: number]> {
      [statements, roundTrips, isAnswered] = [0, 0, true];
      await operation();
      return [statements, roundTrips];
    },
  };
}

it('operations cost the statements and round trips that the document says', async () => {
  const server = await startPostgres();
  const driver = openNodePostgres(await server.createDatabase());
  await migratePostgres(driver, 'repo-state', postgresRepoStateMigrations);
  const { counted, costOf } = countingDriver(driver);
  const id = sampleRepoId();
  const state = postgresRepoState(counted, id);
  const reservations = postgresPackReservations(counted, id);
  const { secretHash } = sampleToken('t1');
  const files = { pack: Uint8Array.of(1), idx: Uint8Array.of(2), graph: Uint8Array.of(3) };
  const [inRows, stored] = [samplePack({ where: 'rows', files }), samplePack()];
  const many = Array.from({ length: 1_000 }, (_, number) => update(`refs/tags/${number}`, null, 1));
  const event = sampleEvent('e1');
  const operations: readonly (readonly [name: string, operation: () => Promise<unknown>])[] = [
    ['create', () => state.begin(sampleHead(id), sampleToken('t1'))],
    ['first push, pack in rows', () => state.commit(change([update('refs/heads/a', null, 1)], { addPacks: [inRows] }))],
    ['push, pack in the store', () => state.commit(change([update('refs/heads/a', 1, 2)], { addPacks: [stored] }))],
    ['push with an event', () => state.commit(change([{ ...update('refs/heads/a', 2, 3), event }]))],
    ['push of 1,000 new refs', () => state.commit(change(many))],
    ['stale push', () => state.commit(change([update('refs/heads/a', 1, 2)]))],
    ['open for a fetch', () => state.open(secretHash)],
    ['open for a fetch, with the known version', () => state.open(secretHash, 5)],
    ['page of refs', () => state.refs(5, { kind: 'below', prefix: 'refs/tags/' })],
    ['page of refs of an older version', () => state.refs(4, { kind: 'below', prefix: 'refs/tags/' })],
    ['files of packs in rows', () => state.rowFiles([inRows.id], ['pack', 'idx'])],
    ['reserve a pack', () => reservations.reserve([samplePack().id], 1)],
    ['replace packs', () => state.replacePacks(replacement([inRows.id, stored.id], samplePack({ exact: false })))],
    ['add a token', () => state.addToken(sampleToken('t2'), 0, 9)],
    ['revoke a token', () => state.revokeToken('t2', 1_500)],
    ['read waiting events', () => state.pendingEvents(10)],
    ['confirm delivered events', () => state.delivered(['e1'])],
    ['erase', () => state.erase()],
  ];
  const rows: string[][] = [];
  for (const [name, operation] of operations) {
    const costs = await costOf(operation);
    rows.push([name, ...costs.map(String)]);
  }
  await driver.close();
  await server.close();
  const table = readFileSync(document, 'utf8').split('| operation of one')[1]?.trimEnd().split('\n').slice(2) ?? [];
  expect(
    table.map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    ),
  ).toEqual(rows);
});
