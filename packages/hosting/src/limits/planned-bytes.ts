/**
 * Bytes that this process reserves for repos in the making, so that several at once do not use the same room (LIM-012).
 * The catalog counts a repo when it is ready.
 */
export class PlannedBytes {
  readonly #planned = new Map<string, { readonly account: string; readonly bytes: number }>();

  /**
   * Plans bytes for a repo. They replace its earlier plan.
   *
   * @param left Bytes that the account may still store.
   * @returns false if they do not fit beside the plans of other repos. Then the repo has no plan.
   */
  tryPlan(account: string, repo: string, bytes: number, left: number): boolean {
    this.forget(repo);
    const all = [...this.#planned.values()].filter((planned) => planned.account === account);
    if (all.reduce((sum, planned) => sum + planned.bytes, bytes) > left) return false;
    this.#planned.set(repo, { account, bytes });
    return true;
  }

  forget(repo: string): void {
    this.#planned.delete(repo);
  }
}
