import { expect, it } from 'vitest';
import type { PostgresDriver } from '@packhouse/base';
import { samplePackId } from '@packhouse/hosting/contract';
import { testPackHolders } from '../../contract/pack-holders.ts';
import { postgresPackHolders } from './pack-holders.ts';
import { postgresCatalogMigrations } from './schema.ts';
import { severalDrivers } from '../several-drivers.test.util.ts';

const drivers = severalDrivers({ catalog: postgresCatalogMigrations });

let accounts = 0;
testPackHolders('REPO-397: PostgreSQL, two servers in turn', () => {
  const account = `a${accounts++}`;
  let turn = 0;
  return {
    open: () => postgresPackHolders(drivers[(turn += 1) % 2] as PostgresDriver, account),
    close: () => undefined,
  };
});

it('REPO-123: of four holders that release packs at once, one deletes the bytes of each', async () => {
  const ids = Array.from({ length: 30 }, () => samplePackId()).toSorted();
  const repos = ['r1', 'r2', 'r3', 'r4'];
  const holders = (index: number) => postgresPackHolders(drivers[index % 2] as PostgresDriver, 'race');
  for (let round = 0; round < 5; round++) {
    await holders(round).hold(ids, repos, round);
    // Packs in another order must not end in a deadlock.
    const released = await Promise.all(
      repos.map((repo, index) => holders(index).release(index < 2 ? ids : ids.toReversed(), repo)),
    );
    expect(released.flatMap(({ unheld }) => unheld).toSorted()).toEqual(ids);
    for (const repo of repos) await holders(0).drop(ids, repo);
  }
});
