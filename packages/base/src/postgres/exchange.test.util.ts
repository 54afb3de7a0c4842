import { openNodePostgres } from './node-postgres.ts';

/** A program for any runtime: exchanges values with the database at the URL that is its argument, and prints them. */
const driver = openNodePostgres(process.argv[2] ?? '');
const printed = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (each instanceof Uint8Array ? [each.constructor.name, ...each] : each));
const log = (value: unknown): void => console.log(printed(value));

log(
  await driver.rows('SELECT $1::int8[] AS numbers, $2::bytea AS bytes, $3::bytea[] AS list, $4::text AS text', [
    [1, null],
    Uint8Array.of(1, 0, 255),
    [Uint8Array.of(3)],
    'ä"',
  ]),
);
let runs = 0;
log(
  await driver.transaction(async (session) => {
    const [first, second] = await Promise.all([
      session.rows<{ pid: number }>('SELECT pg_backend_pid() AS pid'),
      session.rows('SELECT 2 AS n'),
    ]);
    // The first run loses its connection.
    if (++runs === 1) {
      await driver.rows('SELECT pg_terminate_backend($1)', [first[0]?.pid ?? 0]);
      await session.rows('SELECT 1');
    }
    return [second, runs];
  }),
);
log(String(await driver.rows('SELECT missing').catch((error: unknown) => error)));
const [row] = await driver.rows<{ bytes: Uint8Array }>('SELECT $1::bytea AS bytes', [new Uint8Array(2_000_000)]);
log(row?.bytes.length);
await driver.close();
const unreachable = openNodePostgres('postgres://user:secret@127.0.0.1:1/x');
log(String(await unreachable.rows('SELECT 1').catch((error: unknown) => error)));
await unreachable.close();
