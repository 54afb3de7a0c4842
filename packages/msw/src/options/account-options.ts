import type { Clock } from '@packhouse/base';
import type { ApiToken } from './api-tokens.ts';

/** What mocks of one account have in common. Only `baseUrl` is needed. */
export interface AccountOptions {
  /** The origin it answers for, such as `https://api.example.test`. */
  readonly baseUrl: string;
  /** The names on the wire: those of the public service, or none of a platform's. Default `neutral`. */
  readonly dialect?: 'neutral' | 'cloudflare';
  /** Default `local`. */
  readonly account?: string;
  /** Ids of zones of the account, whose resources can have tags. Default: none. */
  readonly zones?: readonly string[];
  /**
   * The API tokens that are known. One that is a text may do everything in the account and its zones. Default: each is known
   * and may do that.
   */
  readonly apiTokens?: readonly (string | ApiToken)[];
  /** Default: the time of the machine. */
  readonly clock?: Clock;
}
