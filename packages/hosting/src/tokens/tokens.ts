import { HostingError, Fields, type RawFields } from '@packhouse/base';
import type { Context } from '../internal/context.ts';
import { offsetPage, type Page } from '../lists/page.ts';
import { foldName } from '../names/fold.ts';
import { findReadyRepo } from '../lookup/find-repo.ts';
import { ttlFault, type CreateTokenResult, type RepoTokens, type TokenInfo } from './repo-tokens.ts';
import { readTokenPage } from './read-token-page.ts';

/** Tokens of repos. Methods throw {@link HostingError} for errors that clients may see. */
export interface Tokens {
  /** Members of `body`: `repo`, `scope`, `ttl` (TOKEN-009). */
  create(account: string, namespace: string, body: RawFields, within?: Within): Promise<CreateTokenResult>;
  /** Parameters in `query`: `page`, `per_page`, `state` (REPO-095, TOKEN-010). */
  list(account: string, namespace: string, repo: string, query: RawFields, within?: Within): Promise<Page<TokenInfo>>;
  /** Resolves to the id (TOKEN-012). */
  revoke(account: string, namespace: string, id: string, within?: Within): Promise<string>;
}

/** Ids of the only repos that the caller may reach. Undefined: all. */
type Within = readonly string[] | undefined;

export function createTokens(context: Context, repoTokens: RepoTokens): Tokens {
  const { catalog, settings } = context;
  return {
    async create(account, namespace, body, within) {
      const fields = new Fields(body);
      const name = fields.string('repo');
      const scope = fields.option('scope', ['read', 'write'] as const, 'write');
      const ttl = readTtl(fields);
      fields.check();
      const { id, jurisdiction } = await findReadyRepo(context, account, namespace, name, within);
      return repoTokens.create({ account, id, jurisdiction }, { scope, ttl });
    },

    async list(account, namespace, name, query, within) {
      const { page, state, limit, offset } = readTokenPage(query, settings);
      const { id, jurisdiction } = await findReadyRepo(context, account, namespace, name, within);
      const { tokens, total } = await repoTokens.list({ account, id, jurisdiction }, { state, limit, offset });
      return offsetPage(tokens, page, limit, total);
    },

    async revoke(account, namespace, id, within) {
      const repo = /^[0-9a-z]{16}$/.test(id) ? await catalog(account).tokenRepo(id) : undefined;
      if (repo === undefined || foldName(repo.namespace) !== foldName(namespace)) {
        throw new HostingError('tokenNotFound');
      }
      if (within?.includes(repo.id) === false) throw new HostingError('tokenNotFound');
      const { jurisdiction } = repo;
      const outcome = await repoTokens.revoke({ account, id: repo.id, jurisdiction }, id).catch((error: unknown) => {
        if (error instanceof HostingError && error.kind === 'repoNotFound') return 'unknown';
        throw error;
      });
      if (outcome === 'unknown') throw new HostingError('tokenNotFound');
      return id;
    },
  };

  /** A value that is not an integer in the range has a separate text (TOKEN-009, LIM-010). */
  function readTtl(fields: Fields): unknown {
    const ttl = fields.value('ttl') ?? settings.token_ttl_default;
    const fault = ttlFault(settings, ttl);
    if (fault !== undefined) fields.fail('ttl', fault, 'invalidTtl');
    return ttl;
  }
}
