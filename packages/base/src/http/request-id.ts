import type { Ids } from '../core/ids.ts';
import type { FaceSettings } from '../settings/rules.ts';

/** A fresh request id of the dialect's form (REPO-007). */
export function freshRequestId({
  ids,
  settings,
}: {
  readonly ids: Pick<Ids, 'requestId'>;
  readonly settings: Pick<FaceSettings, 'site'>;
}): string {
  return `${ids.requestId()}-${settings.site}`;
}
