import { PathMatcher } from '../patterns/path-matcher.ts';
import type { Steps } from '../work/loops.ts';
import type { SparsePattern } from './sparse-patterns.ts';

/**
 * State of the patterns before the entries of a folder, with one bit per step. In folders with the same state, the same
 * entries pass.
 */
export interface FolderState {
  readonly steps: Uint32Array;
  /** True if entries without a matching pattern pass, which is the result for the folder itself. */
  readonly passes: boolean;
}

/**
 * Decides which paths the patterns of a file pass. The last matching pattern decides. Without a match, the result for
 * the folder decides (list-objects-filter.c of stock git).
 */
export class SparseMatcher {
  readonly #patterns: readonly SparsePattern[];
  readonly #matcher: PathMatcher;
  /** The state before the entries of a commit's root tree. */
  readonly root: FolderState;
  /** State before the entries of a tree without a commit, since no folder leads to it. */
  readonly bare: FolderState;

  constructor(patterns: readonly SparsePattern[]) {
    this.#patterns = patterns;
    this.#matcher = new PathMatcher(patterns);
    const { start } = this.#matcher;
    // The root has an empty name and no path.
    this.root = { steps: start, passes: this.#verdict(this.#matcher.matchesOfStart()) ?? false };
    this.bare = { steps: start, passes: false };
  }

  /** Number of steps for one byte of a name. */
  get stepsAByte(): number {
    return this.#matcher.stepsAByte;
  }

  /** Bytes that the patterns take at most. */
  get memory(): number {
    return this.#matcher.memory;
  }

  /** True if a name of this length in bytes is matched quickly, so that no yield is needed. */
  isQuick(bytes: number): boolean {
    return this.#matcher.isQuick(bytes);
  }

  /** Tests if the file `name[start..end)` in a folder passes. */
  *passesFile(folder: FolderState, name: Uint8Array, start: number, end: number): Steps<boolean> {
    const steps = yield* this.#matcher.run(folder.steps, name, start, end);
    return this.#verdict(this.#matcher.matches(steps, false)) ?? folder.passes;
  }

  /** The state of the folder `name[start..end)` inside another folder. */
  *enter(folder: FolderState, name: Uint8Array, start: number, end: number): Steps<FolderState> {
    const steps = yield* this.#matcher.run(folder.steps, name, start, end);
    const passes = this.#verdict(this.#matcher.matches(steps, true)) ?? folder.passes;
    return { steps: this.#matcher.inside(steps), passes };
  }

  /** Returns the result of the last pattern that has matched. */
  #verdict(matches: Generator<number, void, undefined>): boolean | undefined {
    const { value } = matches.next();
    return value === undefined ? undefined : this.#patterns[value]?.isNegative === false;
  }
}
