import {
  storedSize,
  newPackId,
  packFiles,
  type GitEngine,
  type NewPack,
  type PackFile,
  type PackId,
  type PackRecord,
} from '@packhouse/git';
import type { Context } from '../internal/context.ts';
import type { HostedRepo } from '../ports/repo-storage.ts';
import type { ForkWork } from './fill-fork.ts';

/** The source and the target of packs. */
export interface PackCopy {
  readonly context: Context;
  readonly engine: GitEngine;
  readonly work: ForkWork;
  readonly from: HostedRepo;
  readonly fork: HostedRepo;
}

type Files = Readonly<Record<PackFile, Uint8Array>>;

/** Bytes of files in rows that one commit adds. Packs beyond that go into the store. */
const committedRowsMax = 4 * 1_048_576;
/** Bytes of files that one call reads from the parent's state, unless one pack has more. */
const visitMax = 8 * 1_048_576;

/**
 * Gives a fork the packs of its parent. Packs in the store are shared (REPO-124). Packs in rows are small, and are
 * copied under new ids.
 *
 * @param taken receives the ids of all packs that the fork has in the store, also on failure.
 * @returns the packs for the fork's commit, in order. Undefined if the parent has replaced one of them.
 */
export async function takePacks(
  copy: PackCopy,
  packs: readonly PackRecord[],
  taken: Set<PackId>,
): Promise<readonly NewPack[] | undefined> {
  const { context, work } = copy;
  const stored = packs.filter(({ where }) => where === 'store').map(({ id }) => id);
  for (const id of stored) taken.add(id);
  if (stored.length > 0 && !(await context.storage.sharePacks(work.account, work.parent, work.repo, stored))) {
    return undefined;
  }
  const copies = await copyRows(
    copy,
    packs.filter(({ where }) => where === 'rows'),
    taken,
  );
  if (copies === undefined) return undefined;
  return packs.map((pack) => copies.get(pack.id) ?? newPack(pack));
}

/** Copies packs in rows, and returns the copies by the id of the original. */
async function copyRows(
  { engine, from, fork }: PackCopy,
  packs: readonly PackRecord[],
  taken: Set<PackId>,
): Promise<ReadonlyMap<PackId, NewPack> | undefined> {
  const copies = new Map<PackId, NewPack>();
  const all = packs.reduce((sum, pack) => sum + storedSize(pack), 0);
  const memory = await engine.admission.reserve(Math.min(all, committedRowsMax + visitMax), false);
  try {
    let committed = 0;
    for (const visit of visits(packs)) {
      const files = await filesOf(from, visit);
      if (files === undefined) return undefined;
      for (const pack of visit) {
        const bytes = files.get(pack.id) as Files;
        const isCommitted = committed + storedSize(pack) <= committedRowsMax;
        if (isCommitted) committed += storedSize(pack);
        copies.set(pack.id, isCommitted ? inRows(pack, bytes) : await inStore(fork, pack, bytes, taken));
      }
    }
    return copies;
  } finally {
    memory.release();
  }
}

/** Groups packs so that one call to the state reads each group. */
function* visits(packs: readonly PackRecord[]): Generator<readonly PackRecord[], void, undefined> {
  let visit: PackRecord[] = [];
  let bytes = 0;
  for (const pack of packs) {
    if (visit.length > 0 && bytes + storedSize(pack) > visitMax) {
      yield visit;
      visit = [];
      bytes = 0;
    }
    visit.push(pack);
    bytes += storedSize(pack);
  }
  if (visit.length > 0) yield visit;
}

/** Returns undefined if one of the packs is no longer in rows. */
async function filesOf(
  { state }: HostedRepo,
  packs: readonly PackRecord[],
): Promise<ReadonlyMap<PackId, Files> | undefined> {
  const ids = packs.map(({ id }) => id);
  const found = new Map<PackId, Partial<Record<PackFile, Uint8Array>>>(ids.map((id) => [id, {}]));
  for (const { id, file, bytes } of await state.rowFiles(ids, packFiles)) {
    const files = found.get(id);
    if (files !== undefined) files[file] = bytes;
  }
  const isWhole = [...found.values()].every((files) => packFiles.every((file) => files[file] !== undefined));
  return isWhole ? (found as ReadonlyMap<PackId, Files>) : undefined;
}

function inRows(pack: PackRecord, files: Files): NewPack {
  return { ...newPack(pack), id: newPackId(), files };
}

async function inStore({ packs }: HostedRepo, pack: PackRecord, files: Files, taken: Set<PackId>): Promise<NewPack> {
  const id = await packs.reserve();
  taken.add(id);
  for (const file of packFiles) await packs.put(id, file, [files[file]]);
  return { ...newPack(pack), id, where: 'store' };
}

function newPack({ position: _, at: __, ...pack }: PackRecord): NewPack {
  return pack;
}
