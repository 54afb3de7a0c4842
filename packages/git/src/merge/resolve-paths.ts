import { toByteText } from '../bytes/byte-text.ts';
import { concatenate } from '../bytes/concatenate.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';
import { treeKind } from '../object/kind.ts';
import type { ObjectId } from '../object/object-id.ts';
import { isFileMode, isOtherType, treeMode } from '../object/tree.ts';
import { formatEntries } from '../pack/format-tree.ts';
import { cost } from '../work/costs.ts';
import { inTurns } from '../work/loops.ts';
import { folderOf } from './folder-moves.ts';
import { mergeContent, type MergeContext } from './merge-content.ts';
import { replacingEntries, type KeptNames, type KeptTrees } from './tree-entries.ts';
import { baseSide, oursSide, theirsSide, type PathInfo, type Side, type Version, type Versions } from './path-info.ts';

/** Steps that deciding a path counts for, with its part of sorting them. */
const stepsAPath = 10;

/** A path in conflict, with the versions that met there. */
export interface Conflict {
  readonly path: string;
  readonly versions: PathInfo['versions'];
}

export interface ResolvedTree {
  readonly tree: ObjectId;
  readonly conflicts: readonly Conflict[];
}

/** Decides every path that is left, and writes the trees of the result. Conflicts are part of the tree, as in Git. */
export async function resolvePaths(
  context: MergeContext,
  paths: Map<string, PathInfo>,
  kept: KeptTrees,
  names: KeptNames,
): Promise<ResolvedTree> {
  const resolver = new Resolver(context, paths, kept, names);
  // What is in a folder comes before the folder.
  const ordered = Array.from(paths, ([path, info]) => ({ order: `${path}/`, path, info }));
  ordered.sort((a, b) => (a.order < b.order ? 1 : -1));
  for (const { path, info } of ordered) {
    await resolver.resolve(path, info);
    if (context.objects.work.spend(cost.steps, stepsAPath)) await context.objects.work.yield();
  }
  const tree = await resolver.writeRoot();
  return { tree, conflicts: resolver.conflicts.toSorted((a, b) => (a.path < b.path ? -1 : 1)) };
}

class Resolver {
  readonly conflicts: Conflict[] = [];
  readonly #context: MergeContext;
  readonly #paths: Map<string, PathInfo>;
  readonly #kept: KeptTrees;
  readonly #names: KeptNames;
  /** By folder: the entries of the result by their names. */
  readonly #entries = new Map<string, Map<string, Version>>();

  constructor(context: MergeContext, paths: Map<string, PathInfo>, kept: KeptTrees, names: KeptNames) {
    this.#context = context;
    this.#paths = paths;
    this.#kept = kept;
    this.#names = names;
  }

  async resolve(path: string, info: PathInfo): Promise<void> {
    const tree = info.folders === 0 || info.result !== undefined ? undefined : await this.#treeOf(path);
    if (info.isClean || tree !== undefined) this.#record(path, tree ?? info.result);
    // A file that both sides deleted does not hinder a folder.
    if (info.isClean || info.files === 0 || (tree !== undefined && info.files === 1)) return;
    if (tree === undefined) {
      await this.#settle(path, { ...info, isBesideFolder: false });
      return;
    }
    const side = (info.folders & (1 << oursSide)) === 0 ? oursSide : theirsSide;
    const place = await this.#freePath(path, side);
    this.#paths.set(place, info);
    await this.#settle(place, info, side);
  }

  /** Writes the tree of the result. */
  writeRoot(): Promise<ObjectId> {
    return this.#writeTree('');
  }

  async #treeOf(folder: string): Promise<Version | undefined> {
    if (!this.#entries.has(folder) && !this.#kept.has(folder)) return undefined;
    return { mode: treeMode, oid: await this.#writeTree(folder) };
  }

  async #writeTree(folder: string): Promise<ObjectId> {
    const { objects } = this.#context;
    const entries = formatEntries(this.#entries.get(folder) ?? new Map());
    this.#entries.delete(folder);
    const kept = this.#kept.get(folder);
    if (kept === undefined) return objects.write(treeKind, concatenate(entries.map(({ bytes }) => bytes)));
    const body = (await objects.read(kept)).body.slice();
    const memory = 3 * body.length;
    objects.limits.hold(memory);
    const isReplaced = (name: string): boolean => this.#paths.has(below(folder, name));
    const written = await inTurns(objects.work, cost.entries, replacingEntries(body, isReplaced, entries));
    const oid = await objects.write(treeKind, written);
    objects.limits.hold(-memory);
    return oid;
  }

  /** Decides a path. `besideFolder` is the side of a file that had to make way for a folder. */
  async #settle(path: string, info: PathInfo, besideFolder?: Side): Promise<void> {
    const { files, matching, versions } = info;
    const [base, ours, theirs] = versions;
    const isPlain = besideFolder === undefined && !info.hasPathConflict;
    const settled = (result: Version | undefined, isClean: boolean): void => {
      this.#record(path, result);
      if (!isClean) this.#conflict(path, info);
    };
    if (matching !== 0) {
      const result = matching === 3 ? theirs : ours;
      settled(result, isPlain || (matching !== 6 && result === undefined));
    } else if (ours !== undefined && theirs !== undefined) {
      if (isOtherType(ours.mode, theirs.mode)) {
        await this.#separate(path, info, ours, theirs);
        return;
      }
      const extraMarkerSize = 2 * this.#context.depth;
      const merged = await mergeContent(this.#context, base, ours, theirs, info.names, extraMarkerSize);
      if (merged.isClean && besideFolder !== undefined) {
        info.files = 1 << besideFolder;
        info.versions[besideFolder] = merged.version;
      }
      settled(merged.version, merged.isClean && isPlain);
    } else if (base !== undefined && (ours ?? theirs) !== undefined) {
      settled(this.#context.depth > 0 ? base : (ours ?? theirs), false);
    } else {
      settled(ours ?? theirs, files === 1 ? !info.hasPathConflict : isPlain);
    }
  }

  /** Keeps a file and another type of entry, which both sides have at a path, under names of their sides. */
  async #separate(path: string, info: PathInfo, ours: Version, theirs: Version): Promise<void> {
    const base = info.versions[baseSide];
    if (this.#context.depth > 0) {
      this.#record(path, base);
      this.#conflict(path, info);
      return;
    }
    const movesOurs = isFileMode(ours.mode) || !isFileMode(theirs.mode);
    const movesTheirs = !isFileMode(ours.mode);
    const places = [
      movesOurs ? await this.#freePath(path, oursSide) : path,
      movesTheirs ? await this.#freePath(path, theirsSide) : path,
    ] as const;
    for (const [i, own] of [ours, theirs].entries()) {
      const likeBase = base === undefined || isOtherType(base.mode, own.mode) ? undefined : base;
      const versions: PathInfo['versions'] = i === 0 ? [likeBase, own, undefined] : [likeBase, undefined, own];
      const files = (likeBase === undefined ? 0 : 1) | (2 << i);
      const part = { ...info, versions, files };
      const place = places[i] as string;
      this.#paths.set(place, part);
      this.#record(place, own);
      this.#conflict(place, part);
    }
  }

  #record(path: string, result: Version | undefined): void {
    if (result === undefined || path === '') return;
    const slash = path.lastIndexOf('/');
    const folder = path.slice(0, Math.max(0, slash));
    const entries = this.#entries.get(folder) ?? new Map<string, Version>();
    entries.set(path.slice(slash + 1), result);
    this.#entries.set(folder, entries);
  }

  #conflict(path: string, { versions, files }: PathInfo): void {
    const shown = versions.map((version, side) => (files & (1 << side) ? version : undefined)) as Versions;
    this.conflicts.push({ path, versions: shown });
  }

  /** A name for a side's version of a path that cannot stay there. */
  async #freePath(path: string, side: Side): Promise<string> {
    const name = side === oursSide ? this.#context.ours : this.#context.theirs;
    const start = `${path}~${toByteText(encodeUtf8(name)).replaceAll('/', '_')}`;
    const nameAt = path.lastIndexOf('/') + 1;
    const isTaken = async (place: string): Promise<boolean> =>
      this.#paths.has(place) || this.#names.has(folderOf(path), place.slice(nameAt));
    let free = start;
    for (let number = 0; await isTaken(free); number++) free = `${start}_${number}`;
    return free;
  }
}

function below(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
