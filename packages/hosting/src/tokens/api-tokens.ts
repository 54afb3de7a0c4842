import { Fields, HostingError, hashSecret, isoTime, type Authorizer, type RawFields } from '@packhouse/base';
import type { Context } from '../internal/context.ts';
import { offsetPage, type Page } from '../lists/page.ts';
import { findReadyRepo } from '../lookup/find-repo.ts';
import {
  covers,
  includesPermission,
  reachOf,
  tokenPermissions,
  type TokenPermission,
} from '../ports/api-token-reach.ts';
import type { ApiTokenRecord, ApiTokenStore } from '../ports/api-tokens.ts';
import { tokenState, type TokenState } from '../ports/token-state.ts';
import { findApiToken } from './find-api-token.ts';
import { rightsOf, type Right } from './grants.ts';
import { mintApiSecret } from './api-secret.ts';
import { readTokenPage } from './read-token-page.ts';
import { ttlFault } from './repo-tokens.ts';

/** A stored API token in the form of REST (REPO-363). */
export interface ApiTokenInfo {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly TokenPermission[];
  readonly scope: 'account' | 'namespace' | 'repository';
  readonly namespace: string | null;
  /** Name of the repo; null if it is deleted, too. */
  readonly repo: string | null;
  readonly state: TokenState;
  readonly created_by: string | null;
  readonly created_at: string;
  readonly expires_at: string;
}

/** REPO-363. */
export interface CreateApiTokenResult extends ApiTokenInfo {
  /** The secret, which only this reply shows. */
  readonly plaintext: string;
}

/** The account of a request, and the API token that it carries. */
export interface TokenCaller {
  readonly account: string;
  readonly token: string;
}

/** Stored API tokens. Methods throw {@link HostingError} for errors that clients may see; `noRoute` without a store. */
export interface ApiTokens {
  /** Members of `body`: `name`, `permissions`, `namespace`, `repo`, `ttl` (REPO-364). */
  create(caller: TokenCaller, body: RawFields): Promise<CreateApiTokenResult>;
  /** Parameters in `query`: `page`, `per_page`, `state` (REPO-368). */
  list(caller: TokenCaller, query: RawFields): Promise<Page<ApiTokenInfo>>;
  /** Resolves to the id (REPO-369). */
  revoke(caller: TokenCaller, id: string): Promise<string>;
}

/** Longest name of a token, in characters (LIM-097). */
export const tokenNameMax = 100;

export function createApiTokens(context: Context, authorizer: Authorizer): ApiTokens {
  const { apiTokens, catalog, clock, dialect, ids, settings } = context;

  const storeOf = (account: string): ApiTokenStore => {
    if (apiTokens === undefined) throw new HostingError('noRoute');
    return apiTokens(account);
  };

  const rightsOfCaller = async ({ account, token }: TokenCaller): Promise<readonly Right[]> =>
    rightsOf((await authorizer.authorize(token, account)) ?? [], account, dialect);

  const reachesOf = async (caller: TokenCaller, permission: 'read' | 'edit') =>
    (await rightsOfCaller(caller))
      .filter((right) => includesPermission(right.permission, permission))
      .map(({ reach }) => reach);

  const infoOf = (record: ApiTokenRecord, repo: string | null, now: number): ApiTokenInfo => ({
    id: record.id,
    name: record.name,
    permissions: record.permissions,
    scope: record.namespace === null ? 'account' : record.repo === null ? 'namespace' : 'repository',
    namespace: record.namespace,
    repo,
    state: tokenState(record, now),
    created_by: record.createdBy,
    created_at: isoTime(record.createdAt),
    expires_at: isoTime(record.expiresAt),
  });

  return {
    async create(caller, body) {
      const { account } = caller;
      const store = storeOf(account);
      const fields = new Fields(body);
      const name = readName(fields);
      const permissions = readPermissions(fields);
      const namespace = fields.optionalString('namespace');
      const repo = fields.optionalString('repo');
      if (repo !== undefined && namespace === undefined) fields.fail('namespace', 'A repo needs its namespace');
      const isOfTags = permissions.some((permission) => permission.startsWith('tag.'));
      if (namespace !== undefined && isOfTags) fields.fail('permissions', 'Tags belong to the whole account');
      const ttl = fields.value('ttl') ?? settings.api_token_ttl_default;
      const fault = ttlFault({ ...settings, token_ttl_max: settings.api_token_ttl_max }, ttl);
      if (fault !== undefined) fields.fail('ttl', fault, 'invalidTtl');
      fields.check();

      // Searched before its rights, so that a token which is revoked in between still counts as the creator.
      const creator = await findApiToken(context, account, caller.token);
      const rights = await rightsOfCaller(caller);
      const place = await placeOf(account, namespace, repo, rights);
      const reach = reachOf({ namespace: place.namespace, repo: place.id });
      const isAllowed = (wanted: TokenPermission): boolean =>
        rights.some((right) => covers(right.reach, reach) && includesPermission(right.permission, wanted));
      // Who may not edit there creates no tokens, which could be of no use but to outlive the caller's own.
      if (!isAllowed('edit') || !permissions.every(isAllowed)) throw new HostingError('permission');

      const now = clock.now();
      const secret = await mintApiSecret(ids);
      const record: ApiTokenRecord = {
        id: ids.id(),
        secretHash: await hashSecret(secret),
        name,
        permissions,
        namespace: place.namespace,
        repo: place.id,
        createdBy: creator?.id ?? null,
        createdAt: now,
        expiresAt: Math.min(now + (ttl as number) * 1000, creator?.expiresAt ?? Infinity),
        revokedAt: null,
      };
      const outcome = await store.add(record, { max: settings.api_tokens_max, history: settings.token_history });
      if (outcome === 'full') throw new HostingError('tooManyTokens');
      // It was revoked meanwhile.
      if (outcome === 'creator ended') throw new HostingError('authentication');
      // A deletion meanwhile may have looked for tokens before this one was there.
      if (!(await isThere(account, record))) {
        await store.revoke(record.id, clock.now(), [reach]);
        throw new HostingError(record.repo === null ? 'namespaceNotFound' : 'repoNotFound');
      }
      return { ...infoOf(record, place.repo, now), plaintext: secret };
    },

    async list(caller, query) {
      const { account } = caller;
      const store = storeOf(account);
      const { page, limit, offset, state } = readTokenPage(query, settings);
      const within = await reachesOf(caller, 'read');
      const now = clock.now();
      const { tokens, total } = await store.list({ state, at: now, limit, offset, within });
      const repoIds = new Set(tokens.flatMap(({ repo }) => repo ?? []));
      const names = new Map<string, string | undefined>();
      await Promise.all([...repoIds].map(async (id) => names.set(id, (await catalog(account).repoById(id))?.name)));
      const rows = tokens.map((token) => infoOf(token, names.get(token.repo ?? '') ?? null, now));
      return offsetPage(rows, page, limit, total);
    },

    async revoke(caller, id) {
      const store = storeOf(caller.account);
      const within = await reachesOf(caller, 'edit');
      const isId = /^[0-9a-z]{16}$/.test(id);
      const outcome = isId ? await store.revoke(id, clock.now(), within) : 'unknown';
      if (outcome === 'unknown') throw new HostingError('tokenNotFound');
      return id;
    },
  };

  /** Tests if the namespace or repo of a token exists. */
  async function isThere(account: string, { namespace, repo }: ApiTokenRecord): Promise<boolean> {
    if (namespace === null) return true;
    const found = await (repo === null ? catalog(account).namespace(namespace) : catalog(account).repoById(repo));
    return found !== undefined;
  }

  /**
   * Finds the place of a new token.
   *
   * @throws {HostingError} `namespaceNotFound` or `repoNotFound`, also if the caller reaches nothing of it.
   */
  async function placeOf(
    account: string,
    namespace: string | undefined,
    repo: string | undefined,
    rights: readonly Right[],
  ): Promise<{ readonly namespace: string | null; readonly repo: string | null; readonly id: string | null }> {
    if (namespace === undefined) return { namespace: null, repo: null, id: null };
    const isReached = (inner: { readonly namespace: string; readonly repo?: string }): boolean => {
      const reach = reachOf(inner);
      return rights.some((right) => covers(right.reach, reach) || covers(reach, right.reach));
    };
    if (repo === undefined) {
      const found = isReached({ namespace }) ? await catalog(account).namespace(namespace) : undefined;
      if (found === undefined) throw new HostingError('namespaceNotFound');
      return { namespace: found.name, repo: null, id: null };
    }
    if (!isReached({ namespace })) throw new HostingError('repoNotFound');
    const found = await findReadyRepo(context, account, namespace, repo);
    if (!isReached({ namespace, repo: found.id })) throw new HostingError('repoNotFound');
    return { namespace: found.namespace, repo: found.name, id: found.id };
  }
}

function readName(fields: Fields): string {
  const name = fields.string('name');
  const isFit = name !== '' && [...name].length <= tokenNameMax && !/\p{Cc}|\p{Cs}/u.test(name);
  if (fields.has('name') && typeof fields.value('name') === 'string' && !isFit)
    fields.fail('name', `Invalid name: 1 to ${tokenNameMax} characters without control characters`);
  return name;
}

function readPermissions(fields: Fields): readonly TokenPermission[] {
  const faults = fields.errorCount;
  const given = new Set(fields.strings('permissions', { min: 1, max: tokenPermissions.length }));
  const known = tokenPermissions.filter((permission) => given.has(permission));
  if (known.length < given.size && fields.errorCount === faults)
    fields.fail('permissions', `Invalid permission: expected any of ${tokenPermissions.join(', ')}`);
  return known;
}
