import { beforeEach, describe, expect, it } from 'vitest';
import type { OpenState } from './repo-state.ts';
import { hashOf, sampleHead, sampleRepoId, sampleToken } from './repo-state-samples.ts';

export function testTokens(open: OpenState): void {
  describe('tokens', () => {
    let id: string;
    beforeEach(async () => {
      id = sampleRepoId();
      await open(id).begin(sampleHead(id), sampleToken('first', 1_000, 5_000));
    });

    const ids = async () => (await open(id).tokens()).map((token) => token.id);
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

    it('TOKEN-014: finds each by its hash alone, also when it has ended', async () => {
      const read = { ...sampleToken('r', 2_000), scope: 'read' as const };
      await add(read);
      await open(id).revokeToken('r', 2_500);
      expect(await open(id).open(hashOf('r'))).toMatchObject({ token: { ...read, revokedAt: 2_500 } });
      expect(await open(id).open(hashOf('first'))).toMatchObject({ token: { id: 'first', revokedAt: null } });
      expect(await open(id).open('r')).toMatchObject({ token: undefined });
    });

    it('adds a token once', async () => {
      await add(sampleToken('a', 2_000));
      await open(id).revokeToken('a', 2_500);
      await add(sampleToken('a', 2_000));
      expect(await open(id).tokens()).toMatchObject([{ id: 'a', revokedAt: 2_500 }, { id: 'first' }]);
    });

    it('TOKEN-012: revokes an active one once; expired and revoked ones have ended, others are unknown', async () => {
      expect(await open(id).revokeToken('first', 4_999)).toBe('revoked');
      expect(await open(id).revokeToken('first', 5_500)).toBe('ended');
      expect(await open(id).tokens()).toMatchObject([{ revokedAt: 4_999 }]);
      await add(sampleToken('short', 2_000, 3_000));
      expect(await open(id).revokeToken('short', 3_000)).toBe('ended');
      expect(await open(id).tokens()).toMatchObject([{ id: 'short', revokedAt: null }, {}]);
      expect(await open(id).revokeToken('nobody', 1)).toBe('unknown');
    });

    it('TOKEN-005: a token of another repository is unknown', async () => {
      const other = sampleRepoId();
      await open(other).begin(sampleHead(other), sampleToken('theirs'));
      expect(await open(id).revokeToken('theirs', 1)).toBe('unknown');
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
      await open(id).addToken(sampleToken('new', 3_000, 9_000), 700, 2);
      expect(await ids()).toEqual(['new', 'first', 'e', 'd', 'c']);
      await open(id).addToken(sampleToken('last', 3_001, 9_000), 700, 0);
      expect(await ids()).toEqual(['last', 'new', 'first', 'd']);
    });
  });
}
