import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startS3Server } from '@packhouse/fixtures/s3';
import { expect, it } from 'vitest';
import { folderPlace } from '../src/files/folder-place.ts';
import type { PackPlace } from '../src/packs/pack-place.ts';
import { bucketPlace } from '../src/s3/bucket-place.ts';
import { s3Bucket } from '../src/s3/s3-bucket.ts';

async function expectMarks(place: PackPlace): Promise<void> {
  expect([await place.isTaken('a1'), await place.isMarked('a1')]).toEqual([false, false]);
  await place.mark('a1');
  expect([await place.isMarked('a1'), await place.isMarked('b2')]).toEqual([true, false]);
  expect([await place.isTaken('a1'), await place.isTaken('b2')]).toEqual([false, true]);
}

it('REPO-337: only the mark of another database takes a folder', async () => {
  const root = mkdtempSync(join(tmpdir(), 'packhouse-place-'));
  mkdirSync(join(root, 'database-c3'));
  await expectMarks(folderPlace(root));
  rmSync(root, { recursive: true });
});

it.each(['s3rver', 'fauxqs'] as const)(
  'REPO-337: only the mark of another database takes a bucket (%s)',
  async (kind) => {
    const server = await startS3Server(kind);
    const bucket = s3Bucket({ ...server, prefix: 'some/prefix', credentials: () => server.credentials });
    await bucket.put('database-c3/1.pack', new Uint8Array(3), { onlyIf: new Headers() });
    await expectMarks(bucketPlace(bucket));
    bucket.close();
    await server.close();
  },
);
