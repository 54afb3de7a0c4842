import { fc, test } from '@fast-check/vitest';
import { runs } from '@packhouse/fixtures';
import { describe, expect, it } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import { createGitEngine } from '../engine/engine.ts';
import { blob, closure, commit, tree, type MadeObject } from './made-history.test.util.ts';
import { MaintainedRepository } from './maintained-repository.test.util.ts';
import { RandomHistory, someSteps } from './random-history.test.util.ts';

describe('GIT-127, LIM-064: maintenance of random histories', () => {
  test.prop([someSteps, fc.constantFrom(64, 700, 100_000)], { numRuns: runs(5) })(
    'keeps what refs reach and what is young, drops all else, and leaves few packs that stock git reads',
    async (steps, partSize) => {
      const repository = new MaintainedRepository(partSize);
      const history = new RandomHistory(repository);
      for (const step of steps) await history.run(step);
      await history.quiet();
      await repository.checkByGit();
    },
    120_000,
  );
});

it('GIT-191: merges fewer packs while other requests hold the memory, and says that more is left to do', async () => {
  const repository = new MaintainedRepository(100_000);
  const parents: MadeObject[] = [];
  for (let push = 0; push < 8; push++) {
    const files = Array.from({ length: 500 }, (_, i) => ({ name: `${i}`, object: blob(`${push} ${i}`) }));
    parents.unshift(commit(tree(files), parents.slice(0, 1), push));
    const [tip] = parents as [MadeObject];
    const sent = closure([tip]);
    for (const old of closure(parents.slice(1, 2)).keys()) sent.delete(old);
    await repository.push([{ ref: 'refs/heads/main', new: tip }], [...sent.values()]);
  }
  const wait = async (): Promise<void> => {};
  const memory = 64 * 1024 * 1024;
  repository.engine = createGitEngine({ codec: nodeCodec(), memory, wait });
  const { admission } = repository.engine;
  const held = (memory - 1_400_000) / 2;
  const others = [await admission.reserve(held, false), await admission.reserve(held, false)];
  const { mergedPacks, madePacks, nextAt } = await repository.maintain({ mode: 'full', deltas: false });
  expect([mergedPacks, madePacks, (nextAt ?? Infinity) - repository.clock]).toEqual([8, 4, 60_000]);
  for (const other of others) other.release();
  expect((await repository.maintain({ mode: 'full', deltas: false })).madePacks).toBe(1);
  expect(repository.state.packs).toHaveLength(1);
});
