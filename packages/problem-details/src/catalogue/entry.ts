import type { BuiltInCode, BuiltInName } from './built-in-codes.ts';

/** Who has to act on an error (ERR-063). */
export type Responsible = 'visitor' | 'owner' | 'platform';

/** Categories of the built-in codes (ERR-016 to ERR-028). `platform` is named by the dialect (ERR-004). */
export type BuiltInCategory =
  | 'access_denied'
  | 'config'
  | 'dns'
  | 'legal'
  | 'origin'
  | 'platform'
  | 'rate_limit'
  | 'rewrite'
  | 'snippet'
  | 'ssl'
  | 'tls'
  | 'unsupported'
  | 'worker';

/** A category that an app registers (ERR-144). */
export type OwnCategory = `x_${string}`;

/** Where a fact of the catalogue comes from; a `proposed` one counts as beyond the public service. */
export type Source = 'published' | 'captured' | 'proposed';

/** One kind of error (section 1 of `errors.md`). Member names are those of `error-catalogue.json`. */
export interface Entry {
  /** 500 to 1,999 built in; 2,000 to 999,999,999 an app's own (ERR-142). */
  readonly code: number;
  /** A few words, such as `Connection timed out`. */
  readonly short_name: string;
  /** 400 to 599, equal to a code below 1000 (ERR-011). */
  readonly http_status: number;
  readonly category: string;
  /** Stable and unique; lower-case words joined by `_` (ERR-010). */
  readonly error_name: string;
  readonly retryable: boolean;
  /** Seconds. Present if and only if `retryable` (ERR-012). */
  readonly retry_after?: number;
  /** True if and only if `responsible` is `owner` (ERR-012). */
  readonly owner_action_required: boolean;
  readonly responsible: Responsible;
  /** One line of plain text: cause and responsible party (ERR-013). */
  readonly detail: string;
  /** Begins with the directive of ERR-014; may use the Markdown of ERR-071. */
  readonly what_you_should_do: string;
}

/** An entry of the built-in catalogue, with the sources of two of its facts. */
export interface BuiltInEntry extends Entry {
  readonly code: BuiltInCode;
  readonly error_name: BuiltInName;
  readonly category: BuiltInCategory;
  readonly name_source: Source;
  readonly status_source: Source;
}

/** An entry that an app registers (ERR-142): all members of the catalogue but the two sources. */
export interface OwnEntry extends Entry {
  readonly category: BuiltInCategory | OwnCategory;
}

/** The texts of an entry, the part of it that may change (ERR-010) and be replaced (ERR-146). */
export type EntryTexts = Pick<Entry, 'short_name' | 'detail' | 'what_you_should_do'>;

/** Value of a member `x_...` that an own code adds: what JSON and every YAML reader read alike. */
export type ExtensionValue = string | number | boolean;

/** Members that an own code adds to its problems (ERR-035). */
export type Extensions = Readonly<Record<`x_${string}`, ExtensionValue>>;
