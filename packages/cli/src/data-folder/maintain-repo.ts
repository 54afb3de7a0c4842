import { maintainRepository, type GitEngine } from '@packhouse/git';
import { type HostedRepo, sweepLeftovers } from '@packhouse/hosting';

/** A number before and after. */
export interface Change {
  readonly before: number;
  readonly after: number;
}

/** The result of maintaining one repository. */
export interface Maintained {
  readonly packs: Change;
  /** Objects, counted once per pack that holds them. */
  readonly objects: Change;
  /** Bytes of the packs that the repository uses. */
  readonly bytes: Change;
  /** Objects dropped because no ref had reached them for the grace period. */
  readonly collected: number;
  /** Packs whose bytes were removed: replaced packs and leftovers of dead pushes. */
  readonly removed: number;
}

export interface MaintainRepoOptions {
  /** Milliseconds that unreachable objects are kept (LIM-064). */
  readonly grace: number;
  /** True to merge everything into one pack. */
  readonly full: boolean;
  /** Bytes up to which a pack is stored in the database. */
  readonly rowsMax: number;
  /** Milliseconds that other processes may need replaced packs and left-overs. Default: none uses the repository. */
  readonly others?: { readonly retireGrace: number; readonly leftoverAge: number };
}

/** A bound above the rounds needed: one replaces packs, the next removes the replaced ones. */
const roundsMax = 4;

/** Maintains a repository. If no other process uses it, it keeps no replaced packs. */
export async function maintainRepo(
  engine: GitEngine,
  repo: HostedRepo,
  { grace, full, rowsMax, others = { retireGrace: 0, leftoverAge: 0 } }: MaintainRepoOptions,
): Promise<Maintained> {
  const before = await sizesOf(repo);
  let collected = 0;
  let removed = 0;
  for (let round = 0; round < roundsMax; round++) {
    const report = await maintainRepository(engine, repo, {
      now: Date.now(),
      grace,
      retireGrace: others.retireGrace,
      mode: full && round === 0 ? 'full' : 'usual',
      history: full ? 'all' : 'recent',
      mergeMax: Number.MAX_SAFE_INTEGER,
      rowsMax,
      inUse: () => false,
      newId: () => crypto.randomUUID(),
    });
    collected += report.collectedObjects;
    removed += report.removedPacks;
    if (report.mergedPacks + report.madePacks + report.removedPacks === 0) break;
  }
  removed += (await sweepLeftovers(repo.state, repo.packs, Date.now(), others.leftoverAge)).length;
  const after = await sizesOf(repo);
  // The next server plans its next maintenance itself.
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
