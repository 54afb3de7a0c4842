import type { CatalogueOptions } from '../catalogue/catalogue.ts';
import type { CustomErrors } from '../custom/custom-errors.ts';
import type { ErrorDialect } from '../dialect/dialect.ts';
import type { Localisation } from '../problem/localise.ts';
import type { RandomBytes } from '../problem/ray-id.ts';
import type { Log } from './log.ts';

/** A value, or the promise of one. */
export type Awaitable<T> = T | Promise<T>;

/**
 * Options of a host application. Every function may throw: the reply is then made without it (ERR-119). A reply waits
 * for their promises without a time limit.
 */
export interface PlatformErrorOptions extends CatalogueOptions {
  /** Wire constants; default `neutral`. */
  readonly dialect?: ErrorDialect | undefined;
  /** Absolute URL at the start of `type` in the neutral dialect; default `https://packhouse.example`. */
  readonly docsBase?: string | undefined;
  /** Suffix of the ray id header: three upper-case letters; default `LOC` (ERR-076). */
  readonly site?: string | undefined;
  /** Uses a valid ray id header of the request; default false (ERR-086). */
  readonly trustRayHeader?: boolean | undefined;
  /** Adds `what_you_should_do` to the Markdown frontmatter; default true (ERR-055). */
  readonly markdownGuidanceMember?: boolean | undefined;
  /** Code for thrown values that are not platform errors; default 1101 (ERR-123). */
  readonly unhandledCode?: number | undefined;
  /** Texts in other languages; default: only English (section 15). */
  readonly localisation?: Localisation | undefined;
  /**
   * Custom Error Rules and Error Pages, either for all zones or by zone. A function is called at every error, and
   * should cache the results of `customErrors` for known zones. The zone is the visitor's text, or empty.
   */
  readonly customErrors?: CustomErrors | ((zone: string) => Awaitable<CustomErrors | null | undefined>) | undefined;
  /** Tells if a zone may use Custom Error Rules; default: always (ERR-111). If it throws, the rules are skipped. */
  readonly mayUseRules?: ((zone: string) => Awaitable<boolean>) | undefined;
  /** Returns the value of `::CLIENT_IP::`; called only if a rule or page has the token. */
  readonly clientIp?: ((request: Request) => Awaitable<string | null | undefined>) | undefined;
  /** Returns the value of `::GEO::`; called only if a rule or page has the token. */
  readonly geo?: ((request: Request) => Awaitable<string | null | undefined>) | undefined;
  /**
   * Returns the host name that the visitor requested, for apps behind a proxy (ERR-090). Default: that of the request.
   */
  readonly host?: ((request: Request) => string | null | undefined) | undefined;
  /** Receives records of replies and failures. Default: none are logged. */
  readonly log?: Log | undefined;
  /** Milliseconds since 1970; default `Date.now`. */
  readonly clock?: (() => number) | undefined;
  /** Fills an array with random bytes; default `crypto.getRandomValues` (ERR-085). */
  readonly random?: RandomBytes | undefined;
}

/** Options that other parts read, with defaults filled in. */
export interface PlatformErrorSettings {
  readonly dialect: ErrorDialect;
  readonly docsBase: string;
  readonly site: string;
  readonly unhandledCode: number;
  /** True if there is a log function. */
  readonly logs: boolean;
}
