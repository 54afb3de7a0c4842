import { slabSize } from '../pack/buffer-pool.ts';
import { objectsIn, type PackRecord, type RepoSnapshot } from '../ports/repo-state.ts';
import type { GitEngine } from './engine.ts';
import type { Applicant, Reservation } from '../memory/admission.ts';

const mebibyte = 1024 * 1024;

/** Memory of a fetch before its request is known, and of a whole clone of one stored pack. */
export const fetchStart: number = mebibyte;
/** Memory of a push while its commands and a small pack arrive, besides its bytes. */
export const pushStart: number = mebibyte / 4;
/** Bytes per object in a loaded graph and its set: kind, offset, base, size, a list entry and an introducer. */
const graphPerObject = 21;
/** Bytes per node there: 49 in the graph, 17 in the set. */
const graphPerNode = 66;
/** Bytes per object and per node in a graph file, at least. */
const filePerObject = 5;
const filePerNode = 30;
/** Bytes per object in a loaded index besides its file, and while it is opened. */
const indexPerObject = 4;
const openedPerObject = 5;
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
  { packs }: Pick<RepoSnapshot, 'packs'>,
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

/** Returns the memory for a view of a snapshot with the indexes of `indexed`, besides the caches. Default: of all packs. */
export function viewMemory(
  { sets, cacheLimit }: GitEngine,
  { packs }: RepoSnapshot,
  indexed: readonly PackRecord[] = packs,
): number {
  const newest = packs.at(-1);
  if (newest === undefined) return 0;
  const isCached = sets.get(newest) !== undefined;
  const indexes = indexMemory(indexed);
  const loaded = graphMemoryOf(packs) + indexes;
  // The bytes of a file that is opened.
  const opening = packs.reduce(
    (most, { graphSize, objects }) => Math.max(most, graphSize, openedPerObject * objects),
    0,
  );
  if (loaded <= cacheLimit) return isCached ? 0 : opening;
  return opening + (isCached ? indexes : loaded);
}

/** Returns the memory of the loaded indexes of packs. */
function indexMemory(packs: readonly PackRecord[]): number {
  return packs.reduce((sum, { idxSize }) => sum + idxSize, indexPerObject * objectsIn(packs));
}

/** Returns about the memory of the loaded graphs of packs. */
function graphMemoryOf(packs: readonly PackRecord[]): number {
  return packs.reduce((sum, { objects, graphSize }) => {
    const nodes = Math.ceil(Math.max(0, graphSize - filePerObject * objects) / filePerNode);
    return sum + graphPerObject * objects + graphPerNode * nodes;
  }, 0);
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
  return commonMemory(engine, snapshot) + plannedPerObject * objectsIn(snapshot.packs);
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
  return replyBuffers + viewMemory(engine, snapshot) + 2 * objectsIn(snapshot.packs);
}
