import type { RecordedEvent } from '@packhouse/git';

/**
 * The events of one repository that wait for delivery. They are in the repository's state, so that each is recorded in the
 * transaction of its change (REPO-190), and they keep their order (REPO-198). An event can be _held_: its repository is
 * not published yet, and delivery waits for that. Held events come before all others.
 */
export interface Outbox {
  /**
   * Records an event that belongs to no other change. Holds it while the repository is not ready.
   *
   * @returns false if the event was dropped, because the queue has more than clones and fetches may fill ({@link
   * idleQueueBytesMax}).
   * @throws {RepoGoneError} if the repository was deleted; nothing is recorded then.
   */
  record(event: RecordedEvent): Promise<boolean>;
  /** Releases held events when the repository is published. */
  releaseEvents(): Promise<void>;
  /** Returns the oldest waiting events: at most `limit`, and at most 4 MiB of bodies unless one event is larger. */
  pendingEvents(limit: number): Promise<PendingEvents>;
  /**
   * Removes events that were delivered or given up; ignores unknown ids. The events behind them become due at once.
   *
   * @param keepUntil Time until which they stay readable, in milliseconds since 1970. Default: not at all.
   */
  delivered(ids: readonly string[], keepUntil?: number): Promise<void>;
  /** Records when the oldest event is tried next (milliseconds since 1970), and how often it has failed. */
  retryEventsAt(at: number, attempts: number): Promise<void>;
}

export interface PendingEvents {
  /** Oldest first. Empty if no event waits. */
  readonly events: readonly PendingEvent[];
  /** Number of failed deliveries of the first event. */
  readonly attempts: number;
  /** Time when the first event is due, in milliseconds since 1970. */
  readonly due: number;
}

export interface PendingEvent extends RecordedEvent {
  readonly held: boolean;
}

/** Milliseconds after a held event before delivery looks up if its repository is published. */
export const heldEventAge = 60_000;

/** Bytes that an event counts in its queue, in addition to its body. */
export const eventOverhead = 1_024;

/**
 * Bytes in the queue of one repository at which pushes with events are refused, so that no acknowledged event is ever
 * dropped.
 */
export const queueBytesMax = 67_108_864;

/** Bytes in the queue at which events of clones and fetches, which change nothing, are no longer recorded. */
export const idleQueueBytesMax = 33_554_432;
