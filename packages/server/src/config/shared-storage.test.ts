import { describe, expect, it } from 'vitest';
import { StartError } from '../start-error.ts';
import { sharedStorage, type SharedStorageOptions } from './shared-storage.ts';

const database = 'postgres://packhouse:sesame@db/packhouse';
const bucketAccess = { accessKeyId: 'AKIA', secretAccessKey: 'hush', endpoint: 'http://127.0.0.1:9000' };
const settings = {};
const shared = (options: SharedStorageOptions, config = {}) => sharedStorage(options, { settings, ...config });

describe('sharedStorage', () => {
  it('REPO-336: is off by default, and on with a database and a place for packs, from options or configuration', () => {
    expect(shared({})).toBeUndefined();
    const folder = { database, packs: { kind: 'folder', path: '/mnt/packs' } };
    expect(shared({ database, packs: '/mnt/packs' })).toEqual(folder);
    expect(shared({}, { database, packs: '/mnt/packs' })).toEqual(folder);
    expect(shared({ database }, { database: 'postgres://other/x', packs: '/mnt/packs' })).toEqual(folder);
  });

  it.each([
    ['s3://packs', 'packs', ''],
    ['s3://my.packs-1/', 'my.packs-1', ''],
    ['s3://packs/main/two/', 'packs', 'main/two'],
  ])('takes %s as a bucket with a prefix', (packs, bucket, prefix) => {
    const place = { kind: 'bucket', bucket, prefix, access: bucketAccess };
    expect(shared({ database, packs, bucketAccess })?.packs).toEqual(place);
  });

  it.each<[SharedStorageOptions, string]>([
    [{ database }, 'no place for packs'],
    [{ packs: '/mnt/packs' }, 'no database'],
    [{ database: 'mysql://x:sesame@db/y', packs: '/mnt/packs' }, 'no URL of PostgreSQL'],
    [{ database: 'postgres://packhouse:ses ame@db:x/y', packs: '/mnt/packs' }, 'no URL of PostgreSQL'],
    [{ database, packs: 's3://UPPER' }, 'no bucket'],
    [{ database, packs: 's3://packs/a b' }, 'no bucket'],
    [{ database, packs: 'S3://packs' }, 'no bucket'],
    [{ database, packs: 'gs://packs' }, 'no bucket'],
    [{ database, packs: 'packs/main' }, 'neither a bucket nor an absolute path'],
    [{ database, packs: '' }, 'neither a bucket nor an absolute path'],
    [{ database, packs: 's3://packs' }, 'no credentials'],
    [{ database, packs: 's3://packs', bucketAccess: { ...bucketAccess, endpoint: 'store:9000' } }, 'no URL'],
  ])('REPO-336, REPO-398: refuses %j, with a hint and without a secret', (options, reason) => {
    let error: unknown;
    try {
      shared(options);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(StartError);
    const { kind, message, hint } = error as StartError;
    expect([kind, message]).toEqual(['configuration', expect.stringContaining(reason)]);
    expect(`${message} ${hint}`).not.toMatch(/sesame|ses ame|hush|AKIA/);
  });
});
