import { execFileSync } from 'node:child_process';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveNode } from '@packhouse/server/node';
import { ran } from './in-process.ts';
import { examineFolder } from '../../src/data-folder/examine-folder.ts';
import type { Report } from '../../src/data-folder/examine.ts';

let root: string;
let data: string;

/** A data folder with one repository whose pack is in the store, since it is too large for a row. */
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'packhouse-doctor-'));
  data = join(root, 'data');
  const work = join(root, 'work');
  const server = await serveNode({ port: 0, data });
  const env = { PACKHOUSE_URL: server.url, PACKHOUSE_API_TOKEN: server.keptToken?.token ?? '' };
  const { remote, token } = JSON.parse((await ran(['repo', 'create', 'big', '--json'], { env })).out) as {
    remote: string;
    token: string;
  };
  const git = async (...args: string[]): Promise<void> => {
    const { execFile } = await import('node:child_process');
    await new Promise<void>((resolve, reject) => {
      execFile('git', ['-C', work, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], (error) =>
        error === null ? resolve() : reject(error),
      );
    });
  };
  execFileSync('git', ['init', '-q', '-b', 'main', work]);
  writeFileSync(join(work, 'large'), randomBytes(3_000_000));
  await git('add', '.');
  await git('commit', '-q', '-m', 'large');
  await git('-c', `http.extraHeader=Authorization: Bearer ${token}`, 'push', '-q', remote, 'main');
  await server.close();
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

async function report(): Promise<Report & { readonly code: number }> {
  const { code, out, err } = await ran(['doctor', '--data', data, '--json']);
  expect(err).toBe('');
  return { ...(JSON.parse(out) as Report), code };
}

function file(kind: string): string {
  const found = globSync(join(data, 'packs', '**', `*.${kind}`));
  expect(found).toHaveLength(1);
  return found[0] as string;
}

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] as number) ^ 0x40;
  writeFileSync(path, bytes);
}

describe('doctor', () => {
  it('finds no fault in a healthy folder, and counts its content', async () => {
    expect(await report()).toEqual({
      code: 0,
      ok: true,
      repos: 1,
      refs: 1,
      packs: 1,
      objects: 3,
      replacedPacks: 0,
      orphans: { packs: 0, repos: 0 },
      problems: [],
    });
    const text = await ran(['doctor', '--data', data]);
    expect(text).toEqual({
      code: 0,
      err: '',
      out: '1 repo, 1 ref, 1 pack, 3 objects\n0 replaced packs, 0 orphan packs, 0 orphan repos\nEverything is sound.\n',
    });
  });

  it('shows its progress on a terminal, and never on standard output', async () => {
    const { code, out, err } = await ran(['doctor', '--data', data, '--json'], { columns: 80 });
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ ok: true })]);
    expect(err).toMatch(/^\rChecking the database\x1b\[K[^]*\r\x1b\[K$/);
    const texts: string[] = [];
    await examineFolder(data, (text) => texts.push(text));
    expect(texts).toEqual(['Checking the database', 'Checking repo 1 of 1: default/big']);
  });

  it('REPO-124: finds no fault in a fork that shares files with its parent, and finds damage in both', async () => {
    const server = await serveNode({ port: 0, data });
    const env = { PACKHOUSE_URL: server.url, PACKHOUSE_API_TOKEN: server.keptToken?.token ?? '' };
    expect(await ran(['repo', 'fork', 'big', 'try', '--all'], { env })).toMatchObject({ code: 0 });
    await server.close();
    const healthy = {
      code: 0,
      ok: true,
      repos: 2,
      packs: 2,
      objects: 6,
      orphans: { packs: 0, repos: 0 },
      problems: [],
    };
    expect(await report()).toMatchObject(healthy);
    const [path] = globSync(join(data, 'packs', '**', '*.pack'));
    expect(statSync(String(path)).nlink).toBe(2);
    flip(String(path), 1_000_000);
    const { code, problems } = await report();
    expect(code).toBe(7);
    expect([...new Set(problems.map(({ repo }) => repo))].sort()).toEqual(['default/big', 'default/try']);
  });

  it('REPO-133: counts interrupted creations, with or without a state, and reports no fault', async () => {
    const database = new DatabaseSync(join(data, 'packhouse.sqlite'));
    database.exec("UPDATE catalog_repos SET status = 'forking'");
    expect(await report()).toMatchObject({ code: 0, repos: 1, orphans: { repos: 1 }, problems: [] });
    database.exec('UPDATE repos SET erased = 1');
    expect(await report()).toMatchObject({ code: 0, repos: 1, orphans: { repos: 1 }, problems: [] });
    database.exec("UPDATE catalog_repos SET status = 'ready'");
    expect(await report()).toMatchObject({
      code: 7,
      orphans: { repos: 0 },
      problems: [{ repo: 'default/big', what: 'is listed, but its state is not there' }],
    });
    database.close();
  });

  it('REPO-133: finds no fault in a fork that stopped between its refs and its packs', async () => {
    const database = new DatabaseSync(join(data, 'packhouse.sqlite'));
    database.exec(
      "DELETE FROM packs; UPDATE repos SET status = 'forking'; UPDATE catalog_repos SET status = 'forking'",
    );
    expect(await report()).toMatchObject({ code: 0, refs: 1, orphans: { repos: 1 }, problems: [] });
    database.exec('DELETE FROM catalog_tokens; DELETE FROM catalog_repos');
    expect(await report()).toMatchObject({ code: 0, refs: 1, orphans: { repos: 1 }, problems: [] });
    database.exec("UPDATE repos SET status = 'ready'");
    expect((await report()).problems).not.toEqual([]);
    database.close();
  });

  it('reads a folder of a release without tags, and does not upgrade it', async () => {
    const open = (): DatabaseSync => new DatabaseSync(join(data, 'packhouse.sqlite'));
    const tables = (from: DatabaseSync): readonly string[] =>
      from
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'tag%'")
        .all()
        .map(({ name }) => String(name));
    const database = open();
    expect(tables(database)).not.toEqual([]);
    for (const name of tables(database)) database.exec(`DROP TABLE "${name}"`);
    database.exec("DELETE FROM schema_migrations WHERE list = 'tags'");
    database.close();
    expect(await report()).toMatchObject({ code: 0, ok: true, repos: 1 });
    expect(await ran(['maintain', '--data', data])).toMatchObject({ code: 0, err: '' });
    const after = open();
    expect(tables(after)).toEqual([]);
    after.close();
  });

  it('does not change a folder of another kind, nor any file of a data folder', async () => {
    const foreign = join(root, 'foreign');
    mkdirSync(foreign);
    const { code, err } = await ran(['doctor', '--data', foreign]);
    expect([code, readdirSync(foreign)]).toEqual([6, []]);
    expect(err).toContain('holds no data of a server');
    rmSync(join(data, 'packs'), { recursive: true });
    const before = readdirSync(data).toSorted();
    await report();
    expect(readdirSync(data).toSorted()).toEqual(before);
  });

  it.each([
    ['an older', "DELETE FROM schema_migrations WHERE list = 'catalog'", 'is of an older version'],
    ['a newer', "INSERT INTO schema_migrations VALUES ('repo-state', 1000, 'more')", 'is of a newer version'],
  ])('refuses the data of %s version instead of upgrading it', async (_, statement, sentence) => {
    const database = new DatabaseSync(join(data, 'packhouse.sqlite'));
    database.exec(statement);
    const dump = (from: DatabaseSync): unknown[] => from.prepare('SELECT * FROM schema_migrations').all();
    const before = dump(database);
    database.close();
    const { code, err, out } = await ran(['doctor', '--data', data]);
    expect([code, out]).toEqual([6, '']);
    expect(err).toContain(sentence);
    const after = new DatabaseSync(join(data, 'packhouse.sqlite'));
    expect(dump(after)).toEqual(before);
    after.close();
  });

  it('GIT-153: counts leftovers of a dead push, and reports no fault', async () => {
    writeFileSync(join(dirname(file('pack')), `${'0'.repeat(32)}.pack`), 'PACK');
    expect(await report()).toMatchObject({ code: 0, ok: true, orphans: { packs: 1 } });
  });

  it.each([
    ['a byte of the pack', () => flip(file('pack'), 2_000_000)],
    ['a byte of the index', () => flip(file('idx'), 1100)],
    ['a byte of the graph', () => flip(file('graph'), 60)],
    ['the end of the pack', () => truncateSync(file('pack'), 1_000_000)],
    ['the whole index', () => rmSync(file('idx'))],
    ['the whole pack', () => rmSync(file('pack'))],
  ])('finds a fault in %s', async (_, harm) => {
    harm();
    const found = await report();
    expect(found).toMatchObject({ code: 7, ok: false });
    expect(found.problems[0]).toMatchObject({ repo: 'default/big', account: 'local' });
    const { code, out } = await ran(['doctor', '--data', data]);
    expect(code).toBe(7);
    expect(out).toMatch(/^WRONG {2}default\/big: /m);
    expect(out).not.toContain(root);
  });

  it.each([
    ['a ref that names nothing', "UPDATE refs SET oid = '0123456789012345678901234567890123456789'", 'default/big'],
    ['a repo whose state is gone', 'UPDATE repos SET erased = 1', 'default/big'],
    ['rows that refer to nothing', "PRAGMA foreign_keys = OFF; INSERT INTO shallow VALUES ('nobody', '00')", null],
  ])('finds %s', async (_, statement, repo) => {
    const database = new DatabaseSync(join(data, 'packhouse.sqlite'));
    database.exec(statement);
    database.close();
    const found = await report();
    expect(found).toMatchObject({ code: 7, ok: false });
    expect(found.problems.map((problem) => problem.repo)).toContain(repo);
  });
});
