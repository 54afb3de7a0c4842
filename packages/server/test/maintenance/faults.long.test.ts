/** Maintenance on a file system that fails as told, at each of its operations in turn (GIT-127, GIT-155). */

import { join } from 'node:path';
import { packFiles } from '@packhouse/git';
import { FaultyFileSystem, type Fault } from '@packhouse/storage/testing';
import { sampleOf } from '@packhouse/fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pushBody } from '@packhouse/conformance/tools/wire-client';
import { git, gitBytes } from '../support/git.ts';
import {
  maintenanceGrace,
  noise,
  openUnderFaults,
  packsFolder,
  type RepositoryUnderFaults,
} from '../support/repository-under-faults.ts';
import { makeFolder, removeFolder } from '../support/test-server.ts';

const none = '0'.repeat(40);
const main = 'refs/heads/main';
const gone = 'refs/heads/gone';

let folder: string;
let folders = 0;
/** Pushes that leave several packs to merge, and a deleted branch to collect. */
let pushes: readonly Uint8Array[];
let refs: Readonly<Record<string, string>>;
/** Reachable objects. */
let objects: number;
/** Operations of the file system that maintenance takes, if all goes well, by index: all, and a sample. */
let allOperations: readonly number[];
let operations: readonly number[];

beforeAll(async () => {
  folder = makeFolder();
  const work = join(folder, 'work.git');
  await git(['init', '--quiet', '--bare', work]);
  const commit = async (seed: number, parent?: string): Promise<string> => {
    const files = [`text ${noise(20_000, 1)}`, noise(1_600_000, seed)];
    const ids = await Promise.all(
      files.map(async (input) => (await git(['hash-object', '-w', '--stdin'], { cwd: work, input })).trim()),
    );
    const input = ids.map((id, i) => `100644 blob ${id}\tfile-${i === 0 ? 0 : seed}\n`).join('');
    const tree = (await git(['mktree'], { cwd: work, input })).trim();
    const parents = parent === undefined ? [] : ['-p', parent];
    return (await git(['commit-tree', tree, '-m', `${seed}`, ...parents], { cwd: work })).trim();
  };
  const push = async (ref: string, to: string, from: string, has?: string): Promise<Buffer> => {
    const input = has === undefined ? to : `${to}\n^${has}`;
    const options = ['--revs', '--thin', '--stdout', '--quiet', '--delta-base-offset'];
    return pushBody([{ old: from, new: to, ref }], await gitBytes(['pack-objects', ...options], { cwd: work, input }));
  };
  const first = await commit(2);
  const second = await commit(3, first);
  const third = await commit(4, second);
  const lost = await commit(5, second);
  const last = await commit(6, third);
  pushes = [
    await push(main, first, none),
    await push(main, second, first, first),
    await push(gone, lost, none, second),
    await push(main, third, second, second),
    pushBody([{ old: lost, new: none, ref: gone }], new Uint8Array()),
    await push(main, last, third, third),
  ];
  refs = { [main]: last };
  const listed = await git(['rev-list', '--objects', '--no-object-names', last], { cwd: work });
  objects = new Set(listed.trim().split('\n')).size;

  const run = await start(() => undefined);
  await maintainToTheEnd(run.repository);
  const count = run.fileSystem.operations - run.before;
  expect(count).toBeGreaterThan(20);
  allOperations = [...Array(count).keys()];
  operations = sampleOf(allOperations, 4);
  await expectMaintained(run.repository, run.fileSystem);
  run.repository.close();
}, 120_000);

afterAll(() => removeFolder(folder));

interface Run {
  readonly dataDir: string;
  readonly fileSystem: FaultyFileSystem;
  readonly repository: RepositoryUnderFaults;
  /** Operations before maintenance. */
  readonly before: number;
}

/** A repository of all the pushes; `fault` is asked for the operations of maintenance alone, from 0. */
async function start(fault: (index: number) => Fault | undefined): Promise<Run> {
  const dataDir = join(folder, `data-${folders++}`);
  let before = Number.POSITIVE_INFINITY;
  const fileSystem = new FaultyFileSystem({
    folders: [packsFolder(dataDir)],
    fault: ({ index }) => (index < before ? undefined : fault(index - before)),
  });
  const repository = await openUnderFaults({ dataDir, fileSystem });
  for (const body of pushes) expect((await repository.push(body))?.[1]).toMatch(/^ok /);
  before = fileSystem.operations;
  return { dataDir, fileSystem, repository, before };
}

/** Runs maintenance like the service, until no work is left. Advances the clock past each grace. */
async function maintainToTheEnd(repository: RepositoryUnderFaults): Promise<void> {
  for (let round = 1; round <= 5; round++) await repository.maintain(Date.now() + round * 2 * maintenanceGrace);
}

/** The same until something fails; whether nothing did. */
async function tryToMaintain(repository: RepositoryUnderFaults): Promise<boolean> {
  try {
    await maintainToTheEnd(repository);
    return true;
  } catch {
    return false;
  }
}

/** Nothing that a ref reaches is lost or damaged. */
async function expectSound(repository: RepositoryUnderFaults): Promise<void> {
  expect(await repository.refs()).toEqual(refs);
  expect(await repository.problems()).toEqual([]);
}

/** One pack of all that is reachable, and no other bytes. */
async function expectMaintained(repository: RepositoryUnderFaults, fileSystem: FaultyFileSystem): Promise<void> {
  await expectSound(repository);
  const snapshot = await repository.repo.state.snapshot();
  expect(snapshot?.packs).toMatchObject([{ objects, exact: true }]);
  await repository.sweep();
  expect([...fileSystem.files].sort()).toEqual(await repository.accounted());
  expect(fileSystem.files).toHaveLength(packFiles.length);
}

/** Restarts the service on the remaining state of its file system. */
function restart(run: Run, fileSystem: FaultyFileSystem): Promise<RepositoryUnderFaults> {
  run.repository.close();
  return openUnderFaults({ dataDir: run.dataDir, fileSystem });
}

function coin(seed: number): () => boolean {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % 2 === 0;
  };
}

/** Unsynced changes that survive a power cut: none, all, or some at random. */
const survivals = [() => () => false, () => () => true, coin];

describe('maintenance', () => {
  it.each(['fail', 'fail late'] as const)(
    'GIT-127, GIT-155: when any operation is to %s, nothing is lost, and the same process then does it all',
    async (fault) => {
      let failed = 0;
      for (const index of operations) {
        const run = await start((operation) => (operation === index ? fault : undefined));
        if (!(await tryToMaintain(run.repository))) failed++;
        await expectSound(run.repository);
        await maintainToTheEnd(run.repository);
        await expectMaintained(run.repository, run.fileSystem);
        run.repository.close();
      }
      expect(failed).toBeGreaterThan(operations.length / 2);
    },
    240_000,
  );

  it('GIT-127, GIT-155: when the power is cut at any operation, nothing is lost, and the next process does it all', async () => {
    for (const index of operations) {
      const keep = survivals[index % survivals.length] ?? coin;
      const run = await start((operation) => (operation === index ? 'power cut' : undefined));
      expect(await tryToMaintain(run.repository)).toBe(false);
      const after = run.fileSystem.afterPowerCut(keep(index));
      const repository = await restart(run, after);
      await expectSound(repository);
      await maintainToTheEnd(repository);
      await expectMaintained(repository, after);
      repository.close();
    }
  }, 240_000);

  it('GIT-155: what it said it made outlives a power cut right after any operation of the next one', async () => {
    for (const keep of survivals) {
      const run = await start(() => undefined);
      await maintainToTheEnd(run.repository);
      const after = run.fileSystem.afterPowerCut(keep(1));
      const repository = await restart(run, after);
      await expectMaintained(repository, after);
      repository.close();
    }
  });

  it('reports damage after a disk lost an operation, unless all contents are intact', async () => {
    let damaged = 0;
    for (const index of allOperations) {
      const run = await start((operation) => (operation === index ? 'lost' : undefined));
      await tryToMaintain(run.repository);
      const repository = await restart(run, run.fileSystem.afterPowerCut());
      expect(await repository.refs()).toEqual(refs);
      const stored = await repository.stored();
      const found = await repository.problems();
      // Every unreadable file is reported.
      if (stored.includes(undefined)) expect(found).not.toEqual([]);
      if (found.length > 0) damaged++;
      repository.close();
    }
    expect(damaged).toBeGreaterThan(0);
  }, 120_000);
});
