import { fc, test } from '@fast-check/vitest';
import { runs } from '@packhouse/fixtures';
import { afterAll, describe, expect, it } from 'vitest';
import { createGitEngine } from '../engine/engine.ts';
import { NotEnoughMemoryError } from '../work/memory-error.ts';
import { stepAt } from './forward-deltas.ts';
import { blob, closure, commit, historyOf, tree, type MadeObject } from './made-history.test.util.ts';
import { MaintainedRepository } from './maintained-repository.test.util.ts';
import { entriesOf, gitRepository } from './packed-by-git.test.util.ts';
import { RandomHistory, someSteps } from './random-history.test.util.ts';

const mebibyte = 1024 * 1024;
const main = 'refs/heads/main';
const commits = historyOf(150, true);
const tip = commits.at(-1) as MadeObject;
const git = gitRepository(tip);
const entries = entriesOf(git, tip);
afterAll(() => git.remove());

/** Bytes of fetches of the newest commits. */
async function fetches(repository: MaintainedRepository, counts: readonly number[]): Promise<number[]> {
  const bytes: number[] = [];
  for (const count of counts) {
    const haves = [(commits.at(-1 - count) as MadeObject).id];
    const request = { wants: [tip.id], words: 'thin-pack ofs-delta', lines: [], haves };
    bytes.push((await repository.reply(request)).length);
  }
  return bytes;
}

/** Tests if each base stands before its delta in all packs, at the end of at most 50 others. */
async function isOrdered(repository: MaintainedRepository): Promise<boolean> {
  const { set } = await repository.freshView();
  return set.packs.every(({ graph: { bases } }) => {
    const depths: number[] = [];
    for (const [ordinal, base] of bases.entries()) depths[ordinal] = base < 0 ? 0 : (depths[base] ?? Infinity) + 1;
    return Math.max(...depths) <= 50;
  });
}

async function pushedAtOnce(): Promise<MaintainedRepository> {
  const repository = new MaintainedRepository(100_000);
  await repository.push([{ ref: main, new: tip }], entries);
  return repository;
}

test.prop([fc.nat(40_000)])('a chain of any number of versions has at most 50 links', (longest) => {
  const depths = [0];
  for (let level = 1; level <= longest; level++) {
    depths.push((depths[level - stepAt(level, longest)] as number) + 1);
  }
  expect(depths.filter((depth) => depth > 50)).toEqual([]);
});

describe('GIT-194: recent history of a pack that stock git made', () => {
  it.each([
    { mode: 'usual', history: 'recent' },
    { mode: 'full', history: 'recent' },
    { mode: 'full', history: 'all' },
  ] as const)(
    'is sent as deltas of what clients have, after a $mode maintenance of $history history',
    async (options) => {
      const repository = await pushedAtOnce();
      const [before] = repository.state.packs;
      const counts = [1, 10, 100];
      const expected = counts.map((count) => {
        const revisions = `${tip.id}\n^${(commits.at(-1 - count) as MadeObject).id}\n`;
        const words = ['--thin', '--revs', '--stdout', '--delta-base-offset', '-q'];
        return git.run(['pack-objects', '--threads=1', ...words], revisions).length;
      });
      const old = await fetches(repository, counts);
      await repository.maintain(options);
      const sizes = await fetches(repository, counts);
      expect(sizes.filter((size, i) => size > 1.1 * (expected[i] as number))).toEqual([]);
      expect(sizes.filter((size, i) => size > 0.75 * (old[i] as number))).toEqual([]);
      await repository.check();
      await repository.checkByGit();
      expect(await isOrdered(repository)).toBe(true);
      const [made] = repository.state.packs;
      expect(made?.packSize).toBeLessThan(1.05 * (before?.packSize as number));
      await repository.maintain();
      await repository.maintain({ mode: 'full', history: 'all' });
      expect(repository.state.packs).toEqual([made]);
    },
  );

  it('stays as it is without deltas', async () => {
    const repository = await pushedAtOnce();
    const before = repository.state.packs;
    await repository.maintain({ mode: 'full', deltas: false });
    expect(repository.state.packs).toEqual(before);
  });

  it('is stored forward at most once if most recent commits have an old parent', async () => {
    const root = tree([{ name: 'file', object: blob('text') }]);
    const trunk: MadeObject[] = [];
    for (let i = 0; i < 100; i++) trunk.push(commit(root, trunk.slice(-1), i));
    const branches = Array.from({ length: 4200 }, (_, i) =>
      commit(root, trunk.slice(i % 100, (i % 100) + 1), 1000 + i),
    );
    const merge = commit(root, branches, 10_000);
    const repository = new MaintainedRepository(100_000);
    const newestFirst = [merge, ...branches.toReversed(), ...trunk.toReversed(), ...closure([root]).values()];
    await repository.push([{ ref: main, new: merge }], newestFirst);
    await repository.maintain({ mode: 'full', history: 'all' });
    const made = repository.state.packs;
    await repository.maintain({ mode: 'full', history: 'all' });
    expect(repository.state.packs).toEqual(made);
  });

  it('is stored forward at most once with any amount of memory', async () => {
    const maintained = async (memory: number): Promise<{ outcome: string; most: number }> => {
      const repository = await pushedAtOnce();
      const before = repository.state.packs;
      const { codec } = repository.engine;
      const engine = createGitEngine({ codec, pageCache: 0, cache: 0, wait: async () => {}, memory });
      repository.engine = engine;
      const failure = await repository.maintain().then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure !== undefined) expect(failure).toBeInstanceOf(NotEnoughMemoryError);
      const after = repository.state.packs;
      const isMade = after[0]?.id !== before[0]?.id;
      if (failure === undefined) await repository.maintain();
      expect(repository.state.packs).toEqual(after);
      expect(await isOrdered(repository)).toBe(true);
      await repository.check();
      const outcome = failure !== undefined ? 'refused' : isMade ? 'made' : 'left';
      return { outcome, most: engine.admission.reservedMost };
    };
    const { outcome, most } = await maintained(64 * mebibyte);
    expect(outcome).toBe('made');
    // There is no memory for a delta; then there is not enough to order the pack again.
    expect((await maintained(most - mebibyte / 2)).outcome).toBe('made');
    expect((await maintained(most - 1.5 * mebibyte)).outcome).toBe('left');
    expect((await maintained(mebibyte)).outcome).toBe('refused');
  });

  test.prop([fc.nat(0x7fff_ffff), someSteps], { numRuns: runs(5) })(
    'keeps everything in random histories, and forms no circles',
    async (seed, steps) => {
      const repository = new MaintainedRepository(10_000);
      const history = new RandomHistory(repository);
      await history.pushNewestFirst(seed);
      const [before] = repository.state.packs;
      await repository.maintain({ history: seed % 2 === 0 ? 'all' : 'recent' });
      expect(repository.state.packs[0]?.id).not.toBe(before?.id);
      expect(await isOrdered(repository)).toBe(true);
      await repository.check();
      await repository.checkByGit();
      for (const step of steps.slice(0, 20)) await history.run(step);
      await history.quiet();
      await repository.checkByGit();
    },
    120_000,
  );
});
