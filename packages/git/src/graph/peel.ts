import { commitKind, tagKind } from '../object/kind.ts';
import { cost } from '../work/costs.ts';
import { atOnce, inTurns, type Steps } from '../work/loops.ts';
import type { Work } from '../work/scheduler.ts';
import type { GraphSet } from './graph-set.ts';

/** Returns the node that a tag points to, or -1 for a tag of a tree or blob, and for a node that is not a tag. */
export function tagTarget(set: GraphSet, node: number): number {
  if (set.nodeKind(node) !== tagKind) return -1;
  const start = set.parentStarts[node] as number;
  return start < (set.parentStarts[node + 1] as number) ? (set.parents[start] as number) : -1;
}

/** Entries that a look at a tag counts for, and tags of a chain between two stops. */
const entriesATag = 10;
const tagsAStop = 4096;

/** Peels nodes of one set. Visits every tag once, regardless of the number of refs that lead to it. */
export class TagEnds {
  readonly #set: GraphSet;
  readonly #ends: Map<number, number> = new Map();

  constructor(set: GraphSet) {
    this.#set = set;
  }

  /** Finds the ends of many nodes ahead, with turns of other work in between: chains may be long. */
  async find(nodes: Iterable<number>, work: Work): Promise<void> {
    for (const node of nodes) await inTurns(work, cost.entries, this.#finding(node));
  }

  /** Returns the end of a chain of tags: a commit, or the last tag if it points to a tree or blob. A commit is its own end. */
  of(node: number): number {
    return this.#ends.get(node) ?? atOnce(this.#finding(node));
  }

  *#finding(node: number): Steps<number> {
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
      if (chain.length % tagsAStop === 0) yield tagsAStop * entriesATag;
    }
    yield (1 + (chain.length % tagsAStop)) * entriesATag;
    for (const [i, tag] of chain.entries()) {
      this.#ends.set(tag, end);
      if (i % tagsAStop === tagsAStop - 1) yield tagsAStop * entriesATag;
    }
    return end;
  }

  /** Tests if a node peels to a commit. */
  isCommit(node: number): boolean {
    return this.#set.nodeKind(this.of(node)) === commitKind;
  }
}
