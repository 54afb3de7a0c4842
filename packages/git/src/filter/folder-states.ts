import type { FolderState } from './sparse-matcher.ts';

/** A state with the trees that were met in it. */
export interface KnownState extends FolderState {
  readonly seen: Set<number>;
}

/** Memory in bytes for a state besides its steps. */
const stateOverhead = 200;

/** The states of a walk. Equal states are one value. */
export class FolderStates {
  readonly #most: number;
  readonly #byHash: Map<number, KnownState[]> = new Map();
  #bytes = 0;

  /** Memory in bytes above which the table is full. */
  constructor(most: number) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.#bytes > this.#most;
  }

  /** The value of a state. */
  known(state: FolderState): KnownState {
    const hash = hashOf(state);
    const alike = this.#byHash.get(hash);
    const found = alike?.find(({ passes, steps }) => passes === state.passes && isSame(steps, state.steps));
    if (found !== undefined) return found;
    const added = { ...state, seen: new Set<number>() };
    this.#bytes += state.steps.byteLength + stateOverhead;
    if (alike === undefined) this.#byHash.set(hash, [added]);
    else alike.push(added);
    return added;
  }

  /** Forgets all states. States that are still in use do not change. */
  forget(): void {
    this.#byHash.clear();
    this.#bytes = 0;
  }
}

function hashOf({ steps, passes }: FolderState): number {
  let hash = passes ? 1 : 0;
  for (const word of steps) hash = Math.imul(hash ^ word, 0x9e37_79b1) ^ (hash >>> 15);
  return hash;
}

function isSame(a: Uint32Array, b: Uint32Array): boolean {
  return a.every((word, i) => word === b[i]);
}
