/**
 * Receives one event (REPO-190). Events of one repo come one at a time, in the order of their changes (REPO-198). Events
 * of different repos may come at once. Resolve once the event is safe. After a rejection, after 30 seconds, or if the
 * process dies, it comes again, so ignore an id that you already have.
 *
 * @param signal Aborted when the caller no longer waits.
 */
export type OnEvent = (event: DeliveredEvent, signal: AbortSignal) => Promise<void>;

/** An event as receivers get it. */
export interface DeliveredEvent {
  /** The same at each delivery: 16 characters of `[0-9a-z]` (REPO-198). */
  readonly id: string;
  /** `body.type`. */
  readonly type: string;
  /** Its JSON is what sinks send. */
  readonly body: EventBody;
}

/** REPO-191. */
export interface EventBody {
  /** The event type prefix of the dialect and the name (REPO-018, REPO-192). */
  readonly type: string;
  readonly source: {
    /** REPO-019. */
    readonly type: string;
    readonly namespace: string;
    readonly repoName: string;
  };
  readonly payload: Readonly<Record<string, unknown>>;
  readonly metadata: {
    readonly accountId: string;
    /** 16 characters of `[0-9a-z]`: the same for all events that an account sends to one place. */
    readonly eventSubscriptionId: string;
    readonly eventSchemaVersion: 1;
    /** ISO 8601. */
    readonly eventTimestamp: string;
    /** Id of the repo token that caused it, if there is one (REPO-199). */
    readonly tokenId?: string;
  };
}
