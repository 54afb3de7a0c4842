import { join } from 'node:path';
import { packFiles, RepoGoneError, type CommitOutcome, type RepoChange } from '@packhouse/git';
import { FaultyFileSystem, type Fault } from '@packhouse/storage/testing';
import { sampleOf } from '@packhouse/fixtures';
import type { HostedRepoState } from '@packhouse/hosting';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git, gitBytes } from '../support/git.ts';
import { noise, openUnderFaults, packsFolder, type RepositoryUnderFaults } from '../support/repository-under-faults.ts';
import { makeFolder, removeFolder } from '../support/test-server.ts';
import { pushBody } from '@packhouse/conformance/tools/wire-client';

/** A push, after another one that goes well. */
interface Scenario {
  readonly name: string;
  readonly partSize?: number;
  readonly base?: Uint8Array;
  readonly old: Readonly<Record<string, string>>;
  readonly push: Uint8Array;
  readonly new: Readonly<Record<string, string>>;
  /** The file system's operations of the push, if all goes well. */
  readonly operations: number;
}

const main = 'refs/heads/main';
const none = '0'.repeat(40);
const smallPart = 65_536;
const scenarioNames = ['whole', 'completed', 'in parts', 'completed in parts', 'in parts of 8 MiB'] as const;

let folder: string;
let scenarios: ReadonlyMap<string, Scenario>;
let folders = 0;

beforeAll(async () => {
  folder = makeFolder();
  const work = join(folder, 'work.git');
  await git(['init', '--quiet', '--bare', work]);
  const commit = async (files: Readonly<Record<string, Uint8Array>>, parent?: string): Promise<string> => {
    const lines: string[] = [];
    for (const [name, bytes] of Object.entries(files)) {
      const blob = (await git(['hash-object', '-w', '--stdin'], { cwd: work, input: bytes })).trim();
      lines.push(`100644 blob ${blob}\t${name}\n`);
    }
    const tree = (await git(['mktree'], { cwd: work, input: lines.join('') })).trim();
    const parents = parent === undefined ? [] : ['-p', parent];
    return (await git(['commit-tree', tree, '-m', 'x', ...parents], { cwd: work })).trim();
  };
  const pack = (value: string, base?: string): Promise<Buffer> =>
    gitBytes(['pack-objects', '--revs', '--thin', '--stdout', '--quiet', '--delta-base-offset'], {
      cwd: work,
      input: base === undefined ? value : `${value}\n^${base}`,
    });
  const body = async (value: string, base?: string): Promise<Buffer> =>
    pushBody([{ old: base ?? none, new: value, ref: main }], await pack(value, base));

  const made = new Map<string, Omit<Scenario, 'name' | 'operations'>>();
  const add = async (name: string, size: number, partSize: number | undefined, thin: boolean): Promise<void> => {
    const seed = made.size * 10;
    const text = noise(20_000, seed + 1);
    // In the thin ones, `text` travels as a delta of what the base has.
    const base = await commit({ text, [`large-${name.replaceAll(' ', '-')}`]: noise(thin ? size : 100, seed + 2) });
    const value = await commit({ text: Buffer.concat([text, Buffer.from(name)]), more: noise(size, seed + 3) }, base);
    made.set(name, {
      ...(partSize === undefined ? {} : { partSize }),
      ...(thin ? { base: await body(base) } : {}),
      old: thin ? { [main]: base } : {},
      push: thin ? await body(value, base) : await body(value),
      new: { [main]: value },
    });
  };
  await add('whole', 1_600_000, undefined, false);
  await add('completed', 1_600_000, undefined, true);
  await add('in parts', 300_000, smallPart, false);
  await add('completed in parts', 300_000, smallPart, true);
  await add('in parts of 8 MiB', 25 * 1_048_576, undefined, false);

  const all = new Map<string, Scenario>();
  for (const [name, scenario] of made) {
    const run = await start({ ...scenario, name, operations: 0 }, () => undefined);
    expect(await run.repository.push(scenario.push)).toEqual(['unpack ok', `ok ${main}`]);
    expect(run.fileSystem.operations - run.before, 'operations of the push').toBeGreaterThan(15);
    all.set(name, { ...scenario, name, operations: run.fileSystem.operations - run.before });
    run.repository.close();
  }
  scenarios = all;
});

afterAll(() => removeFolder(folder));

interface Run {
  readonly dataDir: string;
  readonly fileSystem: FaultyFileSystem;
  readonly repository: RepositoryUnderFaults;
  /** Operations before the push. */
  readonly before: number;
}

/** A repository that holds the base of the scenario; `fault` is asked for the operations of the push alone, from 0. */
async function start(
  scenario: Scenario,
  fault: (index: number) => Fault | undefined,
  around?: (state: HostedRepoState) => HostedRepoState,
): Promise<Run> {
  const dataDir = join(folder, `data-${folders++}`);
  let before = Number.POSITIVE_INFINITY;
  const fileSystem = new FaultyFileSystem({
    folders: [packsFolder(dataDir)],
    fault: ({ index }) => (index < before ? undefined : fault(index - before)),
  });
  const options = { dataDir, fileSystem, ...(scenario.partSize === undefined ? {} : { partSize: scenario.partSize }) };
  if (scenario.base !== undefined) {
    const first = await openUnderFaults(options);
    expect(await first.push(scenario.base)).toEqual(['unpack ok', `ok ${main}`]);
    first.close();
  }
  before = fileSystem.operations;
  const repository = await openUnderFaults({ ...options, ...(around === undefined ? {} : { around }) });
  return { dataDir, fileSystem, repository, before };
}

/** Restarts the service on the remaining state of its file system. */
async function restart(scenario: Scenario, run: Run, fileSystem: FaultyFileSystem): Promise<RepositoryUnderFaults> {
  run.repository.close();
  return openUnderFaults({
    dataDir: run.dataDir,
    fileSystem,
    ...(scenario.partSize === undefined ? {} : { partSize: scenario.partSize }),
  });
}

function scenarioOf(name: string): Scenario {
  const scenario = scenarios.get(name);
  if (scenario === undefined) throw new Error(`no scenario ${name}`);
  return scenario;
}

/** Every operation of the push; of the large one only a write, since all others are those of the smaller ones. */
function allIndicesOf({ name, operations }: Scenario): readonly number[] {
  const all = Array.from({ length: operations }, (_, index) => index);
  return name === 'in parts of 8 MiB' ? all.filter((index) => index === 6) : all;
}

/** The same or, if more than one, a sample. */
function indicesOf(scenario: Scenario): readonly number[] {
  const all = allIndicesOf(scenario);
  return all.length === 1 ? all : sampleOf(all, 3);
}

/** Bits for what a power cut leaves of unsynced changes: none, all, and two that look random. */
const survivals = [() => () => false, () => () => true, () => coin(1), () => coin(2)];

function coin(seed: number): () => boolean {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % 2 === 0;
  };
}

/** Refs and contents are right, the same push goes well if it did not before, and nothing is left over in the end. */
async function expectSound(
  repository: RepositoryUnderFaults,
  fileSystem: FaultyFileSystem,
  scenario: Scenario,
  sawOk: boolean,
): Promise<void> {
  expect(await repository.refs()).toEqual(sawOk ? scenario.new : scenario.old);
  expect(await repository.problems()).toEqual([]);
  await repository.sweep();
  expect([...fileSystem.files].sort(), 'left over').toEqual(await repository.accounted());
  if (!sawOk) expect(await repository.push(scenario.push)).toEqual(['unpack ok', `ok ${main}`]);
  expect(await repository.refs()).toEqual(scenario.new);
  expect(await repository.problems()).toEqual([]);
  expect(await repository.sweep()).toEqual([]);
  expect([...fileSystem.files].sort()).toEqual(await repository.accounted());
}

function isOk(report: readonly string[] | undefined): boolean {
  return report?.[1] === `ok ${main}`;
}

describe.each(scenarioNames)('a push whose pack is stored %s', (name) => {
  it.each(['fail', 'fail late'] as const)(
    'GIT-153, GIT-155: when any operation is to %s, nothing happened or all did',
    async (fault) => {
      const scenario = scenarioOf(name);
      let refused = 0;
      for (const index of indicesOf(scenario)) {
        const run = await start(scenario, (operation) => (operation === index ? fault : undefined));
        const report = await run.repository.push(scenario.push);
        const sawOk = isOk(report);
        if (!sawOk) {
          expect(report).toEqual(['unpack internal error', `ng ${main} unpacker error`]);
          refused++;
        }
        // What was said is durable: the power may go at once.
        const after = run.fileSystem.afterPowerCut(coin(index));
        const repository = await restart(scenario, run, after);
        await expectSound(repository, after, scenario, sawOk);
        repository.close();
      }
      expect(refused).toBeGreaterThan(0);
    },
  );

  it.each(['fail', 'fail late'] as const)(
    'GIT-153: the same process goes on after any operation is to %s',
    async (fault) => {
      const scenario = scenarioOf(name);
      for (const index of indicesOf(scenario)) {
        const run = await start(scenario, (operation) => (operation === index ? fault : undefined));
        const sawOk = isOk(await run.repository.push(scenario.push));
        await expectSound(run.repository, run.fileSystem, scenario, sawOk);
        run.repository.close();
      }
    },
  );

  it(
    'GIT-153, GIT-155: when the power is cut at any operation, refs and packs are as before',
    { timeout: 300_000 },
    async () => {
      const scenario = scenarioOf(name);
      for (const index of indicesOf(scenario)) {
        for (const [number, keep] of survivals.entries()) {
          // All four at each operation of the small ones; by turns where a push is large.
          if (scenario.partSize === undefined && number !== index % survivals.length) continue;
          const run = await start(scenario, (operation) => (operation === index ? 'power cut' : undefined));
          expect(isOk(await run.repository.push(scenario.push))).toBe(false);
          const after = run.fileSystem.afterPowerCut(keep());
          const repository = await restart(scenario, run, after);
          await expectSound(repository, after, scenario, false);
          repository.close();
        }
      }
    },
  );

  it('GIT-155: what the client saw as ok outlives a power cut right after', async () => {
    const scenario = scenarioOf(name);
    for (const keep of survivals) {
      const run = await start(scenario, () => undefined);
      expect(isOk(await run.repository.push(scenario.push))).toBe(true);
      const after = run.fileSystem.afterPowerCut(keep());
      const repository = await restart(scenario, run, after);
      await expectSound(repository, after, scenario, true);
      repository.close();
      if (name === 'in parts of 8 MiB') return;
    }
  });

  it('reports damage after a disk lost an operation, unless all contents are intact', async () => {
    const scenario = scenarioOf(name);
    const reference = await start(scenario, () => undefined);
    await reference.repository.push(scenario.push);
    const expected = await reference.repository.stored();
    reference.repository.close();
    let damaged = 0;
    for (const index of allIndicesOf(scenario)) {
      const run = await start(scenario, (operation) => (operation === index ? 'lost' : undefined));
      const sawOk = isOk(await run.repository.push(scenario.push));
      for (const cut of [false, true]) {
        const fileSystem = cut ? run.fileSystem.afterPowerCut() : run.fileSystem;
        const repository = await restart(scenario, run, fileSystem);
        if (sawOk) {
          expect(await repository.refs()).toEqual(scenario.new);
          const stored = await repository.stored();
          // Compared as buffers, since a matcher would print megabytes.
          const isRight = stored.every(
            (files, i) => files !== undefined && packFiles.every((file) => expected[i]?.[file].equals(files[file])),
          );
          expect((await repository.problems()).length === 0, `operation ${index}, power cut: ${cut}`).toBe(isRight);
          if (!isRight) damaged++;
        } else if (cut) {
          // Nothing of the base was written while the disk lied.
          expect(await repository.refs()).toEqual(scenario.old);
          expect(await repository.problems()).toEqual([]);
        }
        repository.close();
      }
    }
    expect(damaged).toBeGreaterThan(0);
  });
});

/** A state of which some calls are answered by others, which are given the true one. */
function replacing(
  part: (state: HostedRepoState) => Partial<HostedRepoState>,
): (state: HostedRepoState) => HostedRepoState {
  return (state) => {
    const replaced = part(state);
    return new Proxy(state, {
      get(target, name) {
        const own = Reflect.get(replaced, name) as unknown;
        const method = own ?? (Reflect.get(target, name) as unknown);
        return typeof method === 'function' ? method.bind(own === undefined ? target : replaced) : method;
      },
    });
  };
}

const lost = new Error('connection lost');
const internalError = ['unpack internal error', `ng ${main} unpacker error`];

/** `in rows`: with the usual part size neither that push nor its base is too large for rows. */
function scenarioIn(name: 'whole' | 'completed in parts' | 'in rows'): Scenario {
  if (name !== 'in rows') return scenarioOf(name);
  const { partSize: _, ...scenario } = scenarioOf('completed in parts');
  return scenario;
}

describe.each(['whole', 'completed in parts', 'in rows'] as const)(
  'a push whose commit fails, its pack stored %s',
  (name) => {
    it('GIT-153: that was not applied, as far as is recorded, leaves its pack to the sweeper', async () => {
      const scenario = scenarioIn(name);
      let failing = true;
      const run = await start(
        scenario,
        () => undefined,
        replacing((state) => ({
          commit: async (change) => {
            if (failing) throw lost;
            return state.commit(change);
          },
        })),
      );
      const accounted = await run.repository.accounted();
      expect(await run.repository.push(scenario.push)).toEqual(internalError);
      // The commit may still be on its way, and then it leans on these.
      expect([...run.fileSystem.files]).toHaveLength(accounted.length + (name === 'in rows' ? 0 : 3));
      failing = false;
      await expectSound(run.repository, run.fileSystem, scenario, false);
      run.repository.close();
    });

    it('GIT-155: that was applied but whose reply was lost is found by its push id', async () => {
      const scenario = scenarioIn(name);
      const run = await start(
        scenario,
        () => undefined,
        replacing((state) => ({
          commit: async (change) => {
            await state.commit(change);
            throw lost;
          },
        })),
      );
      expect(await run.repository.push(scenario.push)).toEqual(['unpack ok', `ok ${main}`]);
      await expectSound(run.repository, run.fileSystem, scenario, true);
      run.repository.close();
    });

    it('GIT-155: that was applied, which cannot be found out, loses the reply but no byte', async () => {
      const scenario = scenarioIn(name);
      const run = await start(
        scenario,
        () => undefined,
        replacing((state) => ({
          commit: async (change) => {
            await state.commit(change);
            throw lost;
          },
          outcome: async () => {
            throw lost;
          },
        })),
      );
      expect(await run.repository.push(scenario.push), 'no report').toBeUndefined();
      await expectSound(run.repository, run.fileSystem, scenario, true);
      run.repository.close();
    });

    it('GIT-153: that was not applied, which cannot be found out, deletes nothing; the sweeper does', async () => {
      const scenario = scenarioIn(name);
      let failing = true;
      let asked: RepoChange | undefined;
      const run = await start(
        scenario,
        () => undefined,
        replacing((state) => ({
          commit: async (change) => {
            if (!failing) return state.commit(change);
            asked = change;
            throw lost;
          },
          outcome: async () => {
            throw lost;
          },
        })),
      );
      expect(await run.repository.push(scenario.push), 'no report').toBeUndefined();
      expect(await run.repository.refs()).toEqual(scenario.old);
      const [pack] = (asked as RepoChange).addPacks;
      const kept = run.fileSystem.files.filter((path) => path.includes(pack?.id as string));
      expect(kept).toHaveLength(name === 'in rows' ? 0 : 3);
      failing = false;
      await expectSound(run.repository, run.fileSystem, scenario, false);
      run.repository.close();
    });

    it('GIT-153: that comes through late, after the reply was given up, finds its pack whole', async () => {
      const scenario = scenarioIn(name);
      let asked: RepoChange | undefined;
      const run = await start(
        scenario,
        () => undefined,
        replacing(() => ({
          commit: async (change) => {
            asked = change;
            throw lost;
          },
          outcome: async () => {
            throw lost;
          },
        })),
      );
      await run.repository.push(scenario.push);
      const after = run.fileSystem.afterPowerCut();
      const repository = await restart(scenario, run, after);
      await repository.repo.state.commit(asked as RepoChange);
      await expectSound(repository, after, scenario, true);
      repository.close();
    });

    it('is checked again when the packs it leaned on have changed, and uses what it had stored', async () => {
      const scenario = scenarioIn(name);
      const changes: RepoChange[] = [];
      const run = await start(
        scenario,
        () => undefined,
        replacing((state) => ({
          commit: async (change): Promise<CommitOutcome> => {
            changes.push(change);
            return changes.length < 3 ? { kind: 'packs changed' } : state.commit(change);
          },
        })),
      );
      const held = (await run.repository.repo.state.snapshot())?.packs.map(({ id }) => id);
      expect(await run.repository.push(scenario.push)).toEqual(['unpack ok', `ok ${main}`]);
      // Without them it would not come to this.
      expect(changes.map(({ leansOn }) => leansOn)).toEqual([held, held, held]);
      expect(new Set(changes.map(({ addPacks }) => addPacks[0]?.id)).size).toBe(1);
      expect(run.fileSystem.operations - run.before).toBe(name === 'in rows' ? 0 : scenario.operations);
      await expectSound(run.repository, run.fileSystem, scenario, true);
      run.repository.close();
    });

    it('GIT-153: that never finds the packs it leans on gives up and leaves nothing behind', async () => {
      const scenario = scenarioIn(name);
      let failing = true;
      const run = await start(
        scenario,
        () => undefined,
        replacing((state) => ({
          commit: async (change) => (failing ? { kind: 'packs changed' } : state.commit(change)),
        })),
      );
      expect(await run.repository.push(scenario.push)).toEqual(internalError);
      expect([...run.fileSystem.files].sort()).toEqual(await run.repository.accounted());
      failing = false;
      await expectSound(run.repository, run.fileSystem, scenario, false);
      run.repository.close();
    });

    it('GIT-158: on a repository that was deleted meanwhile says so and leaves nothing behind', async () => {
      const scenario = scenarioIn(name);
      const run = await start(
        scenario,
        () => undefined,
        replacing((state) => ({
          commit: async (change) => {
            await state.erase();
            return state.commit(change);
          },
        })),
      );
      expect(await run.repository.push(scenario.push)).toEqual(['unpack ok', `ng ${main} repository deleted`]);
      await expect(run.repository.refs()).rejects.toThrow(RepoGoneError);
      await run.repository.sweep();
      expect(run.fileSystem.files).toEqual([]);
      run.repository.close();
    });
  },
);

it('GIT-153: when any read of rows fails during a push, nothing happens', async () => {
  const scenario = scenarioIn('in rows');
  let reads = 0;
  let failing = -1;
  const around = replacing((state) => ({
    rowFiles: async (ids, files) => {
      if (reads++ === failing) throw lost;
      return state.rowFiles(ids, files);
    },
  }));
  const trial = await start(scenario, () => undefined, around);
  await trial.repository.push(scenario.push);
  trial.repository.close();
  const all = reads;
  expect(all).toBeGreaterThan(0);
  for (failing = 0; failing < all; failing++) {
    reads = 0;
    const run = await start(scenario, () => undefined, around);
    expect(await run.repository.push(scenario.push)).toEqual(internalError);
    await expectSound(run.repository, run.fileSystem, scenario, false);
    run.repository.close();
  }
});
