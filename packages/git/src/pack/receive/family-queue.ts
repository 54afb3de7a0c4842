import type { Allocate } from './entry-tables.ts';

/** Families of deltas, of which several threads take one after the other. */
export class FamilyQueue {
  /** Ordinals of their whole objects. */
  readonly roots: Int32Array;
  /** One number: how many were taken, or more at the end. */
  readonly next: Int32Array;

  constructor({ roots, next }: Pick<FamilyQueue, 'roots' | 'next'>) {
    this.roots = roots;
    this.next = next;
  }

  static of(ordinals: readonly number[], allocate: Allocate): FamilyQueue {
    const roots = new Int32Array(allocate(4 * ordinals.length));
    roots.set(ordinals);
    return new FamilyQueue({ roots, next: new Int32Array(allocate(4)) });
  }

  /** Undefined: none is left. */
  take(): number | undefined {
    return this.roots[Atomics.add(this.next, 0, 1)];
  }

  /** Leaves nothing to be taken. */
  stop(): void {
    Atomics.store(this.next, 0, this.roots.length);
  }
}
