import { maintainRepository, type GitEngine, type MaintainOptions, type MaintenanceReport } from '@packhouse/git';
import type { HostedRepo } from '../ports/repo-storage.ts';
import { quietMergeAt, type QuietMerge } from './quiet-merge.ts';

/** How the repositories of a service are maintained. */
export interface MaintainRepoOptions extends Omit<MaintainOptions, 'mode'> {
  readonly quietMerge: QuietMerge;
}

/**
 * Maintains one repository whose maintenance is due, and plans when that is next. `nextAt` of the report is that time;
 * it is `now` where the repository has changed meanwhile, by this or by a push, and so stays due.
 *
 * @throws what {@link maintainRepository} throws; it stays due then.
 */
export async function maintainHostedRepo(
  engine: GitEngine,
  { state, packs }: HostedRepo,
  { quietMerge, ...options }: MaintainRepoOptions,
): Promise<MaintenanceReport> {
  const snapshot = await state.snapshot();
  if (snapshot === undefined) throw new RangeError('A state without a version known has a snapshot');
  const mergeAt = quietMergeAt(snapshot.packs, (await state.lastPush())?.at, quietMerge);
  const isFull = mergeAt !== undefined && mergeAt <= options.now;
  const report = await maintainRepository(engine, { state, packs }, { ...options, mode: isFull ? 'full' : 'usual' });
  // A merge of everything that left things as they are would do so again.
  const nextAt = isFull ? report.nextAt : earliest(report.nextAt, mergeAt);
  await state.planMaintenance(nextAt, snapshot.version);
  const hasChanged = (await state.snapshot(snapshot.version)) !== undefined;
  return { ...report, nextAt: hasChanged ? options.now : nextAt };
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
