import type { Entry, Extensions } from '../catalogue/entry.ts';
import type { ErrorFacts } from '../custom/rule.ts';
import { renderBox } from '../custom/box.ts';
import type { TokenSource } from '../custom/template.ts';
import { categoryOf, describeError } from '../problem/describe.ts';
import type { LocalTexts } from '../problem/localise.ts';
import type { ErrorReport } from '../problem/report.ts';
import { formatTimestamp } from '../problem/timestamp.ts';
import type { Circumstances } from './circumstances.ts';
import type { PlatformErrorOptions, PlatformErrorSettings } from './options.ts';

/** One error of one request, with everything that determines its reply. */
export interface Incident extends Circumstances {
  readonly request: Request;
  readonly pending: Headers | undefined;
  readonly entry: Entry;
  /** Seconds; undefined for codes that are not retryable. */
  readonly retryAfter: number | undefined;
  readonly extensions: Extensions;
  /** Texts in `language`, unless it is English. */
  readonly texts: LocalTexts | undefined;
  readonly language: string;
}

/** Makes the report that formats show. */
export const reportOf = (incident: Incident, settings: PlatformErrorSettings): ErrorReport =>
  describeError(incident.entry, incident, settings);

/** Returns the facts for conditions of rules. */
export const factsOf = ({ entry, rayId, zone }: Incident, { dialect }: PlatformErrorSettings): ErrorFacts => ({
  code: entry.code,
  error_name: entry.error_name,
  error_category: categoryOf(entry, dialect),
  status: entry.http_status,
  ray_id: rayId,
  zone,
});

/** Returns the values of the tokens (ERR-109). */
export const tokensOf =
  (
    { request, rayId, entry, zone, now }: Incident,
    { clientIp, geo }: Pick<PlatformErrorOptions, 'clientIp' | 'geo'>,
  ): TokenSource =>
  (name) => {
    switch (name) {
      case 'CLIENT_IP':
        return clientIp?.(request);
      case 'GEO':
        return geo?.(request);
      case 'RAY_ID':
        return rayId;
      case 'ERROR_CODE':
        return String(entry.code);
      case 'ERROR_NAME':
        return entry.error_name;
      case 'ZONE':
        return zone;
      case 'TIMESTAMP':
        return formatTimestamp(now);
    }
  };

/** Returns the HTML for the box token (ERR-115). */
export const boxOf =
  (incident: Incident, settings: PlatformErrorSettings): (() => string) =>
  () =>
    renderBox(reportOf(incident, settings));
