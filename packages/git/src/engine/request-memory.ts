import { slabSize } from '../pack/buffer-pool.ts';
import type { PackRecord, RepoSnapshot } from '../ports/repo-state.ts';
import type { GitEngine } from './engine.ts';
import type { Applicant, Reservation } from '../memory/admission.ts';

const mebibyte = 1024 * 1024;

/** Memory of a fetch before its request is known, and of a whole clone of one stored pack. */
export const fetchStart: number = mebibyte;
/** Memory of a push while its commands and a small pack arrive, besides its bytes. */
export const pushStart: number = mebibyte / 4;
/** Bytes per object in the tables of a loaded graph, a set and a loaded index. */
const loadedPerObject = 72;
/** Bytes per object while a fetch is planned and sent. */
const plannedPerObject = 17;
/** Bytes per node while the boundary is computed, and per line that reports it. */
const markedPerNode = 24;
const toldPerLine = 256;
/** Buffers for framing a reply, and small objects. */
const replyBuffers = 2 * mebibyte;
/** Windows up to this size are not allocated from slabs. */
const smallWindowMax = mebibyte;

/** Opens the account of one request with `bytes`, plus the pages if the repository has packs to read through them. */
export function reserveFor(
  engine: GitEngine,
  { packs }: RepoSnapshot,
  bytes: number,
  applicant?: Applicant,
): Promise<Reservation> {
  return engine.admission.reserve(
    bytes,
    packs.some(({ where }) => where === 'store'),
    applicant,
  );
}

/** Bytes that one request may need (`request_memory_max`), but no more than the process has for one. */
export function requestMemoryMax({ admission }: GitEngine, setting: number): number {
  return Math.min(setting, admission.requestMost);
}

/** Returns the memory for opening a view of a snapshot, besides the caches. */
export function viewMemory({ sets, cacheLimit }: GitEngine, { packs }: RepoSnapshot): number {
  const newest = packs.at(-1);
  if (newest === undefined || sets.get(newest) !== undefined) return 0;
  const largest = packs.reduce((most, { graphSize, idxSize }) => Math.max(most, graphSize, idxSize), 0);
  const loaded = loadedPerObject * objectsOf(packs);
  return largest + (loaded > cacheLimit ? loaded : 0);
}

/** Returns the memory for computing a boundary. */
export function markingMemory(nodes: number): number {
  return markedPerNode * nodes;
}

/** Returns the memory for reporting a boundary in that number of lines. */
export function boundaryLinesMemory(lines: number): number {
  return toldPerLine * lines;
}

/** Returns the additional memory of a fetch over that of a clone of one stored pack. */
export function fetchMemory(engine: GitEngine, snapshot: RepoSnapshot): number {
  return commonMemory(engine, snapshot) + plannedPerObject * objectsOf(snapshot.packs);
}

/** Returns the part of it that any fetch needs: buffers, and tables of the repository. */
export function commonMemory(engine: GitEngine, snapshot: RepoSnapshot): number {
  const { windowMax, inFlight } = engine.reads;
  const stored = snapshot.packs.reduce((sum, { packSize }) => sum + packSize, 0);
  // One more window than the reads is in use; windows are allocated from slabs.
  const bytes = Math.min((inFlight + 1) * windowMax, stored);
  const windows = Math.min(windowMax, stored) > smallWindowMax ? Math.ceil(bytes / slabSize) * slabSize : bytes;
  return replyBuffers + viewMemory(engine, snapshot) + windows;
}

/**
 * Returns the memory for finding single objects: buffers and tables, and at most two bytes per object for visibility.
 */
export function visibleObjectsMemory(engine: GitEngine, snapshot: RepoSnapshot): number {
  return replyBuffers + viewMemory(engine, snapshot) + 2 * objectsOf(snapshot.packs);
}

function objectsOf(packs: readonly PackRecord[]): number {
  return packs.reduce((sum, { objects }) => sum + objects, 0);
}
