import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startPostgres, type PostgresServer } from '@packhouse/fixtures/postgres';
import { bun, deno } from '@packhouse/fixtures/runtimes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

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

/** The URL of the database, as seen through a host, with these parameters. */
function through(host: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(database);
  url.hostname = host;
  url.search = String(new URLSearchParams(parameters));
  return url.href;
}

/** Deno may read certificates, and the variables that pg reads. */
const denoArguments = ['run', '--quiet', '--no-prompt', '--no-remote', '--no-lock', '--allow-net', '--allow-read'];

describe.each([
  ['Node', process.execPath, []],
  ['Deno', deno, [...denoArguments, '--allow-env=USER,HOME,NODE_PG_FORCE_NATIVE,PG*']],
  ['Bun', bun, ['run']],
] as const)('connections to PostgreSQL on %s', (_, program, before) => {
  const ca = (name: string) => ({ sslmode: 'verify-full', sslrootcert: join(folder, `${name}.pem`) });

  /** Connects to each URL. Returns what the database says about encryption, or the error. */
  async function connected(...urls: readonly string[]): Promise<readonly unknown[]> {
    const script = new URL('./is-encrypted.test.util.ts', import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(program, [...before, script, ...urls]);
    return JSON.parse(stdout) as readonly unknown[];
  }

  it('REPO-392: are encrypted as the URL says', async () => {
    const urls = [ca('ours'), { sslmode: 'no-verify' }, {}].map((parameters) => through('localhost', parameters));
    expect(await connected(...urls)).toEqual([true, true, false]);
  });

  it('REPO-392, REPO-324: refuse a certificate of another authority, or for another host, and tell no address', async () => {
    const refused = await connected(
      through('localhost', ca('other')),
      through('localhost', { sslmode: 'verify-full' }),
      through('127.0.0.1', ca('ours')),
    );
    const unavailable: unknown = expect.stringMatching(
      /^DatabaseUnavailable: The database is unavailable \([A-Z_]+\)$/,
    );
    expect(refused).toEqual([unavailable, unavailable, unavailable]);
  });
});
