import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LogSync } from './log-sync.ts';

interface Sync {
  readonly end: () => void;
  readonly fail: (error: Error) => void;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'packhouse-log-'));
  writeFileSync(join(folder, 'log'), '');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Opens a log whose syncs end when the test ends them. */
function open() {
  const syncs: Sync[] = [];
  let checkpoints = 0;
  const log = new LogSync(
    join(folder, 'log'),
    () => void checkpoints++,
    () => new Promise<void>((resolve, reject) => syncs.push({ end: resolve, fail: reject })),
  );
  return { log, syncs, checkpoints: () => checkpoints };
}

/** Lets everything run that can. */
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('syncs many commits at once, and not a commit that came after the beginning of the sync', async () => {
  const { log, syncs } = open();
  const done: string[] = [];
  const commit = (name: string): void => {
    log.committed();
    void log.durable()?.then(() => done.push(name));
  };
  commit('a');
  await soon();
  for (const name of ['b', 'c']) commit(name);
  await soon();
  expect(syncs).toHaveLength(1);
  syncs[0]?.end();
  await soon();
  expect([syncs.length, ...done]).toEqual([2, 'a']);
  expect(log.durable()).toBeDefined();
  syncs[1]?.end();
  await soon();
  expect(done).toEqual(['a', 'b', 'c']);
  expect(log.durable()).toBeUndefined();
  log.close();
});

it('REPO-178: after a failed sync, fails all who wait, and proves nothing by a further sync but a checkpoint', async () => {
  const { log, syncs, checkpoints } = open();
  log.committed();
  const waiting = [log.durable(), log.durable()];
  await soon();
  syncs[0]?.fail(new Error('EIO'));
  for (const one of waiting) await expect(one).rejects.toThrow('EIO');
  await log.durable();
  expect([syncs.length, checkpoints(), log.durable()]).toEqual([1, 1, undefined]);
  log.committed();
  const next = log.durable();
  syncs[1]?.end();
  await next;
  log.close();
});

it('fails as long as there can be no checkpoint', async () => {
  let isFull = true;
  const log = new LogSync(
    join(folder, 'log'),
    () => {
      if (isFull) throw new Error('ENOSPC');
    },
    () => Promise.reject(new Error('EIO')),
  );
  log.committed();
  await expect(log.durable()).rejects.toThrow('EIO');
  await expect(log.durable()).rejects.toThrow('ENOSPC');
  isFull = false;
  await log.durable();
  expect(log.durable()).toBeUndefined();
  log.close();
});

it('makes everything durable when it is closed, also during a sync', async () => {
  const { log, syncs } = open();
  log.committed();
  const waiting = log.durable();
  await soon();
  log.close();
  log.close();
  expect(log.durable()).toBeUndefined();
  syncs[0]?.fail(new Error('EBADF'));
  await waiting;
});

it('can be closed after its file was removed, and tells other failures', () => {
  const { log } = open();
  rmSync(join(folder, 'log'));
  log.committed();
  log.close();
  const broken = new LogSync(folder, () => {});
  broken.committed();
  expect(() => broken.close()).toThrow('EISDIR');
});
