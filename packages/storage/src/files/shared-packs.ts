import type { PackId } from '@packhouse/git';

/**
 * Times at which this process added packs of other repositories. The times of their files may be old, so that the sweep
 * would remove them while the fork still runs. After a process has ended, none of its forks run, and the times of the
 * files suffice.
 */
export class SharedPacks {
  readonly #now: () => number;
  readonly #times = new Map<string, Map<PackId, number>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Records that a pack is about to be added to a folder. */
  note(folder: string, id: PackId): void {
    const times = this.#times.get(folder) ?? new Map<PackId, number>();
    this.#times.set(folder, times.set(id, this.#now()));
  }

  /**
   * Tests if it was added at or after `time` (milliseconds since 1970). Drops an older note, which is no longer needed.
   */
  isSince(folder: string, id: PackId, time: number): boolean {
    const at = this.#times.get(folder)?.get(id);
    if (at === undefined) return false;
    if (at < time) this.forget(folder, id);
    return at >= time;
  }

  forget(folder: string, id: PackId): void {
    const times = this.#times.get(folder);
    if (times?.delete(id) === true && times.size === 0) this.#times.delete(folder);
  }
}
