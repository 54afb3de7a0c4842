import { slabSize } from '../pack/buffer-pool.ts';
import type { PackRecord, RepoSnapshot } from '../ports/repo-state.ts';
import type { GitEngine } from './engine.ts';
import type { Applicant, Reservation } from './admission.ts';

const mebibyte = 1024 * 1024;

/** What a fetch takes before it is known what it asks for, and all that a clone of one stored pack takes. */
export const fetchStart: number = mebibyte;
/** What a push takes while its commands and a small pack come in, beside the bytes of that. */
export const pushStart: number = mebibyte / 4;
/** Bytes an object takes in the tables of a loaded graph and of a set, and in a loaded index. */
const loadedPerObject = 72;
/** Bytes an object takes while a fetch is planned and sent. */
const plannedPerObject = 17;
/** Bytes a node takes while it is found where history is cut off, and those of a line that tells of it. */
const markedPerNode = 24;
const toldPerLine = 256;
/** Buffers that a reply is framed in, and small things. */
const replyBuffers = 2 * mebibyte;
/** Windows up to this size lie in no slab. */
const smallWindowMax = mebibyte;

/** Opens the account of one request: `bytes`, and the pages where the repository has packs to read through them. */
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

/** What it takes to open a view of a snapshot, beside what the caches keep. */
export function viewMemory({ sets, cacheLimit }: GitEngine, { packs }: RepoSnapshot): number {
  const newest = packs.at(-1);
  if (newest === undefined || sets.get(newest) !== undefined) return 0;
  const largest = packs.reduce((most, { graphSize, idxSize }) => Math.max(most, graphSize, idxSize), 0);
  const loaded = loadedPerObject * objectsOf(packs);
  return largest + (loaded > cacheLimit ? loaded : 0);
}

/** What it takes to find where history is cut off. */
export function markingMemory(nodes: number): number {
  return markedPerNode * nodes;
}

/** What it takes to tell that in so many lines. */
export function boundaryLinesMemory(lines: number): number {
  return toldPerLine * lines;
}

/** What a fetch takes that is more than a clone of one stored pack. */
export function fetchMemory(engine: GitEngine, snapshot: RepoSnapshot): number {
  return commonMemory(engine, snapshot) + plannedPerObject * objectsOf(snapshot.packs);
}

/** What of that any fetch takes, whatever it asks for: the buffers, and the tables of the repository. */
export function commonMemory(engine: GitEngine, snapshot: RepoSnapshot): number {
  const { windowMax, inFlight } = engine.reads;
  const stored = snapshot.packs.reduce((sum, { packSize }) => sum + packSize, 0);
  // One more window than is read is worked on; they lie in slabs.
  const bytes = Math.min((inFlight + 1) * windowMax, stored);
  const windows = Math.min(windowMax, stored) > smallWindowMax ? Math.ceil(bytes / slabSize) * slabSize : bytes;
  return replyBuffers + viewMemory(engine, snapshot) + windows;
}

/** What it takes to look for single objects: beside buffers and tables, two bytes an object at most for what is seen. */
export function visibleObjectsMemory(engine: GitEngine, snapshot: RepoSnapshot): number {
  return replyBuffers + viewMemory(engine, snapshot) + 2 * objectsOf(snapshot.packs);
}

function objectsOf(packs: readonly PackRecord[]): number {
  return packs.reduce((sum, { objects }) => sum + objects, 0);
}
