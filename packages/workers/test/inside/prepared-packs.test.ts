import { abortAllDurableObjects, evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import {
  createGitEngine,
  uploadPack,
  type GitEngine,
  type ObjectId,
  type PreparedRecords,
  type RefName,
} from '@packhouse/git';
import { maintainHostedRepo, sweepLeftovers } from '@packhouse/hosting';
import { FaultyBucket, type BucketFault } from '@packhouse/storage/testing';
import { sqlPreparedRecords, type Bucket, type OperationKind } from '@packhouse/storage/workers';
import { beforeEach, expect, it, vi } from 'vitest';
import { inside } from './database.ts';
import { codec, main, push, pushOf } from './made-push.ts';
import { newRepo, reopened, type Repo } from './repo.ts';

const hour = 3_600_000;
const leftoverAge = 24 * hour;
const encoder = new TextEncoder();

let repo: Repo;
let value: string;

beforeEach(async () => {
  repo = await newRepo();
  const first = pushOf(undefined);
  const second = pushOf(first.value);
  await push(repo, first.body);
  await push(repo, second.body);
  ({ value } = second);
});

function fail(error: unknown): never {
  throw error;
}

const newEngine = (): GitEngine => createGitEngine({ codec, prepared: { max: 1e9 } });

function preparedOf({ database, id }: Repo): PreparedRecords {
  return inside(database, (driver) => sqlPreparedRecords(driver, id, { leftoverAge, due: () => undefined }));
}

/**
 * Fetches the tip with a depth of 1, and returns the operations on the bucket, with those after the reply, whose failures
 * `failed` receives.
 */
async function fetchTip(
  from: Repo,
  engine: GitEngine,
  { bucket = env.PACKS, failed = fail }: { bucket?: Bucket; failed?: (error: unknown) => void } = {},
): Promise<readonly OperationKind[]> {
  const operations: OperationKind[] = [];
  const packs = from.packs({ bucket, onOperation: (kind) => void operations.push(kind) });
  const snapshot = await from.state.snapshot();
  if (snapshot === undefined) throw new Error('There is no snapshot');
  const packet = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;
  const lines = [`want ${value}`, 'deepen 1', 'ofs-delta', 'done'];
  async function* body(): AsyncGenerator<Uint8Array, void, undefined> {
    yield encoder.encode(`${packet('command=fetch')}0001${lines.map(packet).join('')}0000`);
  }
  const repository = { id: from.id, state: from.state, packs, prepared: preparedOf(from) };
  const { body: reply } = await uploadPack(engine, repository, snapshot, body(), {
    version: 2,
    hiddenRefs: [],
    bodyMax: 1e6,
    keepAlive: 60_000,
    failed,
  });
  const bytes = await new Response(reply as BodyInit).bytes();
  if (bytes.length < 1_600_000) throw new Error(new TextDecoder().decode(bytes));
  await engine.prepared.idle();
  return operations;
}

async function removeMain(): Promise<void> {
  const update = { name: main as RefName, old: value as ObjectId, new: null, forward: false };
  const removal = { pushId: 'removal', at: Date.now(), updates: [update], atomic: false, addPacks: [] };
  await repo.state.commit({ ...removal, leansOn: [], addShallow: [] });
}

const stored = async (): Promise<number> => (await env.PACKS.list({ prefix: `${repo.account}/` })).objects.length;

it.each([
  ['evicted', () => evictDurableObject(repo.database)],
  ['aborted', () => abortAllDurableObjects()],
])('GIT-187: another isolate finds a prepared pack after the object was %s', async (_, lose) => {
  const before = await stored();
  expect(await fetchTip(repo, newEngine())).toContain('classA');
  expect(await stored()).toBe(before + 1);
  await lose();
  const again = await fetchTip(reopened(repo), newEngine());
  expect(again).not.toContain('classA');
  expect(await stored()).toBe(before + 1);
});

it('GIT-187: a pack that was lost fails one fetch, and the next one makes it again', async () => {
  const engine = newEngine();
  const keys = async (): Promise<string[]> =>
    (await env.PACKS.list({ prefix: `${repo.account}/` })).objects.map(({ key }) => key);
  const before = await keys();
  await fetchTip(repo, engine);
  for (const key of await keys()) if (!before.includes(key)) await env.PACKS.delete(key);
  await expect(fetchTip(repo, engine)).rejects.toThrow();
  expect(await fetchTip(repo, engine)).toContain('classA');
  expect(await fetchTip(repo, newEngine())).not.toContain('classA');
});

const allPuts = (fault: () => BucketFault | undefined): Bucket =>
  new FaultyBucket(env.PACKS, ({ operation }) => (operation === 'put' ? fault() : undefined));

it('GIT-187: a bucket that takes no pack fails no fetch, and leaves nothing once it is swept', async () => {
  const before = await stored();
  const failed = vi.fn();
  await fetchTip(repo, newEngine(), { bucket: allPuts(() => 'refused'), failed });
  expect(failed).toHaveBeenCalledOnce();
  expect(await fetchTip(repo, newEngine(), { bucket: allPuts(() => 'lost') })).toContain('classA');
  expect(await fetchTip(repo, newEngine())).not.toContain('classA');
  await sweepLeftovers(repo.state, repo.packs(), Date.now() + 13 * hour + 1_000, leftoverAge);
  expect(await stored()).toBe(before);
});

it('GIT-153: a pack that is stored while the object is reset fails no fetch, and is swept', async () => {
  const before = await stored();
  const failed = vi.fn();
  let reset: Promise<void> | undefined;
  const bucket = allPuts(() => {
    reset = abortAllDurableObjects();
    return undefined;
  });
  await fetchTip(repo, newEngine(), { bucket, failed });
  await reset;
  expect(failed).toHaveBeenCalled();
  expect(await stored()).toBe(before + 1);
  const again = reopened(repo);
  await fetchTip(again, newEngine());
  expect(await stored()).toBe(before + 1);
  await sweepLeftovers(again.state, again.packs(), Date.now() + 13 * hour + 1_000, leftoverAge);
  expect(await stored()).toBe(before);
});

it('GIT-187: is not sent to who asks for a commit that no ref has any more', async () => {
  await fetchTip(repo, newEngine());
  await removeMain();
  await expect(fetchTip(repo, newEngine())).rejects.toThrow(`not our ref ${value}`);
});

it('GIT-127: goes with the objects that maintenance collects, once no reply can be reading it', async () => {
  const engine = newEngine();
  await fetchTip(repo, engine);
  await removeMain();
  const packs = repo.packs();
  const hosted = { id: repo.id, state: repo.state, packs, prepared: preparedOf(repo) };
  for (let round = 1; round <= 3; round++) {
    await maintainHostedRepo(engine, hosted, {
      now: Date.now() + round * 2 * hour,
      grace: hour,
      retireGrace: hour,
      mergeMax: 1e9,
      rowsMax: 1_500_000,
      quietMerge: { after: hour, alwaysMax: 1e9 },
      inUse: () => false,
      newId: () => crypto.randomUUID(),
    });
  }
  expect(await stored()).toBe(1);
  await sweepLeftovers(repo.state, packs, Date.now() + hour + 1_000, leftoverAge);
  expect(await stored()).toBe(0);
});

it('REPO-118: goes with the erasure of its repository', async () => {
  await fetchTip(repo, newEngine());
  await repo.state.erase();
  const packs = repo.packs();
  for (const id of await packs.leftovers(Number.MAX_SAFE_INTEGER)) await packs.remove(id);
  expect(await stored()).toBe(0);
  await expect(preparedOf(repo).begin('other', 300_000, 1e9)).rejects.toThrow();
});
