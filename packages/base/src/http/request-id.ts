import type { Ids } from '../core/ids.ts';
import type { FaceSettings } from '../settings/rules.ts';

/** Makes a new request id in the form of the dialect (REPO-007). */
export function freshRequestId({
  ids,
  settings,
}: {
  readonly ids: Pick<Ids, 'requestId'>;
  readonly settings: Pick<FaceSettings, 'site'>;
}): string {
  return `${ids.requestId()}-${settings.site}`;
}
