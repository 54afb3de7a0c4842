import { fetchMemory, commonMemory, reserveFor } from '../engine/request-memory.ts';
import type { FilterSpec } from '../filter/filter-spec.ts';
import { RequestAccount } from '../memory/request-account.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';
import { tagKind } from '../object/kind.ts';
import { objectIdAt, objectIdBytes } from '../object/object-id.ts';
import type { BufferPool } from '../pack/buffer-pool.ts';
import type { PackId, PackStore, PackUpload } from '../ports/pack-store.ts';
import type { PreparedRecords, TakenPack } from '../ports/prepared-records.ts';
import { deletionOr, RepoGoneError, storedSize, type RepoSnapshot } from '../ports/repo-state.ts';
import { storageTrouble } from '../ports/storage-trouble.ts';
import type { PipedPiece, ReplyPiece } from '../reply/reply-stream.ts';
import { RepositoryView } from '../repository/repository-view.ts';
import type { Visibility } from '../repository/visibility.ts';
import type { PackRequest } from '../wire/fetch/pack-request.ts';
import { cost } from '../work/costs.ts';
import { NotEnoughMemoryError } from '../work/memory-error.ts';
import { WorkAbortedError } from '../work/scheduler.ts';
import type { FetchService } from './fetch-service.ts';
import type { FetchPlan } from './plan/fetch-plan.ts';
import { packStream } from './send/pack-stream.ts';
import { storedPack, type StoredPackForm } from './whole-pack.ts';

/** Wants of a request whose pack may be prepared. */
const wantsMax = 4096;
/** Letters of the filter of a request whose pack may be prepared: it is part of the key. */
const filterMax = 1024;

/** All preparations together get the same share of the processor as one token. */
const preparingTenant = 'prepared packs';

/**
 * Returns what decides the pack of a request (GIT-187): the text of the request, and the tags that it may add. Refs are
 * no part of it, since wants are ids. Undefined: the pack depends on more than that, or none is prepared.
 */
export async function preparedKey(
  service: FetchService,
  visibility: Visibility,
  request: PackRequest,
  spec: FilterSpec | undefined,
): Promise<string | undefined> {
  const { engine, repository, snapshot } = service;
  const { wants, haves, shallow, depth, filter, ofsDelta, includeTag } = request;
  if (engine.prepared.limit === 0 || repository.id === undefined || snapshot.shallow.length > 0) return undefined;
  if (haves.length > 0 || shallow.length > 0 || wants.length > wantsMax) return undefined;
  if ((filter?.length ?? 0) > filterMax || packedSize(snapshot) < engine.prepared.least) return undefined;
  // Names in a request are resolved by the refs.
  if (spec?.parts.some(({ kind }) => kind === 'sparse:oid') === true || (depth?.not.length ?? 0) > 0) return undefined;
  const ids = [...new Set(wants)].sort().join();
  const sum = objectIdAt(engine.codec.sha1Of(encodeUtf8(ids)), 0);
  const tags = includeTag ? await tagSum(service, visibility) : '';
  return JSON.stringify([repository.id, sum, tags, depth, filter, ofsDelta]);
}

async function tagSum(
  { engine, repository, snapshot, options, work }: FetchService,
  { refs: visible }: Visibility,
): Promise<string> {
  const key = JSON.stringify([repository.id, snapshot.version, options.hiddenRefs]);
  const known = engine.prepared.tagSums.get(key);
  if (known !== undefined) return known;
  const sha1 = engine.codec.sha1();
  for await (const { refs, from, to } of visible.below('refs/tags/')) {
    for (let i = from; i < to; i++) {
      if (refs.kinds[i] !== tagKind) continue;
      sha1.update(refs.oids.subarray(i * objectIdBytes, (i + 1) * objectIdBytes));
      if (work.spend(cost.hashed, objectIdBytes)) await work.yield();
    }
  }
  const sum = objectIdAt(sha1.digest(), 0);
  engine.prepared.tagSums.set(key, sum);
  return sum;
}

/** Holds the prepared pack of a key, if there is one. A record that does not answer fails no request. */
export async function takePrepared(service: FetchService, key: string): Promise<TakenPack | undefined> {
  const { engine, repository, options } = service;
  try {
    return await engine.prepared.recordsOf(repository).take(key, roomOf(service));
  } catch (error) {
    options.failed(error);
    return undefined;
  }
}

/** Yields a prepared pack as the reply carries it. One that cannot be read is made again by the next request. */
export async function* sentPrepared(
  { engine, repository }: FetchService,
  key: string,
  { id }: TakenPack,
  form: StoredPackForm,
): AsyncGenerator<ReplyPiece, void, undefined> {
  const drop = (): Promise<void> => dropQuietly(engine.prepared.recordsOf(repository), key);
  const pipeTo = async (piped: PipedPiece, writable: WritableStream<Uint8Array>): Promise<void> => {
    try {
      await piped.pipeTo(writable);
    } catch (error) {
      // Perhaps only the client has left.
      await repository.packs.read(id, 'pack', [{ offset: 0, length: 1 }]).catch(drop);
      throw error;
    }
  };
  try {
    for await (const piece of storedPack(repository, id, form)) {
      yield piece instanceof Uint8Array ? piece : { pipeTo: (writable) => pipeTo(piece, writable) };
    }
  } catch (error) {
    await drop();
    throw error;
  }
}

/**
 * Stores the pack of a plan for the next request with the same key. Begin it before the packs of the request are let
 * go; it goes on after the reply. Makes the pack once more, so that a slow client holds up nothing. `size` is its
 * expected number of bytes.
 */
export async function preparePack(
  service: FetchService,
  key: string,
  plan: FetchPlan,
  request: PackRequest,
  size: number,
): Promise<void> {
  const { prepared } = service.engine;
  if (size < prepared.least || size > Math.min(prepared.most, roomOf(service))) return;
  await prepared.make(key, service.repository.id as string, async (signal) => {
    try {
      await storePack(service, { key, plan, request, size, signal });
    } catch (error) {
      if (storageTrouble(error) === 'disk full') return prepared.makeWay();
      const failure = await deletionOr(error, service.repository);
      // The next request tries again.
      const isExpected = [RepoGoneError, NotEnoughMemoryError, WorkAbortedError].some(
        (kind) => failure instanceof kind,
      );
      if (!isExpected) service.options.failed(failure);
    }
  });
}

interface Preparation {
  readonly key: string;
  readonly plan: FetchPlan;
  readonly request: PackRequest;
  /** Expected bytes. */
  readonly size: number;
  readonly signal: AbortSignal;
}

async function storePack(service: FetchService, preparation: Preparation): Promise<void> {
  const { engine, repository, snapshot } = service;
  const { key, size, signal } = preparation;
  const lease = engine.leases.take(snapshot.packs);
  try {
    const bytes = fetchMemory(engine, snapshot) + repository.packs.partSize;
    const reservation = await reserveFor(engine, snapshot, bytes, { tenant: preparingTenant, signal });
    const memory = new RequestAccount(reservation, { common: commonMemory(engine, snapshot) });
    const records = engine.prepared.recordsOf(repository);
    try {
      const id = await records.begin(key, size, roomOf(service));
      if (id === undefined) return;
      let isKept = false;
      try {
        isKept = await storeBegun(service, id, preparation, memory);
      } finally {
        if (!isKept) await dropQuietly(records, key);
      }
    } finally {
      memory.release();
    }
  } finally {
    lease.release();
  }
}

/** Stores a pack that was begun. False if the repository has changed since the request. */
async function storeBegun(
  service: FetchService,
  id: PackId,
  { key, plan, request, signal }: Preparation,
  memory: RequestAccount,
): Promise<boolean> {
  const { engine, repository, snapshot } = service;
  // Then objects may be lost, or asked for no more. A collection after this look drops what was begun before it.
  if ((await repository.state.snapshot(snapshot.version)) !== undefined) return false;
  const work = engine.scheduler.begin({ tenant: preparingTenant, signal });
  const view = await RepositoryView.open(engine, repository, snapshot, work, memory);
  const size = await storeStream(repository.packs, id, engine.buffers, packStream(view, plan, request));
  const records = engine.prepared.recordsOf(repository);
  await records.finish(key, { id, size, objects: plan.objects.length }, roomOf(service));
  return true;
}

/** The sweep of leftovers removes what cannot be dropped now. */
async function dropQuietly(records: PreparedRecords, key: string): Promise<void> {
  await records.drop(key).catch(() => {});
}

/** Stores a pack, at once if it is no larger than one part. Returns its size. */
async function storeStream(
  packs: PackStore,
  id: PackId,
  buffers: BufferPool,
  pieces: AsyncIterable<Uint8Array>,
): Promise<number> {
  const part = buffers.take(packs.partSize);
  let upload: PackUpload | undefined;
  let filled = 0;
  let parts = 0;
  try {
    for await (const piece of pieces) {
      for (let at = 0; at < piece.length;) {
        if (filled === part.length) {
          upload ??= await packs.upload(id);
          await upload.write(parts++, part);
          filled = 0;
        }
        const taken = Math.min(part.length - filled, piece.length - at);
        part.set(piece.subarray(at, at + taken), filled);
        filled += taken;
        at += taken;
      }
    }
    const size = parts * part.length + filled;
    if (upload === undefined) await packs.put(id, 'pack', [part.subarray(0, filled)]);
    else {
      if (filled > 0) await upload.write(parts, part.subarray(0, filled));
      await upload.complete(size);
    }
    buffers.give(part);
    return size;
  } catch (error) {
    await upload?.abort();
    throw error;
  }
}

/** Bytes that the prepared packs of the repository may take. */
function roomOf({ engine, snapshot, options }: Pick<FetchService, 'engine' | 'snapshot' | 'options'>): number {
  const stored = snapshot.packs.reduce((sum, pack) => sum + storedSize(pack), 0);
  return engine.prepared.room((options.storageMax ?? Infinity) - stored);
}

function packedSize({ packs }: RepoSnapshot): number {
  return packs.reduce((sum, { packSize }) => sum + packSize, 0);
}
