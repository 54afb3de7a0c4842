import { fc } from '@fast-check/vitest';
import type { PackId } from '@packhouse/git';
import { expect, it } from 'vitest';
import { SharingRepo } from './sharing-repo.ts';
import type { SharingFixture } from './sharing.ts';

/** One step. `repo` and `pack` are modulo their number. `death`: operation at which the process dies, if at all. */
interface Step {
  readonly does: 'push' | 'fork' | 'retire' | 'sweep' | 'erase';
  readonly repo: number;
  readonly pack: number;
  readonly death: number | undefined;
  readonly late: boolean;
  /** Makes a fork stop before its commit. */
  readonly isGivenUp: boolean;
}

const steps = fc.array(
  fc.record<Step>({
    does: fc.constantFrom('push', 'push', 'fork', 'fork', 'fork', 'retire', 'retire', 'sweep', 'erase'),
    repo: fc.nat(),
    pack: fc.nat(),
    death: fc.option(fc.nat(12), { nil: undefined }),
    late: fc.boolean(),
    isGivenUp: fc.boolean(),
  }),
  { minLength: 4, maxLength: 14 },
);

/** Tests random pushes, forks, removals and deletions, in each of which the process may die. */
export function testRandomSharing(make: () => SharingFixture | Promise<SharingFixture>, runs: number): void {
  it('REPO-123, GIT-153: lose no byte of a repository, and leave no unused byte, for any failures', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const fixture = await make();
        try {
          await play(fixture, given);
        } finally {
          await fixture.close();
        }
      }),
      { numRuns: runs },
    );
  }, 120_000);
}

async function play(fixture: SharingFixture, given: readonly Step[]): Promise<void> {
  const begun = async (): Promise<SharingRepo> => new SharingRepo(() => fixture.open(), fixture.account).begin();
  const living = [await begun()];
  const deleted: SharingRepo[] = [];
  const dying = async (step: Step, work: () => Promise<void>): Promise<void> => {
    if (step.death !== undefined) fixture.dieAt(step.death, step.late);
    const failure = await work().then(
      () => undefined,
      (error: unknown) => error,
    );
    // A failure without a cause is a bug.
    if (!fixture.revive() && failure !== undefined) throw failure;
  };
  for (const step of given) {
    const index = step.repo % Math.max(1, living.length);
    const repo = living[index] ?? (await begun());
    if (!living.includes(repo)) living.push(repo);
    const packs = await repo.packs();
    const pack = packs[step.pack % Math.max(1, packs.length)];
    if (step.does === 'push') await dying(step, async () => void (await repo.push()));
    if (step.does === 'sweep') await dying(step, async () => void (await repo.sweep()));
    if (step.does === 'retire' && pack !== undefined) await dying(step, () => repo.retire(pack));
    if (step.does === 'fork') {
      const child = await begun();
      living.push(child);
      await dying(step, () => fork(repo, child, packs, step.isGivenUp));
    }
    if (step.does === 'erase') {
      living.splice(living.indexOf(repo), 1);
      deleted.push(repo);
      await dying(step, () => repo.erase());
    }
    for (const one of living) expect(await one.unreadable(await one.packs())).toEqual([]);
  }
  // Background work of a service: sweeps, replaced packs and second erasures.
  for (const repo of living) {
    await repo.removeRetired();
    await repo.sweep();
    expect(await repo.unreadable(await repo.packs())).toEqual([]);
  }
  for (let times = 0; times < 2; times++) for (const repo of [...deleted, ...living]) await repo.erase();
  expect(await fixture.stored()).toBe(0);
}

async function fork(
  parent: SharingRepo,
  child: SharingRepo,
  packs: readonly PackId[],
  isGivenUp: boolean,
): Promise<void> {
  const isShared = await parent.share(child, packs);
  expect(isShared).toBe(true);
  if (!isGivenUp) await child.commit(packs, 'whole');
}
