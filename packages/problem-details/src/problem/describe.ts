import type { Entry, Extensions } from '../catalogue/entry.ts';
import { firstOwnCode } from '../catalogue/own-codes.ts';
import type { ErrorDialect } from '../dialect/dialect.ts';
import { englishLabels } from './labels.ts';
import type { LocalTexts } from './localise.ts';
import { ownMembers } from './own-members.ts';
import type { PlatformProblem } from './problem.ts';
import type { ErrorReport } from './report.ts';
import { retryAfterSeconds } from './retry-after.ts';
import { formatTimestamp } from './timestamp.ts';

/** What is known of one error besides its entry. */
export interface Occurrence {
  readonly rayId: string;
  /** When the error was generated: milliseconds since the epoch. */
  readonly now: number;
  /** See {@link zoneOf}. */
  readonly zone: string;
  /** Seconds that win over the entry's default (ERR-082); see {@link retryAfterSeconds}. */
  readonly retryAfter?: number | undefined;
  /** Members of an own code; those of other codes are left out (ERR-035). */
  readonly extensions?: Extensions | undefined;
  /** Checked texts in another language than English (ERR-147), and the tag of that language. */
  readonly texts?: LocalTexts | undefined;
  readonly language?: string | undefined;
}

/** What is the same for all errors of an app. */
export interface ReportSettings {
  readonly dialect: ErrorDialect;
  /** Absolute URL that the `type` of a problem begins with, if the dialect says so (ERR-005). */
  readonly docsBase: string;
}

/** Everything that any format shows of an error that happened (ERR-035 to ERR-052). */
export function describeError(entry: Entry, occurrence: Occurrence, settings: ReportSettings): ErrorReport {
  const { dialect } = settings;
  const { texts, rayId } = occurrence;
  const { short_name, detail, what_you_should_do } = texts ?? entry;
  const retryAfter = entry.retryable
    ? (retryAfterSeconds(occurrence.retryAfter, occurrence.now) ?? entry.retry_after)
    : undefined;
  const problem = {
    type: typeOf(entry.code, settings),
    title: `Error ${entry.code}: ${short_name}`,
    status: entry.http_status,
    detail,
    instance: rayId,
    error_code: entry.code,
    error_name: entry.error_name,
    error_category: categoryOf(entry, dialect),
    ray_id: rayId,
    timestamp: formatTimestamp(occurrence.now),
    zone: occurrence.zone,
    [dialect.marker]: true,
    retryable: entry.retryable,
    ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
    owner_action_required: entry.owner_action_required,
    what_you_should_do,
    footer: texts?.footer ?? dialect.footer,
    ...(entry.code >= firstOwnCode ? ownMembers(occurrence.extensions ?? {}) : {}),
  };
  return {
    problem: problem satisfies PlatformProblem,
    marker: dialect.marker,
    short_name,
    responsible: entry.responsible,
    language: texts === undefined ? 'en' : (occurrence.language ?? 'en'),
    labels: texts?.labels ?? englishLabels,
  };
}

/** The category of an entry as the dialect names it (ERR-004). */
export function categoryOf({ category }: Entry, { platformCategory }: ErrorDialect): string {
  return category === 'platform' ? platformCategory : category;
}

/** The URI of a code, by dialect and code alone (ERR-005, ERR-091, ERR-165). */
export function typeOf(code: number, { dialect, docsBase }: ReportSettings): string {
  const { types, sharedTypes = [] } = dialect;
  const shared = sharedTypes.find(({ codes }) => codes.includes(code));
  const template = shared?.type ?? (code < 1000 ? types.below1000 : types.from1000);
  // The base comes last and by a function: nothing in it is read as a pattern or as a place for the code.
  return template.replaceAll('{code}', String(code)).replaceAll('{docs_base}', () => docsBase.replace(/\/+$/, ''));
}
