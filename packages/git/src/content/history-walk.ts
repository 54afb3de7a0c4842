import type { GraphSet } from '../graph/graph-set.ts';
import { paint } from '../graph/paint.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import { cost } from '../work/costs.ts';
import { inBlocks } from '../work/loops.ts';
import { DateQueue } from '../graph/date-queue.ts';
import { PathEntries } from './path-entries.ts';

/** Which history is walked. */
export interface WalkedHistory {
  /** Follows only the first parent of each commit. */
  readonly isFirstParent: boolean;
  /** Parts of a path: only commits that change it, after the history simplification of `git log`. Not empty. */
  readonly path?: readonly Uint8Array[];
  /** Ends a line of history at its first commit that is older, in Unix seconds. Default: no end. */
  readonly since?: number;
}

/** Entries that a step to a commit counts for. */
const entriesAStep = 16;

const [isWaiting, isPassed] = [1, 2];

/**
 * Walks a history in the order of `git log`: by commit date, newest first. With a path it follows, from a commit that has
 * the same there as a parent, the first such parent alone.
 */
export class HistoryWalk {
  readonly #view: RepositoryView;
  readonly #set: GraphSet;
  readonly #history: WalkedHistory;
  readonly #entries: PathEntries | undefined;
  readonly #queue: DateQueue;
  /** By node: nothing, {@link isWaiting} or {@link isPassed}. */
  readonly #states: Uint8Array;
  /** Number of commits that were passed since the start of the walk. */
  passed = 0;

  /** Call `loadIndexes` of the view first, if there is a path. */
  constructor(view: RepositoryView, history: WalkedHistory) {
    const { set } = view;
    this.#view = view;
    this.#set = set;
    this.#history = history;
    this.#entries = history.path === undefined ? undefined : new PathEntries(view, history.path);
    this.#queue = new DateQueue((node) => this.dateOf(node));
    this.#states = new Uint8Array(set.nodeCount);
  }

  /** Bytes of its tables. */
  static memory({ nodeCount }: GraphSet): number {
    // The states, and what {@link HistoryWalk.passedAgain} paints.
    return 2 * nodeCount;
  }

  /** Adds a commit to walk from. */
  add(node: number): void {
    if (this.#states[node] !== 0) return;
    this.#states[node] = isWaiting;
    this.#queue.add(node);
  }

  /** Marks a commit as passed earlier. */
  markPassed(node: number): void {
    this.#states[node] = isPassed;
  }

  /** Commits from which the walk continues, in order. */
  waiting(): readonly number[] {
    return this.#queue.nodes();
  }

  get isAtEnd(): boolean {
    return this.#queue.size === 0;
  }

  /** Number of trees that were opened. */
  get treesOpened(): number {
    return this.#entries?.opened ?? 0;
  }

  /** Passes the next commit. Returns its node if it belongs to the result, else -1; undefined at the end. */
  async next(): Promise<number | undefined> {
    const node = this.#queue.take();
    if (node === undefined) return undefined;
    this.#states[node] = isPassed;
    this.passed++;
    if (this.#view.work.spend(cost.entries, entriesAStep)) await this.#view.work.yield();
    const { isFirstParent, since } = this.#history;
    if (since !== undefined && this.dateOf(node) < since) return -1;
    const { parentStarts, parents } = this.#set;
    const first = parentStarts[node] as number;
    const end = parentStarts[node + 1] as number;
    const last = isFirstParent ? Math.min(end, first + 1) : end;
    if (this.#entries !== undefined) {
      for (let i = first; i < last; i++) {
        const parent = parents[i] as number;
        if (!(await this.#entries.areSame(node, parent))) continue;
        this.add(parent);
        return -1;
      }
    }
    for (let i = first; i < last; i++) this.add(parents[i] as number);
    const isShown = this.#entries === undefined || last > first || (await this.#entries.has(node));
    return isShown ? node : -1;
  }

  /**
   * Passed commits that the rest of the walk may come to again, since dates may be equal or run against the history.
   * Undefined if there are more than `max`.
   */
  async passedAgain(max: number): Promise<readonly number[] | undefined> {
    const reached = new Uint8Array(this.#states.length);
    await paint(this.#view.work, this.#set, this.waiting(), reached, 1);
    const found: number[] = [];
    await inBlocks(this.#view.work, reached.length, (from, to) => {
      for (let node = from; node < to && found.length <= max; node++) {
        if (reached[node] === 1 && this.#states[node] === isPassed) found.push(node);
      }
    });
    return found.length > max ? undefined : found;
  }

  /** Committer date of a node in seconds since 1970, cut to 32 bits. */
  dateOf(node: number): number {
    const { graph, nodeStart } = this.#set.packOfNode(node);
    return graph.dates[node - nodeStart] as number;
  }
}
