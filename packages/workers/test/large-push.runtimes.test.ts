import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beyondBudget } from '@packhouse/workers/budget';
import type { LocalLogLine } from '@packhouse/workers/local';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git, tryGit } from './support/git.ts';
import type { IsolateMemory } from './support/isolate-memory.ts';
import { largeRepository } from './support/large-repository.ts';
import type { LocalService, TestRepo } from './support/local-service.ts';
import { peakMax, startWatchedService, type WatchedService } from './support/watched-service.ts';

const everything = ['refs/heads/*:refs/heads/*', 'refs/tags/*:refs/tags/*'];

let watched: WatchedService;
let service: LocalService;
let memory: IsolateMemory;
let source: string;
let repo: TestRepo;
let packSize: number;

beforeAll(async () => {
  source = await largeRepository();
  // Packs that are prepared after a reply would count for the next request.
  watched = await startWatchedService({ prepared_max: 0 });
  ({ service, memory } = watched);
  repo = await service.createRepo('large');
  const counts = await git(['count-objects', '-v'], source);
  expect(Number(/in-pack: (\d+)/.exec(counts)?.[1])).toBeGreaterThan(130_000);
  packSize = Number(/size-pack: (\d+)/.exec(counts)?.[1]) * 1024;
  expect(packSize).toBeGreaterThan(75e6);
}, 180_000);

afterAll(async () => {
  await watched.close();
  await rm(source, { recursive: true, force: true });
});

/**
 * Returns the log line of the last request to `path` in `work`. Every request must keep within the isolate's memory.
 */
async function costs(path: string, count: number, work: () => Promise<unknown>): Promise<LocalLogLine> {
  const from = service.lines.length;
  memory.takePeak();
  await work();
  const lines = await service.requests(path, count, from);
  const peak = memory.takePeak();
  expect(peak).toBeLessThan(peakMax);
  for (const line of lines) {
    expect(line['status']).toBe(200);
    expect(line['bytes_reserved']).toBeGreaterThan(0);
    expect(beyondBudget(line)).toBeUndefined();
  }
  return lines.at(-1) as LocalLogLine;
}

describe('LIM-059: 130,000 objects in 75 MB', { timeout: 180_000 }, () => {
  it('are pushed at once', async () => {
    const push = (): Promise<string> => git(['-c', 'pack.window=0', 'push', '-q', repo.remote, ...everything], source);
    // A probe of four bytes, then the pack.
    const line = await costs('/git-receive-pack', 2, push);
    const parts = Number(line['r2_a']) - 4;
    expect(Math.abs(parts - packSize / 8_386_560)).toBeLessThan(2);
    // 115 for 76 MB.
    expect(line['r2_b']).toBeLessThanOrEqual((115 * packSize) / 76e6);
    // One more than open, reserve, commit and touch where the account's storage was not asked for within a minute.
    expect(line['object_calls']).toBeLessThanOrEqual(5);
    expect(line['bytes_reserved']).toBeGreaterThan(24 * 1_048_576);
  });

  it('are cloned in one read', async () => {
    const copy = join(source, '.clone');
    const line = await costs('/git-upload-pack', 2, () => git(['clone', '-q', '--mirror', repo.remote, copy]));
    expect([line['r2_a'], line['r2_b'], line['object_calls']]).toEqual([0, 1, 1]);
    expect(await tryGit(['fsck', '--connectivity-only'], copy)).toMatchObject({ status: 0 });
    expect(await git(['for-each-ref'], copy)).toBe(await git(['for-each-ref'], source));
  });

  it('are fetched in two steps', async () => {
    const copy = join(source, '.fetch');
    await git(['init', '-q', '--bare', copy]);
    const fetch =
      (...refs: string[]) =>
      () =>
        git(['fetch', '-q', repo.remote, ...refs], copy);
    const first = await costs('/git-upload-pack', 2, fetch('refs/tags/middle:refs/heads/middle'));
    const second = await costs('/git-upload-pack', 2, fetch(...everything));
    for (const line of [first, second]) {
      expect(line['r2_b']).toBeLessThanOrEqual(packSize / 1e6);
      expect(line['object_calls']).toBe(1);
    }
    expect(await tryGit(['fsck', '--connectivity-only'], copy)).toMatchObject({ status: 0 });
    expect(await git(['rev-parse', 'refs/heads/main'], copy)).toBe(await git(['rev-parse', 'refs/heads/main'], source));
  });
});
