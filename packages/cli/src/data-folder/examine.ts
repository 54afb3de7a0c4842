import { readAllRefs, RepoGoneError, type RepoSnapshot } from '@packhouse/git';
import type { HostedRepo, RepoStorage } from '@packhouse/hosting';
import type { Progress } from '@packhouse/command';
import { orphanPacks, type KnownRepo } from './inventory.ts';

/** One fault that an examination found. */
export interface Finding {
  /** `namespace/name`, or the id of a repository without a name; null for the database. */
  readonly repo: string | null;
  readonly account: string | null;
  /** The pack or ref that has the fault. */
  readonly where: string | null;
  readonly what: string;
}

/** The result of an examination. */
export interface Report {
  readonly ok: boolean;
  readonly repos: number;
  readonly refs: number;
  readonly packs: number;
  /** Objects, counted once per pack that holds them. */
  readonly objects: number;
  /** Replaced packs that are kept a while for running fetches. */
  readonly replacedPacks: number;
  /** Packs and repositories that nothing refers to. They are harmless; a sweep removes them. */
  readonly orphans: { readonly packs: number; readonly repos: number };
  readonly problems: readonly Finding[];
}

/** Checks one repository and returns its faults. */
export type RepoCheck = (
  repo: HostedRepo,
  snapshot: RepoSnapshot,
) => Promise<readonly Pick<Finding, 'where' | 'what'>[]>;

/** Repositories to examine, and faults of the whole storage. */
export interface Examined {
  /** Faults of the database. */
  readonly problems: readonly string[];
  readonly known: readonly KnownRepo[];
  readonly storage: RepoStorage;
  /** Counts the packs of repositories that no longer exist. */
  readonly packsOfNobody: () => Promise<number>;
}

/** Examines a storage, one repository at a time. Changes nothing. */
export async function examine(
  opened: Examined,
  checks: readonly RepoCheck[],
  show: Progress['show'] = () => undefined,
): Promise<Report> {
  const problems: Finding[] = opened.problems.map((what) => ({
    repo: null,
    account: null,
    where: null,
    what,
  }));
  const totals = { repos: 0, refs: 0, packs: 0, objects: 0, replacedPacks: 0 };
  const orphans = { packs: 0, repos: 0 };
  const { known } = opened;
  for (const one of known) {
    totals.repos += 1;
    show(`Checking repo ${totals.repos} of ${known.length}: ${one.name ?? one.id}`);
    // A leftover of an interrupted creation, or a deletion that has not finished. The next server's sweep removes it.
    const orphan = one.name === undefined || one.unfinished;
    if (orphan) orphans.repos += 1;
    // The creation stopped before it wrote any state.
    if (one.unfinished && !one.stored) continue;
    const tell = (finding: Pick<Finding, 'where' | 'what'>): void => {
      problems.push({ repo: one.name ?? one.id, account: one.account, ...finding });
    };
    const repo = opened.storage.repo(one.account, one.id, one.jurisdiction);
    try {
      const snapshot = await stateOf(one, repo);
      if (typeof snapshot === 'string') {
        tell({ where: null, what: snapshot });
        continue;
      }
      totals.refs += (await readAllRefs(repo.state, snapshot)).length;
      totals.packs += snapshot.packs.length;
      for (const pack of snapshot.packs) totals.objects += pack.objects;
      const replaced = await repo.state.retiredPacks();
      totals.replacedPacks += replaced.length;
      orphans.packs += await orphanPacks(repo, snapshot, replaced);
      // A fork gets its refs before its packs.
      if (orphan && !one.ready) continue;
      for (const check of checks) for (const finding of await check(repo, snapshot)) tell(finding);
    } catch (error) {
      // One unreadable repository must not hide the faults of the others.
      tell({ where: null, what: `cannot be examined: ${error instanceof Error ? error.message : 'unknown reason'}` });
    }
  }
  orphans.packs += await opened.packsOfNobody();
  return { ok: problems.length === 0, ...totals, orphans, problems };
}

async function stateOf(one: KnownRepo, { state }: HostedRepo): Promise<RepoSnapshot | string> {
  try {
    return one.stored ? ((await state.snapshot()) ?? 'has no state') : 'is listed, but its state is not there';
  } catch (error) {
    if (error instanceof RepoGoneError) return 'is listed, but its state is not there';
    throw error;
  }
}
