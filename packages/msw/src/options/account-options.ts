import type { Clock } from '@packhouse/base';
import type { ApiToken } from './api-tokens.ts';

/** The common options of mocks of one account. Only `baseUrl` is required. */
export interface AccountOptions {
  /** The mocked origin, such as `https://api.example.test`. */
  readonly baseUrl: string;
  /** The names on the wire: those of the public service, or neutral ones. Default: `neutral`. */
  readonly dialect?: 'neutral' | 'cloudflare';
  /** Default: `local`. */
  readonly account?: string;
  /** Ids of the account's zones, whose resources can have tags. Default: no zones. */
  readonly zones?: readonly string[];
  /**
   * The known API tokens. A token given as a text may do everything in the account and its zones. Default: every token
   * is known and may do everything.
   */
  readonly apiTokens?: readonly (string | ApiToken)[];
  /** Default: the time of the machine. */
  readonly clock?: Clock;
}
