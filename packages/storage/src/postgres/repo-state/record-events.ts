import type { PostgresSession } from '@packhouse/base';
import type { RecordedEvent } from '@packhouse/git';
import { forListener } from '../../repo-state/event-lanes.ts';
import { queueEvents } from '../webhooks/webhook-queue.ts';
import { addEvents } from './events.ts';
import type { RepoRow } from './repo-row.ts';

/** Records events with the commit, for the listener of the service and for webhooks. */
export function recordEvents(
  session: PostgresSession,
  row: Pick<RepoRow, 'id' | 'account' | 'namespace' | 'status'>,
  events: readonly RecordedEvent[],
): void {
  addEvents(session, row, forListener(events), row.status !== 'ready');
  queueEvents(session, row, events);
}
