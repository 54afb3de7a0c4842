/**
 * What repos that are being made will be counted with, by this process: so that several at once do not take the same room
 * (LIM-012). The catalog counts them when they are ready.
 */
export class PlannedBytes {
  readonly #planned = new Map<string, { readonly account: string; readonly bytes: number }>();

  /**
   * Plans bytes for a repo, in place of what was planned for it before.
   *
   * @param left that the account may still store.
   * @returns false if they do not fit beside what is planned for others; then nothing is.
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
