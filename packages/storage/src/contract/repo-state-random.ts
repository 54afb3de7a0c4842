import { fc } from '@fast-check/vitest';
import type { PackId, RepoChange } from '@packhouse/git';
import { describe, expect, it } from 'vitest';
import type { OpenState } from './repo-state.ts';
import { RepoStateModel } from './repo-state-model.ts';
import {
  change,
  sampleHead,
  samplePack,
  samplePackId,
  sampleRepoId,
  sampleToken,
  update,
} from './repo-state-samples.ts';

/** Names that get in each other's way, and neighbours that look as if they did. */
const names = [
  'a',
  'a/b',
  'a/b/c',
  'a/b-',
  'a-b',
  'a.',
  'a0',
  'b',
  'b/\ue000',
  'b/\u{1d4b3}',
  'b/\u{1d4b3}/x',
  'B',
].map((name) => `refs/heads/${name}`);

interface Step {
  readonly updates: readonly {
    readonly name: string;
    readonly old: 'right' | 'none' | 'wrong';
    readonly next: number | null;
    readonly forward: boolean;
  }[];
  readonly atomic: boolean;
  readonly packs: readonly boolean[];
  readonly leans: 'no' | 'all' | 'lost';
  readonly again: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  updates: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom(...names),
      old: fc.constantFrom('right' as const, 'right' as const, 'right' as const, 'none' as const, 'wrong' as const),
      next: fc.option(fc.integer({ min: 1, max: 4 }), { freq: 3 }),
      forward: fc.boolean(),
    }),
    { maxLength: 6, selector: ({ name }) => name },
  ),
  atomic: fc.boolean(),
  packs: fc.array(fc.boolean(), { maxLength: 2 }),
  leans: fc.constantFrom('no' as const, 'no' as const, 'all' as const, 'lost' as const),
  again: fc.boolean(),
});

export function testRandomCommits(open: OpenState): void {
  describe('any sequence of changes', () => {
    it('GIT-124, GIT-125, GIT-150, GIT-151: acts as the model does', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          const id = sampleRepoId();
          const model = new RepoStateModel();
          await open(id).begin(sampleHead(id), sampleToken('t1'));
          for (const each of steps) {
            const next = changeOf(each, model);
            const outcome = await open(id).commit(next);
            model.commit(next, outcome);
            // A repeated push id changes nothing, whatever came of it; `packs changed` is not remembered.
            if (each.again) expect(await open(id).commit(next)).toEqual(outcome);
            expect(await open(id).snapshot()).toEqual({
              version: model.version,
              refs: model.list(),
              packs: model.packs,
              shallow: [],
              defaultBranch: 'main',
              retiredTips: model.retiredTips(),
            });
          }
        }),
        { numRuns: 60 },
      );
    });
  });
}

function changeOf(step: Step, model: RepoStateModel): RepoChange {
  const held = model.packs.map((pack) => pack.id);
  const leansOn: Readonly<Record<Step['leans'], readonly PackId[]>> = {
    no: [],
    all: held,
    lost: [...held, samplePackId()],
  };
  const updates = step.updates.map(({ name, old, next, forward }) => {
    const made = update(name, old === 'wrong' ? 9 : null, next, forward);
    return old === 'right' ? { ...made, old: model.refs.get(name)?.oid ?? null } : made;
  });
  const addPacks = step.packs.map((exact) => samplePack({ exact }));
  return change(updates, { atomic: step.atomic, addPacks, leansOn: leansOn[step.leans] });
}
