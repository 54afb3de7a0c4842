import type { SqlDriver } from '@packhouse/base';

/** An event as the data folder stores it. */
export interface KeptEvent {
  readonly id: string;
  /** `waiting`: to be delivered or retried; `delivered`: kept for `events_kept`. */
  readonly state: 'waiting' | 'delivered';
  readonly event: EventBody;
}

/** The members that commands read (REPO-191). There may be others. */
export interface EventBody {
  readonly type: string;
  readonly source: { readonly namespace: string; readonly repoName: string };
  readonly payload: Readonly<Record<string, unknown>>;
  readonly metadata: { readonly eventTimestamp: string };
}

interface EventRow {
  readonly sequence: number;
  readonly id: string;
  readonly held: number;
  readonly delivered: number;
  readonly body: string;
}

/** Events per read: one event has up to a megabyte. */
const pageSize = 50;
const columns = 'sequence, id, held, keep_until IS NOT NULL AS delivered, body';

/** Reads the events of all repositories of a data folder, in the order of their changes, each once. */
export class KeptEvents {
  readonly #database: SqlDriver;
  readonly #since: number;
  /** The sequence number of the last event seen. */
  #last = 0;
  /** Sequence numbers of events whose change is not published yet. */
  #held: readonly number[] = [];

  /** Starts at `since`, in milliseconds since 1970, and skips older events. */
  constructor(database: SqlDriver, since: number) {
    this.#database = database;
    this.#since = since;
  }

  /** True if the folder keeps any delivered event. */
  get keepsDelivered(): boolean {
    return this.#database.all('SELECT 1 FROM events WHERE keep_until IS NOT NULL LIMIT 1').length > 0;
  }

  /** Returns some of the events since the last call; empty if there are no more for now. */
  next(): readonly KeptEvent[] {
    return this.#database.transaction(() => {
      let shown = this.#released();
      // A page that holds only unpublished events is not the end.
      for (let rows = this.#page(); rows.length > 0 && shown.length === 0; rows = this.#page())
        shown = this.#seen(rows);
      return shown.map(({ id, delivered, body }) => ({
        id,
        state: delivered === 1 ? 'delivered' : 'waiting',
        event: JSON.parse(body) as EventBody,
      }));
    }, 'read');
  }

  #page(): readonly EventRow[] {
    return this.#database.all<EventRow>(
      `SELECT ${columns} FROM events WHERE sequence > ? AND at >= ? ORDER BY sequence LIMIT ?`,
      this.#last,
      this.#since,
      pageSize,
    );
  }

  #seen(rows: readonly EventRow[]): readonly EventRow[] {
    this.#last = rows.at(-1)?.sequence ?? this.#last;
    this.#held = [...this.#held, ...rows.filter(({ held }) => held === 1).map(({ sequence }) => sequence)];
    return rows.filter(({ held }) => held === 0);
  }

  /**
   * Returns events that were unpublished when they were seen and are published now. An event that is missing was
   * dropped with its repository.
   */
  #released(): readonly EventRow[] {
    if (this.#held.length === 0) return [];
    const rows = this.#database.all<EventRow>(
      `SELECT ${columns} FROM events WHERE sequence IN (SELECT value FROM json_each(?)) ORDER BY sequence`,
      JSON.stringify(this.#held),
    );
    this.#held = rows.filter(({ held }) => held === 1).map(({ sequence }) => sequence);
    return rows.filter(({ held }) => held === 0);
  }
}
