import type { RecordedEvent } from '@packhouse/git';

/** A webhook of a repository or of a namespace (REPO-375). Times are milliseconds since 1970. */
export interface WebhookRecord {
  /** 16 characters of `[0-9a-z]`. */
  readonly id: string;
  readonly url: string;
  /** Names of the events that it gets. Null: all. */
  readonly events: readonly string[] | null;
  /** Patterns of the refs of `pushed` events that it gets. Null: all refs. */
  readonly refs: readonly string[] | null;
  /** The secret as it is: each delivery is signed with it. */
  readonly secret: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Time since when it gets events: that of its creation, or when it was last made active. */
  readonly activeSince: number;
  readonly isActive: boolean;
  /** Why the service made it inactive; null if the service did not. */
  readonly stopped: string | null;
  readonly lastDelivery: WebhookDelivery | null;
}

/** The last try to deliver something. */
export interface WebhookDelivery {
  readonly eventId: string;
  readonly eventType: string;
  readonly at: number;
  /** Status of the reply; null without one. */
  readonly status: number | null;
  /** Null after a success. */
  readonly error: string | null;
  /** Number of tries of this event so far. */
  readonly attempts: number;
}

/** Members to change. */
export type WebhookChange = Partial<Omit<WebhookRecord, 'id' | 'createdAt'>>;

/** The webhooks of one owner: a repository or a namespace. Each method is one transaction. */
export interface WebhookList {
  /** Returns them, oldest first, ties by id. */
  webhooks(): Promise<readonly WebhookRecord[]>;
  /** Adds one. Idempotent by id. Returns false if there are `max` others, or the namespace was deleted. */
  addWebhook(webhook: WebhookRecord, max: number): Promise<boolean>;
  /**
   * Changes members. With more than `lastDelivery`, what waits for the webhook becomes due at once, as if no delivery had
   * failed.
   *
   * @returns the webhook as it is now; undefined if no webhook has this id.
   */
  changeWebhook(id: string, change: WebhookChange): Promise<WebhookRecord | undefined>;
  /** Removes one, and what waits for it alone. Returns false if no webhook has this id. */
  removeWebhook(id: string): Promise<boolean>;
}

/**
 * Webhooks of one repository, and the queue of events that feeds them and those of its namespace. A change records each
 * event once, and only if an active webhook exists. Each webhook has a position in the queue. The queue survives the
 * erasure of its repository.
 */
export interface WebhookQueue extends WebhookList {
  /** Returns the names of the events that active webhooks of the repository and its namespace get. */
  wantedEvents(): Promise<readonly string[]>;
  /** Returns what deliveries begin with; undefined if no event waits. */
  webhookWork(): Promise<WebhookWork | undefined>;
  /**
   * Returns the events behind a position, the oldest first: at most `limit`, and at most {@link webhookBatchBytes} unless
   * the first one is larger.
   */
  webhookEvents(after: number, limit: number): Promise<readonly QueuedEvent[]>;
  /**
   * Stores the progress of webhooks, and removes the events that no active webhook still needs. If more bytes than
   * {@link queueBytesMax} wait, stops the webhooks that lag behind.
   *
   * @returns when the queue is due, in milliseconds since 1970; undefined if no event waits.
   */
  settleWebhooks(progress: readonly WebhookProgress[]): Promise<number | undefined>;
  /** Makes the queue due at that time, such as because its repository is not published yet. */
  delayWebhooks(until: number): Promise<void>;
}

export interface QueuedEvent extends Omit<RecordedEvent, 'webhooksOnly'> {
  /** Place in the queue. */
  readonly sequence: number;
}

export interface WebhookWork {
  /** True if the repository was erased. */
  readonly isErased: boolean;
  /** Active webhooks, those of the repository and of its namespace. */
  readonly webhooks: readonly QueuedWebhook[];
}

/** Progress of a webhook in the queue of one repository. */
export interface WebhookPlace {
  /** The sequence of the last event that it has got, or does not want; 0 at first. */
  readonly position: number;
  /** Failed tries of the next event. */
  readonly attempts: number;
  /** Time of the next try, if there were failures; else 0. */
  readonly due: number;
  /** Time of the first failure of the next event; null without one. */
  readonly failingSince: number | null;
}

export interface QueuedWebhook extends WebhookPlace {
  readonly webhook: WebhookRecord;
}

export interface WebhookProgress extends WebhookPlace {
  /** Id of the webhook. */
  readonly id: string;
  /** Default: no new one. */
  readonly lastDelivery?: WebhookDelivery;
  /** Why the webhook is made inactive. Default: it is not. */
  readonly stopped?: string;
}

/**
 * Bytes of events that one webhook gets at once. A server has them in memory for each webhook of many repositories, as long
 * as receivers take.
 */
export const webhookBatchBytes = 262_144;

/** Names what stopped a webhook that let more than `queueBytesMax` wait (LIM-102). */
export const lagReason = 'too many events wait';
