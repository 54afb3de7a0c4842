import {
  packFiles,
  RepoGoneError,
  StorageError,
  type PackFile,
  type PackId,
  type NewPack,
  type PackRecord,
  type PackStore,
  type PreparedRecords,
} from '@packhouse/git';
import { sqlRepoState } from '@packhouse/storage';
import { sweepLeftovers } from '@packhouse/hosting';
import type { SqlDriver } from '@packhouse/base';
import { sqlPreparedRecords, type PackReservations } from '@packhouse/storage/workers';
import type { Environment } from '../environment/environment.ts';
import type { Usage } from '../request/usage.ts';
import { remoteCatalog } from '../service/storage.ts';
import type { Schedule } from './schedule.ts';

/** Milliseconds. No running push can own an upload of this age (GIT-153). */
export const uploadAge = 86_400_000;

/** Milliseconds between checks of uploads that are too young. */
const uploadPeriod = 3_600_000;

/** A repository inside its own object. */
export interface OwnRepo {
  readonly id: string;
  readonly account: string;
  readonly driver: SqlDriver;
  readonly packs: PackStore;
  readonly reservations: PackReservations;
  readonly prepared: PreparedRecords;
  readonly environment: Environment;
  readonly usage: Usage;
  readonly now: number;
}

/** Makes the records of prepared packs of a repository in its own object. */
export function preparedRecords(
  { driver, schedule }: { readonly driver: SqlDriver; readonly schedule: Schedule<'sweep uploads'> },
  id: string,
): PreparedRecords {
  const due = (at: number): void => schedule.plan('sweep uploads', at);
  return sqlPreparedRecords(driver, id, { leftoverAge: uploadAge, due });
}

/** Reports the last push to the catalog, in case the Worker died before it did (GIT-159). */
export async function tellCatalog({ id, account, driver, environment, usage }: OwnRepo): Promise<undefined> {
  const state = sqlRepoState(driver, id);
  const last = await state.lastPush().catch(ifGone);
  if (last === undefined) return;
  const push = { pushedAt: last.at, bytes: await state.storedBytes(), version: last.version };
  await remoteCatalog(environment, account, usage).touch(id, push);
}

/** Small packs stay in rows up to this number, and up to these bytes of their files. */
const rowPacksMax = 32;
const rowBytesMax = 4_000_000;

/** Returns true if the packs in rows exceed a limit and must move to the store. */
export function hasManyRows(inRows: readonly PackRecord[]): boolean {
  const bytes = inRows.reduce((sum, pack) => sum + pack.packSize + pack.idxSize + pack.graphSize, 0);
  return inRows.length > rowPacksMax || bytes > rowBytesMax;
}

/** Moves the packs in rows if they still exceed a limit. A merge may have reduced them. */
export async function moveManyRows(repo: OwnRepo): Promise<undefined> {
  const inRows = await sqlRepoState(repo.driver, repo.id).rowPacks().catch(ifGone);
  if (inRows !== undefined && hasManyRows(inRows)) await moveRows(repo);
}

/** Moves every pack in rows to the store. Settles each pack once its files are stored, so a later failure keeps it. */
export async function moveRows({ id, driver, packs, reservations, now }: OwnRepo): Promise<undefined> {
  const state = sqlRepoState(driver, id);
  const inRows = await state.rowPacks().catch(ifGone);
  const begun = new Set(await reservations.before(Number.MAX_SAFE_INTEGER));
  for (const pack of inRows ?? []) {
    await reservations.reserve([pack.id], now);
    for (const file of packFiles) {
      const bytes = await fileInRows(state, pack.id, file);
      // Each key is written once: skip a file that an interrupted run has stored.
      if (begun.has(pack.id) && (await isStored(packs, pack.id, file, bytes))) continue;
      await packs.put(pack.id, file, [bytes]);
    }
    await state.settle(pack.id);
  }
}

async function fileInRows(state: ReturnType<typeof sqlRepoState>, id: PackId, file: PackFile): Promise<Uint8Array> {
  const [found] = await state.rowFiles([id], [file]);
  if (found === undefined) throw new Error('a pack of the manifest has no rows');
  return found.bytes;
}

async function isStored(packs: PackStore, id: PackId, file: PackFile, bytes: Uint8Array): Promise<boolean> {
  try {
    const [stored] = await packs.read(id, file, [{ offset: 0, length: bytes.length }]);
    return stored !== undefined && stored.every((byte, i) => byte === bytes[i]);
  } catch (error) {
    if (error instanceof StorageError) return false;
    throw error;
  }
}

/**
 * Returns true if the files of new packs are stored and safe from the sweep, which removes old uploads even if their
 * push still runs. Call it in the same turn as the commit, with the clock of the sweep.
 */
export async function areKept(
  added: readonly NewPack[],
  reservations: PackReservations,
  now: number,
): Promise<boolean> {
  const stored = added.filter(({ where }) => where === 'store');
  if (stored.length === 0) return true;
  const begun = new Set(await reservations.before(Number.MAX_SAFE_INTEGER));
  const old = new Set(await reservations.before(now - uploadAge));
  return stored.every(({ id }) => begun.has(id) && !old.has(id));
}

/**
 * Removes the uploads of dead pushes and the prepared packs that are over from the store. Returns the time of the next
 * check, if some were too young.
 */
export async function sweepUploads({ id, driver, packs, reservations, now }: OwnRepo): Promise<number | undefined> {
  await sweepLeftovers(sqlRepoState(driver, id), packs, now, uploadAge);
  const left = await reservations.before(Number.MAX_SAFE_INTEGER);
  if (left.length === 0) return undefined;
  let next = now + uploadPeriod;
  while (next < now + uploadAge && (await reservations.before(next - uploadAge)).length === 0) next += uploadPeriod;
  return next;
}

/** Ignores the error of a deleted repository: the account's object erases its bytes. */
function ifGone(error: unknown): undefined {
  if (!(error instanceof RepoGoneError)) throw error;
}
