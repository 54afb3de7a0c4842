import { limitError, PackError } from '../pack/pack-error.ts';
import { storedSize, type PackRecord } from '../ports/repo-state.ts';
import { cost, type Cost } from '../work/costs.ts';
import type { PushRules } from './push-rules.ts';

/** Bytes that one byte of a pack may inflate to, if the total is larger than LIM-068. */
const inflatedPerByte = 256;
/** Bytes of graph that one byte of a pack may produce, if the total is larger than LIM-070. */
const graphPerByte = 4;

type BudgetRules = Pick<PushRules, 'inflatedMax' | 'graphMax' | 'repoStorageMax' | 'accountStorageLeft'>;

/** Limits the cost of one push by the number of received bytes, and what it stores. */
export class PushBudget {
  readonly #rules: BudgetRules;
  #received = 0;
  #inflated = 0;

  constructor(rules: BudgetRules) {
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

  /**
   * Checks the storage limits before the commit, by the sizes of packs and their tables (GIT-166).
   *
   * @throws {PackError} LIM-050, LIM-012.
   */
  async checkStorage(stored: readonly PackRecord[], added: number): Promise<void> {
    const total = stored.reduce((sum, record) => sum + storedSize(record), added);
    const { repoStorageMax, accountStorageLeft } = this.#rules;
    const reason = 'storage limit exceeded';
    if (total > repoStorageMax) throw limitError(reason, `${total} bytes`, repoStorageMax, 'repo_storage_max');
    // A pusher need not know what the account stores elsewhere.
    if (added > (await accountStorageLeft())) {
      throw new PackError(`${reason}: no room for ${added} bytes more (account_storage_max)`, reason);
    }
  }
}
