import { isIncident, type Maintained } from '@packhouse/router';
import { withoutSecrets } from '@packhouse/base';
import type { ServedRequest } from '../http/sockets.ts';

/** One line of the log. Members with the value `undefined` are omitted. */
export type LogEntry = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * Makes the log entry of a request. It never contains a header, a query or a credential (REPO-009).
 *
 * @param publicUrl The setting `public_url`, if it is configured.
 */
export function requestLogEntry(
  served: ServedRequest,
  { requestIdHeader, publicUrl }: { readonly requestIdHeader: string; readonly publicUrl: string | undefined },
  at: Date,
): LogEntry {
  return {
    time: at.toISOString(),
    level: served.failure !== undefined || isIncident(served, publicUrl) ? 'error' : 'info',
    event: 'request',
    request_id: served.headers?.get(requestIdHeader) ?? undefined,
    method: served.method,
    path: withoutSecrets(served.path),
    status: served.status,
    received: served.received,
    sent: served.sent,
    ms: Math.round(served.duration * 10) / 10,
    ...(served.whole ? {} : { whole: false }),
    // Only the class: messages and stacks of unexpected errors may contain paths or secrets.
    ...(served.failure === undefined ? {} : { failure: failureName(served.failure) }),
  };
}

/** Makes the log entry of a repository's maintenance. */
export function maintenanceLogEntry({ repo, ...done }: Maintained, at: Date): LogEntry {
  return {
    time: at.toISOString(),
    level: 'info',
    event: 'maintenance',
    account: repo.account,
    repo: `${repo.namespace}/${repo.name}`,
    merged_packs: done.mergedPacks,
    made_packs: done.madePacks,
    collected_objects: done.collectedObjects,
    removed_packs: done.removedPacks,
    ms: done.milliseconds,
  };
}

function failureName(failure: unknown): string {
  return failure instanceof Error ? failure.name : typeof failure;
}
