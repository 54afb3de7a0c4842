import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  globSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { serveNode, type Serving } from '@packhouse/server/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ran } from './in-process.ts';
import { maintainFolder, type RepoOutcome } from '../../src/data-folder/maintain-folder.ts';

let root: string;
let data: string;
let work: string;
let server: Serving;

const run = promisify(execFile);

async function git(...args: string[]): Promise<string> {
  return (await run('git', ['-C', work, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args])).stdout;
}

async function newRepo(name: string): Promise<(...refs: string[]) => Promise<unknown>> {
  const env = { PACKHOUSE_URL: server.url, PACKHOUSE_API_TOKEN: server.keptToken?.token ?? '' };
  const { remote, token } = JSON.parse((await ran(['repo', 'create', name, '--json'], { env })).out) as {
    remote: string;
    token: string;
  };
  return (...refs) => git('-c', `http.extraHeader=Authorization: Bearer ${token}`, 'push', '-q', remote, ...refs);
}

async function commit(name: string, size = 100): Promise<void> {
  writeFileSync(join(work, name), randomBytes(size));
  await git('add', '.');
  await git('commit', '-q', '-m', name);
}

/** A folder with one repository of several packs and a deleted branch, and one without a push. */
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'packhouse-maintain-'));
  data = join(root, 'data');
  work = join(root, 'work');
  await run('git', ['init', '-q', '-b', 'main', work]);
  server = await serveNode({ port: 0, data });
  const push = await newRepo('Notes');
  await newRepo('empty');
  await commit('first', 2_000_000);
  await push('main');
  await commit('gone', 3_000_000);
  await push('main:gone');
  await git('reset', '-q', '--hard', 'HEAD~1');
  await commit('second');
  await push('main');
  await push(':gone');
});

afterEach(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

type Done = RepoOutcome & { readonly ok: true };

async function maintained(...args: string[]): Promise<readonly Done[]> {
  const { code, out, err } = await ran(['maintain', '--data', data, '--json', ...args]);
  expect([code, err]).toEqual([0, '']);
  return (JSON.parse(out) as { repos: Done[] }).repos;
}

const secondOfGrace = (): string[] => {
  const file = join(root, 'packhouse.json');
  writeFileSync(file, JSON.stringify({ gc_grace: 1 }));
  return ['--config', file];
};

describe('maintain', () => {
  it('GIT-127, LIM-064: merges all packs, collects objects only after the grace period, and leaves a sound folder', async () => {
    await server.close();
    const [first, ...others] = await maintained('notes', '--full');
    expect(others).toEqual([]);
    expect(first).toMatchObject({ account: 'local', repo: 'default/Notes', packs: { after: 1 }, collected: 0 });
    expect(first?.objects.after).toBe(9);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const { code, out, err } = await ran(['maintain', '--data', data, ...secondOfGrace()]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^REPO +PACKS +OBJECTS +BYTES +COLLECTED +REMOVED PACKS\n/);
    expect(out).toMatch(/^default\/Notes +1 +9 -> 6 +5\d{6} -> 2\d{6} +3 +1\n1 repo had nothing to do.\n$/m);
    expect(globSync(join(data, 'packs', '**', '*.pack'))).toHaveLength(1);
    expect(JSON.parse((await ran(['doctor', '--data', data, '--json'])).out)).toMatchObject({
      ok: true,
      packs: 1,
      objects: 6,
      replacedPacks: 0,
      orphans: { packs: 0 },
    });
    const again = await ran(['maintain', '--data', data, ...secondOfGrace()]);
    expect(again).toEqual({ code: 0, out: '2 repos had nothing to do.\n', err: '' });
    server = await serveNode({ port: 0, data });
  });

  it('LIM-075: rewrites the database on request, also that of an older version', async () => {
    await server.close();
    const path = join(data, 'packhouse.sqlite');
    const database = new DatabaseSync(path);
    // As older versions made it.
    database.exec('PRAGMA journal_mode = DELETE; PRAGMA page_size = 4096; PRAGMA auto_vacuum = NONE; VACUUM');
    database.exec('CREATE TABLE bulk AS SELECT zeroblob(5000000); DROP TABLE bulk');
    database.close();
    const before = statSync(path).size;
    expect(before).toBeGreaterThan(5_000_000);
    const user = new DatabaseSync(path);
    user.exec('PRAGMA journal_mode = WAL; BEGIN; SELECT count(*) FROM sqlite_schema');
    const refused = await ran(['maintain', '--compact', '--data', data, '--json']);
    expect([refused.code, JSON.parse(refused.out)]).toEqual([7, { repos: [expect.anything(), expect.anything()] }]);
    expect(refused.err).toContain('was not rewritten');
    user.close();
    const { code, out, err } = await ran(['maintain', '--compact', '--data', data, '--json']);
    const after = statSync(path).size;
    expect([code, err, JSON.parse(out).database]).toEqual([0, '', { before, after }]);
    expect(after).toBeLessThan(before / 10);
    const again = await ran(['maintain', '--compact', '--data', data]);
    expect(again.out).toMatch(/\nBytes of the database: \d+\n$/);
    const compact = new DatabaseSync(path, { readOnly: true });
    const pragma = (name: string) => Object.values(compact.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect(['page_size', 'auto_vacuum', 'journal_mode'].map(pragma)).toEqual([1_024, 2, 'wal']);
    compact.close();
    expect(JSON.parse((await ran(['doctor', '--data', data, '--json'])).out)).toMatchObject({ ok: true });
    server = await serveNode({ port: 0, data });
  });

  it('shows its progress on a terminal, and never on standard output', async () => {
    await server.close();
    const { code, out, err } = await ran(['maintain', '--data', data, '--json'], { columns: 80 });
    expect([code, JSON.parse(out)]).toEqual([0, { repos: [expect.anything(), expect.anything()] }]);
    expect(err).toMatch(/^\rMaintaining repo 1 of 2: default\/\w+\x1b\[K[^]*\r\x1b\[K$/);
    const texts: string[] = [];
    await maintainFolder(data, undefined, { grace: 0, full: false, rowsMax: 0 }, (text) => texts.push(text));
    expect(texts.map((text) => text.replace(/: .*/, ''))).toEqual([
      'Maintaining repo 1 of 2',
      'Maintaining repo 2 of 2',
    ]);
  });

  it('GIT-153: removes leftovers of dead pushes', async () => {
    await server.close();
    const [folder] = globSync(join(data, 'packs', '*', '*'));
    const leftover = join(folder as string, `${'0'.repeat(32)}.pack`);
    writeFileSync(leftover, 'PACK');
    expect((await maintained('Notes'))[0]?.removed).toBeGreaterThan(0);
    expect(existsSync(leftover)).toBe(false);
  });

  it('says that a running server maintains its folder itself', async () => {
    const { code, out, err } = await ran(['maintain', '--data', data]);
    expect([code, out]).toEqual([6, '']);
    expect(err).toContain(`is in use by process ${process.pid}`);
    expect(err).toContain('hint: A running server merges packs by itself.');
  });

  it('names a missing repo, and how to find the existing ones', async () => {
    await server.close();
    const { code, out, err } = await ran(['maintain', 'other', '--data', data]);
    expect([code, out]).toEqual([3, '']);
    expect(err).toContain('There is no repo "other" in namespace "default" of account "local"');
    expect(err).toContain('there are 2 repos, such as "default/');
  });

  it.each(['--namespace', '--account'])('refuses %s without a repo, instead of maintaining all', async (option) => {
    await server.close();
    const { code, out, err } = await ran(['maintain', '--data', data, option, 'other']);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('The options --namespace and --account need the name of a repo.');
  });

  it('says that a folder has no repos', async () => {
    const empty = join(root, 'empty');
    await (await serveNode({ port: 0, data: empty })).close();
    expect(await ran(['maintain', '--data', empty])).toEqual({ code: 0, out: 'The folder has no repos.\n', err: '' });
  });

  it('does not change a folder of another kind', async () => {
    const foreign = join(root, 'foreign');
    mkdirSync(foreign);
    const { code, err } = await ran(['maintain', '--data', foreign]);
    expect([code, readdirSync(foreign)]).toEqual([6, []]);
    expect(err).toContain('holds no data of a server');
  });

  it('continues after a repo that fails, names it, and exits with 7', async () => {
    await server.close();
    for (const pack of globSync(join(data, 'packs', '**', '*.pack'))) truncateSync(pack, 100);
    const { code, out, err } = await ran(['maintain', '--full', '--data', data]);
    expect([code, out]).toEqual([7, '1 repo had nothing to do.\n']);
    expect(err).toMatch(/^error: repo "default\/Notes" was not maintained: .+\nhint: "packhouse doctor" tells/);
    expect(JSON.parse((await ran(['doctor', '--data', data, '--json'])).out)).toMatchObject({ ok: false });
  });
});
