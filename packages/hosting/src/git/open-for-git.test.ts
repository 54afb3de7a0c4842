import { createGitEngine, packRefs } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { describe, expect, it } from 'vitest';
import { createHosting, type Hosting, type HostingOptions } from '../hosting.ts';
import { isAccountId } from '@packhouse/base';
import type { Catalog } from '../ports/catalog.ts';
import type { HostedRepo, HostedSnapshot, OpenedRepo, RepoHead, TokenRecord } from '../ports/repo-storage.ts';

const engine = createGitEngine({ codec: nodeCodec() });

/** A service whose storage, like that of files, throws for invalid account ids. */
function hostingOf(accounts: readonly string[] | 'any') {
  const looked: string[] = [];
  const requireAccount = (account: string): void => {
    if (!isAccountId(account)) throw new RangeError('Not an account id');
  };
  const hosting = createHosting({
    engine,
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
      sharePacks: async () => false,
    },
    authorizer: { authorize: async () => undefined },
    settings: { accounts },
  });
  return { hosting, looked };
}

describe.each([[['a1'] as readonly string[]], ['any' as const]])('openForGit with accounts %j', (accounts) => {
  it.each(['x'.repeat(65), '', 'a.b', '../a1', 'ä', 'a1', 'other'])(
    'GIT-025: refuses account %j without such a repo like any other, after one visit',
    async (account) => {
      const { hosting, looked } = hostingOf(accounts);
      const secret = `rht_v1_${'0'.repeat(40)}`;
      const request = { account, namespace: 'n', repo: 'r', secret, service: 'git-upload-pack' as const };
      await expect(hosting.openForGit(request)).rejects.toMatchObject({
        reason: 'invalid token',
        status: 403,
        message: 'Invalid or expired token',
      });
      expect(looked).toHaveLength(1);
    },
  );

  it('GIT-185: refuses a secret without the form of a token before any lookup', async () => {
    const { hosting, looked } = hostingOf(accounts);
    for (const secret of ['s', `ph_${'0'.repeat(64)}`]) {
      const request = { account: 'a1', namespace: 'n', repo: 'r', secret, service: 'git-upload-pack' as const };
      await expect(hosting.openForGit(request)).rejects.toMatchObject({
        reason: 'foreign token',
        status: 403,
        message: 'Git takes a repository token, or an API token that the service stores; this is neither',
      });
    }
    expect(looked).toEqual([]);
  });
});

describe('the limit of Git requests', () => {
  const head: RepoHead = {
    account: 'a1',
    id: '0123456789abcdef',
    namespace: 'n',
    name: 'r',
    defaultBranch: 'main',
    readOnly: false,
    status: 'ready',
  };
  const token: TokenRecord = {
    id: 't',
    secretHash: '0'.repeat(64),
    scope: 'read',
    createdAt: 0,
    expiresAt: 9e15,
    revokedAt: null,
  };
  const snapshot: HostedSnapshot = {
    version: 1,
    refs: packRefs([]),
    packs: [],
    shallow: [],
    defaultBranch: 'main',
    retiredTips: [],
    name: 'r',
    refCount: 0,
  };
  const hostingWith = (
    { countsRequests, retryAfter }: { readonly countsRequests: boolean; readonly retryAfter?: number | undefined },
    more: Partial<HostingOptions> = {},
  ): Hosting => {
    const opened: OpenedRepo = { kind: 'open', head, token, version: 1, snapshot, wanted: [] };
    return createHosting({
      engine,
      catalog: () => ({ repo: async () => ({ id: head.id, status: 'ready' }) }) as unknown as Catalog,
      storage: {
        countsRequests,
        repo: () =>
          ({
            state: { open: async () => (retryAfter === undefined ? opened : { ...opened, retryAfter }) },
          }) as unknown as HostedRepo,
        sharePacks: async () => false,
      },
      authorizer: { authorize: async () => undefined },
      settings: { accounts: ['a1'], rate_git: { requests: 1, seconds: 3600 }, rate_rest: { requests: 2, seconds: 60 } },
      ...more,
    });
  };
  /** Opens a repo over storage that counts requests itself. */
  const open = (retryAfter: number | undefined): Hosting['openForGit'] =>
    hostingWith({ countsRequests: true, retryAfter }).openForGit;
  const request = { account: 'a1', namespace: 'n', repo: 'r', secret: 'rht_v1_s', service: 'git-upload-pack' as const };

  it('LIM-053, GIT-031: refuses a request when the storage that counts them says so', async () => {
    const message = 'Rate limit exceeded: 1 requests in 3600 s (rate_git)';
    await expect(open(7)(request)).rejects.toMatchObject({ reason: 'rate', status: 429, retryAfter: 7, message });
  });

  it('LIM-053: is not counted here when the storage counts', async () => {
    const openForGit = open(undefined);
    for (let i = 0; i < 3; i++) expect(await openForGit(request)).toMatchObject({ head: { id: head.id } });
  });

  it('GIT-008: is checked before the scope of the token', async () => {
    const push = { ...request, service: 'git-receive-pack' as const };
    await expect(open(7)(push)).rejects.toMatchObject({ reason: 'rate' });
    await expect(open(undefined)(push)).rejects.toMatchObject({ reason: 'scope' });
  });

  it('LIM-001, LIM-053: uses the limiter of the host for each rate, except for Git if the storage counts', async () => {
    const counted: unknown[] = [];
    const more: Partial<HostingOptions> = {
      createLimiter: (rate) => ({
        async admit(key) {
          counted.push([rate, key]);
          return 9;
        },
      }),
    };
    const hosting = hostingWith({ countsRequests: false }, more);
    await expect(hosting.openForGit(request)).rejects.toMatchObject({ reason: 'rate', retryAfter: 9 });
    await expect(hosting.admit('a1', 'n')).rejects.toMatchObject({ status: 429, retryAfter: 9 });
    expect(counted).toEqual([
      [{ requests: 1, seconds: 3600 }, `a1 ${head.id}`],
      [{ requests: 2, seconds: 60 }, '["a1","n"]'],
    ]);
    await hostingWith({ countsRequests: true }, more).openForGit(request);
    expect(counted).toHaveLength(2);
  });
});
