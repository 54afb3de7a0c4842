/** Data folders that earlier versions wrote. `fixtures/README.md` explains how. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { runGit } from '@packhouse/fixtures';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startEventSink, type EventSink } from './support/event-sink.ts';
import { apiToken, runCli, startServer, type KillableServer } from './support/killable-server.ts';

const version = '8a05148';
const fixture = fileURLToPath(new URL(`../../../fixtures/data-folders/${version}`, import.meta.url));

interface OldRepo {
  readonly namespace: string;
  readonly name: string;
  readonly id: string;
  readonly default_branch: string;
  readonly description: string | null;
  readonly source: string | null;
  readonly refs: Readonly<Record<string, string>>;
  /** The number of all objects, and the hash of their sorted ids, one per line. */
  readonly objects: { readonly count: number; readonly sha256: string };
}

interface OldToken {
  /** `namespace/name`. */
  readonly repo: string;
  readonly id: string;
  readonly scope: string;
  readonly plaintext: string;
  readonly state: string;
}

interface Expected {
  readonly deleted: string;
  readonly halfDone: string;
  readonly repos: readonly OldRepo[];
  readonly tokens: readonly OldToken[];
  readonly tags: readonly {
    readonly resource: Readonly<Record<string, string>>;
    readonly tags: unknown;
    readonly etag: string;
  }[];
}

const expected = JSON.parse(readFileSync(join(fixture, 'expected.json'), 'utf8')) as Expected;

let folder: string;
let data: string;
let sink: EventSink;
let server: KillableServer;
let clones = 0;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packhouse-old-'));
  data = join(folder, 'data');
  execFileSync('tar', ['-xzf', join(fixture, 'data.tar.gz'), '-C', folder]);
  sink = await startEventSink(() => 0);
});

afterEach(async () => {
  await server.kill();
  await sink.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  const config = join(folder, 'config.json');
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  writeFileSync(
    config,
    JSON.stringify({ webhook_url: sink.url, webhook_secrets: [secret], webhook_allow: ['127.0.0.1'] }),
  );
  server = await startServer(data, 0, 'node', config);
}

async function get(path: string): Promise<{ readonly status: number; readonly result: unknown }> {
  const response = await fetch(`${server.url}/v4/accounts/local${path}`, {
    headers: { authorization: `Bearer ${apiToken}` },
  });
  const { result } = (await response.json()) as { readonly result: unknown };
  return { status: response.status, result };
}

const repoPath = (repo: string): string => `/repos/namespaces/${repo.replace('/', '/repos/')}`;
const remoteOf = (repo: string): string => `${server.url}/git/local/${repo}.git`;
const authOf = ({ plaintext }: OldToken): readonly string[] => [
  '-c',
  `http.extraHeader=Authorization: Bearer ${plaintext}`,
];

function tokenOf(repo: string, scope: string, state = 'active'): OldToken {
  const found = expected.tokens.find((one) => one.repo === repo && one.scope === scope && one.state === state);
  if (found === undefined) throw new Error(`there is no ${state} ${scope} token of ${repo}`);
  return found;
}

interface Cloned {
  readonly folder: string;
  readonly refs: Readonly<Record<string, string>>;
  readonly objects: OldRepo['objects'];
}

/** Clones with stock git, with the read token of that time, and checks the clone. */
function cloned(repo: string): Cloned {
  const clone = join(folder, `clone-${clones++}.git`);
  runGit([...authOf(tokenOf(repo, 'read')), 'clone', '--quiet', '--mirror', remoteOf(repo), clone]);
  runGit(['fsck', '--full', '--strict'], { cwd: clone });
  const lines = (...args: string[]): string[] =>
    runGit(args, { cwd: clone })
      .toString()
      .split('\n')
      .filter((line) => line !== '');
  const ids = lines('cat-file', '--batch-check=%(objectname)', '--batch-all-objects').toSorted();
  return {
    folder: clone,
    refs: Object.fromEntries(
      lines('for-each-ref', '--format=%(refname) %(objectname)').map((line) => line.split(' ') as [string, string]),
    ),
    objects: { count: ids.length, sha256: createHash('sha256').update(ids.join('\n')).digest('hex') },
  };
}

/** Returns the ids of waiting events, except those of unfinished repositories. */
function waitingEvents(): readonly string[] {
  const database = new DatabaseSync(join(data, 'packhouse.sqlite'));
  const rows = database.prepare('SELECT id FROM events WHERE keep_until IS NULL AND held = 0').all();
  database.close();
  return rows.map(({ id }) => String(id));
}

async function expectClean(): Promise<Readonly<Record<string, unknown>>> {
  expect(await server.stop()).toBe(0);
  const doctor = await runCli(['doctor', '--json', '--data', data]);
  expect(doctor.status, doctor.stdout + doctor.stderr).toBe(0);
  return JSON.parse(doctor.stdout) as Readonly<Record<string, unknown>>;
}

describe(`the data folder of a server of version ${version} that was killed`, () => {
  it('opens with every repo, ref, object, token and tag, and finishes interrupted work', async () => {
    const events = waitingEvents();
    await start();
    for (const { namespace, name, id, default_branch, description, source, refs, objects } of expected.repos) {
      const about = `${namespace}/${name}`;
      expect((await get(repoPath(about))).result, about).toMatchObject({ id, default_branch, description, source });
      expect(cloned(about), about).toMatchObject({ refs, objects });
      const { result } = await get(`${repoPath(about)}/tokens?state=all`);
      for (const token of expected.tokens.filter(({ repo }) => repo === about)) {
        expect(result, about).toContainEqual(
          expect.objectContaining({ id: token.id, scope: token.scope, state: token.state }),
        );
      }
    }
    for (const gone of [expected.halfDone, expected.deleted]) expect((await get(repoPath(gone))).status).toBe(404);
    for (const state of ['revoked', 'expired']) {
      const token = expected.tokens.find((one) => one.state === state) as OldToken;
      expect(() => runGit([...authOf(token), 'ls-remote', remoteOf(token.repo)]), state).toThrow(
        /401|Authentication|auth/i,
      );
    }
    for (const { resource, tags, etag } of expected.tags) {
      expect((await get(`/tags?${new URLSearchParams(resource)}`)).result).toMatchObject({ tags, etag });
    }
    expect(events.length).toBeGreaterThan(50);
    const delivered = (): readonly string[] => sink.events.map(({ id }) => id);
    await vi.waitFor(() => expect(delivered()).toEqual(expect.arrayContaining([...events])), { timeout: 20_000 });
    expect(await expectClean()).toMatchObject({ repos: expected.repos.length });
  });

  it('GIT-166, LIM-012: counts indexes and graphs of all repos from the first start on', async () => {
    await start();
    await expectClean();
    const database = new DatabaseSync(join(data, 'packhouse.sqlite'));
    const repos = database
      .prepare(
        `SELECT name, bytes, (SELECT coalesce(sum(pack_size + idx_size + graph_size), 0) FROM packs
           WHERE repo_id = catalog_repos.id AND retired_at IS NULL) AS stored FROM catalog_repos`,
      )
      .all();
    const [account] = database.prepare('SELECT sum(stored_bytes) AS bytes FROM catalog_accounts').all();
    database.close();
    for (const { name, bytes, stored } of repos) expect(bytes, String(name)).toBe(stored);
    expect(account?.['bytes']).toBe(repos.reduce((sum, { stored }) => sum + Number(stored), 0));
  });

  it('accepts pushes and maintenance, and is sound afterwards', async () => {
    await start();
    const repo = 'default/notes';
    const before = cloned(repo);
    const [main, feature] = [before.refs['refs/heads/main'], before.refs['refs/heads/feature']] as [string, string];
    const commit = runGit(['commit-tree', `${main}^{tree}`, '-p', main, '-p', feature, '-m', 'new'], {
      cwd: before.folder,
    });
    const value = commit.toString().trim();
    const auth = authOf(tokenOf(repo, 'write'));
    runGit([...auth, 'push', '--quiet', remoteOf(repo), `${value}:refs/heads/main`, ':refs/heads/feature'], {
      cwd: before.folder,
    });
    const { 'refs/heads/feature': _, ...others } = before.refs;
    expect(cloned(repo).refs).toEqual({ ...others, 'refs/heads/main': value });
    await expectClean();

    expect(await runCli(['maintain', '--full', '--data', data])).toMatchObject({ status: 0 });
    await start();
    for (const { namespace, name, refs, objects } of expected.repos) {
      const about = `${namespace}/${name}`;
      const found = cloned(about);
      if (about !== repo) expect(found, about).toMatchObject({ refs, objects });
      else expect(found.refs).toEqual({ ...others, 'refs/heads/main': value });
    }
    expect(await expectClean()).toMatchObject({ replacedPacks: 0, orphans: { packs: 0, repos: 0 } });
  });
});
