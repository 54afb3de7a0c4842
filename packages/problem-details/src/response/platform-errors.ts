import type { Catalogue } from '../catalogue/catalogue.ts';
import type { ErrorInput } from './error-input.ts';
import type { LogRecord } from './log.ts';
import type { PlatformErrorSettings } from './options.ts';

/** What `Headers` are made of. The types of Node alone do not have `HeadersInit`. */
export type HeadersSource = ConstructorParameters<typeof Headers>[0];

/** Makes the responses of platform errors. What comes from `createPlatformErrors`; safe to share among requests. */
export interface PlatformErrors {
  readonly catalogue: Catalogue;
  readonly settings: PlatformErrorSettings;
  /**
   * The response to a request that ended with a platform error: a Custom Error Rule, an Error Page, or the built-in
   * response in the negotiated format (ERR-117). `pending` are headers that were set for the response before; they stay
   * but for those that ERR-129 names. Never rejects.
   */
  readonly respond: (request: Request, error: ErrorInput, pending?: Headers) => Promise<Response>;
  /** The same without rules and pages, and not told to the log as an incident (ERR-098, ERR-099). Never rejects. */
  readonly builtIn: (request: Request, error: ErrorInput, pending?: Headers) => Promise<Response>;
  /**
   * A reply that is no error of the catalogue (ERR-100), with a status from 400 to 599. `detail` is one sentence;
   * `headers` are added, such as `Allow`, but for those that ERR-129 names.
   *
   * @throws RangeError if the status is another one, and TypeError if `headers` are none.
   */
  readonly minimal: (request: Request, status: number, detail: string, headers?: HeadersSource) => Response;
  /** The ray id in the header of a response, without the site; empty if there is none of the right form. */
  readonly rayIdOf: (response: Response) => string;
  /** Tells the log function that was given, if any. Never throws. */
  readonly log: (record: LogRecord) => void;
}
