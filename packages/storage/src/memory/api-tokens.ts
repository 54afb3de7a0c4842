import { covers, foldName, reachOf, tokenState, type ApiTokenRecord, type ApiTokenStore } from '@packhouse/hosting';

interface MemoryApiTokens extends ApiTokenStore {
  /** Revokes the tokens of a namespace that is gone, for `memoryCatalogs`. */
  namespaceDeleted(name: string, at: number): void;
}

/** Makes API tokens in memory. They live as long as the returned value. */
export function memoryApiTokens(): (account: string) => MemoryApiTokens {
  const accounts = new Map<string, MemoryApiTokens>();
  return (account) => {
    const known = accounts.get(account) ?? apiTokensOfOne();
    accounts.set(account, known);
    return known;
  };
}

function apiTokensOfOne(): MemoryApiTokens {
  /** Newest first, ties by id. */
  let tokens: readonly ApiTokenRecord[] = [];
  const isActive = (token: ApiTokenRecord, at: number): boolean => tokenState(token, at) === 'active';
  const revokeAll = (at: number, isMeant: (token: ApiTokenRecord) => boolean): void => {
    tokens = tokens.map((token) => (isActive(token, at) && isMeant(token) ? { ...token, revokedAt: at } : token));
  };

  return {
    async add(token, { max, history }) {
      if (tokens.some(({ id }) => id === token.id)) return 'added';
      const at = token.createdAt;
      const creator = tokens.find(({ id }) => id === token.createdBy);
      if (token.createdBy !== null && (creator === undefined || !isActive(creator, at))) return 'creator ended';
      if (tokens.filter((one) => isActive(one, at)).length >= max) return 'full';
      tokens = [...tokens, token].toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
      const dropped = new Set(tokens.filter((one) => !isActive(one, at)).slice(history));
      tokens = tokens.filter((one) => !dropped.has(one));
      return 'added';
    },
    async find(secretHash) {
      return tokens.find((token) => token.secretHash === secretHash);
    },
    async list({ state, at, within, limit, offset }) {
      const found = tokens.filter(
        (token) =>
          (state === 'all' || tokenState(token, at) === state) && within.some((reach) => covers(reach, reachOf(token))),
      );
      return { tokens: found.slice(offset, offset + limit), total: found.length };
    },
    async revoke(id, at, within) {
      const token = tokens.find((one) => one.id === id && within.some((reach) => covers(reach, reachOf(one))));
      if (token === undefined) return 'unknown';
      if (!isActive(token, at)) return 'ended';
      const family = new Set([id]);
      for (let size = 0; size < family.size;) {
        size = family.size;
        for (const one of tokens) if (one.createdBy !== null && family.has(one.createdBy)) family.add(one.id);
      }
      revokeAll(at, (one) => family.has(one.id));
      return 'revoked';
    },
    namespaceDeleted(name, at) {
      revokeAll(at, (token) => reachOf(token).namespace === foldName(name));
    },
    async revokeRepo(repo, at) {
      revokeAll(at, (token) => token.repo === repo);
    },
  };
}
