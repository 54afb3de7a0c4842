import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type PostgresServer } from '@packhouse/fixtures/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openNodePostgres } from './node-postgres.ts';

let folder: string;
let server: PostgresServer;
let database: URL;

/** Makes a key and a certificate for `localhost`, which is its own authority. */
function makeCertificate(name: string): { readonly key: string; readonly certificate: string } {
  const [key, certificate] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', [...words, ...subject, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  // PostgreSQL demands a key that only its user reads.
  chmodSync(folder, 0o711);
  chmodSync(key, 0o600);
  if (process.getuid?.() === 0) for (const file of [key, certificate]) chownSync(file, 65_534, 65_534);
  return { key, certificate };
}

beforeAll(async () => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'packhouse-encrypted-'));
  const { key, certificate } = makeCertificate('ours');
  makeCertificate('other');
  const settings = ['ssl = on', `ssl_cert_file = ${certificate}`, `ssl_key_file = ${key}`];
  server = await startPostgres({ settings });
  database = new URL(await server.createDatabase());
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Connects, and returns true if the connection is encrypted. */
async function isEncrypted(host: string, parameters: Readonly<Record<string, string>>): Promise<boolean | undefined> {
  const url = new URL(database);
  url.hostname = host;
  url.search = String(new URLSearchParams(parameters));
  const driver = openNodePostgres(url.href, { connectTimeout: 30_000 });
  try {
    const [row] = await driver.rows<{ ssl: boolean }>('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    return row?.ssl;
  } finally {
    await driver.close();
  }
}

describe('connections to PostgreSQL', () => {
  const ca = (name: string) => ({ sslmode: 'verify-full', sslrootcert: join(folder, `${name}.pem`) });

  it('REPO-392: are encrypted as the URL says', async () => {
    expect(await isEncrypted('localhost', ca('ours'))).toBe(true);
    expect(await isEncrypted('localhost', { sslmode: 'no-verify' })).toBe(true);
    expect(await isEncrypted('localhost', {})).toBe(false);
  });

  it('REPO-392, REPO-324: refuse a certificate of another authority, or for another host, and tell no address', async () => {
    const refused = [
      isEncrypted('localhost', ca('other')),
      isEncrypted('localhost', { sslmode: 'verify-full' }),
      isEncrypted('127.0.0.1', ca('ours')),
    ];
    for (const one of await Promise.allSettled(refused)) {
      expect(one.status === 'rejected' && String(one.reason)).toMatch(
        /^DatabaseUnavailable: The database is unavailable \([A-Z_]+\)$/,
      );
    }
  });
});
