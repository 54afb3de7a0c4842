import { env } from 'cloudflare:workers';
import { sqlRepoState } from '@packhouse/storage';
import { bucketStorage, Dying, testPackHolders } from '@packhouse/storage/contract';
import { testSharing } from '@packhouse/hosting/contract';
import { FaultyBucket } from '@packhouse/storage/testing';
import { sqlPackReservations, type PackHolders } from '@packhouse/storage/workers';
import { accountPorts } from '../../src/calls/account-ports.ts';
import { remotePort } from '../../src/calls/remote-port.ts';
import { newUsage } from '../../src/request/usage.ts';
import { inside, newDatabase, type Database } from './database.ts';

/** The holders of an account, by calls of its object. */
function holdersOf(account: string): PackHolders {
  const stub = () => env.CATALOGS.getByName(account);
  return remotePort(accountPorts, 'holders', { place: account, usage: newUsage(), stub });
}

const newAccount = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 16);

testPackHolders('workerd, the object of an account', () => {
  const account = newAccount();
  return { open: () => holdersOf(account), close: () => undefined };
});

testSharing(
  'workerd, R2 and the object of an account',
  () => {
    const account = newAccount();
    const dying = new Dying();
    const databases = new Map<string, Database>();
    const databaseOf = (id: string): Database => {
      const database = databases.get(id) ?? newDatabase();
      databases.set(id, database);
      return database;
    };
    let writes = 0;
    const bucket = new FaultyBucket(env.PACKS, ({ operation }) => {
      if (operation !== 'delete' && operation !== 'get' && operation !== 'head') writes += 1;
      return undefined;
    });
    return {
      account,
      open: () =>
        bucketStorage(
          (id) => ({
            state: inside(databaseOf(id), (driver) => sqlRepoState(driver, id)),
            reservations: dying.port(inside(databaseOf(id), (driver) => sqlPackReservations(driver, id))),
          }),
          { bucket: dying.port(bucket), holders: dying.port(holdersOf(account)) },
        ),
      stored: async () => (await env.PACKS.list({ prefix: `${account}/` })).objects.length,
      writes: () => writes,
      dieAt: (at, late) => dying.arm(at, late),
      revive: () => dying.revive(),
      close: () => undefined,
    };
  },
  12,
);
