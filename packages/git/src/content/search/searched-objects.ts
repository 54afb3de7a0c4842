import { hasLargeReadings, readingMemory, usualReading } from '../../memory/reading-memory.ts';
import type { RequestAccount } from '../../memory/request-account.ts';
import type { RepositoryView } from '../../repository/repository-view.ts';

const mebibyte = 1024 * 1024;

/** Files above this size are left out, as are files that take more memory to read (LIM-038). */
const fileMax = 16 * mebibyte;
const readingMax = 64 * mebibyte;

/** Reads the trees and files of a search with memory for them. */
export class SearchedObjects {
  readonly #view: RepositoryView;
  readonly #account: RequestAccount;
  readonly #readingMax: number;

  constructor(view: RepositoryView, account: RequestAccount) {
    this.#view = view;
    this.#account = account;
    this.#readingMax = Math.min(readingMax, account.planMost / 2);
  }

  /**
   * Reads a tree. The body stays as it is.
   *
   * @throws {NotEnoughMemoryError}
   */
  async tree(object: number): Promise<Uint8Array> {
    const body = await this.#read(object);
    return body.length < body.buffer.byteLength ? body.slice() : body;
  }

  /** Tests if a file is to be left out. */
  isTooLarge(object: number): boolean {
    return this.#view.set.size(object) > fileMax || this.#memoryOf(object) > this.#readingMax;
  }

  /**
   * Reads a file. The body is valid until the next read.
   *
   * @throws {NotEnoughMemoryError}
   */
  file(object: number): Promise<Uint8Array> {
    return this.#read(object);
  }

  async #read(object: number): Promise<Uint8Array> {
    const bytes = this.#memoryOf(object);
    if (bytes > usualReading) await this.#account.expectReading(bytes);
    return (await this.#view.read(object)).body;
  }

  #memoryOf(object: number): number {
    const { graph, objectStart } = this.#view.set.packOfObject(object);
    return hasLargeReadings(graph) ? readingMemory(graph, object - objectStart) : 0;
  }
}
