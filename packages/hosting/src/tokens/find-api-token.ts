import { hashSecret, type Authorizer } from '@packhouse/base';
import type { Context } from '../internal/context.ts';
import type { ApiTokenRecord } from '../ports/api-tokens.ts';
import { tokenState } from '../ports/token-state.ts';
import { grantsOf } from './grants.ts';
import { isApiSecret } from './api-secret.ts';

/** The parts of the service that finding a token needs. */
type Finding = Pick<Context, 'apiTokens' | 'clock' | 'dialect'>;

/** Finds the active stored token of an account with this secret. A text of another form costs no look-up. */
export async function findApiToken(
  { apiTokens, clock }: Pick<Finding, 'apiTokens' | 'clock'>,
  account: string,
  secret: string,
): Promise<ApiTokenRecord | undefined> {
  if (apiTokens === undefined || !(await isApiSecret(secret))) return undefined;
  const record = await apiTokens(account).find(await hashSecret(secret));
  return record !== undefined && tokenState(record, clock.now()) === 'active' ? record : undefined;
}

/**
 * Authorizes stored tokens, and leaves any other to `others`. Nothing is cached, so a revoked token ends at once on every
 * server (REPO-370).
 */
export function authorizeStored(
  finding: Finding,
  others: (token: string) => ReturnType<Authorizer['authorize']>,
): Authorizer {
  return {
    async authorize(token, account) {
      const record = account === undefined ? undefined : await findApiToken(finding, account, token);
      return record === undefined || account === undefined ? others(token) : grantsOf(record, account, finding.dialect);
    },
  };
}
