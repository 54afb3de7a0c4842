import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import type { SideRenames } from './find-renames.ts';
import { folderOf } from './folder-moves.ts';
import { oursSide, theirsSide, type PathInfo, type Side, type Versions } from './path-info.ts';
import type { RenameCandidates } from './rename-candidates.ts';
import type { KeptNames } from './tree-entries.ts';

const bothSides: readonly Side[] = [oursSide, theirsSide];

/** Work to place one path, as a number of table entries. */
const entriesAPath = 100;

/** New paths of added files whose folder the other side renamed. */
export interface Placement {
  /** By side: the new path of each moved one. */
  readonly places: Readonly<Record<Side, ReadonlyMap<string, string>>>;
  /** Files that stay, since something is in the way, and folders whose files went to several places. */
  readonly unplaced: readonly string[];
}

/**
 * Moves the files that one side added to a folder, or renamed into it, while the other side renamed the folder. Such a
 * path is in conflict, as Git has it by default (`merge.directoryRenames`).
 */
export async function placeAdded(
  work: Work,
  paths: Map<string, PathInfo>,
  kept: KeptNames,
  found: Readonly<Record<Side, SideRenames>>,
  candidates: RenameCandidates,
): Promise<Placement> {
  const { moves, split } = folderMoves(found);
  const places = { 1: new Map<string, string>(), 2: new Map<string, string>() };
  const unplaced = [...split];
  for (const side of bothSides) {
    const others = moves[(3 - side) as Side];
    if (others.size === 0) continue;
    const wanted = new Map<string, string>();
    for (const { path } of candidates.sides[side].added) {
      const folder = nearest(path, others);
      if (folder !== undefined) wanted.set(path, movedPath(path, folder, others.get(folder) as string));
    }
    const byPlace = Map.groupBy(wanted, ([, place]) => place);
    for (const [path, place] of wanted) {
      if (work.spend(cost.entries, entriesAPath)) await work.yield();
      // A folder that this side renamed, too, would move its files a second time.
      if (moves[side].has(others.get(nearest(path, others) as string) as string)) continue;
      const isFree = byPlace.get(place)?.length === 1 && !(await isInTheWay(paths, kept, place, side));
      if (isFree) {
        move(paths, path, place, side);
        places[side].set(path, place);
      } else {
        unplaced.push(path);
      }
    }
  }
  return { places, unplaced };
}

/** Returns where each side moved its folders, without those that both moved. */
function folderMoves(found: Readonly<Record<Side, SideRenames>>): {
  readonly moves: Readonly<Record<Side, ReadonlyMap<string, string>>>;
  readonly split: readonly string[];
} {
  const split: string[] = [];
  const moves = { 1: new Map<string, string>(), 2: new Map<string, string>() };
  for (const side of bothSides) {
    for (const [folder, next] of found[side].moves.results()) {
      if (next === undefined) split.push(folder);
      else moves[side].set(folder, next);
    }
  }
  for (const folder of [...moves[1].keys()].filter((name) => moves[2].has(name))) {
    moves[1].delete(folder);
    moves[2].delete(folder);
  }
  return { moves, split };
}

/** The innermost folder of a path that is in the map. */
function nearest(path: string, folders: ReadonlyMap<string, string>): string | undefined {
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) if (folders.has(folder)) return folder;
  return undefined;
}

function movedPath(path: string, folder: string, to: string): string {
  return to === '' ? path.slice(folder.length + 1) : to + path.slice(folder.length);
}

async function isInTheWay(
  paths: ReadonlyMap<string, PathInfo>,
  kept: KeptNames,
  place: string,
  side: Side,
): Promise<boolean> {
  const there = paths.get(place);
  if (there !== undefined) return there.isClean || ((there.files | there.folders) & (1 << side)) !== 0;
  // The path itself, or a folder above it, may be equal on all sides.
  for (let path = place; path !== '' && !paths.has(path); path = folderOf(path)) {
    if (await kept.has(folderOf(path), path.slice(path.lastIndexOf('/') + 1))) return true;
  }
  return false;
}

/** Moves what a side added to another path. */
function move(paths: Map<string, PathInfo>, path: string, place: string, side: Side): void {
  const info = paths.get(path) as PathInfo;
  for (let folder = folderOf(place); folder !== '' && !paths.has(folder); folder = folderOf(folder)) {
    paths.set(folder, { ...emptyInfo(folder), folders: info.files });
  }
  if (info.folders === 0) paths.delete(path);
  else paths.set(path, { ...emptyInfo(path), folders: info.folders });
  const there = paths.get(place);
  if (there === undefined) {
    paths.set(place, { ...info, folders: 0, matching: 0, isBesideFolder: false, hasPathConflict: true });
    return;
  }
  there.files |= info.files;
  there.isBesideFolder ||= there.folders !== 0;
  there.names[side] = info.names[side];
  there.versions[side] = info.versions[side];
  there.hasPathConflict = true;
}

function emptyInfo(path: string): PathInfo {
  const versions: Versions = [undefined, undefined, undefined];
  return {
    versions,
    names: [path, path, path],
    files: 0,
    folders: 0,
    matching: 0,
    isBesideFolder: false,
    hasPathConflict: false,
    isClean: false,
    result: undefined,
  };
}
