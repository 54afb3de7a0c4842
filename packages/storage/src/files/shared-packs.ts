import type { PackId } from '@packhouse/git';

/**
 * When this process took on packs of other repositories. Their files tell only when they were written, which may be long
 * ago, so that the sweep would take them for left-overs while the fork is still under way. Of what a process took on that
 * has ended no fork is under way: it needs no note, and goes by the times of its files.
 */
export class SharedPacks {
  readonly #now: () => number;
  readonly #times = new Map<string, Map<PackId, number>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Notes that a pack is about to be taken on in a folder. */
  note(folder: string, id: PackId): void {
    const times = this.#times.get(folder) ?? new Map<PackId, number>();
    this.#times.set(folder, times.set(id, this.#now()));
  }

  /** Whether it was taken on at or after `time` (milliseconds since 1970). If it was before that, the note has done its part. */
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
