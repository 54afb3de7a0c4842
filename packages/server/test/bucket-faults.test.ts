/** Pushes into a bucket that fails: the report says so, nothing of them is visible, and the same push then goes through. */

import {
  createGitEngine,
  packFiles,
  receivePack,
  verifyRepository,
  type PackStore,
  type RepoSnapshot,
} from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { blob, commit, pack, tree, type MadeObject } from '@packhouse/conformance/tools/made-objects';
import { pushBody, reportOf, set } from '@packhouse/conformance/tools/wire-client';
import { migrate, repoStateMigrations, sqlRepoState, sweepLeftovers } from '@packhouse/storage';
import { openNodeSqlite, type NodeSqlite } from '@packhouse/storage/node';
import {
  FaultyBucket,
  limitedDriver,
  StrictBucket,
  strictSizedStream,
  type BucketCall,
  type BucketFault,
} from '@packhouse/storage/testing';
import { r2PackStore, sqlPackReservations, type MaintainedRepoState } from '@packhouse/storage/workers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noise } from './support/repository-under-faults.ts';

const repoId = 'k3v9p0x2m7q4w8zt';
const main = 'refs/heads/main';
const done = ['unpack ok', `ok ${main}`];

let database: NodeSqlite;
let bucket: StrictBucket;
let state: MaintainedRepoState;

beforeEach(begin);
afterEach(() => database.close());

/** An empty repository with an empty bucket. */
async function begin(): Promise<void> {
  database = openNodeSqlite(':memory:');
  const driver = limitedDriver(database);
  migrate(driver, 'repo-state', repoStateMigrations);
  bucket = new StrictBucket();
  state = sqlRepoState(driver, repoId);
  const head = { account: 'a', namespace: 'n', name: 'r', defaultBranch: 'main', readOnly: false } as const;
  await state.begin(
    { ...head, id: repoId, status: 'ready' },
    { id: 't', secretHash: '0'.repeat(64), scope: 'write', createdAt: 0, expiresAt: 1, revokedAt: null },
  );
}

/** The store of one request. */
function open(fault: (call: BucketCall) => BucketFault | undefined = () => undefined): {
  packs: PackStore;
  calls: readonly BucketCall[];
} {
  const faulty = new FaultyBucket(bucket, fault);
  const packs = r2PackStore({
    bucket: faulty,
    repoId,
    reservations: sqlPackReservations(database, repoId),
    openStream: strictSizedStream,
    sleep: async () => undefined,
  });
  return { packs, calls: faulty.calls };
}

async function snapshot(): Promise<RepoSnapshot> {
  const found = await state.snapshot();
  if (found === undefined) throw new Error('no snapshot');
  return found;
}

/** The report, or undefined if there is none. */
async function push(packs: PackStore, body: Uint8Array): Promise<string[] | undefined> {
  const reply = await receivePack(
    createGitEngine({ codec: nodeCodec() }),
    { state, packs },
    await snapshot(),
    once(body),
    {
      hiddenRefs: [],
      denyDeleteDefault: false,
      denyNonFastForward: false,
      strictObjects: true,
      blobMax: 67_108_864,
      objectMax: 67_108_864,
      memoryMax: 67_108_864,
      chainDepthMax: 4_095,
      repoStorageMax: 1_073_741_824,
      accountStorageLeft: async () => 1_073_741_824,
      pushId: crypto.randomUUID(),
      now: () => Date.now(),
      bodyMax: 1_073_741_824,
      commandsMax: 10,
      keepAlive: 60_000,
      committed: async () => undefined,
      failed: () => undefined,
    },
  );
  const bytes = reply instanceof Uint8Array ? reply : new Uint8Array(await new Response(reply).arrayBuffer());
  return reportOf(Buffer.from(bytes));
}

async function* once(body: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < body.length; at += 1_000_003) yield body.slice(at, at + 1_000_003);
}

/** A commit over files that no compression makes smaller. */
function sizedCommit(...sizes: readonly number[]): readonly MadeObject[] {
  const files = sizes.map((size, i) => blob(noise(size, i + 1)));
  const root = tree(Object.fromEntries(files.map((file, i) => [`file-${i}`, file])));
  return [commit('sized', root), root, ...files];
}

const scenarios: readonly (readonly [string, readonly number[], number])[] = [
  ['put whole', [2_000_000], 3],
  ['uploaded in parts', [9_000_000, 9_000_000, 9_000_000], 8],
];

describe.each(scenarios)('a pack that is %s', (_, sizes, writes) => {
  const objects = sizedCommit(...sizes);
  const tip = objects[0] as MadeObject;
  const body = pushBody([set(main, tip)], pack(...objects));

  /** Everything in the bucket belongs to the manifest, and everything of that is sound. */
  const expectSound = async (): Promise<void> => {
    const { packs } = open();
    await sweepLeftovers(state, packs, Date.now() + 1_000, 0);
    const kept = (await snapshot()).packs.flatMap(({ id }) => packFiles.map((file) => `${repoId}/${id}.${file}`));
    expect([...bucket.keys].sort()).toEqual(kept.sort());
    expect(await verifyRepository(createGitEngine({ codec: nodeCodec() }), { state, packs }, await snapshot())).toEqual(
      [],
    );
    expect(await packs.leftovers(Number.MAX_SAFE_INTEGER)).toEqual([]);
  };

  it('costs so many operations', async () => {
    const { packs, calls } = open();
    expect(await push(packs, body)).toEqual(done);
    expect(calls.filter(({ operation }) => ['put', 'create', 'part', 'complete'].includes(operation))).toHaveLength(
      writes,
    );
    await expectSound();
  });

  it('GIT-153: is there whole or not at all when the bucket fails for good after any operation', async () => {
    const { packs: counted, calls } = open();
    await push(counted, body);
    database.close();
    await begin();
    const total = calls.length;
    for (let alive = 0; alive < total; alive++) {
      let left = alive;
      const { packs } = open(() => (left-- > 0 ? undefined : 'refused'));
      const before = await snapshot();
      const report = await push(packs, body);
      expect(report?.[0]).toBe('unpack internal error');
      expect(await snapshot()).toEqual(before);
    }
    await expectSound();
    expect(await push(open().packs, body)).toEqual(done);
    await expectSound();
  });
});
