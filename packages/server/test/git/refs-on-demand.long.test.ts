/** Requests read as many rows of a repository with 100,000 refs as of one with 100. */

import {
  advertise,
  ContentReader,
  createGitEngine,
  receivePack,
  uploadPack,
  type GitRepository,
  type RefName,
  type RepoSnapshot,
} from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { blob, commit, pack, tree, type MadeObject } from '@packhouse/conformance/tools/made-objects';
import { commandBody, pushBody, set } from '@packhouse/conformance/tools/wire-client';
import { memoryPackStore, repoStateMigrations, sqlRepoState } from '@packhouse/storage';
import { migrate, type SqlDriver } from '@packhouse/base';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { expect, it, onTestFinished } from 'vitest';

const file = blob('a file');
const root = tree({ file });
const first = commit('first', root, []);
const branch = (number: number): string => `refs/heads/${String(number).padStart(6, '0')}`;

/** The rows that a request read: in all, and by the statement that read most. */
interface Reading {
  readonly rows: number;
  readonly most: number;
}

/** A repository with so many refs, and what requests of it read. */
async function repositoryOf(refs: number): Promise<{
  readonly readings: Readonly<Record<string, Reading>>;
  readonly listed: number;
}> {
  let counts: number[] = [];
  const database = openNodeSqlite(':memory:');
  onTestFinished(() => database.close());
  const driver: SqlDriver = {
    run: (statement, ...parameters) => database.run(statement, ...parameters),
    transaction: (work, kind) => database.transaction(work, kind),
    durable: () => database.durable(),
    all<Row>(
      statement: string,
      ...parameters: Parameters<SqlDriver['run']> extends [string, ...infer Rest] ? Rest : never
    ) {
      const rows = database.all<Row>(statement, ...parameters);
      counts.push(rows.length);
      return rows;
    },
  };
  migrate(driver, 'repo-state', repoStateMigrations);
  const id = 'k3v9p0x2m7q4w8zt';
  const repository = { id, state: sqlRepoState(driver, id), packs: memoryPackStore() };
  const head = { account: 'a', id, namespace: 'n', name: 'r', defaultBranch: 'main', readOnly: false } as const;
  const token = {
    id: 't',
    secretHash: '0'.repeat(64),
    scope: 'write',
    createdAt: 0,
    expiresAt: 1,
    revokedAt: null,
  } as const;
  await repository.state.begin({ ...head, status: 'ready' }, token);
  const engine = createGitEngine({ codec: nodeCodec() });
  const snapshot = async (): Promise<RepoSnapshot> => (await repository.state.snapshot()) as RepoSnapshot;

  const push = async (
    ref: string,
    value: MadeObject,
    old?: MadeObject,
    ...more: readonly MadeObject[]
  ): Promise<void> => {
    const bytes = pushBody([set(ref, value, old)], pack(value, ...more));
    const reply = await receivePack(engine, repository, await snapshot(), once(bytes), pushOptions());
    expect(await new Response(reply as BodyInit).text()).toContain(`ok ${ref}`);
  };
  const discover = async (): Promise<string> => {
    const identity = { agent: 'a', sessionId: 's' };
    const options = { service: 'git-receive-pack', version: 0, identity, hiddenRefs: [], failed } as const;
    return new Response((await advertise(engine, repository, await snapshot(), options)) as BodyInit).text();
  };
  const read = async (work: () => Promise<unknown>): Promise<Reading> => {
    counts = [];
    await work();
    return { rows: counts.reduce((sum, count) => sum + count, 0), most: Math.max(...counts) };
  };

  await push('refs/heads/main', first, undefined, root, file);
  for (let from = 0; from < refs; from += 10_000) await create(repository, from, Math.min(10_000, refs - from));
  const loading = await read(discover);
  const second = commit('second', root, [first]);
  const third = commit('third', root, [second]);
  const readings = {
    push: await read(() => push('refs/heads/main', second, first)),
    discovery: await read(discover),
    other: await read(() => push(branch(7), third, first)),
    'ls-refs': await read(() => listOne(engine, repository, snapshot)),
    file: await read(() => readFile(engine, repository, snapshot)),
  };
  expect(loading.most).toBeLessThanOrEqual(1_024);
  return { readings, listed: (await discover()).split('refs/heads/').length - 1 };
}

async function listOne(
  engine: ReturnType<typeof createGitEngine>,
  repository: GitRepository,
  snapshot: () => Promise<RepoSnapshot>,
): Promise<void> {
  const body = commandBody('ls-refs', ['peel', 'symrefs', `ref-prefix ${branch(3)}`]);
  const options = { version: 2, hiddenRefs: [], bodyMax: 1_000_000, keepAlive: 60_000, failed } as const;
  const reply = await uploadPack(engine, repository, await snapshot(), once(body), options);
  expect(await new Response(reply.body as BodyInit).text()).toBe(`003f${first.oid} ${branch(3)}\n0000`);
}

async function readFile(
  engine: ReturnType<typeof createGitEngine>,
  repository: GitRepository,
  snapshot: () => Promise<RepoSnapshot>,
): Promise<void> {
  const reader = await ContentReader.open(engine, repository, await snapshot(), { hiddenRefs: [] });
  const found = await reader.file(branch(5).slice('refs/heads/'.length), new TextEncoder().encode('file'));
  expect(found?.size).toBe('a file'.length);
  reader.release();
}

async function create({ state }: GitRepository, from: number, count: number): Promise<void> {
  const target = { oid: first.oid as RefUpdateOid, kind: 'commit', peeled: null } as const;
  const outcome = await state.commit({
    pushId: `create-${from}`,
    at: 1,
    updates: Array.from({ length: count }, (_, i) => ({
      name: branch(from + i) as RefName,
      old: null,
      new: target,
      forward: true,
    })),
    atomic: true,
    addPacks: [],
    leansOn: [],
    addShallow: [],
  });
  expect(outcome.kind).toBe('done');
}

type RefUpdateOid = NonNullable<Parameters<GitRepository['state']['commit']>[0]['updates'][number]['new']>['oid'];

function failed(error: unknown): void {
  expect.unreachable(String(error));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}

function pushOptions(): Parameters<typeof receivePack>[4] {
  return {
    hiddenRefs: [],
    denyDeleteDefault: false,
    denyNonFastForward: false,
    strictObjects: true,
    blobMax: 1_000_000,
    objectMax: 1_000_000,
    memoryMax: 67_108_864,
    chainDepthMax: 50,
    chainMax: 2 ** 31,
    commitMax: 1 << 20,
    commitParentsMax: 1024,
    inflatedMax: 2 ** 32,
    graphMax: 1 << 24,
    repoStorageMax: 1_000_000_000,
    accountStorageLeft: async () => 1_000_000_000,
    pushId: crypto.randomUUID(),
    now: () => 1,
    bodyMax: 1_000_000,
    commandsMax: 10,
    keepAlive: 60_000,
    committed: async () => undefined,
    failed,
  };
}

it('GIT-156: after the first list of all refs, each request reads as many rows of 100,000 refs as of 100', async () => {
  const few = await repositoryOf(100);
  const many = await repositoryOf(100_000);
  expect([few.listed, many.listed]).toEqual([101, 100_001]);
  expect(many.readings).toEqual(few.readings);
  for (const { rows, most } of Object.values(many.readings)) expect([rows < 200, most <= 65]).toEqual([true, true]);
}, 120_000);
