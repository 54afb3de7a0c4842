import type { RequestAccount } from '../repository/request-account.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import { shownMemory } from './shown-memory.ts';
import { treePieces, type TreeEntry } from './tree-entries.ts';

/** Trees up to this size are answered at once. */
const smallMax = 128 * 1024;

/** Bytes that a stream of entries holds beside the tree: some entries, and their JSON. */
const streamMemory = 1024 * 1024;

/** Bytes it takes to show a tree of that size. */
export function treeMemory(size: number): number {
  return size > smallMax ? size + streamMemory : shownMemory(size);
}

/**
 * A tree that was found and read. It holds memory and packs until all entries have been taken or left, or
 * {@link TreeContent.release} is called: one of these must happen.
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

  /** All entries, in Git's order (REPO-145). */
  async entries(): Promise<readonly TreeEntry[]> {
    const all: TreeEntry[] = [];
    for await (const piece of this.#taken()) for (const entry of piece) all.push(entry);
    return all;
  }

  /** The entries some at a time, for a reply that is made as it is read. To be asked for once. */
  pieces(): AsyncGenerator<readonly TreeEntry[], void, undefined> {
    this.#account.keepForReply(this.#body.length + streamMemory);
    return this.#taken();
  }

  /** Lets go of everything, for a caller who does not want the entries. Idempotent. */
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

/** Parsed bytes that a byte of a tree counts for when it is shown: ids and names become texts. */
const bytesCounted = 3;
