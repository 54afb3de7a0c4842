import type { CatalogueOptions } from '../catalogue/catalogue.ts';
import type { CustomErrors } from '../custom/custom-errors.ts';
import type { ErrorDialect } from '../dialect/dialect.ts';
import type { Localisation } from '../problem/localise.ts';
import type { RandomBytes } from '../problem/ray-id.ts';
import type { Log } from './log.ts';

/** A value, or the promise of one. */
export type Awaitable<T> = T | Promise<T>;

/**
 * What a host application can choose. Every function may throw: the reply is then made without it (ERR-119). A reply
 * waits for what they promise, however long that takes.
 */
export interface PlatformErrorOptions extends CatalogueOptions {
  /** Wire constants; default `neutral`. */
  readonly dialect?: ErrorDialect | undefined;
  /** Absolute URL that `type` begins with in the neutral dialect; default `https://packhouse.example`. */
  readonly docsBase?: string | undefined;
  /** Suffix of the ray id header: three upper-case letters; default `LOC` (ERR-076). */
  readonly site?: string | undefined;
  /** Whether a ray id header of the request is taken over if it has the right form; default false (ERR-086). */
  readonly trustRayHeader?: boolean | undefined;
  /** Whether `what_you_should_do` stands in the frontmatter of the Markdown form, too; default true (ERR-055). */
  readonly markdownGuidanceMember?: boolean | undefined;
  /** Code for what is thrown and is no platform error; default 1101 (ERR-123). */
  readonly unhandledCode?: number | undefined;
  /** Texts in other languages; default English alone (section 15). */
  readonly localisation?: Localisation | undefined;
  /**
   * Custom Error Rules and Error Pages: the same for all zones, or those of each. A function is asked at every error, and
   * should keep what `customErrors` gives for the zones that it knows: the name is whatever a visitor wrote, or empty.
   */
  readonly customErrors?: CustomErrors | ((zone: string) => Awaitable<CustomErrors | null | undefined>) | undefined;
  /** Whether a zone may use Custom Error Rules; default yes (ERR-111). If it throws, the rules are skipped. */
  readonly mayUseRules?: ((zone: string) => Awaitable<boolean>) | undefined;
  /** Value of `::CLIENT_IP::`; asked only where a rule or page has the token. */
  readonly clientIp?: ((request: Request) => Awaitable<string | null | undefined>) | undefined;
  /** Value of `::GEO::`; asked only where a rule or page has the token. */
  readonly geo?: ((request: Request) => Awaitable<string | null | undefined>) | undefined;
  /** The host name that the visitor asked for, behind a proxy (ERR-090); default that of the request. */
  readonly host?: ((request: Request) => string | null | undefined) | undefined;
  /** Where replies and failures are told; default nowhere. */
  readonly log?: Log | undefined;
  /** Milliseconds since 1970; default `Date.now`. */
  readonly clock?: (() => number) | undefined;
  /** Fills an array with random bytes; default `crypto.getRandomValues` (ERR-085). */
  readonly random?: RandomBytes | undefined;
}

/** The options that others than the response itself look at, with their defaults in place. */
export interface PlatformErrorSettings {
  readonly dialect: ErrorDialect;
  readonly docsBase: string;
  readonly site: string;
  readonly unhandledCode: number;
  /** Whether a log function was given. */
  readonly logs: boolean;
}
