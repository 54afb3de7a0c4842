import { tagging } from '@packhouse/tagging';
import { migrate } from '@packhouse/base';
import { sqlTagStores, tagMigrations } from '@packhouse/tagging/sql';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { openNodeSockets } from '../../../src/runtimes/node.ts';
import { account, token } from './tag-client.ts';

/**
 * Serves the tagging API alone, over a database file that other processes have open too. Arguments: the file, and the
 * setting `account_tags_max`. Its origin is the first line of standard output; what goes wrong, of standard error.
 */
const [file = '', accountMax = ''] = process.argv.slice(2);
const complain = (problem: unknown): unknown => process.stderr.write(`${String(problem)}\n`);

const driver = openNodeSqlite(file);
migrate(driver, 'tags', tagMigrations);
const handle = tagging({
  store: sqlTagStores(driver),
  authorize: async (request) =>
    request.headers.get('authorization') === `Bearer ${token}`
      ? { credential: token, grants: [{ account, permission: 'Tag Write' }] }
      : undefined,
  account_tags_max: Number(accountMax),
  rate_tags: { requests: 1_000_000, seconds: 1 },
  log: (record) => complain(JSON.stringify(record)),
});
const sockets = await openNodeSockets(
  { host: '127.0.0.1', port: 0 },
  {
    handler: async (request) => (await handle(request)) ?? new Response(null, { status: 404 }),
    fallbackHost: '127.0.0.1',
    onServed({ failure }) {
      if (failure !== undefined) complain(failure);
    },
  },
);
process.stdout.write(`${sockets.origin}\n`);
process.once('SIGTERM', () => {
  sockets.drain();
  void sockets
    .idle()
    .then(() => sockets.cut())
    .then(() => driver.close());
});
