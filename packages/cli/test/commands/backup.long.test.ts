import { randomBytes } from 'node:crypto';
import { execFile } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gitEnvironment } from '@packhouse/fixtures';
import { serveNode, type Serving } from '@packhouse/server/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ran, type Ran } from './in-process.ts';

const run = promisify(execFile);
let root: string;
let data: string;
let server: Serving;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'packhouse-backup-'));
  data = join(root, 'data');
  server = await serveNode({ port: 0, data });
});

afterEach(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

const git = async (...args: string[]): Promise<string> =>
  (await run('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { env: gitEnvironment })).stdout.trim();

const api = (...args: string[]): Promise<Ran> =>
  ran(args, { env: { PACKHOUSE_URL: server.url, PACKHOUSE_API_TOKEN: server.keptToken?.token ?? '' } });

/** Commits a large file and a small one, and pushes both as packs. Returns the commit. */
async function push(remote: string, token: string): Promise<string> {
  const work = join(root, 'work');
  if (!existsSync(work)) await git('init', '-q', '-b', 'main', work);
  for (const size of [3_000_000, 10]) {
    writeFileSync(join(work, 'file'), randomBytes(size));
    await git('-C', work, 'add', '.');
    await git('-C', work, 'commit', '-q', '-m', String(size));
    const header = `http.extraHeader=Authorization: Bearer ${token}`;
    await git('-C', work, '-c', header, 'push', '-q', remote, 'main');
  }
  return git('-C', work, 'rev-parse', 'HEAD');
}

const packsIn = (folder: string): string[] => globSync(join(folder, 'packs/*/*/*.pack')).toSorted();

describe('backup and restore', () => {
  it('REPO-350, REPO-351: copies a folder while its server runs, and makes another one of the copy', async () => {
    const { remote, token } = JSON.parse((await api('repo', 'create', 'notes', '--json')).out) as Record<
      string,
      string
    >;
    const before = await push(remote ?? '', token ?? '');
    expect((await api('repo', 'fork', 'notes', 'copy')).code).toBe(0);
    const backup = join(root, 'backup');
    const made = await ran(['backup', backup, '--data', data, '--json']);
    expect(JSON.parse(made.out)).toMatchObject({ directory: backup, packs: 2, repos: 2, verified: true });
    expect(packsIn(backup).map((file) => statSync(file).ino)).toEqual(packsIn(data).map((file) => statSync(file).ino));
    expect(statSync(backup).mode & 0o777).toBe(0o700);
    expect([statSync(join(backup, 'packhouse.sqlite')).mode & 0o777, readdirSync(backup)]).toEqual([
      0o600,
      ['api-token', 'packhouse.sqlite', 'packs'],
    ]);
    await push(remote ?? '', token ?? '');
    await server.close();

    const restored = join(root, 'restored');
    expect(await ran(['restore', backup, '--data', restored])).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(join(restored, 'api-token'), 'utf8')).toBe(readFileSync(join(data, 'api-token'), 'utf8'));
    server = await serveNode({ port: 0, data: restored });
    for (const name of ['notes', 'copy']) {
      const reply = JSON.parse((await api('token', 'create', name, '--json')).out) as { plaintext: string };
      const url = `${server.url}/git/local/default/${name}.git`;
      const header = `http.extraHeader=Authorization: Bearer ${reply.plaintext}`;
      await git('-c', header, 'clone', '-q', url, join(root, name));
      expect(await git('-C', join(root, name), 'rev-parse', 'HEAD')).toBe(before);
    }
  });

  it('REPO-351: refuses a target with contents, a source without data, and a copy that is not sound', async () => {
    const { remote, token } = JSON.parse((await api('repo', 'create', 'notes', '--json')).out) as Record<
      string,
      string
    >;
    await push(remote ?? '', token ?? '');
    const full = join(root, 'full');
    mkdirSync(full);
    writeFileSync(join(full, 'mine'), '');
    expect(await ran(['backup', full, '--data', data])).toMatchObject({ code: 2 });
    expect(await ran(['backup', join(root, 'b'), '--data', full])).toMatchObject({ code: 6 });
    expect(existsSync(join(full, 'mine'))).toBe(true);
    const [pack = ''] = packsIn(data);
    const bytes = readFileSync(pack);
    // A copy would have another file, as a link has the same one.
    writeFileSync(pack, bytes.fill(0, 1_000_000, 1_000_010));
    const backup = join(root, 'backup');
    const broken = await ran(['backup', backup, '--data', data]);
    expect(broken.code).toBe(7);
    expect(broken.err).toContain(basename(pack, '.pack'));
    expect([existsSync(backup), existsSync(`${backup}.partial`)]).toEqual([false, false]);
    expect((await ran(['backup', backup, '--data', data, '--unverified'])).code).toBe(0);
    for (const file of globSync(join(data, `packs/*/*/${basename(pack, '.pack')}.*`))) rmSync(file);
    expect(await ran(['backup', join(root, 'b'), '--data', data, '--unverified'])).toMatchObject({ code: 7 });
  });
});
