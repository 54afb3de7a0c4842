import type { Catalogue } from '../catalogue/catalogue.ts';
import type { ErrorInput } from './error-input.ts';
import type { LogRecord } from './log.ts';
import type { PlatformErrorSettings } from './options.ts';

/** Argument of `new Headers`. The types of Node alone lack `HeadersInit`. */
export type HeadersSource = ConstructorParameters<typeof Headers>[0];

/** Makes the responses of platform errors. Result of `createPlatformErrors`; safe to share among requests. */
export interface PlatformErrors {
  readonly catalogue: Catalogue;
  readonly settings: PlatformErrorSettings;
  /**
   * Answers a request with a platform error: by a Custom Error Rule, an Error Page, or the built-in response in the
   * negotiated format (ERR-117). Keeps the headers `pending`, which were set before, except those that ERR-129 names.
   * Never rejects.
   */
  readonly respond: (request: Request, error: ErrorInput, pending?: Headers) => Promise<Response>;
  /** Does the same without rules and pages, and without logging an incident (ERR-098, ERR-099). Never rejects. */
  readonly builtIn: (request: Request, error: ErrorInput, pending?: Headers) => Promise<Response>;
  /**
   * Makes a reply that is not an error of the catalogue (ERR-100), with a status from 400 to 599. `detail` is one
   * sentence. Adds `headers`, such as `Allow`, except those that ERR-129 names.
   *
   * @throws RangeError for another status; TypeError for invalid `headers`.
   */
  readonly minimal: (request: Request, status: number, detail: string, headers?: HeadersSource) => Response;
  /** Returns the ray id in the header of a response, without the site; empty if missing or invalid. */
  readonly rayIdOf: (response: Response) => string;
  /** Calls the configured log function, if any. Never throws. */
  readonly log: (record: LogRecord) => void;
}
