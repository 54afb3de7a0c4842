import type { RequestAccount } from '../memory/request-account.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import { shownMemory } from './shown-memory.ts';
import { treePieces, type TreeEntry } from './tree-entries.ts';

/** Trees up to this size are returned at once. */
const smallMax = 128 * 1024;

/** Memory of a stream of entries besides the tree: some entries, and their JSON. */
const streamMemory = 1024 * 1024;

/** Returns the memory for showing a tree of that size. */
export function treeMemory(size: number): number {
  return size > smallMax ? size + streamMemory : shownMemory(size);
}

/**
 * A tree that was found and read. It holds memory and packs until all entries have been consumed or dropped, or {@link
 * TreeContent.release} is called: do one of these.
 */
export class TreeContent {
  readonly #body: Uint8Array;
  readonly #account: RequestAccount;
  readonly #work: Work;
  readonly #release: () => void;

  constructor(body: Uint8Array, account: RequestAccount, work: Work, release: () => void) {
    this.#body = body;
    this.#account = account;
    this.#work = work;
    this.#release = release;
  }

  /** True if the caller should stream its entries. */
  get isLarge(): boolean {
    return this.#body.length > smallMax;
  }

  /** Returns all entries, in Git's order (REPO-145). */
  async entries(): Promise<readonly TreeEntry[]> {
    const all: TreeEntry[] = [];
    for await (const piece of this.#taken()) for (const entry of piece) all.push(entry);
    return all;
  }

  /** Yields entries in batches, for a streaming reply. Call it once. */
  pieces(): AsyncGenerator<readonly TreeEntry[], void, undefined> {
    this.#account.keepForReply(this.#body.length + streamMemory);
    return this.#taken();
  }

  /** Releases everything, for a caller that does not need the entries. Idempotent. */
  release(): void {
    this.#release();
  }

  async *#taken(): AsyncGenerator<readonly TreeEntry[], void, undefined> {
    try {
      let before = 0;
      for (const { entries, end } of treePieces(this.#body)) {
        if (this.#work.spend(cost.parsed, bytesCounted * (end - before))) await this.#work.yield();
        before = end;
        yield entries;
      }
    } finally {
      this.#release();
    }
  }
}

/** Parsed bytes counted per byte of a tree when it is shown: ids and names become texts. */
const bytesCounted = 3;
