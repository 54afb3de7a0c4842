import type { RecordedEvent } from '@packhouse/git';

/** Returns the events that the listener of the service gets. All events go to the webhooks of users. */
export function forListener(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  return events.filter(({ webhooksOnly }) => webhooksOnly !== true);
}
