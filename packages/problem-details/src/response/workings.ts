import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Localisation } from '../problem/localise.ts';
import type { TellFailure } from './circumstances.ts';
import type { LogRecord } from './log.ts';
import type { PlatformErrorOptions, PlatformErrorSettings } from './options.ts';

/** State that all replies of one configuration share. */
export interface Workings {
  readonly options: PlatformErrorOptions;
  readonly settings: PlatformErrorSettings;
  readonly catalogue: Catalogue;
  /** With checked languages. */
  readonly localisation: Localisation | undefined;
  /** Never throws. */
  readonly log: (record: LogRecord) => void;
  readonly tell: TellFailure;
  /** Value of `Vary` if none was set before. */
  readonly vary: string;
}
