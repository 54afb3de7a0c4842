import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPostgres, type PostgresServer } from '@packhouse/fixtures/postgres';
import { bun, deno } from '@packhouse/fixtures/runtimes';

let server: PostgresServer;
let url: string;

beforeAll(async () => {
  server = await startPostgres();
  url = await server.createDatabase();
});

afterAll(() => server.close());

/** Variables that pg reads. */
const variables = '--allow-env=USER,NODE_PG_FORCE_NATIVE,PG*';

it.each([
  ['Node', process.execPath, []],
  ['Deno', deno, ['run', '--quiet', '--no-prompt', '--no-remote', '--no-lock', '--allow-net', variables]],
  ['Bun', bun, ['run']],
] as const)('the driver works on %s', async (_, program, before) => {
  const script = new URL('./exchange.test.util.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(program, [...before, script, url]);
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  ).toEqual([
    [{ numbers: [1, null], bytes: ['Uint8Array', 1, 0, 255], list: [['Uint8Array', 3]], text: 'ä"' }],
    [[{ n: 2 }], 2],
    'PostgresError: The database refused a statement (42703: column "missing" does not exist)',
    2_000_000,
    'DatabaseUnavailable: The database is unavailable (ECONNREFUSED)',
  ]);
});
