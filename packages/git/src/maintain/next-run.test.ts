import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { PackId } from '../ports/pack-store.ts';
import type { PackRecord } from '../ports/repo-state.ts';
import type { PackRun } from './geometric-plan.ts';
import type { JudgedState } from './judged-state.ts';
import type { MaintainOptions } from './maintenance.ts';
import { Scheduler } from '../work/scheduler.ts';
import { nextRun } from './next-run.ts';

const work = new Scheduler().begin();

interface Sized {
  readonly objects: number;
  readonly dead: boolean;
}

const live = (objects: number): Sized => ({ objects, dead: false });

function stateOf(packs: readonly Sized[]): JudgedState {
  const records = packs.map(({ objects }) => ({ objects, packSize: objects, borrowed: 'no' }) as PackRecord);
  return {
    snapshot: { packs: records },
    view: { set: { packs: records.map((record) => ({ record })) } },
    liveness: { packs: packs.map(({ dead }) => ({ dead, waiting: false })) },
  } as unknown as JudgedState;
}

function objectsOf(packs: readonly Sized[], { from, to }: PackRun): number {
  return packs.slice(from, to).reduce((sum, { objects }) => sum + objects, 0);
}

/** Runs a maintenance that may make packs of at most `most` objects. Returns its packs, and how many objects it wrote. */
async function maintained(
  given: readonly Sized[],
  mode: MaintainOptions['mode'],
  most: number,
): Promise<{ packs: readonly Sized[]; written: number }> {
  let packs = given;
  let written = 0;
  const options = { mode, mergeMax: Infinity, deltas: false } as MaintainOptions;
  for (let left = 2 * packs.length + 1; ; left--) {
    expect(left).toBeGreaterThan(0);
    const now = packs;
    const fits = (run: PackRun): boolean => objectsOf(now, run) <= most;
    const run = await nextRun(stateOf(packs), options, new Set<PackId>(), fits, work);
    if (run === undefined || !fits(run)) return { packs, written };
    const objects = objectsOf(packs, run);
    written += objects;
    packs = [...packs.slice(0, run.from), live(objects), ...packs.slice(run.to)];
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 40 });

describe('GIT-191: maintenance within the memory for 1,000 objects', () => {
  test.prop([sizes, fc.constantFrom('usual' as const, 'full' as const)])(
    'ends, and what it leaves stays as it is',
    async (objects, mode) => {
      const { packs } = await maintained(objects.map(live), mode, 1_000);
      expect(await maintained(packs, mode, 1_000)).toEqual({ packs, written: 0 });
    },
  );

  it('keeps few packs over 20,000 pushes of 3 objects, and copies an object seldom', async () => {
    let packs: readonly Sized[] = [];
    let written = 0;
    for (let push = 0; push < 20_000; push++) {
      const done = await maintained([...packs, live(3)], 'usual', 1_000);
      packs = done.packs;
      written += done.written;
    }
    expect(packs.length).toBeLessThanOrEqual((2 * 60_000) / 1_000 + 10);
    expect(written / 60_000).toBeLessThan(20);
  });

  it('does not rewrite a large pack for each small push after a full merge', async () => {
    const { packs } = await maintained([live(900), live(700), live(3)], 'full', 1_000);
    expect(packs.map(({ objects }) => objects)).toEqual([900, 700, 3]);
  });

  it('merges newer packs if one with dead objects does not fit, and then asks for that one', async () => {
    const packs = [live(50), { objects: 2_000, dead: true }, live(3), live(3)];
    const done = await maintained(packs, 'usual', 1_000);
    expect(done.packs.map(({ objects }) => objects)).toEqual([50, 2_000, 6]);
    const options = { mode: 'usual', mergeMax: Infinity, deltas: false } as MaintainOptions;
    const asked = await nextRun(stateOf(done.packs), options, new Set(), () => false, work);
    expect(asked).toMatchObject({ from: 1, to: 2 });
  });

  it('asks for the two newest of small packs that would pile up', async () => {
    const packs = [live(2_000), live(3), live(3)];
    const options = { mode: 'usual', mergeMax: Infinity, deltas: false } as MaintainOptions;
    expect(await nextRun(stateOf(packs), options, new Set(), () => false, work)).toMatchObject({ from: 1, to: 3 });
    const large = [live(2_000), live(900), live(800)];
    expect(await nextRun(stateOf(large), options, new Set(), () => false, work)).toBeUndefined();
  });
});
