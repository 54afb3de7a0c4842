import { Fields, type RawFields } from '@packhouse/base';
import type { TokenList } from '../ports/repo-storage.ts';
import { tokenStates } from '../ports/token-state.ts';
import type { Settings } from '../settings/settings.ts';

/** Reads `page`, `per_page` and `state` of a list of tokens (REPO-095, TOKEN-010). */
export function readTokenPage(
  query: RawFields,
  { tokens_page_max: max, tokens_page_default: usual }: Settings,
): Omit<TokenList, 'at'> & { readonly page: number } {
  const fields = new Fields(query);
  const page = fields.integer('page', { min: 1 }, 1);
  const limit = fields.integer('per_page', { min: 1, max }, usual);
  const state = fields.option('state', [...tokenStates, 'all'] as const, 'active');
  fields.check();
  return { page, limit, state, offset: Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER) };
}
