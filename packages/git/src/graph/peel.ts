import { commitKind, tagKind } from '../object/kind.ts';
import type { GraphSet } from './graph-set.ts';

/** The node a tag points to; -1 for a tag of a tree or blob, and for what is no tag. */
export function tagTarget(set: GraphSet, node: number): number {
  if (set.nodeKind(node) !== tagKind) return -1;
  const start = set.parentStarts[node] as number;
  return start < (set.parentStarts[node + 1] as number) ? (set.parents[start] as number) : -1;
}

/** Peels nodes of one set. Every tag is looked at once, however many refs lead to the same chain. */
export class TagEnds {
  readonly #set: GraphSet;
  readonly #ends: Map<number, number> = new Map();

  constructor(set: GraphSet) {
    this.#set = set;
  }

  /** The node at the end of a chain of tags; the node itself if it is no tag. A tag of a tree or blob is such an end too. */
  of(node: number): number {
    const chain: number[] = [];
    let end = node;
    for (;;) {
      const known = this.#ends.get(end);
      if (known !== undefined) {
        end = known;
        break;
      }
      const target = tagTarget(this.#set, end);
      if (target < 0) break;
      chain.push(end);
      end = target;
    }
    for (const tag of chain) this.#ends.set(tag, end);
    return end;
  }

  /** Whether a node peels to a commit. */
  isCommit(node: number): boolean {
    return this.#set.nodeKind(this.of(node)) === commitKind;
  }
}
