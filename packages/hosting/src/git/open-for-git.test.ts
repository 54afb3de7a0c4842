import { describe, expect, it } from 'vitest';
import { createHosting } from '../hosting.ts';
import { isAccountId } from '../names/account-id.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { HostedRepo } from '../ports/repo-storage.ts';

/** Storage that, like that of files, knows no accounts but those of the right form. */
function hostingOf(accounts: readonly string[] | 'any') {
  const looked: string[] = [];
  const requireAccount = (account: string): void => {
    if (!isAccountId(account)) throw new RangeError('Not an account id');
  };
  const hosting = createHosting({
    catalog(account) {
      requireAccount(account);
      return { repo: async () => undefined } as Partial<Catalog> as Catalog;
    },
    storage: {
      repo(account) {
        requireAccount(account);
        looked.push(account);
        return { state: { open: async () => ({ kind: 'gone' }) } } as unknown as HostedRepo;
      },
    },
    authorizer: { authorize: async () => undefined },
    settings: { accounts },
  });
  return { hosting, looked };
}

describe.each([[['a1'] as readonly string[]], ['any' as const]])('openForGit with accounts %j', (accounts) => {
  it.each(['x'.repeat(65), '', 'a.b', '../a1', 'ä', 'a1', 'other'])(
    'GIT-025: account %j without such a repo is refused like any other, after one visit',
    async (account) => {
      const { hosting, looked } = hostingOf(accounts);
      const request = { account, namespace: 'n', repo: 'r', secret: 's', service: 'git-upload-pack' as const };
      await expect(hosting.openForGit(request)).rejects.toMatchObject({
        reason: 'invalid token',
        status: 403,
        message: 'Invalid or expired token',
      });
      expect(looked).toHaveLength(1);
    },
  );
});
