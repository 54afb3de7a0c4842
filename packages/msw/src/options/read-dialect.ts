import { cloudflare, neutral, type Dialect } from '@packhouse/hosting/dialects';
import { MockOptionsError } from './origin.ts';
import { shown } from '../values/shown.ts';

/**
 * Returns the dialect of this name.
 *
 * @throws {MockOptionsError} for another name.
 */
export function readDialect(dialect: 'neutral' | 'cloudflare' | undefined): Dialect {
  switch (dialect) {
    case undefined:
    case 'neutral':
      return neutral;
    case 'cloudflare':
      return cloudflare;
    default:
      throw new MockOptionsError(`dialect: expected neutral or cloudflare, got ${shown(dialect)}`);
  }
}
