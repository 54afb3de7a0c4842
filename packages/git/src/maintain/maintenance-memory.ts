import type { RepoSnapshot } from '../ports/repo-state.ts';
import type { GitEngine } from '../repository/engine.ts';
import { fetchMemory } from '../repository/request-memory.ts';
import { rowPortion } from '../repository/row-packs.ts';
import type { PackRun } from './geometric-plan.ts';
import { plannedPerObject } from './merge-plan.ts';

/** Bytes an object or node takes while it is judged, and in tables of what it is found to be. */
const judgedPerObject = 4;
/** Bytes an object of a made pack takes in its tables, its graph and its files, beside the plan. */
const writtenPerObject = 110;

/** What a maintenance takes to look at a repository: as much as a fetch, and the judgement. */
export function judgeMemory(engine: GitEngine, snapshot: RepoSnapshot): number {
  return fetchMemory(engine, snapshot) + judgedPerObject * objectsOf(snapshot);
}

/** What it takes to make one pack of a run, with all that. */
export function mergeMemory(engine: GitEngine, snapshot: RepoSnapshot, { from, to }: PackRun, part: number): number {
  const packs = snapshot.packs.slice(from, to);
  const objects = objectsOf({ packs });
  const rows = packs.reduce((sum, { where, packSize }) => sum + (where === 'rows' ? packSize : 0), 0);
  const tables = (plannedPerObject + writtenPerObject) * objects;
  return judgeMemory(engine, snapshot) + tables + part + Math.min(rows, 2 * rowPortion);
}

function objectsOf({ packs }: Pick<RepoSnapshot, 'packs'>): number {
  return packs.reduce((sum, { objects }) => sum + objects, 0);
}
