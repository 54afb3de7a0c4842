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
import { sqlPreparedRecords, type OperationKind } from '@packhouse/storage/workers';
import { beforeEach, expect, it } from 'vitest';
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

const newEngine = (): GitEngine => createGitEngine({ codec, prepared: { max: 1e9 } });

function preparedOf({ database, id }: Repo): PreparedRecords {
  return inside(database, (driver) => sqlPreparedRecords(driver, id, { leftoverAge, due: () => undefined }));
}

/** Fetches the tip with a depth of 1, and returns the operations on the bucket, with those after the reply. */
async function fetchTip(from: Repo, engine: GitEngine): Promise<readonly OperationKind[]> {
  const operations: OperationKind[] = [];
  const packs = from.packs({ onOperation: (kind) => void operations.push(kind) });
  const snapshot = await from.state.snapshot();
  if (snapshot === undefined) throw new Error('There is no snapshot');
  const packet = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;
  const lines = [`want ${value}`, 'deepen 1', 'ofs-delta', 'done'];
  async function* body(): AsyncGenerator<Uint8Array, void, undefined> {
    yield encoder.encode(`${packet('command=fetch')}0001${lines.map(packet).join('')}0000`);
  }
  const repository = { id: from.id, state: from.state, packs, prepared: preparedOf(from) };
  const failures: unknown[] = [];
  const { body: reply } = await uploadPack(engine, repository, snapshot, body(), {
    version: 2,
    hiddenRefs: [],
    bodyMax: 1e6,
    keepAlive: 60_000,
    failed: (error) => void failures.push(error),
  });
  expect((await new Response(reply as BodyInit).arrayBuffer()).byteLength).toBeGreaterThan(1_600_000);
  await engine.prepared.idle();
  expect(failures).toEqual([]);
  return operations;
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

it('GIT-127: goes with the objects that maintenance collects, once no reply can be reading it', async () => {
  const engine = newEngine();
  await fetchTip(repo, engine);
  const update = { name: main as RefName, old: value as ObjectId, new: null, forward: false };
  const removal = { pushId: 'removal', at: Date.now(), updates: [update], atomic: false, addPacks: [] };
  await repo.state.commit({ ...removal, leansOn: [], addShallow: [] });
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
