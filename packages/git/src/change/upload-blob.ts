import type { GitEngine, GitRepository } from '../engine/engine.ts';
import { pushStart, reserveFor } from '../engine/request-memory.ts';
import { RequestAccount } from '../memory/request-account.ts';
import type { ObjectId } from '../object/object-id.ts';
import { blobEntry } from '../pack/blob-entry.ts';
import { packHeader, PackSum } from '../pack/pack-writer.ts';
import { PackSpool, spoolMemory } from '../pack/receive/pack-spool.ts';
import type { Codec } from '../ports/codec.ts';
import type { PackId } from '../ports/pack-store.ts';
import type { RepoSnapshot } from '../ports/repo-state.ts';
import type { PushOutcome } from '../receive-pack/push.ts';
import type { Work } from '../work/scheduler.ts';
import { storeChange, type ChangeRules } from './store-change.ts';

/** The content of a blob that arrives. The source throws if it breaks off, and for more bytes than are allowed. */
export interface BlobBody {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The number of bytes, if it is known before they arrive. */
  readonly size: number | undefined;
}

/** A blob that was uploaded. */
export interface UploadedBlob {
  readonly oid: ObjectId;
  readonly size: number;
  readonly outcome: PushOutcome;
}

/**
 * Stores a blob that no ref reaches, for a later commit (REPO-257, REPO-258). Memory does not depend on its size. The id
 * and the pack begin with the size: a body of unknown size that does not fit into one part is stored before it is read.
 *
 * @throws {PackError} for a blob that a push would refuse.
 * @throws {NotEnoughMemoryError}
 * @throws {RepoGoneError}
 */
export async function uploadBlob(
  engine: GitEngine,
  repository: GitRepository,
  snapshot: RepoSnapshot,
  body: BlobBody,
  rules: ChangeRules,
): Promise<UploadedBlob> {
  const work = engine.scheduler.begin(rules);
  if (body.size !== undefined) return store(body.bytes, body.size);
  const { packs } = repository;
  const account = new RequestAccount(await reserveFor(engine, snapshot, pushStart, rules));
  const spool = new PackSpool(packs, engine.buffers);
  spool.parts = 1;
  try {
    for await (const chunk of body.bytes) {
      const isSmall = spoolMemory(spool.size, packs.partSize) === 0;
      if (isSmall && spoolMemory(spool.size + chunk.length, packs.partSize) > 0) {
        // The part that is filled, and the one that is being stored, once for all.
        await account.resize(pushStart + 2 * packs.partSize);
      }
      await spool.append(chunk);
    }
    const inMemory = spool.memory();
    for (const buffer of await spool.complete()) engine.buffers.give(buffer);
    // The change accounts for it: a request that waits for memory must hold none.
    account.release();
    return inMemory === undefined
      ? await store(packs.stream(spool.id as PackId), spool.size)
      : await store(inMemory, spool.size, spool.size);
  } finally {
    await spool.discard().catch(() => {});
    account.release();
  }

  async function store(
    bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    size: number,
    heldMemory = 0,
  ): Promise<UploadedBlob> {
    const pack = blobPack(engine.codec, bytes, size, work);
    const ruled = { ...rules, isUpload: true, heldMemory };
    const { outcome } = await storeChange(engine, repository, snapshot, [], ruled, pack);
    const [oid] = (outcome as PushOutcome).uploaded;
    return { oid: oid as ObjectId, size, outcome: outcome as PushOutcome };
  }
}

/** Yields a pack with one blob. */
async function* blobPack(
  codec: Codec,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  size: number,
  work: Work,
): AsyncGenerator<Uint8Array, void, undefined> {
  const sum = new PackSum(codec);
  yield sum.pass(packHeader(1));
  for await (const part of blobEntry(codec, bytes, size, work)) yield sum.pass(part);
  yield sum.trailer();
}
