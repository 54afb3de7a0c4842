/**
 * Three servers over one PostgreSQL and one bucket, behind a proxy that hands each request to the next one. With
 * `PACKHOUSE_SERVERS=all` (`pnpm test:servers`) every case runs in both dialects, otherwise a sample, which
 * `PACKHOUSE_SEED` repeats.
 */

import { cases, type Case } from '@packhouse/conformance';
import { sample } from '@packhouse/conformance/tools/dice';
import { startPostgres, type PostgresServer } from '@packhouse/fixtures/postgres';
import { startS3Server, type S3Server } from '@packhouse/fixtures/s3';
import { afterAll, beforeAll } from 'vitest';
import { severalServed } from './support/several-served.ts';
import { testRuntime } from './support/test-runtime.ts';

const isWhole = process.env['PACKHOUSE_SERVERS'] === 'all';
const seed = Number(process.env['PACKHOUSE_SEED'] ?? Date.now() % 1_000_000);
/** Cases of the sample in each dialect. Of those that need settings, each starts three servers. */
const sampled = { plain: 40, withSettings: 2 };

let database: PostgresServer;
let store: S3Server;

beforeAll(async () => {
  if (!isWhole) console.log(`PACKHOUSE_SEED=${seed}`);
  [database, store] = await Promise.all([
    startPostgres({ settings: ['max_connections = 500'] }),
    startS3Server('s3rver'),
  ]);
});

afterAll(async () => {
  await Promise.all([database.close(), store.close()]);
});

function sampleOf(own: number): readonly Case[] {
  const plain = cases.filter(({ settings }) => settings === undefined);
  const others = cases.filter(({ settings }) => settings !== undefined);
  return [...sample({ seed: own }, plain, sampled.plain), ...sample({ seed: own }, others, sampled.withSettings)];
}

testRuntime(
  'three servers',
  severalServed(3, () => ({ database, store })),
  isWhole ? { neutral: cases, cloudflare: cases } : { neutral: sampleOf(seed), cloudflare: sampleOf(seed + 1) },
);
