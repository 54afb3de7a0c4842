import type { DeliveredEvent } from './on-event.ts';

/** The receiver of an event. */
export interface WebhookTarget {
  readonly url: string;
  /** At least one, each `whsec_` and base64. Each event is signed with all of them. */
  readonly secrets: readonly string[];
}

/**
 * Sends one event, and returns the status of the reply.
 *
 * @throws {Error} a `WebhookError` for each failed delivery.
 */
export type PostWebhook = (
  target: WebhookTarget,
  event: Pick<DeliveredEvent, 'id' | 'body'>,
  signal: AbortSignal,
) => Promise<number>;
