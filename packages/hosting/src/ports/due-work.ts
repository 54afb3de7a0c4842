/** A repository whose maintenance is due. */
export interface DueRepo {
  readonly account: string;
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
}

/** A repository with events that are due; it may be erased already. */
export type QueuedRepo = Pick<DueRepo, 'account' | 'id'>;

/** The events of all repositories that one process delivers. */
export interface DueEvents {
  /** Repositories with events that are due at `now` (milliseconds since 1970), the longest due first; at most `limit`. */
  due(now: number, limit: number): Promise<readonly QueuedRepo[]>;
  /** Calls `listener` when events may have become due. It replaces the listener before it. */
  whenRecorded(listener: () => void): void;
  /** Forgets delivered events that were kept until `now`. */
  forgetKept(now: number): Promise<void>;
}

/**
 * Finds the work that one process does beside requests, on storage that keeps all jurisdictions in one place. Storage
 * whose objects wake themselves has none.
 */
export interface DueWork {
  /** Repositories with events for webhooks that are due at `now`, the longest due first; at most `limit`. */
  readonly dueWebhooks: DueEvents['due'];
  /** Repositories whose maintenance is due at `now` (milliseconds since 1970), the longest due first; at most `limit`. */
  due(now: number, limit: number): Promise<readonly DueRepo[]>;
  readonly events: DueEvents;
}
