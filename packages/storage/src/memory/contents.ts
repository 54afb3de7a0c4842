import {
  keyLifetime,
  keysMax,
  snapshotTipsMax,
  type CommitOutcome,
  type KeyedResult,
  type NewPack,
  type ObjectId,
  type PackFile,
  type PackId,
  type PackRecord,
  type RetiredPack,
  type RetiredTip,
  type RowFile,
} from '@packhouse/git';
import type { HostedSnapshot, RepoHead, TokenRecord } from '@packhouse/hosting';
import { compareBytewise } from '@packhouse/base';
import { outcomeLifetime } from '../repo-state/change.ts';
import type { MemoryRefs } from './refs.ts';
import { fewRefs } from '../repo-state/read-refs.ts';

/** Contents of a repository in memory. */
export interface Contents {
  head: RepoHead;
  /** Number of the last update of the head. */
  revision: number;
  version: number;
  pushedAt: number | undefined;
  readonly refs: MemoryRefs;
  packs: readonly PackRecord[];
  lastPosition: number;
  retiredPacks: readonly RetiredPack[];
  /** Retired packs of which nothing has been left out so far. */
  readonly keptWhole: Set<PackId>;
  files: readonly RowFile[];
  shallow: readonly ObjectId[];
  /** Newest first. */
  retiredTips: readonly RetiredTip[];
  /** By the id of a push or replacement. */
  readonly outcomes: Map<string, { readonly at: number; readonly outcome: CommitOutcome | 'done' }>;
  tokens: readonly TokenRecord[];
  /** Uploaded blobs with the time of their last upload. */
  readonly uploaded: Map<ObjectId, number>;
  /** Results by key, oldest first. */
  readonly keyed: Map<string, { readonly at: number; readonly result: string }>;
}

/** Makes a snapshot of the current state. */
export function snapshotOf({ version, refs, packs, shallow, head, retiredTips }: Contents): HostedSnapshot {
  return {
    version,
    refs: fewRefs(refs.at(version)),
    packs,
    shallow,
    defaultBranch: head.defaultBranch,
    retiredTips: retiredTips.slice(0, snapshotTipsMax),
    name: head.name,
    refCount: refs.count,
  };
}

/** Makes the manifest record of an added pack. */
export function recordOf(
  { id, where, objects, packSize, idxSize, graphSize, exact, after, borrowed }: NewPack,
  position: number,
  at: number,
): PackRecord {
  return { id, where, objects, packSize, idxSize, graphSize, exact, position, after, at, borrowed };
}

/** Returns the outcome of a push. */
export function outcomeOf({ outcomes }: Contents, pushId: string): CommitOutcome | undefined {
  const outcome = outcomes.get(pushId)?.outcome;
  return outcome === 'done' ? undefined : outcome;
}

/** Stores an outcome, and drops those that expired at `at`. */
export function record({ outcomes }: Contents, id: string, at: number, outcome: CommitOutcome | 'done'): void {
  for (const [other, { at: then }] of outcomes) {
    if (then >= at - outcomeLifetime) break;
    outcomes.delete(other);
  }
  outcomes.set(id, { at, outcome });
}

/** Returns the result of a key that has not expired. */
export function keyedResultOf({ keyed }: Contents, key: string, at: number): string | undefined {
  const found = keyed.get(key);
  return found !== undefined && found.at > at - keyLifetime ? found.result : undefined;
}

/** Records the result of a key, and drops those that have expired or are too many. */
export function recordKeyed({ keyed }: Contents, { key, result }: KeyedResult, at: number): void {
  keyed.delete(key);
  keyed.set(key, { at, result });
  for (const [oldest, { at: then }] of keyed) {
    if (then > at - keyLifetime && keyed.size <= keysMax) break;
    keyed.delete(oldest);
  }
}

/** Tests if all objects of these packs still exist (see `RepoChange.leansOn`). */
export function holdsAll({ packs, keptWhole }: Contents, ids: readonly PackId[]): boolean {
  const listed = new Set(packs.map((pack) => pack.id));
  return ids.every((id) => listed.has(id) || keptWhole.has(id));
}

/** Tests if a pack is in the manifest, or retired. */
export function knows({ packs, retiredPacks }: Contents, id: PackId): boolean {
  return packs.some((pack) => pack.id === id) || retiredPacks.some(({ pack }) => pack.id === id);
}

/** Adds tips that refs left at `at`; newest first. */
export function withTips(
  tips: readonly RetiredTip[],
  added: readonly Omit<RetiredTip, 'at'>[],
  at: number,
): readonly RetiredTip[] {
  if (added.length === 0) return tips;
  const all = new Map(tips.map((tip) => [`${tip.name} ${tip.oid}`, tip]));
  for (const { name, oid } of added) {
    const key = `${name} ${oid}`;
    all.set(key, { name, oid, at: Math.max(at, all.get(key)?.at ?? at) });
  }
  return [...all.values()].sort(
    (a, b) => b.at - a.at || compareBytewise(a.name, b.name) || compareBytewise(a.oid, b.oid),
  );
}

/** Compares by retirement time, then by position in the manifest. */
export function oldestFirst(a: RetiredPack, b: RetiredPack): number {
  return a.at - b.at || a.pack.position - b.pack.position || compareBytewise(a.pack.id, b.pack.id);
}

/** Copies the files of a pack in rows. */
export function filesOf({ id, where, files }: NewPack): RowFile[] {
  if (where !== 'rows' || files === undefined) return [];
  return Object.entries(files).map(([file, bytes]) => ({ id, file: file as PackFile, bytes: bytes.slice() }));
}
