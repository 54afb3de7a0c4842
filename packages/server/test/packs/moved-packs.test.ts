/** Packs that move from rows to the store during reads: replies are the same before, during and after the move. */

import {
  createGitEngine,
  packFiles,
  receivePack,
  uploadPack,
  type GitEngine,
  type PackFile,
  type PackId,
  type PackStore,
  type RepoSnapshot,
} from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { change, pack, type MadeCommit } from '@packhouse/conformance/tools/made-objects';
import { readPack } from '@packhouse/conformance/tools/pack-contents';
import { fetchBody, packOf, pushBody, reportOf, set } from '@packhouse/conformance/tools/wire-client';
import { memoryRepoState } from '@packhouse/storage';
import { memoryPackHolders, memoryPackReservations, StrictBucket, strictSizedStream } from '@packhouse/storage/testing';
import { bucketPackStore, type MaintainedRepoState } from '@packhouse/storage/workers';
import { beforeEach, expect, it } from 'vitest';

const first = change('first');
const second = change('second', first);
const third = change('third', second);

let state: MaintainedRepoState;
let packs: PackStore;
/** How often rows were asked for. */
let rowCalls: number;

beforeEach(async () => {
  rowCalls = 0;
  state = memoryRepoState();
  const rowFiles = state.rowFiles.bind(state);
  state.rowFiles = async (ids: readonly PackId[], files: readonly PackFile[]) => {
    rowCalls += 1;
    return rowFiles(ids, files);
  };
  const reservations = memoryPackReservations();
  packs = bucketPackStore({
    bucket: new StrictBucket(),
    account: 'a',
    repoId: 'r1',
    reservations,
    holders: memoryPackHolders(),
    openStream: strictSizedStream,
  });
  const head = { account: 'a', id: 'r1', namespace: 'n', name: 'r', defaultBranch: 'main', readOnly: false } as const;
  await state.begin(
    { ...head, status: 'ready' },
    { id: 't', secretHash: '0'.repeat(64), scope: 'write', createdAt: 0, expiresAt: 1, revokedAt: null },
  );
  await push(newEngine(), await snapshot(), first);
  await push(newEngine(), await snapshot(), second, first);
});

const newEngine = (): GitEngine => createGitEngine({ codec: nodeCodec() });

async function snapshot(): Promise<RepoSnapshot> {
  const found = await state.snapshot();
  if (found === undefined) throw new Error('no snapshot');
  return found;
}

/** Does to all packs in rows what maintenance does. */
async function moveAll(): Promise<void> {
  for (const { id } of await state.rowPacks()) {
    for (const file of packFiles) {
      const [rows] = await state.rowFiles([id], [file]);
      await packs.put(id, file, [rows?.bytes ?? new Uint8Array(0)]);
    }
    expect(await state.settle(id)).toBe(true);
  }
  rowCalls = 0;
}

async function push(engine: GitEngine, on: RepoSnapshot, tip: MadeCommit, old?: MadeCommit): Promise<void> {
  const body = pushBody([set('refs/heads/main', tip, old)], pack(...tip.all));
  const failures: unknown[] = [];
  const reply = await receivePack(engine, { state, packs }, on, once(body), {
    hiddenRefs: [],
    denyDeleteDefault: false,
    denyNonFastForward: false,
    strictObjects: true,
    blobMax: 1_000_000,
    objectMax: 1_000_000,
    memoryMax: 67_108_864,
    chainDepthMax: 4_095,
    chainMax: 2 ** 31,
    commitMax: 1 << 20,
    commitParentsMax: 1024,
    inflatedMax: 2 ** 32,
    graphMax: 1 << 24,
    repoStorageMax: 1_073_741_824,
    accountStorageLeft: async () => 1_073_741_824,
    pushId: crypto.randomUUID(),
    now: () => Date.now(),
    bodyMax: 1_000_000,
    commandsMax: 10,
    keepAlive: 60_000,
    committed: async () => undefined,
    failed: (error) => failures.push(error),
  });
  const bytes = reply instanceof Uint8Array ? reply : new Uint8Array(await new Response(reply).arrayBuffer());
  expect(failures).toEqual([]);
  expect(reportOf(Buffer.from(bytes))).toEqual(['unpack ok', 'ok refs/heads/main']);
}

/** The ids of what a fetch brings. */
async function fetched(
  engine: GitEngine,
  on: RepoSnapshot,
  want: MadeCommit,
  ...haves: MadeCommit[]
): Promise<string[]> {
  const request = fetchBody(
    [want.oid],
    haves.map(({ oid }) => oid),
  );
  const reply = await uploadPack(engine, { state, packs }, on, once(request), {
    version: 2,
    hiddenRefs: [],
    bodyMax: 1_000_000,
    keepAlive: 60_000,
    failed: (error) => expect.unreachable(String(error)),
  });
  const bytes = Buffer.from(await new Response(reply.body as BodyInit).arrayBuffer());
  return [...readPack(packOf(bytes)).objects.keys()].sort();
}

async function* once(body: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield body;
}

const idsOf = (...commits: readonly MadeCommit[]): string[] =>
  [...new Set(commits.flatMap(({ all }) => all.map(({ oid }) => oid)))].sort();

it('are read in the store by who holds a snapshot from before', async () => {
  const before = await snapshot();
  const warm = newEngine();
  expect(await fetched(warm, before, second)).toEqual(idsOf(first, second));
  await moveAll();
  for (const engine of [warm, newEngine()]) {
    expect(await fetched(engine, before, second)).toEqual(idsOf(first, second));
    expect(await fetched(engine, before, second, first)).toEqual(idsOf(second));
  }
});

it('moved packs are read only from the store under a new snapshot, even with a warm cache', async () => {
  const warm = newEngine();
  await fetched(warm, await snapshot(), second);
  await moveAll();
  const after = await snapshot();
  expect(after.packs.map(({ where }) => where)).toEqual(['store', 'store']);
  for (const engine of [warm, newEngine()]) {
    expect(await fetched(engine, after, second)).toEqual(idsOf(first, second));
  }
  expect(rowCalls).toBe(0);
});

it('do not stand in the way of a push that leans on them', async () => {
  const before = await snapshot();
  await moveAll();
  await push(newEngine(), before, third, second);
  expect(await fetched(newEngine(), await snapshot(), third)).toEqual(idsOf(first, second, third));
});
