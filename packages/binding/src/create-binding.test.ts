import { fc, test } from '@fast-check/vitest';
import { cloudflare } from '@packhouse/hosting';
import { HostingError } from '@packhouse/base';
import { describe, expect, it } from 'vitest';
import type { CreateOptions, ListOptions } from './repos.ts';
import { failureOf, refusal, storageKinds, testBinding, type TestBinding } from './test-binding.test.util.ts';

const id = expect.stringMatching(/^[0-9a-z]{16}$/);
const remote = (name: string): string => `http://127.0.0.1:8787/git/a1/default/${name}.git`;
const deleted = 'The repository was deleted.';

describe('a binding', () => {
  const { bind } = testBinding('memory');

  it.each([undefined, 7, '', 'a', 'x-', 'a/b', 'x'.repeat(64)])('BIND-002: refuses the namespace %s', (namespace) => {
    expect(() => bind(namespace as string)).toThrow('namespace: expected the name of one (REPO-060)');
  });

  it.each([null, 7, '', '../a1', 'A1', 'a3', 'a1 '])('BIND-007: refuses the account %s', (account) => {
    expect(() => bind('default', { account: account as string })).toThrow(
      'account: expected the id of one that is served (REPO-030)',
    );
  });
});

describe.each(storageKinds)('a namespace on %s', (kind) => {
  it('BIND-011, BIND-014, BIND-030: creates a repo, and returns every member', async () => {
    const { repos } = testBinding(kind);
    const plain = await repos.create('notes');
    expect(plain).toEqual({
      id,
      name: 'notes',
      description: null,
      defaultBranch: 'main',
      remote: remote('notes'),
      token: expect.stringMatching(/^rht_v1_[0-9a-f]{40}\?expires=1795252502$/),
    });
    const full = { description: 'Agent notes', setDefaultBranch: 'trunk', readOnly: true, unknown: 7 };
    const made = await repos.create('Full', full);
    expect(made).toMatchObject({ name: 'Full', description: 'Agent notes', defaultBranch: 'trunk' });
    using repo = await repos.get('full');
    expect(await repo.info()).toEqual({
      id: made.id,
      name: 'Full',
      description: 'Agent notes',
      defaultBranch: 'trunk',
      createdAt: '2026-11-20T09:15:02.114Z',
      updatedAt: '2026-11-20T09:15:02.114Z',
      lastPushAt: null,
      source: null,
      readOnly: true,
      remote: remote('Full'),
      size: 0,
      objectCount: 0,
      refCount: 0,
    });
    expect((await repo.listTokens()).tokens).toMatchObject([{ scope: 'write', expiresAt: '2026-11-21T09:15:02.114Z' }]);
  });

  it.each<[unknown, unknown, string, string]>([
    ['-notes', undefined, 'INVALID_REPO_NAME', 'Invalid repo name: must match /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/'],
    ['a'.repeat(513), {}, 'INVALID_REPO_NAME', 'Invalid repo name: must be at most 512 characters'],
    [undefined, { readOnly: 1 }, 'INVALID_REPO_NAME', 'Invalid repo name: must match /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/'],
    ['a', { readOnly: 'yes' }, 'INVALID_INPUT', 'Invalid input: expected boolean, received string (opts.readOnly)'],
    ['a', { description: null }, 'INVALID_INPUT', 'Invalid input: expected string, received object (opts.description)'],
    [
      'a',
      { description: 'x'.repeat(1025) },
      'INVALID_INPUT',
      'Too big: expected string to have <=1024 characters (opts.description)',
    ],
    ['a', { setDefaultBranch: 'a..b' }, 'INVALID_INPUT', 'Invalid branch name (opts.setDefaultBranch)'],
    ['a', { setDefaultBranch: '' }, 'INVALID_INPUT', 'Invalid branch name (opts.setDefaultBranch)'],
    ['a', 'opts', 'INVALID_INPUT', 'Invalid input: expected object, received string (opts)'],
    ['a', null, 'INVALID_INPUT', 'Invalid input: expected object, received null (opts)'],
  ])('BIND-016, BIND-031, BIND-083: refuses to create %j with %j', async (name, opts, code, message) => {
    const { repos } = testBinding(kind);
    expect(await refusal(repos.create(name as string, opts as CreateOptions))).toEqual([code, message]);
    expect(await repos.list()).toEqual({ repos: [], total: 0 });
  });

  it('BIND-016: treats an undefined option as absent', async () => {
    const { repos } = testBinding(kind);
    const opts = {
      readOnly: undefined,
      description: undefined,
      setDefaultBranch: undefined,
    } as unknown as CreateOptions;
    expect(await repos.create('notes', opts)).toMatchObject({ description: null, defaultBranch: 'main' });
    const list = { limit: undefined, cursor: undefined } as unknown as ListOptions;
    expect((await repos.list(list)).repos).toHaveLength(1);
  });

  it('BIND-031: refuses a name that is taken in any case and state, quoting it as given', async () => {
    const { repos, faults } = testBinding(kind);
    await repos.create('Notes');
    expect(await refusal(repos.create('nOtes'))).toEqual(['ALREADY_EXISTS', 'repo already exists: nOtes']);
    // The rollback fails, too, so a repo remains in state `creating`.
    for (const method of ['publishRepo', 'dropRepo']) faults.set(method, new Error('broken'));
    expect((await failureOf(repos.create('half'))).code).toBe('INTERNAL_ERROR');
    faults.clear();
    expect(await refusal(repos.create('HALF'))).toEqual(['ALREADY_EXISTS', 'repo already exists: HALF']);
    expect(await refusal(repos.get('half'))).toEqual(['CREATE_IN_PROGRESS', 'Repository creation in progress']);
    expect((await repos.list()).repos).toContainEqual(expect.objectContaining({ name: 'half', status: 'creating' }));
  });

  it('BIND-003, BIND-004, BIND-032: a namespace need not exist, and all bindings of it are equal', async () => {
    const { bind, hosting } = testBinding(kind);
    const [one, other] = [bind('later'), bind('LATER')];
    expect(await one.list()).toEqual({ repos: [], total: 0 });
    expect(await one.delete('notes')).toBe(false);
    expect((await failureOf(one.get('notes'))).code).toBe('NOT_FOUND');
    await other.create('notes');
    expect((await one.list()).total).toBe(1);
    expect(await hosting.namespaces.get('a1', 'later')).toMatchObject({ jurisdiction: 'unrestricted', repo_count: 1 });
    expect((await bind('later', { account: 'a2' }).list()).total).toBe(0);
  });

  it('BIND-035, BIND-036: finds a repo in any case, and no other', async () => {
    const { repos } = testBinding(kind);
    await repos.create('Notes');
    expect(Object.keys(await repos.get('nOTES')).toSorted()).toEqual(handleMethods);
    for (const name of ['missing', '', '-', 'a b', 'x'.repeat(600)]) {
      expect(await refusal(repos.get(name))).toEqual(['NOT_FOUND', `Repository not found: ${name}.`]);
    }
    await repos.delete('notes');
    expect(await refusal(repos.get('Notes'))).toEqual(['NOT_FOUND', 'Repository not found: Notes.']);
    for (const name of [undefined, null, 7, {}, Symbol('notes')]) {
      expect((await failureOf(repos.get(name as string))).code).toBe('INVALID_INPUT');
    }
  });

  it('BIND-037, BIND-092, BIND-093, BIND-094: reports the state of a repo that is not ready', async () => {
    const { repos, catalog } = testBinding(kind);
    const codes = { importing: 'IMPORT_IN_PROGRESS', forking: 'FORK_IN_PROGRESS', creating: 'CREATE_IN_PROGRESS' };
    for (const [status, code] of Object.entries(codes)) {
      await reserve({ catalog }, status as keyof typeof codes);
      expect((await failureOf(repos.get(status))).code).toBe(code);
      expect((await repos.list({ limit: 1 })).total).toBeGreaterThan(0);
      expect(await repos.delete(status)).toBe(true);
    }
  });

  it('BIND-038, BIND-084: a handle refers to an id, and never to another repo of that name', async () => {
    const { repos } = testBinding(kind);
    await repos.create('notes');
    const handle = await repos.get('notes');
    await repos.delete('notes');
    await repos.create('notes');
    const calls: readonly (() => Promise<unknown>)[] = [
      () => handle.info(),
      () => handle.createToken(),
      () => handle.createToken('admin' as 'read', 1),
      () => handle.createToken('read', 1),
      () => handle.listTokens(),
      () => handle.revokeToken('0123456789abcdef'),
      () => handle.revokeToken(`rht_v1_${'0'.repeat(40)}`),
      () => handle.revokeToken(''),
      () => handle.readBlob('ab'.repeat(20)),
      () => handle.readBlob('no hash'),
      () => handle.readTree('ab'.repeat(20)),
      () => handle.readCommit('ab'.repeat(20)),
      () => handle.readFile({ ref: 'main', path: 'a' }),
      () => handle.readFile({ ref: '', path: '' }),
      () => handle.log(),
      () => handle.log({ limit: 0 }),
      () => handle.fork('other'),
      () => handle.fork('-'),
    ];
    for (const call of calls) expect(await refusal(call())).toEqual(['NOT_FOUND', deleted]);
    expect((await repos.list()).total).toBe(1);
    await (await repos.get('notes')).info();
  });

  it('BIND-024: each change has its event, in order', async () => {
    const told: string[] = [];
    const { repos, hosting } = testBinding(kind, {
      onEvent: async ({ type }) => void told.push(type.replace('repos.repo.', '')),
    });
    const { id } = await repos.create('notes');
    const repo = await repos.get('notes');
    await repo.revokeToken((await repo.createToken('read')).id);
    await repo.update({ description: 'x' });
    const author = { name: 'A', email: 'a@example.com' };
    await repo.commit({ branch: 'main', message: 'x', author, allowEmpty: true });
    const fork = await repo.fork('notes-try');
    await repos.delete('notes');
    for (const one of [id, fork.id]) {
      const identity = { account: 'a1', id: one, jurisdiction: 'unrestricted' } as const;
      await hosting.deliverEvents(identity, AbortSignal.timeout(5_000));
    }
    const ofTokens = ['token.created', 'token.created', 'token.revoked'];
    expect(told).toEqual(['created', ...ofTokens, 'updated', 'pushed', 'deleted', 'forked', 'token.created']);
  });

  it('BIND-045, BIND-046: lists pages, newest first, with the total', async () => {
    const { repos, pass } = testBinding(kind);
    expect(await repos.list({ limit: 200 })).toEqual({ repos: [], total: 0 });
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) {
      await repos.create(name);
      pass(1);
    }
    const shown: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await repos.list({ limit: 2, ...(cursor !== undefined && { cursor }) });
      expect(page.total).toBe(5);
      expect('cursor' in page).toBe(shown.length < 4);
      for (const item of page.repos) {
        expect(Object.keys(item)).toEqual(listMembers);
        expect(item.status).toBe('ready');
        shown.push(item.name);
      }
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(shown).toEqual(names.toReversed());
    expect(Object.keys(await repos.list())).toEqual(['repos', 'total']);
  });

  it.each([{ limit: 0 }, { limit: 201 }, { limit: 1.5 }, { limit: '2' }, { limit: null }, { limit: Number.NaN }])(
    'BIND-045: refuses %j',
    async (opts) => {
      const { code, message } = await failureOf(testBinding(kind).repos.list(opts as unknown as ListOptions));
      expect([code, message]).toEqual(['INVALID_INPUT', expect.stringMatching(/ \(opts\.limit\)$/)]);
    },
  );

  it('BIND-047: accepts its own cursors, and those of REST for the same list, but no others', async () => {
    const { repos, bind, hosting } = testBinding(kind);
    for (const name of ['a', 'b']) {
      await repos.create(name);
      await bind('other').create(name);
    }
    const { cursor = '' } = await repos.list({ limit: 1 });
    const rest = await hosting.repos.list('a1', 'default', { limit: 1 });
    expect(rest.info).toMatchObject({ cursor });
    expect((await repos.list({ cursor: '' })).repos).toHaveLength(2);
    const wrong = await bind('other').list({ limit: 1 });
    for (const bad of ['x', `${cursor}A`, wrong.cursor, 7, null]) {
      const { code, message } = await failureOf(repos.list({ cursor: bad as string }));
      expect([code, message]).toEqual(['INVALID_INPUT', expect.stringMatching(/ \(opts\.cursor\)$/)]);
    }
  });

  it('BIND-050, BIND-051: deletes a repo with its tokens, once', async () => {
    const { repos, hosting } = testBinding(kind);
    const { token } = await repos.create('Notes');
    const secret = token.slice(0, token.indexOf('?'));
    const open = { account: 'a1', namespace: 'default', repo: 'notes', secret, service: 'git-upload-pack' } as const;
    await hosting.openForGit(open);
    expect([await repos.delete('nOtes'), await repos.delete('notes'), await repos.delete('never')]).toEqual([
      true,
      false,
      false,
    ]);
    await expect(hosting.openForGit(open)).rejects.toMatchObject({ reason: 'invalid token' });
    expect((await repos.create('notes')).name).toBe('notes');
    for (const name of ['', '-', 'a b', undefined, 7]) {
      expect((await failureOf(repos.delete(name as string))).code).toBe('INVALID_REPO_NAME');
    }
  });

  it('BIND-025: calls are not rate-limited', async () => {
    const { repos, hosting } = testBinding(kind, { settings: { rate_rest: { requests: 1, seconds: 10 } } });
    for (let i = 0; i < 20; i++) await repos.list();
    await hosting.admit('a1', 'default');
    await expect(hosting.admit('a1', 'default')).rejects.toThrow('Rate limit exceeded');
  });

  it('BIND-026: exactly one of several concurrent creates of a name succeeds', async () => {
    const { repos } = testBinding(kind);
    const calls = ['notes', 'Notes', 'nOtes', 'noTes'].map((name) => repos.create(name));
    const settled = await Promise.allSettled(calls);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of settled)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'ALREADY_EXISTS' });
  });

  it('BIND-015: callers may change results', async () => {
    const { repos } = testBinding(kind);
    await repos.create('notes');
    using repo = await repos.get('notes');
    for (const read of [() => repos.list(), () => repo.info(), () => repo.listTokens(), () => repo.log()]) {
      const [first, second] = [await read(), await read()];
      expect(structuredClone(first)).toEqual(second);
      wipe(first);
      expect(await read()).toEqual(second);
    }
  });

  it('BIND-080, BIND-082: reports an unexpected error to the operator, and hides its cause', async () => {
    const { repos, faults, reported } = testBinding(kind);
    await repos.create('notes');
    using repo = await repos.get('notes');
    const secret = new Error('the password is 1234');
    const failing: readonly [string, () => Promise<unknown>][] = [
      ['reserveRepo', () => repos.create('other')],
      ['repo', () => repos.get('notes')],
      ['repos', () => repos.list()],
      ['tokens', () => repo.listTokens()],
      ['addToken', () => repo.createToken()],
      ['snapshot', () => repo.log()],
      ['repoById', () => repo.info()],
      ['deleteRepo', () => repos.delete('notes')],
    ];
    for (const [method, call] of failing) {
      faults.set(method, secret);
      expect(await refusal(call())).toEqual(['INTERNAL_ERROR', 'An internal error occurred.']);
      expect(reported.splice(0)).toContain(secret);
      faults.delete(method);
      await call();
    }
  });

  it('BIND-082: reports a namespace that is being deleted as not active', async () => {
    const { repos, faults, reported } = testBinding(kind);
    // No catalog of this test deletes in more than one step.
    faults.set('reserveRepo', new HostingError('namespaceDeleting'));
    expect(await refusal(repos.create('notes'))).toEqual(['INTERNAL_ERROR', 'Namespace is not active']);
    expect(reported).toEqual([]);
  });

  it('BIND-080: errors have the name of the dialect', async () => {
    const { repos } = testBinding(kind, { dialect: cloudflare });
    await failureOf(repos.get('missing'), 'ArtifactsError');
    expect((await repos.create('notes')).token).toMatch(/^art_v2_x_/);
  });

  test.prop([fc.anything({ withNullPrototype: true }), fc.anything(), fc.nat(9)], { numRuns: 150 })(
    'BIND-016, BIND-082: no argument makes a method throw synchronously, or reject with another error',
    async (first, second, method) => {
      const { repos } = testBinding('memory');
      await repos.create('zz');
      using repo = await repos.get('zz');
      const methods = [
        repos.create,
        repos.get,
        repos.import,
        repos.list,
        repos.delete,
        repo.createToken,
        repo.revokeToken,
        repo.readFile,
        repo.log,
        repo.fork,
      ] as unknown as ((...given: unknown[]) => Promise<unknown>)[];
      const call = (methods[method] as (typeof methods)[number])(first, second);
      expect(call).toBeInstanceOf(Promise);
      const settled = await call.then(
        () => 'resolved' as const,
        async () => failureOf(call),
      );
      if (settled !== 'resolved') expect(settled.code).not.toBe('INTERNAL_ERROR');
    },
  );
});

const handleMethods = [
  'archive',
  'cherryPick',
  'commit',
  'compare',
  'createToken',
  'fork',
  'info',
  'listRefs',
  'listTokens',
  'listTree',
  'log',
  'merge',
  'readBlob',
  'readCommit',
  'readFile',
  'readFiles',
  'readTree',
  'revert',
  'revokeToken',
  'search',
  'update',
  'updateRefs',
  'writeBlob',
];

const listMembers = [
  'id',
  'name',
  'description',
  'defaultBranch',
  'createdAt',
  'updatedAt',
  'lastPushAt',
  'source',
  'readOnly',
  'status',
];

/** Creates a repo with this name and state. */
async function reserve(
  { catalog }: Pick<TestBinding, 'catalog'>,
  status: 'creating' | 'importing' | 'forking',
): Promise<void> {
  const line = { name: status, namespace: 'default', description: null, defaultBranch: 'main', readOnly: false };
  const at = Date.UTC(2026, 10, 20);
  const repo = {
    ...line,
    id: `${status}0000000`.slice(0, 16),
    source: null,
    parentId: null,
    rootId: null,
    status,
    createdAt: at,
  };
  await catalog('a1').reserveRepo(repo, { id: `token${status}000`, createdAt: at, expiresAt: at + 1000 });
}

/** Empties everything mutable. */
function wipe(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    wipe(member);
    Reflect.set(value, key, 'wiped');
  }
  if (Array.isArray(value)) value.length = 0;
}
