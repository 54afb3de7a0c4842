import { maintainRepository, type GitEngine, type MaintainOptions, type MaintenanceReport } from '@packhouse/git';
import type { HostedRepo } from '../ports/repo-storage.ts';
import { quietMergeAt, type QuietMerge } from './quiet-merge.ts';

/** How the repositories of a service are maintained. */
export interface MaintainRepoOptions extends Omit<MaintainOptions, 'mode'> {
  readonly quietMerge: QuietMerge;
}

/**
 * Maintains one repository whose maintenance is due, and plans when that is next. `nextAt` of the report is that time;
 * it is `now` where a push has changed the repository meanwhile, so that it stays due.
 *
 * @throws what {@link maintainRepository} throws; it stays due then.
 */
export async function maintainHostedRepo(
  engine: GitEngine,
  repo: HostedRepo,
  { quietMerge, ...options }: MaintainRepoOptions,
): Promise<MaintenanceReport> {
  const { state } = repo;
  const { now } = options;
  const mergeAt = async (): Promise<number | undefined> =>
    quietMergeAt((await state.snapshot())?.packs ?? [], (await state.lastPush())?.at, quietMerge);
  const mergedAt = await mergeAt();
  const isFull = mergedAt !== undefined && mergedAt <= now;
  const report = await maintainRepository(engine, repo, { ...options, mode: isFull ? 'full' : 'usual' });
  // A full merge that left several packs would leave them again, so no other one is planned.
  const nextAt = isFull ? report.nextAt : earliest(report.nextAt, await mergeAt());
  await state.planMaintenance(nextAt, report.version);
  const hasChanged = (await state.snapshot(report.version)) !== undefined;
  return { ...report, nextAt: hasChanged ? now : nextAt };
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
