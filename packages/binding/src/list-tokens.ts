import type { RepoIdentity, RepoTokens, TokenInfo } from '@packhouse/hosting';
import type { TokenListResult } from './results.ts';
import { shownToken } from './shown.ts';

/** Maximum number of listed tokens (BIND-063). */
const tokensMax = 1000;

/** Lists active tokens, then ended ones, each group newest first (BIND-063). */
export async function listTokens(tokens: RepoTokens, repo: RepoIdentity): Promise<TokenListResult> {
  const part = { limit: tokensMax, offset: 0 };
  const active = await tokens.list(repo, { ...part, state: 'active' });
  const [expired, revoked] = await Promise.all([
    tokens.list(repo, { ...part, state: 'expired' }),
    tokens.list(repo, { ...part, state: 'revoked' }),
  ]);
  const ended = [...expired.tokens, ...revoked.tokens].toSorted(newestFirst);
  const endedIds = new Set(ended.map(({ id }) => id));
  // A token that ended since the first read counts as ended.
  const still = active.tokens.filter(({ id }) => !endedIds.has(id));
  return {
    tokens: [...still, ...ended].slice(0, tokensMax).map(shownToken),
    total: active.total + expired.total + revoked.total - (active.tokens.length - still.length),
  };
}

function newestFirst(a: TokenInfo, b: TokenInfo): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1;
  return a.id < b.id ? -1 : 1;
}
