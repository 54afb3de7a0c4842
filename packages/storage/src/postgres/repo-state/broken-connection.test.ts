import { DatabaseUnavailable, type PostgresDriver, type PostgresSession } from '@packhouse/base';
import { sampleHead, sampleToken } from '@packhouse/hosting/contract';
import { expect, it } from 'vitest';
import { postgresRepoState } from './repo-state.ts';

/** A driver whose connection breaks after the first statement of a transaction. Like the real one it handles all replies. */
function breakingDriver(): PostgresDriver {
  const rows = async () => {
    throw new DatabaseUnavailable('no reply', false);
  };
  return {
    rows,
    async transaction(work) {
      const replies: Promise<unknown>[] = [];
      const session = {
        rows() {
          const reply = replies.length === 0 ? Promise.resolve([{}]) : rows();
          replies.push(reply);
          reply.catch(() => {});
          return reply;
        },
      };
      const result = await work(session as PostgresSession);
      await Promise.all(replies);
      return result;
    },
    close: async () => {},
  };
}

// Vitest fails on an unhandled rejection, which ends a server.
it('REPO-334: a repo whose connection breaks while it begins is refused, and leaves no rejection unhandled', async () => {
  const begun = postgresRepoState(breakingDriver(), 'r1').begin(sampleHead('r1'), sampleToken('t1'));
  await expect(begun).rejects.toThrow(DatabaseUnavailable);
  await new Promise((resolve) => setImmediate(resolve));
});
