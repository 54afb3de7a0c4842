import type { Hosting } from '@packhouse/hosting';

/** A fresh request id of the dialect's form (REPO-007). */
export function freshRequestId({
  ids,
  settings,
}: {
  readonly ids: Pick<Hosting['ids'], 'requestId'>;
  readonly settings: Pick<Hosting['settings'], 'site'>;
}): string {
  return `${ids.requestId()}-${settings.site}`;
}
