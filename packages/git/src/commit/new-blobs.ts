import type { GitEngine } from '../engine/engine.ts';
import { pushStart } from '../engine/request-memory.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';
import type { Applicant } from '../memory/admission.ts';
import { RequestAccount } from '../memory/request-account.ts';
import { objectIdAt, type ObjectId } from '../object/object-id.ts';
import { blobEntry } from '../pack/blob-entry.ts';
import { updateInTurns } from '../pack/hash-in-turns.ts';
import { PackSpool, spoolMemory } from '../pack/receive/pack-spool.ts';
import type { PackId, PackStore } from '../ports/pack-store.ts';
import type { Work } from '../work/scheduler.ts';
import type { StoredEntries } from './new-objects.ts';

/**
 * The blobs of a commit whose body still arrives. Each is compressed to an entry of a pack as soon as it is whole; many
 * entries go to the store, which shows them to no reader. So memory depends on the largest blob, not on all of them.
 */
export class NewBlobs {
  readonly #engine: GitEngine;
  readonly #packs: PackStore | undefined;
  readonly #work: Work;
  readonly #account: RequestAccount;
  readonly #spool: PackSpool | undefined;
  readonly #ids = new Set<ObjectId>();
  /** Memory for the spool beside {@link pushStart}. */
  #spoolMemory: number;
  #kept = 0;

  private constructor(
    engine: GitEngine,
    packs: PackStore | undefined,
    work: Work,
    account: RequestAccount,
    reserved: number,
  ) {
    this.#engine = engine;
    this.#packs = packs;
    this.#work = work;
    this.#account = account;
    this.#spool = packs && new PackSpool(packs, engine.buffers);
    if (this.#spool !== undefined) this.#spool.parts = 1;
    this.#spoolMemory = reserved;
  }

  /**
   * Reserves memory, and may wait for it.
   *
   * @param packs undefined: no blob will be added.
   * @param expected bytes of the body, or 0. A body of unknown length gets its memory later, without waiting.
   * @throws {NotEnoughMemoryError}
   * @throws {WorkAbortedError}
   */
  static async open(
    engine: GitEngine,
    packs: PackStore | undefined,
    expected: number,
    applicant: Applicant,
    work: Work,
  ): Promise<NewBlobs> {
    const reserved = spoolMemory(expected, packs?.partSize ?? 0);
    const account = new RequestAccount(await engine.admission.reserve(pushStart + reserved, false, applicant));
    return new NewBlobs(engine, packs, work, account, reserved);
  }

  /**
   * Accounts for `bytes` more that the caller keeps until the end.
   *
   * @throws {NotEnoughMemoryError}
   */
  keep(bytes: number): void {
    const shortage = this.#account.keep(bytes);
    if (shortage !== undefined) throw shortage;
    this.#kept += bytes;
  }

  /**
   * Accounts for what the caller holds of the body now: `bytes`, more or less than before.
   *
   * @throws {NotEnoughMemoryError}
   */
  hold(bytes: number): void {
    this.#account.holdBody(bytes);
  }

  /** Adds the blob that the pieces make together. They must not change meanwhile. */
  async add(pieces: readonly Uint8Array[]): Promise<ObjectId> {
    const { codec } = this.#engine;
    const size = pieces.reduce((sum, { length }) => sum + length, 0);
    const sha1 = codec.sha1();
    sha1.update(encodeUtf8(`blob ${size}\0`));
    for (const piece of pieces) await updateInTurns(sha1, piece, this.#work);
    const oid = objectIdAt(sha1.digest());
    if (this.#ids.has(oid)) return oid;
    this.#ids.add(oid);
    for await (const part of blobEntry(codec, pieces, size, this.#work)) await this.#append(part);
    return oid;
  }

  /**
   * Ends adding, and the reservation: from now on, the commit accounts for {@link NewBlobs.heldMemory}. If this request
   * held it while it waits for the memory of the commit, such requests would wait for each other.
   */
  async end(): Promise<void> {
    for (const buffer of (await this.#spool?.complete()) ?? []) this.#engine.buffers.give(buffer);
    this.#account.release();
  }

  /** Bytes that stay in memory after the end: what the caller keeps, and one part unless the store has all. */
  get heldMemory(): number {
    const isStored = this.#spool?.id !== undefined;
    return this.#kept + (isStored ? 0 : spoolMemory(this.#spool?.size ?? 0, this.#packs?.partSize ?? 0) / 2);
  }

  /** The entries of all blobs, to be read any number of times after {@link NewBlobs.end}. */
  entries(): StoredEntries {
    const pieces = this.#spool?.memory() ?? this.#packs?.stream(this.#spool?.id as PackId) ?? [];
    return { count: this.#ids.size, pieces };
  }

  /** Removes everything, and the reservation if it has not ended. Idempotent. */
  async discard(): Promise<void> {
    await this.#spool?.discard().catch(() => {});
    this.#account.release();
  }

  async #append(part: Uint8Array): Promise<void> {
    const spool = this.#spool as PackSpool;
    const memory = spoolMemory(spool.size + part.length, this.#packs?.partSize ?? 0);
    if (memory > this.#spoolMemory) {
      this.#account.grow(memory - this.#spoolMemory);
      this.#spoolMemory = memory;
    }
    await spool.append(part);
  }
}
