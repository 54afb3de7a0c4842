import {
  packFiles,
  RepoGoneError,
  StorageError,
  type PackFile,
  type PackId,
  type NewPack,
  type PackRecord,
  type PackStore,
} from '@packhouse/git';
import { sqlRepoState } from '@packhouse/storage';
import { sweepLeftovers } from '@packhouse/hosting';
import type { SqlDriver } from '@packhouse/base';
import type { PackReservations } from '@packhouse/storage/workers';
import type { Environment } from '../environment/environment.ts';
import type { Usage } from '../request/usage.ts';
import { remoteCatalog } from '../service/storage.ts';

/** Milliseconds: an upload as old belongs to no push that still runs (GIT-153). */
export const uploadAge = 86_400_000;

/** Milliseconds between looks at uploads that are too young. */
const uploadPeriod = 3_600_000;

/** A repository as its own object sees it. */
export interface OwnRepo {
  readonly id: string;
  readonly account: string;
  readonly driver: SqlDriver;
  readonly packs: PackStore;
  readonly reservations: PackReservations;
  readonly environment: Environment;
  readonly usage: Usage;
  readonly now: number;
}

/** Tells the catalog of the last push, which the Worker may have died before doing (GIT-159). */
export async function tellCatalog({ id, account, driver, environment, usage }: OwnRepo): Promise<undefined> {
  const state = sqlRepoState(driver, id);
  const last = await state.lastPush().catch(ifGone);
  if (last === undefined) return;
  const push = { pushedAt: last.at, bytes: await state.storedBytes(), version: last.version };
  await remoteCatalog(environment, account, usage).touch(id, push);
}

/** Small packs stay in rows until they are more than this, or their files more bytes. */
const rowPacksMax = 32;
const rowBytesMax = 4_000_000;

/** Whether so much lies in rows that it is to move. */
export function hasManyRows(inRows: readonly PackRecord[]): boolean {
  const bytes = inRows.reduce((sum, pack) => sum + pack.packSize + pack.idxSize + pack.graphSize, 0);
  return inRows.length > rowPacksMax || bytes > rowBytesMax;
}

/** Moves what lies in rows if that is still too much: a merge may have made little of it. */
export async function moveManyRows(repo: OwnRepo): Promise<undefined> {
  const inRows = await sqlRepoState(repo.driver, repo.id).rowPacks().catch(ifGone);
  if (inRows !== undefined && hasManyRows(inRows)) await moveRows(repo);
}

/** Puts every pack that lies in rows into the store. A pack whose files are all there is settled, whatever comes next. */
export async function moveRows({ id, driver, packs, reservations, now }: OwnRepo): Promise<undefined> {
  const state = sqlRepoState(driver, id);
  const inRows = await state.rowPacks().catch(ifGone);
  const begun = new Set(await reservations.before(Number.MAX_SAFE_INTEGER));
  for (const pack of inRows ?? []) {
    await reservations.reserve([pack.id], now);
    for (const file of packFiles) {
      const bytes = await fileInRows(state, pack.id, file);
      // Keys are used once: what an earlier run has put, which came no further, is not put again.
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
 * Whether the bytes of packs that are to be added are there and stay: the sweeper takes those of uploads as old, even
 * where the push still runs. To be asked in one turn with the commit, by the clock that the sweeper goes by.
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

/** Removes what dead pushes have left in the store. Answers when to look again, if something was too young. */
export async function sweepUploads({ id, driver, packs, reservations, now }: OwnRepo): Promise<number | undefined> {
  await sweepLeftovers(sqlRepoState(driver, id), packs, now, uploadAge);
  const left = await reservations.before(Number.MAX_SAFE_INTEGER);
  return left.length > 0 ? now + uploadPeriod : undefined;
}

/** A repository that was deleted needs nothing; its bytes are erased by the account's object. */
function ifGone(error: unknown): undefined {
  if (!(error instanceof RepoGoneError)) throw error;
}
