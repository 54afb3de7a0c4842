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

/** Facts of one error in addition to its entry. */
export interface Occurrence {
  readonly rayId: string;
  /** Time of the error in milliseconds since the epoch. */
  readonly now: number;
  /** See {@link zoneOf}. */
  readonly zone: string;
  /** Seconds that override the entry's default (ERR-082); see {@link retryAfterSeconds}. */
  readonly retryAfter?: number | undefined;
  /** Members of an own code; ignored for other codes (ERR-035). */
  readonly extensions?: Extensions | undefined;
  /** Checked texts in another language than English (ERR-147), and its tag. */
  readonly texts?: LocalTexts | undefined;
  readonly language?: string | undefined;
}

/** Settings that all errors of an app share. */
export interface ReportSettings {
  readonly dialect: ErrorDialect;
  /** Absolute URL at the start of `type`, if the dialect uses it (ERR-005). */
  readonly docsBase: string;
}

/** Collects everything that the formats show of an error (ERR-035 to ERR-052). */
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

/** Returns the category of an entry in the dialect (ERR-004). */
export function categoryOf({ category }: Entry, { platformCategory }: ErrorDialect): string {
  return category === 'platform' ? platformCategory : category;
}

/** Returns the URI of a code, which depends only on dialect and code (ERR-005, ERR-091, ERR-165). */
export function typeOf(code: number, { dialect, docsBase }: ReportSettings): string {
  const { types, sharedTypes = [] } = dialect;
  const shared = sharedTypes.find(({ codes }) => codes.includes(code));
  const template = shared?.type ?? (code < 1000 ? types.below1000 : types.from1000);
  // Insert the base last and by a function, so that its text is not read as a pattern or a placeholder.
  return template.replaceAll('{code}', String(code)).replaceAll('{docs_base}', () => docsBase.replace(/\/+$/, ''));
}
