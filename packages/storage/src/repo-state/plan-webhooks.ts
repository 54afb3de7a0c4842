import { queueBytesMax, type WebhookPlace } from '@packhouse/hosting';

/** Changes of the queue of a repository after the progress of its webhooks is stored. */
export interface QueuePlan {
  /** Ids of webhooks that are made inactive, because too much waits for them. */
  readonly stopped: readonly string[];
  /** Events up to this sequence are removed. */
  readonly passed: number;
  /** When the rest is due; undefined if nothing is left, and the queue ends. */
  readonly due: number | undefined;
}

/**
 * @param places of the active webhooks.
 * @param last sequence of the newest event.
 * @param bytes of all events in the queue.
 */
export function planQueue(
  places: readonly (WebhookPlace & { readonly id: string })[],
  last: number,
  bytes: number,
): QueuePlan {
  const lagging = places.filter(({ position }) => position < last);
  if (lagging.length === 0) return { stopped: [], passed: last, due: undefined };
  if (bytes > queueBytesMax) return { stopped: lagging.map(({ id }) => id), passed: last, due: undefined };
  return {
    stopped: [],
    passed: Math.min(...lagging.map(({ position }) => position)),
    due: Math.min(...lagging.map(({ due }) => due)),
  };
}
