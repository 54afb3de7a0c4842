import { fc } from '@fast-check/vitest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { covers, reachOf, type TokenReach } from '../../ports/api-token-reach.ts';
import type { ApiTokenRecord, ApiTokenStore, ApiTokenStores } from '../../ports/api-tokens.ts';
import type { Catalogs } from '../../ports/catalog.ts';
import { tokenState } from '../../ports/token-state.ts';
import { hashOf } from '../repo-state/samples.ts';

/** Empty stores of API tokens, and empty catalogs. */
export interface ApiTokensFixture {
  readonly apiTokens: ApiTokenStores;
  /** The catalogs of the same database. */
  readonly catalog: Catalogs;
  readonly close: () => void | Promise<void>;
}

const whole: readonly TokenReach[] = [{ namespace: null, repo: null }];
const limits = { max: 100, history: 100 };
const all = { state: 'all', at: 50, limit: 100, offset: 0, within: whole } as const;

/** Makes a token of the whole account that lives from 10 to 100. */
export function sampleApiToken(id: string, more: Partial<ApiTokenRecord> = {}): ApiTokenRecord {
  const place = { namespace: null, repo: null };
  const times = { createdAt: 10, expiresAt: 100, revokedAt: null };
  return {
    id,
    secretHash: hashOf(id),
    name: `of ${id}`,
    permissions: ['edit'],
    ...place,
    createdBy: null,
    ...times,
    ...more,
  };
}

/** Tests an adapter of {@link ApiTokenStore}. */
export function testApiTokens(
  name: string,
  make: () => ApiTokensFixture | Promise<ApiTokensFixture>,
  options: { readonly runs: number },
): void {
  describe(`API tokens: ${name}`, () => {
    let fixture: ApiTokensFixture;
    let accounts = 0;
    let store: ApiTokenStore;
    const open = (): ApiTokenStore => fixture.apiTokens(`a${(accounts += 1)}`);
    beforeEach(async () => {
      fixture = await make();
      store = open();
    });
    afterEach(() => fixture.close());
    const ids = async (list: Partial<Parameters<ApiTokenStore['list']>[0]> = {}) =>
      (await store.list({ ...all, ...list })).tokens.map(({ id }) => id);

    it('REPO-362: finds a token by its hash, with all members, in its account alone', async () => {
      const permissions = ['read', 'git.write', 'tag.read'] as const;
      const full = sampleApiToken('t1', { name: 'Café "1"', permissions, namespace: 'Team', repo: 'r1' });
      expect(await store.add(full, limits)).toBe('added');
      expect(await store.find(hashOf('t1'))).toEqual(full);
      expect(await store.find('t1')).toBeUndefined();
      expect(await open().find(hashOf('t1'))).toBeUndefined();
    });

    it('LIM-095: refuses a token beyond the limit of active ones, and adds one once', async () => {
      await store.add(sampleApiToken('t1', { expiresAt: 20 }), { max: 1, history: 9 });
      expect(await store.add(sampleApiToken('t2', { createdAt: 19 }), { max: 1, history: 9 })).toBe('full');
      expect(await store.add(sampleApiToken('t2', { createdAt: 20 }), { max: 1, history: 9 })).toBe('added');
      expect(await store.add(sampleApiToken('t2', { createdAt: 20 }), { max: 1, history: 9 })).toBe('added');
      expect(await ids()).toEqual(['t2', 't1']);
      expect(await store.add(sampleApiToken('t3', { createdAt: 21 }), { max: 0, history: 9 })).toBe('full');
    });

    it('LIM-011: drops the oldest ended ones beyond the history, never an active one', async () => {
      for (const at of [1, 2, 3]) await store.add(sampleApiToken(`e${at}`, { createdAt: at, expiresAt: 5 }), limits);
      await store.add(sampleApiToken('lasting', { createdAt: 0 }), limits);
      await store.add(sampleApiToken('new'), { max: 9, history: 1 });
      expect(await ids()).toEqual(['new', 'e3', 'lasting']);
    });

    it('REPO-368: lists the tokens of a state in pages, newest first, ties by id', async () => {
      await store.add(sampleApiToken('b'), limits);
      await store.add(sampleApiToken('a'), limits);
      await store.add(sampleApiToken('c', { createdAt: 11, expiresAt: 50 }), limits);
      await store.add(sampleApiToken('d', { createdAt: 12, expiresAt: 51 }), limits);
      await store.revoke('d', 13, whole);
      expect(await ids()).toEqual(['d', 'c', 'a', 'b']);
      expect(await ids({ state: 'active' })).toEqual(['a', 'b']);
      expect(await ids({ state: 'expired' })).toEqual(['c']);
      expect(await ids({ state: 'expired', at: 49 })).toEqual([]);
      expect(await ids({ state: 'revoked' })).toEqual(['d']);
      const part = await store.list({ ...all, limit: 2, offset: 1 });
      expect([part.tokens.map(({ id }) => id), part.total]).toEqual([['c', 'a'], 4]);
    });

    it('REPO-369: revokes an active one once, up to the last moment of its life', async () => {
      await store.add(sampleApiToken('t'), limits);
      await store.add(sampleApiToken('late'), limits);
      expect(await store.revoke('t', 99, whole)).toBe('revoked');
      expect(await store.revoke('t', 99, whole)).toBe('ended');
      expect(await store.revoke('late', 100, whole)).toBe('ended');
      expect(await store.revoke('other', 50, whole)).toBe('unknown');
      expect(await open().revoke('late', 50, whole)).toBe('unknown');
      expect((await store.find(hashOf('t')))?.revokedAt).toBe(99);
      expect((await store.find(hashOf('late')))?.revokedAt).toBeNull();
    });

    it('REPO-364: an ended token creates none', async () => {
      await store.add(sampleApiToken('t', { expiresAt: 20 }), limits);
      const child = (id: string, createdAt: number, createdBy: string) =>
        store.add(sampleApiToken(id, { createdAt, createdBy }), limits);
      expect(await child('c1', 19, 't')).toBe('added');
      expect(await child('c2', 20, 't')).toBe('creator ended');
      expect(await child('c3', 19, 'unknown')).toBe('creator ended');
      await store.revoke('t', 19, whole);
      expect(await child('c4', 19, 't')).toBe('creator ended');
    });

    it('REPO-372: tokens of a repo that is gone end', async () => {
      const places = { a: {}, n: { namespace: 'team' }, r: { namespace: 'team', repo: 'r1' } };
      for (const [id, place] of Object.entries(places)) await store.add(sampleApiToken(id, place), limits);
      await store.add(sampleApiToken('s', { namespace: 'team', repo: 'r2' }), limits);
      await store.revokeRepo('r1', 20);
      expect(await ids({ state: 'revoked' })).toEqual(['r']);
    });

    it('REPO-372: the deletion of a namespace ends its tokens, and those of its repos', async () => {
      const catalog = fixture.catalog(`a${accounts}`);
      await store.add(sampleApiToken('n', { namespace: 'Team' }), limits);
      await store.add(sampleApiToken('r', { namespace: 'team', repo: 'r1' }), limits);
      await store.add(sampleApiToken('o', { namespace: 'other' }), limits);
      await catalog.createNamespace('team', 'unrestricted', 11);
      expect(await catalog.deleteNamespace('TEAM', 20)).toBe('deleted');
      expect((await store.find(hashOf('n')))?.revokedAt).toBe(20);
      expect(await ids({ state: 'revoked' })).toEqual(['n', 'r']);
    });

    it('REPO-365, REPO-369: any reach lists and revokes what it covers, and with a token all that came of it', async () => {
      const place = fc.constantFrom(
        {},
        { namespace: 'n' },
        { namespace: 'N', repo: 'r1' },
        { namespace: 'm', repo: 'r2' },
      );
      const made = fc.array(fc.tuple(place, fc.option(fc.nat(9), { nil: null })), { maxLength: 10 });
      const within = fc.array(place, { minLength: 1, maxLength: 2 });
      const property = fc.asyncProperty(made, within, fc.nat(9), async (given, reaches, chosen) => {
        store = open();
        const tokens = given.map(([where, creator], index) => {
          const createdBy = creator !== null && creator < index ? `t${creator}` : null;
          return sampleApiToken(`t${index}`, { ...where, createdBy, createdAt: 10 + index });
        });
        for (const token of tokens) expect(await store.add(token, limits)).toBe('added');
        const outer = reaches.map((reach) => reachOf(reach));
        const reached = tokens
          .filter((token) => outer.some((reach) => covers(reach, reachOf(token))))
          .map(({ id }) => id);
        const listed = await store.list({ ...all, within: outer });
        expect([listed.tokens.map(({ id }) => id), listed.total]).toEqual([reached.toReversed(), reached.length]);
        const id = `t${chosen}`;
        expect(await store.revoke(id, 50, outer)).toBe(reached.includes(id) ? 'revoked' : 'unknown');
        const comesOf = ({ id: own, createdBy }: ApiTokenRecord): boolean =>
          own === id || tokens.some((other) => other.id === createdBy && comesOf(other));
        const ended = reached.includes(id) ? tokens.filter(comesOf).map((token) => token.id) : [];
        const states = (await store.list({ ...all, at: 60 })).tokens.filter(
          (token) => tokenState(token, 60) === 'revoked',
        );
        expect(states.map((token) => token.id).toReversed()).toEqual(ended);
      });
      await fc.assert(property, { numRuns: options.runs });
    });

    it('REPO-370, LIM-095: creations and a revocation at once leave no token of a revoked one, and no more than the limit', async () => {
      await store.add(sampleApiToken('parent'), limits);
      await Promise.all(
        Array.from({ length: 12 }, async (_, index) => {
          if (index === 5) return store.revoke('parent', 40, whole);
          const token = sampleApiToken(`c${index}`, { createdAt: 40, createdBy: index % 2 === 0 ? 'parent' : null });
          return store.add(token, { max: 4, history: 100 });
        }),
      );
      const { tokens } = await store.list({ ...all, state: 'active' });
      expect(tokens.filter(({ createdBy }) => createdBy !== null)).toEqual([]);
      expect(tokens.length).toBeLessThanOrEqual(4);
    });
  });
}
