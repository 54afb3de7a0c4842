import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { execFile } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openNodePostgres } from '@packhouse/base/node-postgres';
import { startPostgres, type PostgresServer } from '@packhouse/fixtures/postgres';
import { startS3Server, storeVariables, type S3Server } from '@packhouse/fixtures/s3';
import { serveNode } from '@packhouse/server/node';
import { sharedStorage, type SharedStorage } from '@packhouse/server/shared-storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolderToMigrate, seenThrough, settings, type FolderToMigrate } from '../support/folder-to-migrate.ts';
import { contentOf } from '../support/folder-content.ts';
import { killMigrations } from '../support/kill-migrations.ts';
import { apiToken } from '../support/killable-server.ts';
import { runtimeProgram } from '../support/runtime-program.ts';
import type { Report } from '../../src/data-folder/examine.ts';
import { ran } from './in-process.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

let root: string;
let folder: FolderToMigrate;
let database: PostgresServer;
let store: S3Server;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'packhouse-migrate-'));
  [database, store] = await Promise.all([startPostgres(), startS3Server('s3rver')]);
  env = storeVariables(store);
  folder = await makeFolderToMigrate(root, ['empty', 'encodings', 'tags']);
}, 300_000);

afterAll(async () => {
  await Promise.all([database.close(), store.close()]);
  rmSync(root, { recursive: true, force: true });
});

const packsIn = (place: string): string =>
  place === 'folder' ? join(root, 'shared') : `s3://${store.bucket}/${place}`;

function sharedIn(url: string, place: string): SharedStorage {
  const { accessKeyId, secretAccessKey } = store.credentials;
  const bucketAccess = { accessKeyId, secretAccessKey, endpoint: store.endpoint };
  return sharedStorage({ database: url, packs: packsIn(place), bucketAccess }, { settings: {} }) as SharedStorage;
}

async function rows(url: string, statement: string): Promise<void> {
  const client = openNodePostgres(url);
  await client.rows(statement);
  await client.close();
}

/** Changes a byte of a file, under all its names. */
function flipByte(path: string): void {
  const bytes = readFileSync(path);
  bytes[1_000] = (bytes[1_000] as number) ^ 0x40;
  writeFileSync(path, bytes);
}

/** Runs `doctor` on a shared storage. */
async function examined(words: readonly string[]) {
  const { code, out, err } = await ran(['doctor', ...words, '--json'], { env });
  expect(err).toBe('');
  return { code, ...(JSON.parse(out) as Report) };
}

describe.each(['bucket', 'folder'])('migrate with packs in a %s', (kind) => {
  it('REPO-385, REPO-386: copies a folder to a database and back, and nothing differs', async () => {
    const url = await database.createDatabase();
    const words = ['--database', url, '--packs', packsIn(kind)];
    const before = contentOf(folder.data);
    const there = await ran(['migrate', '--data', folder.data, ...words, '--json'], { env });
    expect([there.code, there.err]).toEqual([0, '']);
    expect(JSON.parse(there.out)).toMatchObject({ verified: true, packs: { present: 0 } });
    expect(contentOf(folder.data)).toEqual(before);

    const again = await ran(['migrate', '--data', folder.data, ...words, '--unverified', '--json'], { env });
    expect([again.code, again.err]).toEqual([0, '']);
    expect(JSON.parse(again.out)).toMatchObject({ packs: { copied: 0, bytes: 0 } });

    const back = join(root, `back-${kind}`);
    expect(await ran(['migrate', '--back', '--data', back, ...words], { env })).toMatchObject({ code: 0, err: '' });
    expect(contentOf(back)).toEqual(before);
    if (kind === 'folder') {
      const [pack = '', another = ''] = globSync('*/*/*.pack', { cwd: packsIn(kind) });
      flipByte(join(packsIn(kind), pack));
      rmSync(join(packsIn(kind), another));
      const repaired = await ran(['migrate', '--data', folder.data, ...words, '--json'], { env });
      expect(JSON.parse(repaired.out)).toMatchObject({ verified: true });
      expect(contentOf(folder.data).packs.map(([name]) => name?.slice('packs/'.length))).toEqual(
        globSync('*/*/*', { cwd: packsIn(kind) }).toSorted(),
      );
      flipByte(join(back, 'packs', pack));
      const place = ['--database', await database.createDatabase(), '--packs', join(root, 'damaged')];
      const damaged = await ran(['migrate', '--data', back, ...place, '--unverified'], { env });
      expect([damaged.code, damaged.err]).toEqual([7, expect.stringContaining(basename(pack, '.pack'))]);
      return;
    }

    const seen: unknown[] = [];
    for (const [name, options] of Object.entries({
      old: { data: folder.data },
      shared: { data: join(root, `cache-${kind}`), database: url, packs: packsIn(kind) },
      back: { data: back },
    })) {
      const { accessKeyId, secretAccessKey } = store.credentials;
      const bucketAccess = { accessKeyId, secretAccessKey, endpoint: store.endpoint };
      const server = await serveNode({ port: 0, apiToken, config: { settings }, bucketAccess, ...options });
      const mirrors = join(root, `mirrors-${name}-${kind}`);
      mkdirSync(mirrors);
      seen.push(await seenThrough(server, folder, mirrors));
      await server.close();
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
  }, 300_000);
});

describe('migrate', () => {
  it('REPO-387: goes on after kills at random steps, there and back', async () => {
    const url = await database.createDatabase();
    const shared = sharedIn(url, 'killed');
    const back = join(root, 'back-killed');
    await killMigrations({ data: folder.data, shared, back: false }, { kills: 1, steps: 90, seed: 11 });
    expect(await examined(['--database', url, '--packs', packsIn('killed')])).toMatchObject({ code: 0, problems: [] });
    await killMigrations({ data: back, shared, back: true }, { kills: 1, steps: 90, seed: 12 });
    expect(contentOf(back)).toEqual(contentOf(folder.data));
    expect((await ran(['doctor', '--data', back])).code).toBe(0);
  }, 300_000);

  it('REPO-385: runs on Deno, and back on Bun', async () => {
    const words = ['--database', await database.createDatabase(), '--packs', packsIn('runtimes')];
    const back = join(root, 'back-runtimes');
    const command = async (name: 'deno' | 'bun', before: readonly string[], args: readonly string[]) => {
      const options = { env: { ...process.env, ...env } };
      await promisify(execFile)(runtimeProgram(name), [...before, main, 'migrate', ...args, ...words], options);
    };
    await command('deno', ['run', '-A', '--quiet'], ['--data', folder.data]);
    await command('bun', [], ['--back', '--data', back]);
    expect(contentOf(back)).toEqual(contentOf(folder.data));
  }, 300_000);

  it('REPO-388: refuses a source in use, a database in use, and targets with other data', async () => {
    const [url, other] = [await database.createDatabase(), await database.createDatabase()];
    const words = (to: string, place: string) => ['--database', to, '--packs', packsIn(place)];
    const run = async (...args: readonly string[]) => {
      const { code, err } = await ran(['migrate', '--unverified', ...args], { env });
      expect(err).not.toContain('postgres@');
      return [code, err.split('\n')[0]];
    };
    const server = await serveNode({ port: 0, data: folder.data, apiToken });
    expect(await run('--data', folder.data, ...words(url, 'refused'))).toEqual([6, expect.stringContaining('in use')]);
    await server.close();
    const client = openNodePostgres(url);
    await client.rows('SELECT 1');
    expect(await run('--data', folder.data, ...words(url, 'refused'))).toEqual([6, expect.stringContaining('in use')]);
    await client.close();

    const noServer = await ran(['doctor', ...words(other, 'refused')], { env });
    expect([noServer.code, noServer.err]).toEqual([
      6,
      expect.stringMatching(/^error: The database is empty\.\nhint: Check which/),
    ]);
    const noDatabase = await ran(['doctor', ...words(`${other}-none`, 'refused')], { env });
    expect([noDatabase.code, noDatabase.err]).toEqual([6, expect.stringContaining('no database of this name')]);

    const noBucket = ['--data', folder.data, '--database', other, '--packs', 's3://no-such-bucket/x'];
    expect(await run(...noBucket)).toEqual([6, expect.stringContaining('cannot be used (404 NoSuchBucket)')]);
    const down = await ran(['migrate', ...noBucket], { env: { ...env, AWS_ENDPOINT_URL: 'http://127.0.0.1:1' } });
    expect([down.code, down.err]).toEqual([6, expect.stringContaining('cannot be used (it does not answer)')]);

    const empty = join(root, 'empty');
    await (await serveNode({ port: 0, data: empty, apiToken })).close();
    const otherData = [2, expect.stringContaining('other data')];
    expect((await run('--data', folder.data, ...words(url, 'refused')))[0]).toBe(0);
    expect(await run('--data', empty, ...words(url, 'refused'))).toEqual(otherData);
    expect(await run('--data', empty, ...words(other, 'refused'))).toEqual(otherData);
    expect(await run('--data', folder.data, ...words(other, 'refused'))).toEqual(otherData);
    await rows(url, "UPDATE packhouse.repos SET pushed_at = 1 WHERE name = 'large'");
    expect(await run('--data', folder.data, ...words(url, 'refused'))).toEqual(otherData);
    expect((await run('--back', '--data', folder.data, ...words(url, 'refused')))[0]).toBe(2);
    expect((await run('--data', folder.data))[0]).toBe(2);
    expect(await run('--back', '--data', join(root, 'new'), ...words(url, 'elsewhere'))).toEqual([
      6,
      expect.stringContaining('another place'),
    ]);
  }, 300_000);

  it('REPO-389, REPO-390, REPO-391: doctor, maintain and backup work on a database and its packs', async () => {
    const url = await database.createDatabase();
    const place = join(root, 'folder-2');
    const words = ['--database', url, '--packs', place];
    const dry = await ran(['migrate', '--data', folder.data, ...words, '--dry-run', '--json'], { env });
    expect(JSON.parse(dry.out)).toMatchObject({ dryRun: true, repos: folder.tokens.size });
    expect((await ran(['migrate', '--data', folder.data, ...words, '--unverified'], { env })).code).toBe(0);
    const counted = await ran(['migrate', '--back', '--data', join(root, 'none'), ...words, '--dry-run', '--json'], {
      env,
    });
    expect(JSON.parse(counted.out)).toEqual(JSON.parse(dry.out));
    const sound = await examined(words);
    expect(sound).toMatchObject({ code: 0, ok: true, repos: folder.tokens.size, problems: [] });

    // A server runs meanwhile.
    const server = await serveNode({ port: 0, apiToken, data: join(root, 'cache-2'), database: url, packs: place });
    const maintained = await ran(['maintain', 'large', '--full', ...words, '--json'], { env });
    expect([maintained.code, maintained.err]).toEqual([0, '']);
    expect(JSON.parse(maintained.out)).toMatchObject({
      repos: [{ repo: 'default/large', ok: true, packs: { after: 1 } }],
    });
    expect((await ran(['maintain', '--compact', ...words], { env })).code).toBe(2);
    const copy = join(root, 'copy');
    const backup = await ran(['backup', copy, ...words, '--json'], { env });
    expect([backup.code, backup.err]).toEqual([0, '']);
    expect(JSON.parse(backup.out)).toMatchObject({ repos: folder.tokens.size, verified: true });
    await server.close();

    const client = openNodePostgres(url);
    const [pack] = await client.rows<{ repo: string; id: string }>(
      "SELECT repo_id AS repo, id FROM packhouse.packs WHERE place = 'store' AND retired_at IS NULL LIMIT 1",
    );
    await client.close();
    const lost = join(place, 'local', '0123456789abcdef', 'a'.repeat(32));
    mkdirSync(dirname(lost), { recursive: true });
    writeFileSync(`${lost}.pack`, 'bytes');
    rmSync(join(place, 'local', pack?.repo ?? '', `${pack?.id}.pack`));
    await rows(url, "INSERT INTO packhouse.shallow VALUES ('gone', 'x')");
    const { code, problems } = await examined(words);
    expect(code).toBe(7);
    const found = JSON.stringify(problems);
    for (const text of [`pack ${'a'.repeat(32)}`, String(pack?.id), 'rows of shallow']) expect(found).toContain(text);
  }, 300_000);
});
