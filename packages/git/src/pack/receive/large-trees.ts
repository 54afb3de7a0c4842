import { treeKind, type GitObject } from '../../object/kind.ts';
import { NotEnoughMemoryError } from '../../work/memory-error.ts';
import type { LargeBodies } from '../body-ring.ts';
import type { MemoryAccount } from './memory-account.ts';

/**
 * Trees that were read last and are too large for a `BodyRing`. The next tree to be read is often one of them, or
 * made from one by a delta (GIT-188).
 */
export class LargeTrees implements LargeBodies {
  readonly #budget: number;
  readonly #account: MemoryAccount;
  /** By key, the least recently used first. */
  readonly #trees = new Map<number, GitObject>();
  #bytes = 0;

  /** Keeps trees of up to `budget` bytes, or two larger ones, as long as `account` has room for them. */
  constructor(budget: number, account: MemoryAccount) {
    this.#budget = budget;
    this.#account = account;
  }

  get(key: number): GitObject | undefined {
    const tree = this.#trees.get(key);
    if (tree === undefined) return undefined;
    this.#trees.delete(key);
    this.#trees.set(key, tree);
    return tree;
  }

  /** Keeps an object if it is a tree. */
  add(key: number, tree: GitObject): void {
    if (tree.kind !== treeKind || this.get(key) !== undefined) return;
    this.#trees.set(key, tree);
    this.#bytes += bytesOf(tree);
    for (const [oldest, kept] of this.#trees) {
      const isWithin = this.#bytes <= this.#budget || this.#trees.size <= 2;
      if (isWithin && this.#isPaid(bytesOf(tree))) return;
      this.#trees.delete(oldest);
      this.#bytes -= bytesOf(kept);
    }
    this.#account.set(0);
  }

  /** Tests if a body is one of the trees. */
  holds(body: Uint8Array): boolean {
    for (const tree of this.#trees.values()) if (tree.body === body) return true;
    return false;
  }

  clear(): void {
    this.#trees.clear();
    this.#bytes = 0;
    this.#account.set(0);
  }

  /** Leaves room to read and to compare two trees of `size` bytes, since that must not fail for what is kept here. */
  #isPaid(size: number): boolean {
    try {
      this.#account.set(this.#bytes + 4 * size);
    } catch (error) {
      if (error instanceof NotEnoughMemoryError) return false;
      throw error;
    }
    this.#account.set(this.#bytes);
    return true;
  }
}

/** Bytes that a tree keeps: its buffer may be somewhat larger. */
function bytesOf({ body }: GitObject): number {
  return body.buffer.byteLength;
}
