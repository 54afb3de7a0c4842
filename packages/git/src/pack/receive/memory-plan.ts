import { NotEnoughMemoryError } from '../../work/memory-error.ts';
import { rowPackMax } from './incoming-pack.ts';
import { tableBytesPerObject } from './entry-tables.ts';

const mebibyte = 1024 * 1024;
const pageBudget = 24 * mebibyte;
const keptBudget = 12 * mebibyte;
/** Bytes of bases that are held while their deltas are made; beyond that they are let go and made again. */
const stackBudget: number = 16 * mebibyte;
/**
 * Bytes of kept deltas for which the stack makes room: each delta that is not kept is read again, most often from a page
 * that the cache has lost.
 */
const keptUsually = 8 * mebibyte;
/** The least stack, where memory is short. */
const stackLeast = 4 * mebibyte;
/**
 * Bytes that are left if memory is short: for links and large objects, which reserve more while the push runs, and for
 * buffers that the collector has not seen yet.
 */
export const spare: number = 12 * mebibyte;
/** Parts that are gathered in memory, unless it is short. */
export const partsMost = 3;
/** Bytes of one object in work that are not paid for on their own. */
const usualObjectMax = 8 * mebibyte;
/** Memory of a push whose pack ends up in rows, and of every push before its pack begins. */
export const smallPush: number = 3 * mebibyte;
/** Objects whose tables take 960 KiB, and 9 MiB. */
const believedUsually = 16 * 1024;
const believedOfLarge = 160 * 1024;
/** Buffers that do not depend on the pack. */
const scratch = 2 * mebibyte;
/** Caches of read objects, while the pack is walked over. */
const walkCaches = 4 * mebibyte;
/** Bytes an object takes in index and graph while these are made and written. */
const writtenPerObject = 72;

/** Bytes of a plan that are not used before index and graph are made: the walk over new nodes may use them. */
export function writtenMemory(objects: number): number {
  return objects <= believedUsually ? 0 : objects * writtenPerObject;
}

/** How the memory of one push is divided (LIM-059, and "Memory of one large push" in the design). */
export class MemoryPlan {
  /** Deltas that are kept inflated. */
  readonly kept: number;
  /** Pages of the pack, if it is too large to stay in memory; they use its part buffers. */
  readonly pages: number;
  /** Bytes of the stack of bases that need no separate accounting. */
  readonly stack: number;
  /** Bytes that the stack may have before bases are let go. */
  readonly stackMax: number;
  /** Bytes that one object in work may have without being paid for on its own. */
  readonly object: number;
  /** Up to so many objects a header is believed that announces them. */
  readonly believed: number;
  /** Bytes in all; undefined for a pack that takes no more than any small push. */
  readonly total: number | undefined;

  /** Parts that are gathered before anything is written: a pack that fits in them stays in memory. */
  readonly parts: number;

  /**
   * @param most bytes that one request may take.
   * @param room bytes of these that are left beside the tables of the repository; with less it plans less, as far as it
   *   can.
   * @param partSize bytes of a part of the store.
   * @param length bytes that the pack has at most.
   * @throws {NotEnoughMemoryError} if the tables for that many objects do not fit.
   */
  constructor(most: number, room: number, partSize: number, objects: number, length: number) {
    const tables = objects * tableBytesPerObject;
    // The least limit that lets the pack in: half of a small one is for its buffers.
    const needed = tables + Math.min(partsMost * partSize, tables);
    if (needed > most) throw new NotEnoughMemoryError({ needed, limit: most, setting: 'request_memory_max' });
    if (length <= rowPackMax) {
      this.parts = partsMost;
      this.kept = mebibyte;
      this.pages = 0;
      this.stack = mebibyte;
      this.stackMax = stackBudget;
      this.object = mebibyte;
      this.believed = believedUsually;
      // So few bytes may hold a hundred thousand objects of next to nothing.
      const isUsual = objects <= believedUsually;
      this.total = isUsual ? undefined : smallPush + tables + objects * writtenPerObject;
      return;
    }
    this.believed = believedOfLarge;
    const walking = walkCaches + objects * writtenPerObject;
    // Behind the first part, buffers are whole ones.
    const buffers = (parts: number): number =>
      length <= partSize ? length : Math.min(parts, Math.ceil(length / partSize)) * partSize;
    const leftWith = (parts: number): number => Math.min(most, room - spare) - tables - buffers(parts);
    const fits = (parts: number): boolean => leftWith(parts) >= Math.max(stackLeast + scratch, walking);
    this.parts = [partsMost, 2].find(fits) ?? 1;
    const left = leftWith(this.parts);
    this.stack = this.stackMax = clamp(left - scratch - keptUsually, stackLeast, stackBudget);
    this.object = Math.min(usualObjectMax, this.stack / 2);
    this.kept = clamp(left - Math.max(this.stack + scratch, walking), 0, keptBudget);
    this.pages = (pageBudget / partsMost) * this.parts;
    this.total = buffers(this.parts) + tables + this.kept + Math.max(this.stack + scratch, walking);
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
