import type { PackId } from './pack-store.ts';

/**
 * Milliseconds (12 hours) that a prepared pack is used. It is in no manifest, so the sweep of leftovers would remove it
 * after 22 hours (GIT-153).
 */
export const preparedLifetime = 43_200_000;

/** Milliseconds after which a pack is made no more on Workers, which end all work 30 s after the reply. */
export const makingMax = 60_000;

/**
 * The records of the prepared packs of one repository (GIT-187), by key (`preparedKey`). Each is also a begun
 * pack of the store, so the erasure and the sweep of leftovers find it. `room` is the number of bytes that all of them
 * may take: the least recently used make way.
 */
export interface PreparedRecords {
  /** Returns the finished pack of a key, if there is one. */
  take(key: string, room: number): Promise<TakenPack | undefined>;
  /**
   * Reserves the id of a pack of about `size` bytes that is about to be stored; undefined if none may be made now.
   *
   * @throws {RepoGoneError} if the repository was deleted.
   */
  begin(key: string, size: number, room: number): Promise<PackId | undefined>;
  /** Records that the pack is stored, unless it was dropped meanwhile. */
  finish(key: string, pack: PreparedPack, room: number): Promise<void>;
  /** Removes the pack of a key that cannot be read or made; without a key, all packs, since objects were collected. */
  drop(key?: string): Promise<void>;
}

/** A stored pack that answers one kind of request. */
export interface PreparedPack {
  readonly id: PackId;
  readonly size: number;
  readonly objects: number;
}

/** A prepared pack that is about to be sent. */
export interface TakenPack {
  readonly id: PackId;
  readonly objects: number;
  /** Lets go of the pack. Idempotent. Absent if its bytes stay for an hour after they were dropped. */
  readonly release?: () => void;
}
