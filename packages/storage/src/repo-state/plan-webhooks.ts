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
 * If too much waits, only the webhooks that are furthest behind stop: others may be about to catch up.
 *
 * @param places of the active webhooks.
 * @param last sequence of the newest event.
 * @param bytes of the events behind the lowest position.
 */
export function planQueue(
  places: readonly (WebhookPlace & { readonly id: string })[],
  last: number,
  bytes: number,
): QueuePlan {
  const lagging = places.filter(({ position }) => position < last);
  const lowest = lowestPosition(lagging);
  const stopped = bytes > queueBytesMax ? lagging.filter(({ position }) => position === lowest) : [];
  const others = lagging.filter((one) => !stopped.includes(one));
  const isOver = others.length === 0;
  return {
    stopped: stopped.map(({ id }) => id),
    passed: isOver ? last : lowestPosition(others),
    due: isOver ? undefined : Math.min(...others.map(({ due }) => due)),
  };
}

/** Returns the lowest position of webhooks; that of no event without webhooks. */
export function lowestPosition(places: readonly WebhookPlace[]): number {
  return Math.min(Number.MAX_SAFE_INTEGER, ...places.map(({ position }) => position));
}
