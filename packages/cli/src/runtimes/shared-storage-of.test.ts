import { parseCommandLine } from '@packhouse/command';
import { describe, expect, it } from 'vitest';
import { commands } from '../commands/all.ts';
import { databaseFiles, sharedStorageOf } from './shared-storage-of.ts';

function chosen(words: readonly string[], env: Record<string, string> = {}, config = {}): unknown {
  const parsed = parseCommandLine(['serve', ...words], commands, { env, program: 'packhouse' });
  if (parsed.kind !== 'run') throw new Error(parsed.kind);
  return sharedStorageOf(parsed.invocation, { env }, { settings: {}, ...config });
}

const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

describe('sharedStorageOf', () => {
  it('REPO-336: takes DATABASE_URL only beside a place for packs, and after --database', () => {
    const env = { DATABASE_URL: 'postgres://a/b' };
    expect(chosen([], env)).toEqual({});
    expect(chosen(['--packs', '/srv/packs'], env)).toEqual({ database: 'postgres://a/b', packs: '/srv/packs' });
    expect(chosen([], env, { packs: '/mnt' })).toEqual({ database: 'postgres://a/b', packs: '/mnt' });
    expect(chosen(['--database', 'postgres://c/d'], env)).toEqual({ database: 'postgres://c/d' });
  });

  it('REPO-392: finds the files of certificates that the URL of a database names', () => {
    const url = 'postgres://a/b?sslmode=verify-full&sslrootcert=ca.pem&sslkey=/etc/key.pem';
    expect(databaseFiles(url, '/srv')).toEqual(['/srv/ca.pem', '/etc/key.pem']);
    expect(databaseFiles(undefined, '/srv')).toEqual([]);
    expect(databaseFiles('no URL', '/srv')).toEqual([]);
  });

  it('REPO-336, REPO-400: takes keys, region, URL and addressing style of the store from the variables of AWS', () => {
    expect(chosen([], { AWS_ACCESS_KEY_ID: 'id' })).toEqual({});
    const env = { ...keys, AWS_DEFAULT_REGION: 'r1', AWS_ENDPOINT_URL: 'http://a', AWS_SESSION_TOKEN: '' };
    const access = { accessKeyId: 'id', secretAccessKey: 'secret', region: 'r1', endpoint: 'http://a' };
    expect(chosen(['--packs', 's3://p'], env)).toEqual({ packs: 's3://p', bucketAccess: access });
    const more = {
      ...env,
      AWS_REGION: 'r2',
      AWS_ENDPOINT_URL_S3: 'http://b',
      AWS_S3_ADDRESSING_STYLE: 'virtual',
      AWS_SESSION_TOKEN: 't',
    };
    expect(chosen(['--packs', 's3://p'], more)).toEqual({
      packs: 's3://p',
      bucketAccess: { ...access, region: 'r2', endpoint: 'http://b', addressing: 'virtual', sessionToken: 't' },
    });
    expect(() => chosen(['--packs', 's3://p'], { ...env, AWS_S3_ADDRESSING_STYLE: 'host' })).toThrow(
      'AWS_S3_ADDRESSING_STYLE is "host".',
    );
  });
});
