import type { Dialect } from '@packhouse/hosting/dialects';
import { randomIds } from '@packhouse/base';

/** Makes a token of the right form that no mock knows. */
export function unknownTokenOf({ tokenPrefix }: Dialect): string {
  return `${tokenPrefix}${randomIds.secret()}`;
}
