/**
 * Traces the disk writes of a real server, including its database, and then simulates power cuts: each cut is a disk
 * that has lost unsynced data. A server on that disk must have everything acknowledged before. A kill cannot show that,
 * because the system keeps the writes of a killed process. `PACKHOUSE_POWER_CUTS` is the number of random cuts in
 * addition to one after each reply. By default, a few of both are tried.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { serveNode } from '@packhouse/server/node';
import { Inode, VolatileDisk } from '@packhouse/storage/testing';
import { dice, type Dice } from '@packhouse/conformance/tools/dice';
import { blob, commit, pack, tree, type MadeObject } from '@packhouse/conformance/tools/made-objects';
import { push, remove, set, type Command } from '@packhouse/conformance/tools/wire-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examineFolder } from '../../src/data-folder/examine-folder.ts';
import type { Facts } from '../kills/ledger.ts';
import { observe, type Observed, repoPath } from '../kills/observe.ts';
import { apiToken, startServer } from '../support/killable-server.ts';
import { clientOf } from '../kills/client.ts';
import { parseTrace, replay, tracedCalls, type TracedCall } from './trace.ts';

const wantedCuts = process.env['PACKHOUSE_POWER_CUTS'];
const randomCuts = Number(wantedCuts ?? 8);
/** Replies to cut after if no number is given. */
const repliesInSample = 10;
const seed = Number(process.env['PACKHOUSE_SEED'] ?? Date.now() % 1_000_000);
// With a filter in the kernel, only the traced calls stop the server.
const follow = ['--seccomp-bpf', '-f'];
const hasStrace = spawnSync('strace', [...follow, '-o', '/dev/null', process.execPath, '--version']).status === 0;
const settings = { gc_grace: 1, stale_want_grace: 0 };

/** An acknowledged write, with the visible state at that time. */
interface Acknowledged {
  readonly begunAt: number;
  readonly at: number;
  readonly facts: Facts;
}

let folder: string;
let data: string;
let calls: readonly TracedCall[];
const tokens = new Map<string, string>();
const acknowledged: Acknowledged[] = [{ begunAt: 0, at: 0, facts: new Map() }];

/** Makes writes of all kinds, one after the other, and records the time of each reply. */
async function work(service: Observed): Promise<void> {
  const write = async (what: () => Promise<boolean>): Promise<void> => {
    const begunAt = Date.now() - 1;
    expect(await what()).toBe(true);
    const at = Date.now() + 1;
    acknowledged.push({ begunAt, at, facts: await observe(service) });
  };
  const make = (name: string, path: string, body: unknown): Promise<void> =>
    write(async () => {
      const { status, result } = await service.rest('POST', path, body);
      tokens.set(name, (result as { readonly token: string }).token);
      return status === 201;
    });
  const pushed = (repo: string, commands: readonly Command[], objects: readonly MadeObject[]): Promise<void> =>
    write(async () => {
      const isDeletion = commands.every(({ new: value }) => /^0+$/.test(value));
      const report = await push(service.remote(repo), commands, isDeletion ? undefined : pack(...objects));
      return report.length === commands.length + 1 && report.every((line) => /^(unpack )?ok/.test(line));
    });
  const main = 'refs/heads/main';
  // An interrupted creation may leave the new namespace behind.
  await write(async () => (await service.rest('POST', '/repos/namespaces', { namespace: 'default' })).status === 201);
  for (const repo of ['a', 'b']) {
    await make(repo, repoPath(), { name: repo });
    let last: MadeObject | undefined;
    for (let i = 0; i < 9; i++) {
      // One in three goes to files.
      const file = i % 3 === 1 ? unpackable(repo, i) : blob(`${repo} ${i}`);
      const root = tree({ file });
      const tip = commit(`${repo} ${i}`, root, last === undefined ? [] : [last]);
      const side = `refs/heads/side-${i}`;
      await pushed(repo, [set(main, tip, last), set(side, tip)], [tip, root, file]);
      if (i % 2 === 0) await pushed(repo, [remove(side, tip)], []);
      last = tip;
    }
    await make(`${repo}-fork`, `${repoPath(repo)}/fork`, { name: `${repo}-fork`, default_branch_only: false });
    const resource = { resource_type: 'worker', resource_id: repo };
    await write(async () => (await service.rest('PUT', '/tags', { ...resource, tags: { of: repo } })).status === 200);
    await write(
      async () =>
        (await service.rest('POST', '/repos/namespaces/default/tokens', { repo, scope: 'read' })).status === 201,
    );
    // Maintenance merges packs, and removes the replaced ones.
    await wait(2_500);
  }
  await write(async () => (await service.rest('DELETE', repoPath('a'))).status === 202);
  await wait(1_500);
}

/** Makes a blob that does not compress, so that its pack is too large for rows. */
function unpackable(repo: string, number: number): MadeObject {
  const bytes = Buffer.alloc(1_600_000);
  const random = dice(number * 256 + repo.charCodeAt(0));
  for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(random.below(2 ** 32), at);
  return blob(bytes);
}

beforeAll(async () => {
  if (!hasStrace) return;
  folder = mkdtempSync(join(tmpdir(), 'packhouse-power-'));
  data = join(folder, 'data');
  const [config, log] = [join(folder, 'config.json'), join(folder, 'trace')];
  writeFileSync(config, JSON.stringify(settings));
  const traced = [...follow, '-ttt', '-y', '-xx', '-s', '10000000', '-e', `trace=${tracedCalls.join(',')}`, '-o', log];
  const server = await startServer(data, 0, 'node', config, ['strace', '-D', ...traced]);
  try {
    await work(clientOf(() => server.url, tokens));
  } finally {
    await server.stop();
  }
  // The tracer writes its last lines after the traced process has ended.
  while (!readFileSync(log).subarray(-200).toString().includes('exited with')) await wait(50);
  calls = parseTrace(readFileSync(log, 'latin1'), data);
}, 300_000);

afterAll(() => {
  if (hasStrace) rmSync(folder, { recursive: true, force: true });
});

/** Returns an unused fake disk with the data folder. */
function emptyDisk(): VolatileDisk {
  const folders = [data];
  while (dirname(folders[0] as string) !== '/') folders.unshift(dirname(folders[0] as string));
  return new VolatileDisk(folders.map((path) => [path, 'folder']));
}

/** Writes the data that survives a power cut to a folder. */
function materialise(disk: VolatileDisk, to: string): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { mode: 0o700 });
  for (const path of disk.paths().toSorted()) {
    if (!path.startsWith(`${data}/`)) continue;
    const place = join(to, path.slice(data.length));
    const entry = disk.get(path);
    if (entry === 'folder') mkdirSync(place, { recursive: true });
    else if (entry instanceof Inode) writeFileSync(place, entry.current);
  }
}

/** Expects that a server on the disk has everything acknowledged by that time, and perhaps the write in progress. */
async function expectSound(disk: VolatileDisk, at: number, about: string): Promise<void> {
  const copy = join(folder, 'copy');
  materialise(disk, copy);
  const last = acknowledged.findLastIndex((write) => write.at <= at);
  const allowed = acknowledged
    .slice(last, last + 2)
    .filter((write, i) => i === 0 || write.begunAt <= at)
    .map(({ facts }) => lines(facts));
  const failures: unknown[] = [];
  const server = await serveNode({
    port: 0,
    data: copy,
    apiToken,
    config: { settings },
    log: (entry) => void (entry['level'] === 'error' && failures.push(entry)),
  });
  try {
    expect(allowed, about).toContainEqual(lines(await observe(clientOf(() => server.url, tokens))));
    expect(failures, about).toEqual([]);
  } finally {
    await server.close();
  }
  expect((await examineFolder(copy)).problems, about).toEqual([]);
}

function lines(facts: Facts): readonly string[] {
  return [...facts].map(([key, value]) => `${key} ${value}`).toSorted();
}

/** Replays all calls, and passes on a disk after each of the cuts, which are numbers of calls. */
async function cutAt(cuts: ReadonlySet<number>, keepOf: (own: Dice) => () => boolean): Promise<void> {
  const disk = emptyDisk();
  for (const [index, call] of calls.entries()) {
    replay(disk, call);
    if (!cuts.has(index)) continue;
    const about = `seed ${seed}, after call ${index} of ${calls.length}: ${call.name} ${call.paths.join(' ')}`;
    await expectSound(disk.survivor(keepOf(dice(seed + index))), calls[index + 1]?.at ?? Infinity, about);
  }
}

describe.skipIf(!hasStrace)('a power cut', () => {
  it('traces syncs of the database, of files and of folders', () => {
    expect(acknowledged.length).toBeGreaterThan(30);
    const synced = calls.filter(({ name }) => name === 'fsync' || name === 'fdatasync').flatMap(({ paths }) => paths);
    for (const end of ['packhouse.sqlite-wal', '.pack.tmp', '.idx.tmp', '/data']) {
      expect(
        synced.some((path) => path.endsWith(end)),
        end,
      ).toBe(true);
    }
    expect(existsSync(data)).toBe(true);
  });

  it('GIT-155: right after a reply, a cut that loses all unsynced data loses nothing acknowledged', async () => {
    const after = acknowledged.slice(1).map(({ at }) => Math.max(0, calls.findIndex((call) => call.at > at) - 1));
    const random = dice(seed);
    const chosen = wantedCuts === undefined ? Array.from({ length: repliesInSample }, () => random.pick(after)) : after;
    await cutAt(new Set(chosen), () => () => false);
  }, 600_000);

  it(
    'GIT-153, GIT-155: a cut at any moment that keeps some unsynced data leaves the folder sound',
    async () => {
      const random = dice(seed);
      // Before that, the folder does not have the data of a server.
      const begin = calls.findIndex(({ at }) => at > (acknowledged[1]?.begunAt ?? 0));
      const cuts = Array.from({ length: randomCuts }, () => begin + random.below(calls.length - begin));
      console.log(`PACKHOUSE_SEED=${seed}`);
      await cutAt(new Set(cuts), (own) => () => own.below(2) === 0);
    },
    60_000 + randomCuts * 10_000,
  );
});
