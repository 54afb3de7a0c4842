import { maintainRepository, type GitEngine } from '@packhouse/git';
import { type HostedRepo, sweepLeftovers } from '@packhouse/hosting';

/** A number before and after. */
export interface Change {
  readonly before: number;
  readonly after: number;
}

/** What maintaining one repository did. */
export interface Maintained {
  readonly packs: Change;
  /** As often as packs hold them. */
  readonly objects: Change;
  /** Of the packs that the repository consists of. */
  readonly bytes: Change;
  /** Objects that were left out since nothing reached them for long. */
  readonly collected: number;
  /** Packs whose bytes were removed: replaced ones, and left-overs of dead pushes. */
  readonly removed: number;
}

export interface MaintainRepoOptions {
  /** Milliseconds (LIM-064). */
  readonly grace: number;
  /** All into one pack. */
  readonly full: boolean;
  /** Bytes up to which a pack goes into the database. */
  readonly rowsMax: number;
}

/** More than it takes until nothing is left to do: replacing packs, then removing what was replaced. */
const roundsMax = 4;

/** Maintains a repository that nobody else uses, so nothing that was replaced is kept. */
export async function maintainRepo(
  engine: GitEngine,
  repo: HostedRepo,
  { grace, full, rowsMax }: MaintainRepoOptions,
): Promise<Maintained> {
  const before = await sizesOf(repo);
  let collected = 0;
  let removed = 0;
  for (let round = 0; round < roundsMax; round++) {
    const report = await maintainRepository(engine, repo, {
      now: Date.now(),
      grace,
      retireGrace: 0,
      mode: full && round === 0 ? 'full' : 'usual',
      mergeMax: Number.MAX_SAFE_INTEGER,
      rowsMax,
      inUse: () => false,
      newId: () => crypto.randomUUID(),
    });
    collected += report.collectedObjects;
    removed += report.removedPacks;
    if (report.mergedPacks + report.madePacks + report.removedPacks === 0) break;
  }
  removed += (await sweepLeftovers(repo.state, repo.packs, Date.now(), 0)).length;
  const after = await sizesOf(repo);
  // The next server looks for itself what is to come.
  await repo.state.planMaintenance(Date.now());
  return {
    packs: { before: before.packs, after: after.packs },
    objects: { before: before.objects, after: after.objects },
    bytes: { before: before.bytes, after: after.bytes },
    collected,
    removed,
  };
}

async function sizesOf({ state }: HostedRepo): Promise<{ packs: number; objects: number; bytes: number }> {
  const packs = (await state.snapshot())?.packs ?? [];
  const sum = (count: (pack: (typeof packs)[number]) => number): number =>
    packs.reduce((total, pack) => total + count(pack), 0);
  return { packs: packs.length, objects: sum((pack) => pack.objects), bytes: sum((pack) => pack.packSize) };
}
