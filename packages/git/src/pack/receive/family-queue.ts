import { blobKind, treeKind } from '../../object/kind.ts';
import { inBlocks } from '../../work/loops.ts';
import type { Work } from '../../work/scheduler.ts';
import type { DeltaFamilies } from './delta-families.ts';
import type { EntryTables } from './entry-tables.ts';

/** Families of trees and blobs, of which several threads take one after the other. */
export class FamilyQueue {
  /** Ordinals of their whole objects. */
  readonly roots: Int32Array;
  /** One number: how many were taken, or more at the end. */
  readonly next: Int32Array;

  constructor({ roots, next }: Pick<FamilyQueue, 'roots' | 'next'>) {
    this.roots = roots;
    this.next = next;
  }

  static async of(tables: EntryTables, { firstChild }: DeltaFamilies, work: Work): Promise<FamilyQueue> {
    const { allocate, bases, kinds, count } = tables;
    const isRoot = (i: number): boolean =>
      (firstChild[i] as number) >= 0 && (bases[i] as number) < 0 && (kinds[i] === treeKind || kinds[i] === blobKind);
    let length = 0;
    await inBlocks(work, count, (from, to) => {
      for (let i = from; i < to; i++) if (isRoot(i)) length++;
    });
    const roots = new Int32Array(allocate(4 * length));
    let filled = 0;
    await inBlocks(work, count, (from, to) => {
      for (let i = from; i < to; i++) if (isRoot(i)) roots[filled++] = i;
    });
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
