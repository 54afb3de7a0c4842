import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startS3Server, type S3Server } from '@packhouse/fixtures/s3';
import type { PackStore } from '@packhouse/git';
import { testPackStore } from '@packhouse/git/contract';
import { afterAll, beforeAll, describe } from 'vitest';
import type { Bucket, PiecedBody } from '../src/bucket/bucket.ts';
import { cachedBucket } from '../src/cache/cached-bucket.ts';
import { DiskCache } from '../src/cache/disk-cache.ts';
import { nodeFileSystem } from '../src/files/node-file-system.ts';
import { testBucketFaults } from '../src/contract/bucket-faults.ts';
import { memoryPackHolders } from '../src/packs/holders.ts';
import { memoryPackReservations } from '../src/packs/reservations.ts';
import { s3Bucket, type S3Bucket } from '../src/s3/s3-bucket.ts';
import { s3Packs } from '../src/s3/s3-packs.ts';

describe.each(['fauxqs', 's3rver'] as const)('packs on %s', (kind) => {
  let server: S3Server;
  let bucket: S3Bucket;
  let folder: string;
  let cached: Bucket<PiecedBody>;
  let accounts = 0;
  beforeAll(async () => {
    server = await startS3Server(kind);
    bucket = s3Bucket({ ...server, prefix: 'some/prefix', credentials: () => server.credentials });
    folder = mkdtempSync(join(tmpdir(), 'packhouse-cache-'));
    cached = cachedBucket(bucket, await DiskCache.open({ folder, fileSystem: nodeFileSystem, max: 100_000_000 }));
  });
  afterAll(async () => {
    bucket.close();
    await server.close();
    rmSync(folder, { recursive: true });
  });
  // One of them behind a cache on disk.
  const used = () => (kind === 's3rver' ? cached : bucket);
  const packs = () => {
    const [reservations, holders] = [memoryPackReservations(), memoryPackHolders()];
    return s3Packs({ bucket: used(), reservations: () => reservations, holders: () => holders });
  };

  testPackStore(
    `REPO-325, REPO-328: ${kind}`,
    () => {
      const [store, other] = [packs(), packs()].map((each) => each.repo(`account${accounts++}`, 'repo'));
      return { open: () => store as PackStore, openOther: () => other as PackStore, close: () => undefined };
    },
    // s3rver cannot abort uploads.
    { refusesSecondPut: false, removesUnfinished: kind === 'fauxqs' },
  );

  // One is enough for faults in front of it.
  if (kind === 'fauxqs')
    testBucketFaults(
      kind,
      async () => ({
        bucket,
        account: `account${accounts++}`,
        repoId: 'repo',
        reservations: memoryPackReservations(),
        holders: memoryPackHolders(),
        openStream: null,
      }),
      { refusesSecondPut: false, hasStreams: false },
    );
});
