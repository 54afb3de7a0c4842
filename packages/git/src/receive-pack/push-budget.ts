import { limitError } from '../pack/pack-error.ts';
import { cost, type Cost } from '../work/costs.ts';
import type { PushRules } from './push-rules.ts';

/** Bytes that one byte of a pack may inflate to, if the total is larger than LIM-068. */
const inflatedPerByte = 256;
/** Bytes of graph that one byte of a pack may produce, if the total is larger than LIM-070. */
const graphPerByte = 4;

/** Limits the cost of one push by the number of received bytes. */
export class PushBudget {
  readonly #rules: Pick<PushRules, 'inflatedMax' | 'graphMax'>;
  #received = 0;
  #inflated = 0;

  constructor(rules: Pick<PushRules, 'inflatedMax' | 'graphMax'>) {
    this.#rules = rules;
  }

  /** Counts received bytes of the pack. */
  receive(bytes: number): void {
    this.#received += bytes;
  }

  /**
   * Counts the bytes that the push inflates and makes from deltas, each time that it does so.
   *
   * @throws {PackError} LIM-068.
   */
  spend(kind: Cost, amount: number): void {
    if (kind !== cost.inflated && kind !== cost.rebuilt) return;
    this.#inflated += amount;
    const most = Math.max(this.#rules.inflatedMax, inflatedPerByte * this.#received);
    if (this.#inflated > most) {
      throw limitError('push inflates to too much', `${this.#inflated} bytes`, most, 'push_inflated_max');
    }
  }

  /**
   * Checks the size of the graph file.
   *
   * @throws {PackError} LIM-070.
   */
  checkGraph(size: number): void {
    const most = Math.max(this.#rules.graphMax, graphPerByte * this.#received);
    if (size > most) throw limitError('history too large', `graph of ${size} bytes`, most, 'push_graph_max');
  }
}
