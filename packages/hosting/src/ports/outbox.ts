import type { RecordedEvent } from '@packhouse/git';

/**
 * The events of one repository that wait to be delivered, in its own state, so that they are recorded with the changes
 * that they tell of (REPO-190) and keep their order (REPO-198). An event may be _held_: it tells of a repository that is
 * not published yet, and is delivered once that is certain. Held ones are never behind others.
 */
export interface Outbox {
  /**
   * Records an event that belongs to no other change; held, while the repository is not ready. Dropped where more waits
   * than clones and fetches may add ({@link idleQueueBytesMax}): false then.
   *
   * @throws {RepoGoneError} if the repository was deleted; nothing is recorded then.
   */
  record(event: RecordedEvent): Promise<boolean>;
  /** Frees what is held: the repository is published. */
  releaseEvents(): Promise<void>;
  /** The oldest that wait, at most `limit`, and no more than 4 MiB of bodies unless that is one event. */
  pendingEvents(limit: number): Promise<PendingEvents>;
  /**
   * Says that events were delivered, or are given up; unknown ids do no harm. What waits behind them is due at once.
   *
   * @param keepUntil milliseconds since 1970: how long they stay readable. Default: not at all.
   */
  delivered(ids: readonly string[], keepUntil?: number): Promise<void>;
  /** Says when the oldest one is tried next (milliseconds since 1970), and how often it has failed. */
  retryEventsAt(at: number, attempts: number): Promise<void>;
}

export interface PendingEvents {
  /** Oldest first. Empty: nothing waits. */
  readonly events: readonly PendingEvent[];
  /** How often the first of them has failed. */
  readonly attempts: number;
  /** Milliseconds since 1970: when the first of them is to be tried. */
  readonly due: number;
}

export interface PendingEvent extends RecordedEvent {
  readonly held: boolean;
}

/** Milliseconds from the time of a held event until it is looked up whether its repository is published. */
export const heldEventAge = 60_000;

/** Bytes that an event counts for in its queue beside its body. */
export const eventOverhead = 1_024;

/**
 * Bytes in the queue of one repository from which on no push is taken whose events are to be recorded. Nothing that was
 * acknowledged is ever dropped for want of room.
 */
export const queueBytesMax = 67_108_864;

/** Bytes from which on clones and fetches, which change nothing, are not recorded. */
export const idleQueueBytesMax = 33_554_432;
