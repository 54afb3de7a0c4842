import type { TokenRecord } from '../../ports/repo-storage.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OpenState } from './repo-state.ts';
import { everyToken, hashOf, sampleHead, sampleRepoId, sampleToken } from './samples.ts';

export function testTokens(open: OpenState): void {
  describe('tokens', () => {
    let id: string;
    beforeEach(async () => {
      id = sampleRepoId();
      await open(id).begin(sampleHead(id), sampleToken('first', 1_000, 5_000));
    });

    const ids = async () => (await open(id).tokens(everyToken)).tokens.map((token) => token.id);
    const add = async (...tokens: ReturnType<typeof sampleToken>[]) => {
      for (const token of tokens) await open(id).addToken(token, 0, 100);
    };

    it('TOKEN-010: lists newest first, ties by id', async () => {
      await add(
        sampleToken('b', 2_000),
        sampleToken('c', 2_000),
        sampleToken('a', 2_000),
        sampleToken('d', 500),
        sampleToken('e', 3_000),
      );
      expect(await ids()).toEqual(['e', 'a', 'b', 'c', 'first', 'd']);
    });

    it('TOKEN-003, TOKEN-014: finds each only by its hash, even if it has ended', async () => {
      const read = { ...sampleToken('r', 2_000), scope: 'read' as const };
      await add(read);
      await open(id).revokeToken('r', 2_500);
      expect(await open(id).open(hashOf('r'))).toMatchObject({ token: { ...read, revokedAt: 2_500 } });
      expect(await open(id).open(hashOf('first'))).toMatchObject({ token: { id: 'first', revokedAt: null } });
      expect(await open(id).open('r')).toMatchObject({ token: undefined });
    });

    it('REPO-367: opens without a token for a caller that has a stored API token', async () => {
      const opened = await open(id).open(null);
      if (opened.kind === 'gone') throw new Error('The repository is gone');
      expect(opened).toMatchObject({ head: { id }, token: undefined, snapshot: { version: opened.version } });
      expect(await open(id).open(null, opened.version)).toMatchObject({ kind: 'open', snapshot: undefined });
      expect(await open(sampleRepoId()).open(null)).toEqual({ kind: 'gone' });
    });

    it('adds a token once', async () => {
      await add(sampleToken('a', 2_000));
      await open(id).revokeToken('a', 2_500);
      await add(sampleToken('a', 2_000));
      expect((await open(id).tokens(everyToken)).tokens).toMatchObject([
        { id: 'a', revokedAt: 2_500 },
        { id: 'first' },
      ]);
    });

    it('TOKEN-012: revokes an active one once; expired and revoked ones have ended, others are unknown', async () => {
      expect(await open(id).revokeToken('first', 4_999)).toBe('revoked');
      expect(await open(id).revokeToken('first', 5_500)).toBe('ended');
      expect((await open(id).tokens(everyToken)).tokens).toMatchObject([{ revokedAt: 4_999 }]);
      await add(sampleToken('short', 2_000, 3_000));
      expect(await open(id).revokeToken('short', 3_000)).toBe('ended');
      expect((await open(id).tokens(everyToken)).tokens).toMatchObject([{ id: 'short', revokedAt: null }, {}]);
      expect(await open(id).revokeToken('nobody', 1)).toBe('unknown');
    });

    it('BIND-064: finds the id of a token by its secret, in any state', async () => {
      await add(sampleToken('ended', 2_000, 3_000));
      await open(id).revokeToken('first', 2_500);
      expect(await open(id).tokenId(hashOf('first'))).toBe('first');
      expect(await open(id).tokenId(hashOf('ended'))).toBe('ended');
      expect(await open(id).tokenId(hashOf('nobody'))).toBeUndefined();
    });

    it('TOKEN-005: a token of another repository is unknown', async () => {
      const other = sampleRepoId();
      await open(other).begin(sampleHead(other), sampleToken('theirs'));
      expect(await open(id).revokeToken('theirs', 1)).toBe('unknown');
      expect(await open(id).tokenId(hashOf('theirs'))).toBeUndefined();
      expect(await open(id).open(hashOf('theirs'))).toMatchObject({ token: undefined });
    });

    it('TOKEN-011: drops the oldest ended ones beyond the history, never an active one', async () => {
      await add(
        sampleToken('a', 100, 200),
        sampleToken('b', 300, 9_000),
        sampleToken('c', 400, 600),
        sampleToken('d', 500, 9_000),
        sampleToken('e', 600, 700),
      );
      await open(id).revokeToken('b', 650);
      expect((await open(id).addToken(sampleToken('new', 3_000, 9_000), 700, 2)).toSorted()).toEqual(['a', 'b']);
      expect(await ids()).toEqual(['new', 'first', 'e', 'd', 'c']);
      const dropped = await open(id).addToken(sampleToken('last', 3_001, 9_000), 700, 0);
      expect(dropped.toSorted()).toEqual(['c', 'e']);
      expect(await ids()).toEqual(['last', 'new', 'first', 'd']);
      expect(await open(id).addToken(sampleToken('more', 3_002, 9_000), 700, 0)).toEqual([]);
    });

    it('REPO-095, TOKEN-007, TOKEN-010: returns any part of the tokens of a state, and their number', async () => {
      const given = Array.from({ length: 9 }, (_, i) => sampleToken(`t${i}`, 100 + (i % 3), 2_000 + 100 * (i % 4)));
      await add(...given);
      for (const i of [0, 3, 5]) await open(id).revokeToken(`t${i}`, 150);
      const at = 2_100;
      const sorted = [sampleToken('first', 1_000, 5_000), ...given]
        .map((token) => (['t0', 't3', 't5'].includes(token.id) ? { ...token, revokedAt: 150 } : token))
        .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
      const has = {
        all: () => true,
        revoked: (token: TokenRecord) => token.revokedAt !== null,
        expired: (token: TokenRecord) => token.revokedAt === null && token.expiresAt <= at,
        active: (token: TokenRecord) => token.revokedAt === null && token.expiresAt > at,
      };
      for (const state of ['all', 'active', 'expired', 'revoked'] as const) {
        const expected = sorted.filter(has[state]);
        expect(expected.length).toBeGreaterThan(1);
        for (const [limit, offset] of [
          [100, 0],
          [2, 0],
          [2, 1],
          [1, 2],
          [5, 50],
          [1, 2 ** 53 - 1],
        ] as const) {
          expect(await open(id).tokens({ state, at, limit, offset })).toEqual({
            tokens: expected.slice(offset, offset + limit),
            total: expected.length,
          });
        }
      }
    });
  });
}
