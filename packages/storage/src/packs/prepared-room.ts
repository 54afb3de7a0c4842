import { makingMax, preparedLifetime, type PackId } from '@packhouse/git';

/** Milliseconds that the bytes of a dropped pack stay, since other isolates or servers may still send it. */
const grace = 3_600_000;
/** Milliseconds before a pack is made again whose maker died. */
const retryAfter = 3_600_000;
/** Milliseconds between two records of the use of a pack: each is a row written. */
const usePeriod = 600_000;

/** Part of the room that each pack takes at least: each call reads all rows, and the sweep removes pack by pack. */
const leastShare = 1 / 256;

/** Settings of the records of prepared packs in a database. */
export interface PreparedRecordsOptions {
  /** Milliseconds after which the sweep removes a begun pack. */
  readonly leftoverAge: number;
  /** Receives the time (milliseconds since 1970) when a pack is due for the sweep. */
  readonly due: (at: number) => void;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/** A pack outside the manifest. Without a key it was dropped, without objects it is being made. */
export interface PreparedRow {
  readonly id: PackId;
  readonly key: string | null;
  readonly size: number;
  readonly objects: number | null;
  readonly begun: number;
  readonly used: number;
}

/** The prepared packs of one repository at one time, which share a room of bytes (LIM-071). */
export class PreparedRoom {
  readonly #rows: readonly PreparedRow[];
  readonly #room: number;
  readonly #now: number;
  readonly #leftoverAge: number;

  /** @param rows newest use first, ties by id. */
  constructor(
    rows: readonly PreparedRow[],
    { room, now, leftoverAge }: { readonly room: number; readonly now: number; readonly leftoverAge: number },
  ) {
    this.#rows = rows;
    this.#room = room;
    this.#now = now;
    this.#leftoverAge = leftoverAge;
  }

  /** Finds the finished pack of a key, and the packs to drop. `isUse`: its use must be recorded. */
  take(key: string): {
    readonly found?: PreparedRow;
    readonly isUse: boolean;
    readonly dropped: readonly PreparedRow[];
  } {
    const dropped = this.#beyond(this.#rows, this.#room);
    const found = this.#rows.find((row) => row.key === key && row.objects !== null && !dropped.includes(row));
    if (found === undefined || this.#isOver(found)) return { isUse: false, dropped };
    return { found, isUse: this.#now - found.used > usePeriod, dropped };
  }

  /** Decides if a pack of `size` bytes may be made now, and which packs to drop. */
  begin(key: string, size: number): { readonly mayBegin: boolean; readonly dropped: readonly PreparedRow[] } {
    const kept = this.#rows.filter((row) => row.key !== null && !this.#isOver(row));
    const isMaking = (row: PreparedRow): boolean => row.objects === null && this.#now - row.used < makingMax;
    if (kept.some((row) => row.key === key || isMaking(row))) return { mayBegin: false, dropped: [] };
    const over = this.#rows.filter((row) => row.key !== null && this.#isOver(row));
    const bytes = this.#rows.reduce((sum, row) => sum + this.#sizeOf(row), Math.max(size, this.#least));
    if (bytes <= this.#room) return { mayBegin: true, dropped: over };
    // At least half goes at once, since what goes still takes its room for an hour.
    const beyond = this.#beyond(kept, Math.min(this.#room / 2, this.#room - size));
    return { mayBegin: false, dropped: [...over, ...beyond] };
  }

  /** Returns the finished packs beyond `room` bytes. */
  #beyond(rows: readonly PreparedRow[], room: number): readonly PreparedRow[] {
    let bytes = 0;
    const finished = rows.filter(({ key, objects }) => key !== null && objects !== null);
    const beyond = finished.findIndex((row) => (bytes += this.#sizeOf(row)) > room);
    return beyond < 0 ? [] : finished.slice(beyond);
  }

  #isOver({ objects, used, begun }: PreparedRow): boolean {
    return objects === null ? this.#now - used >= retryAfter : this.#now >= begun + this.#leftoverAge - grace;
  }

  get #least(): number {
    return Math.floor(this.#room * leastShare);
  }

  #sizeOf({ size }: PreparedRow): number {
    return Math.max(size, this.#least);
  }
}

/** Returns the time in the reservation of a pack begun now, with which the sweep removes it after 13 hours. */
export function begunTime(now: number, leftoverAge: number): number {
  return now - leftoverAge + preparedLifetime + grace;
}

/** Returns the time in the reservation of a pack dropped now, with which the sweep removes it after an hour. */
export function droppedTime(now: number, leftoverAge: number): number {
  return now - leftoverAge + grace;
}
