/** Maintenance on a bucket that fails: nothing is lost, and the next one does it all (GIT-127). */

import { createGitEngine, packFiles, receivePack, verifyRepository, type RepoSnapshot } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { blob, commit, pack, tree, type MadeObject } from '@packhouse/conformance/tools/made-objects';
import { pushBody, remove, reportOf, set, type Command } from '@packhouse/conformance/tools/wire-client';
import { maintainHostedRepo } from '@packhouse/hosting';
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
import { afterEach, describe, expect, it } from 'vitest';
import { noise } from '../support/repository-under-faults.ts';

const repoId = 'k3v9p0x2m7q4w8zt';
const main = 'refs/heads/main';
const gone = 'refs/heads/gone';
/** Milliseconds: of unreachable objects and of replaced packs. */
const grace = 60_000;
const mebi = 1_048_576;

let database: NodeSqlite;
let bucket: StrictBucket;
let state: MaintainedRepoState;

afterEach(() => database.close());

function open(fault: (call: BucketCall) => BucketFault | undefined = () => undefined): {
  readonly packs: ReturnType<typeof r2PackStore>;
  readonly calls: readonly BucketCall[];
} {
  const faulty = new FaultyBucket(bucket, fault);
  const reservations = sqlPackReservations(database, repoId);
  const openStream = strictSizedStream;
  const sleep = async (): Promise<void> => undefined;
  return { packs: r2PackStore({ bucket: faulty, repoId, reservations, openStream, sleep }), calls: faulty.calls };
}

async function snapshot(): Promise<RepoSnapshot> {
  const found = await state.snapshot();
  if (found === undefined) throw new Error('no snapshot');
  return found;
}

interface Push {
  readonly ref: string;
  readonly bytes: Uint8Array;
}

function pushOf(command: Command, objects: readonly MadeObject[]): Push {
  return {
    ref: String(command.ref),
    bytes: pushBody([command], objects.length === 0 ? new Uint8Array() : pack(...objects)),
  };
}

async function push({ ref, bytes: given }: Push): Promise<void> {
  async function* body(): AsyncGenerator<Uint8Array, void, undefined> {
    yield given;
  }
  const reply = await receivePack(
    createGitEngine({ codec: nodeCodec() }),
    { state, packs: open().packs },
    await snapshot(),
    body(),
    {
      hiddenRefs: [],
      denyDeleteDefault: false,
      denyNonFastForward: false,
      strictObjects: true,
      blobMax: 64 * mebi,
      objectMax: 64 * mebi,
      memoryMax: 64 * mebi,
      chainDepthMax: 4_095,
      repoStorageMax: 1_024 * mebi,
      accountStorageLeft: async () => 1_024 * mebi,
      pushId: crypto.randomUUID(),
      now: () => Date.now(),
      bodyMax: 1_024 * mebi,
      commandsMax: 10,
      keepAlive: 60_000,
      committed: async () => undefined,
      failed: () => undefined,
    },
  );
  const bytes = reply instanceof Uint8Array ? reply : new Uint8Array(await new Response(reply).arrayBuffer());
  expect(reportOf(Buffer.from(bytes))).toEqual(['unpack ok', `ok ${ref}`]);
}

/** A line of commits, each of one file of so many bytes that no compression makes smaller. */
function lineOf(size: number, count: number): readonly (readonly MadeObject[])[] {
  const line: (readonly MadeObject[])[] = [];
  for (let i = 0; i < count; i++) {
    const file = blob(noise(size, i + 1));
    const root = tree({ [`file-${i}`]: file });
    const parent = line[i - 1]?.[0];
    line.push([commit(`${i}`, root, parent === undefined ? [] : [parent]), root, file]);
  }
  return line;
}

/** Three pushes to a branch, and one to another that is deleted then. */
function pushesOf(size: number): readonly Push[] {
  const line = lineOf(size, 4);
  const pushes = line.map((objects, i) => {
    const [tip, before] = [objects[0], line[i - 1]?.[0]] as [MadeObject, MadeObject | undefined];
    return pushOf(i === 3 ? set(gone, tip) : set(main, tip, before), objects);
  });
  return [...pushes, pushOf(remove(gone, line[3]?.[0] as MadeObject), [])];
}

/** A new repository with these pushes. */
async function begin(pushes: readonly Push[]): Promise<void> {
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
  for (const one of pushes) await push(one);
}

/** As the service does: until nothing is left, also what is to wait for a grace. */
async function maintain(packs: ReturnType<typeof open>['packs'], rowsMax: number): Promise<void> {
  for (let round = 1; round <= 5; round++) {
    await maintainHostedRepo(
      createGitEngine({ codec: nodeCodec() }),
      { state, packs },
      {
        now: Date.now() + round * 2 * grace,
        grace,
        retireGrace: grace,
        mergeMax: 1_024 * mebi,
        rowsMax,
        quietMerge: { after: grace, alwaysMax: 1_024 * mebi },
        inUse: () => false,
        newId: () => crypto.randomUUID(),
      },
    );
  }
}

async function expectSound(): Promise<void> {
  const repo = { state, packs: open().packs };
  expect(await verifyRepository(createGitEngine({ codec: nodeCodec() }), repo, await snapshot())).toEqual([]);
}

/** One pack of what is reachable, and nothing else in the bucket once it was swept. */
async function expectMaintained(): Promise<void> {
  await expectSound();
  const { packs } = open();
  await sweepLeftovers(state, packs, Date.now() + 1_000, 0);
  const { packs: kept } = await snapshot();
  expect(kept).toMatchObject([{ objects: 9, exact: true }]);
  const stored = kept.filter(({ where }) => where === 'store');
  expect([...bucket.keys].sort()).toEqual(
    stored.flatMap(({ id }) => packFiles.map((file) => `${repoId}/${id}.${file}`)).sort(),
  );
  expect(await packs.leftovers(Number.MAX_SAFE_INTEGER)).toEqual([]);
  expect(await state.retiredPacks()).toEqual([]);
}

const scenarios: readonly (readonly [string, number, number])[] = [
  ['lie in rows, and stay there', 100_000, 1_500_000],
  ['lie in rows, and go to the bucket', 600_000, 1_500_000],
  ['are put whole', 1_600_000, 0],
  ['are uploaded in parts', 3_000_000, 0],
];

describe.each(scenarios)('packs that %s', (_, size, rowsMax) => {
  it.each(['refused', 'lost'] as const)(
    'GIT-127: are merged and collected whichever operation of the bucket is %s, for good from there or once',
    async (fault) => {
      const pushes = pushesOf(size);
      await begin(pushes);
      const counted = open();
      await maintain(counted.packs, rowsMax);
      await expectMaintained();
      const total = counted.calls.length;
      for (let at = 0; at < total; at++) {
        for (const isForGood of [true, false]) {
          // Where it is about megabytes, both ways by turns.
          if (size > 500_000 && isForGood !== (at % 2 === 0)) continue;
          database.close();
          await begin(pushes);
          let index = 0;
          const { packs } = open(() => {
            const isHit = isForGood ? index >= at : index === at;
            index += 1;
            return isHit ? fault : undefined;
          });
          await maintain(packs, rowsMax).catch(() => undefined);
          await expectSound();
          await maintain(open().packs, rowsMax);
          await expectMaintained();
        }
      }
    },
    600_000,
  );
});
