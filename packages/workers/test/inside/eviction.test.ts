import { abortAllDurableObjects, evictDurableObject, runInDurableObject } from 'cloudflare:test';
import type { ObjectId, RefName, RefUpdate, RepoChange } from '@packhouse/git';
import { sqlRepoState } from '@packhouse/storage';
import type { SqlDriver } from '@packhouse/base';
import { wholeState } from '@packhouse/git/contract';
import { describe, expect, it } from 'vitest';
import { within, type Database } from './database.ts';
import { newRepo, reopened } from './repo.ts';
import type { DatabaseObject } from './worker.ts';

const main = 'refs/heads/main' as RefName;
const oid = (n: number): ObjectId => n.toString(16).padStart(40, '0') as ObjectId;
const move = (old: number | null, next: number): RefUpdate => ({
  name: main,
  old: old === null ? null : oid(old),
  new: { oid: oid(next), kind: 'commit', peeled: null },
  forward: true,
});
const change = (update: RefUpdate): RepoChange => ({
  pushId: crypto.randomUUID(),
  at: 1_000_000,
  updates: [update],
  atomic: false,
  addPacks: [],
  leansOn: [],
  addShallow: [],
});

/** Ways to lose an object: the platform evicts it while idle, or resets it during its work. */
const losses: readonly (readonly [string, (database: Database) => Promise<void>])[] = [
  ['evicted', (database) => evictDurableObject(database)],
  ['aborted', () => abortAllDurableObjects()],
];

describe.each(losses)('workerd: an object that is %s', (_, lose) => {
  it('GIT-125: between snapshot and commit decides by what it holds, and makes a new instance on the same storage', async () => {
    const repo = await newRepo();
    const instance = await within(repo.database, mark);
    await repo.state.commit(change(move(null, 1)));
    const seen = (await wholeState(repo.state)).refs[0]?.oid;
    expect(seen).toBe(oid(1));
    await lose(repo.database);
    const { state } = reopened(repo);
    expect(await state.commit(change(move(1, 2)))).toMatchObject({ kind: 'done', updates: [{ kind: 'ok' }] });
    await lose(repo.database);
    // A client with a snapshot from before the first loss is too late.
    const { state: late } = reopened(repo);
    expect(await late.commit(change(move(1, 3)))).toMatchObject({ kind: 'done', updates: [{ kind: 'stale' }] });
    expect((await wholeState(late)).refs).toMatchObject([{ name: main, oid: oid(2) }]);
    expect(await within(reopened(repo).database, mark)).not.toBe(instance);
  });

  it('GIT-155: after a commit whose answer was lost, still knows its outcome and applies it once', async () => {
    const repo = await newRepo();
    const push = change(move(null, 1));
    const outcome = await repo.state.commit(push);
    await lose(repo.database);
    const { state } = reopened(repo);
    expect(await state.outcome(push.pushId)).toEqual(outcome);
    expect(await state.commit(push)).toEqual(outcome);
    expect((await state.snapshot())?.version).toBe(2);
  });

  it('GIT-153: keeps what was reserved', async () => {
    const repo = await newRepo();
    const id = await repo.packs().reserve();
    await lose(repo.database);
    const { reservations } = reopened(repo);
    expect(await reservations.before(Number.MAX_SAFE_INTEGER)).toEqual([id]);
  });
});

it('GIT-153: workerd: an object that is reset in the midst of a commit has nothing of it', async () => {
  const repo = await newRepo();
  await repo.state.commit(change(move(null, 1)));
  const before = await repo.state.snapshot();
  const push = change(move(1, 2));
  const died = await runInDurableObject(repo.database, async ({ driver }: DatabaseObject, ctx) => {
    const dying: SqlDriver = {
      all: (statement, ...parameters) => driver.all(statement, ...parameters),
      run(statement, ...parameters) {
        const changed = driver.run(statement, ...parameters);
        if (statement.startsWith('UPDATE repos')) ctx.abort('reset by the test');
        return changed;
      },
      transaction: (work) => driver.transaction(work),
      durable: () => driver.durable(),
    };
    return sqlRepoState(dying, repo.id).commit(push);
  }).then(
    () => undefined,
    (error: unknown) => String(error),
  );
  expect(died).toContain('reset by the test');
  const { state } = reopened(repo);
  expect(await state.snapshot()).toEqual(before);
  expect(await state.outcome(push.pushId)).toBeUndefined();
  expect(await state.commit(push)).toMatchObject({ kind: 'done', updates: [{ kind: 'ok' }] });
});

/** Marks the running instance; the same mark is answered as long as it is the same. */
const marks = new WeakMap<SqlDriver, string>();
function mark(driver: SqlDriver): string {
  const known = marks.get(driver) ?? crypto.randomUUID();
  marks.set(driver, known);
  return known;
}
