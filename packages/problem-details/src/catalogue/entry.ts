import type { BuiltInCode, BuiltInName } from './built-in-codes.ts';

/** The party that must act on an error (ERR-063). */
export type Responsible = 'visitor' | 'owner' | 'platform';

/** Categories of the built-in codes (ERR-016 to ERR-028). The dialect names `platform` (ERR-004). */
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

/** Category that an app registers (ERR-144). */
export type OwnCategory = `x_${string}`;

/** Source of a fact in the catalogue. A `proposed` fact goes beyond the public service. */
export type Source = 'published' | 'captured' | 'proposed';

/** One kind of error (section 1 of `errors.md`). Member names are those of `error-catalogue.json`. */
export interface Entry {
  /** Built-in: 500 to 1,999. An app's own: 2,000 to 999,999,999 (ERR-142). */
  readonly code: number;
  /** A few words, such as `Connection timed out`. */
  readonly short_name: string;
  /** 400 to 599; equals a code below 1000 (ERR-011). */
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

/** An entry of the built-in catalogue, with the sources of two facts. */
export interface BuiltInEntry extends Entry {
  readonly code: BuiltInCode;
  readonly error_name: BuiltInName;
  readonly category: BuiltInCategory;
  readonly name_source: Source;
  readonly status_source: Source;
}

/** An entry that an app registers (ERR-142): all members except the two sources. */
export interface OwnEntry extends Entry {
  readonly category: BuiltInCategory | OwnCategory;
}

/** Texts of an entry, which may change (ERR-010) and be replaced (ERR-146). */
export type EntryTexts = Pick<Entry, 'short_name' | 'detail' | 'what_you_should_do'>;

/** Value of a member `x_...` that an own code adds: what JSON and every YAML reader read alike. */
export type ExtensionValue = string | number | boolean;

/** Members that an own code adds to its problems (ERR-035). */
export type Extensions = Readonly<Record<`x_${string}`, ExtensionValue>>;
