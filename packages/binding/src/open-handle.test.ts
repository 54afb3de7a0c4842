import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { defineDispose } from './create-binding.ts';
import type { FileRequest, LogOptions } from './repo.ts';
import { RepoError } from './repo-error.ts';
import { failureOf, refusal, storageKinds, testBinding } from './test-binding.test.util.ts';

const id = expect.stringMatching(/^[0-9a-z]{16}$/);
const hash = 'ab'.repeat(20);

describe.each(storageKinds)('a handle on %s', (kind) => {
  it('BIND-011, BIND-062: by default makes write tokens for a day', async () => {
    const { repos } = testBinding(kind);
    await repos.create('notes');
    using repo = await repos.get('notes');
    expect(await repo.createToken()).toEqual({
      id,
      plaintext: expect.stringMatching(/^rht_v1_[0-9a-f]{40}\?expires=1795252502$/),
      scope: 'write',
      expiresAt: '2026-11-21T09:15:02.114Z',
    });
    expect(await repo.createToken('read', 60)).toMatchObject({ scope: 'read', expiresAt: '2026-11-20T09:16:02.114Z' });
    expect(await repo.createToken(undefined, 31_536_000)).toMatchObject({ scope: 'write' });
    expect((await repo.listTokens()).total).toBe(4);
  });

  it('BIND-115: refuses streams that it cannot read, and cancels that of a call that fails', async () => {
    const { repos } = testBinding(kind, { settings: { blob_max: 5 } });
    await repos.create('notes');
    using repo = await repos.get('notes');
    const locked = new ReadableStream<Uint8Array>();
    locked.getReader();
    const failing = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('it breaks')) });
    const texts = new ReadableStream({ pull: (controller) => controller.enqueue('text') });
    for (const stream of [
      locked,
      failing,
      texts,
      new Response('too long').body as ReadableStream,
      new Blob(['too long']),
    ]) {
      expect((await failureOf(repo.writeBlob(stream))).code).toBe('INVALID_INPUT');
    }
    await repo.update({ readOnly: true });
    let isCancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1)),
      cancel: () => void (isCancelled = true),
    });
    expect((await failureOf(repo.writeBlob(endless))).code).toBe('READ_ONLY');
    expect(isCancelled).toBe(true);
  });

  it('BIND-112: an archive goes on after its handle is disposed of', async () => {
    const { repos } = testBinding(kind);
    await repos.create('notes');
    const repo = await repos.get('notes');
    const changes = [{ op: 'put', path: 'a', content: 'text\n' }] as const;
    await repo.commit({ branch: 'main', message: 'x', author: { name: 'A', email: 'a@example.com' }, changes });
    const archive = await repo.archive('main', { format: 'tar' });
    repo[Symbol.dispose]();
    const bytes = await new Response(archive).bytes();
    expect(Buffer.from(bytes).includes('text\n')).toBe(true);
  });

  it('BIND-062: refuses another scope or lifetime', async () => {
    const { repos } = testBinding(kind);
    await repos.create('notes');
    using repo = await repos.get('notes');
    for (const scope of ['admin', '', null, 7, 'READ']) {
      expect((await failureOf(repo.createToken(scope as 'read', 1))).code).toBe('INVALID_INPUT');
    }
    for (const ttl of [59, 31_536_001, 60.5, '60', null, Number.NaN, -1]) {
      const told = ['INVALID_TTL', 'ttl must be between 60 and 31536000 seconds'];
      expect(await refusal(repo.createToken('read', ttl as number))).toEqual(told);
    }
    expect((await repo.listTokens()).total).toBe(1);
  });

  it('BIND-063: lists active tokens, then ended ones, each group newest first, without plaintext', async () => {
    const { repos, pass } = testBinding(kind);
    const { token } = await repos.create('notes');
    using repo = await repos.get('notes');
    const ids = new Map<string, string>();
    for (const [name, ttl] of [
      ['expires', 60],
      ['stays', 86_400],
      ['revoked', 86_400],
      ['expires too', 60],
    ] as const) {
      pass(1);
      ids.set((await repo.createToken('read', ttl)).id, name);
    }
    await repo.revokeToken([...ids].find(([, name]) => name === 'revoked')?.[0] as string);
    pass(120);
    const { tokens, total } = await repo.listTokens();
    expect(total).toBe(5);
    expect(tokens.map((one) => [ids.get(one.id), one.state])).toEqual([
      ['stays', 'active'],
      [undefined, 'active'],
      ['expires too', 'expired'],
      ['revoked', 'revoked'],
      ['expires', 'expired'],
    ]);
    expect(Object.keys(tokens[0] as object)).toEqual(['id', 'scope', 'state', 'createdAt', 'expiresAt']);
    expect(JSON.stringify(tokens)).not.toContain(token.slice(0, 20));
  });

  it('BIND-063: shows at most 1,000 tokens, and counts all', { timeout: 60_000 }, async () => {
    const { repos } = testBinding(kind, { settings: { token_history: 2000 } });
    await repos.create('notes');
    using repo = await repos.get('notes');
    for (let i = 0; i < 1004; i++) {
      const made = await repo.createToken('read', 60);
      if (i < 3) await repo.revokeToken(made.id);
    }
    const { tokens, total } = await repo.listTokens();
    expect([tokens.length, total, new Set(tokens.map(({ state }) => state)).size]).toEqual([1000, 1005, 1]);
  });

  it('BIND-064: revokes by id, plaintext and secret, once, and only tokens of this repo', async () => {
    const { repos, pass } = testBinding(kind);
    await repos.create('notes');
    const { token: foreign } = await repos.create('other');
    using repo = await repos.get('notes');
    using other = await repos.get('other');
    const [foreignToken] = (await other.listTokens()).tokens;
    for (const way of ['id', 'plaintext', 'secret', 'secret with a false suffix'] as const) {
      const made = await repo.createToken();
      const secret = made.plaintext.replace(/\?.*/, '');
      const ways = {
        id: made.id,
        plaintext: made.plaintext,
        secret,
        'secret with a false suffix': `${secret}?expires=1`,
      };
      expect([way, await repo.revokeToken(ways[way]), await repo.revokeToken(ways[way])]).toEqual([way, true, false]);
      expect((await repo.listTokens()).tokens.find((one) => one.id === made.id)?.state).toBe('revoked');
    }
    const expiring = await repo.createToken('read', 60);
    pass(60);
    for (const ended of [expiring.id, expiring.plaintext, foreign, foreignToken?.id as string, 'x'.repeat(16)]) {
      expect(await repo.revokeToken(ended)).toBe(false);
    }
    expect((await other.listTokens()).tokens[0]?.state).toBe('active');
    expect(await repo.revokeToken(`art_v2_x_${'0'.repeat(40)}`)).toBe(false);
  });

  it('BIND-064: refuses text that is not a token, without repeating it', async () => {
    const { repos } = testBinding(kind);
    const { token } = await repos.create('notes');
    using repo = await repos.get('notes');
    for (const text of ['', 'x', `${token}!`, token.slice(0, 30), 'A'.repeat(16), undefined, null, 7]) {
      const { code, message } = await failureOf(repo.revokeToken(text as string));
      expect([code, message.includes('rht_')]).toEqual(['INVALID_INPUT', false]);
    }
  });

  it('BIND-066, BIND-067, BIND-068, BIND-070, BIND-072: finds nothing in an empty repo', async () => {
    const { repos } = testBinding(kind);
    await repos.create('notes');
    using repo = await repos.get('notes');
    expect([await repo.readBlob(hash), await repo.readTree(hash), await repo.readCommit(hash)]).toEqual([
      null,
      null,
      null,
    ]);
    expect(await repo.readFile({ ref: 'HEAD', path: 'plan.md' })).toBeNull();
    expect([await repo.log(), await repo.log({ ref: '' }), await repo.log({ ref: 'x', offset: 1e300 })]).toEqual([
      [],
      [],
      [],
    ]);
  });

  it.each<unknown>(['', 'HEAD', hash.slice(1), `${hash}0`, hash.toUpperCase(), undefined, null, 7, [hash]])(
    'BIND-069: refuses the hash %j',
    async (given) => {
      const { repos } = testBinding(kind);
      await repos.create('notes');
      using repo = await repos.get('notes');
      const told = ['INVALID_INPUT', 'Invalid hash: expected a 40-character SHA-1 hex hash.'];
      for (const read of [repo.readBlob, repo.readTree, repo.readCommit]) {
        expect(await refusal(read(given as string))).toEqual(told);
      }
    },
  );

  it.each<[unknown, string]>([
    [undefined, 'args.ref'],
    [{}, 'args.ref'],
    [{ ref: 'main' }, 'args.path'],
    [{ path: 'a' }, 'args.ref'],
    [{ ref: '', path: 'a' }, 'args.ref'],
    [{ ref: 'main', path: '' }, 'args.path'],
    [{ ref: 'main', path: 7 }, 'args.path'],
    [{ ref: null, path: 'a' }, 'args.ref'],
    [null, 'args'],
  ])('BIND-070, BIND-083: refuses the file %j, naming %s', async (args, name) => {
    const { repos } = testBinding(kind);
    await repos.create('notes');
    using repo = await repos.get('notes');
    const { code, message } = await failureOf(repo.readFile(args as FileRequest));
    expect([code, message.endsWith(` (${name})`)]).toEqual(['INVALID_INPUT', true]);
  });

  it.each<[unknown, string]>([
    [{ limit: 0 }, 'opts.limit'],
    [{ limit: 1.5 }, 'opts.limit'],
    [{ limit: '1' }, 'opts.limit'],
    [{ limit: null }, 'opts.limit'],
    [{ offset: -1 }, 'opts.offset'],
    [{ offset: 0.5 }, 'opts.offset'],
    [{ ref: 7, limit: 0 }, 'opts.ref'],
    ['main', 'opts'],
  ])('BIND-072, BIND-083: refuses the log %j, naming %s', async (opts, name) => {
    const { repos } = testBinding(kind);
    await repos.create('notes');
    using repo = await repos.get('notes');
    const { code, message } = await failureOf(repo.log(opts as LogOptions));
    expect([code, message.endsWith(` (${name})`)]).toEqual(['INVALID_INPUT', true]);
  });

  it('BIND-073: forks into a repo of the namespace', async () => {
    const { repos } = testBinding(kind);
    const parent = await repos.create('notes', { setDefaultBranch: 'trunk', description: 'Agent notes' });
    using repo = await repos.get('notes');
    const fork = await repo.fork('try', { description: 'Mine', readOnly: true, defaultBranchOnly: false });
    expect(Object.keys(fork)).toEqual(['id', 'name', 'description', 'defaultBranch', 'remote', 'token']);
    expect(fork).toMatchObject({ name: 'try', description: 'Mine', defaultBranch: 'trunk' });
    expect(fork.id).not.toBe(parent.id);
    using handle = await repos.get('try');
    expect(await handle.info()).toMatchObject({ readOnly: true, source: 'repos:default/notes' });
    expect(await refusal(repo.fork('TRY'))).toEqual(['ALREADY_EXISTS', 'repo already exists: TRY']);
    expect((await failureOf(repo.fork('-'))).code).toBe('INVALID_REPO_NAME');
    const wrong = { defaultBranchOnly: 'no' } as unknown as { defaultBranchOnly: boolean };
    expect(await refusal(repo.fork('x', wrong))).toEqual([
      'INVALID_INPUT',
      'Invalid input: expected boolean, received string (opts.defaultBranchOnly)',
    ]);
  });

  it('BIND-082: rejects with NOT_FOUND after the repo was deleted, and reports nothing', async () => {
    const { repos, faults, reported } = testBinding(kind);
    await repos.create('notes');
    using repo = await repos.get('notes');
    await repos.delete('notes');
    faults.set('snapshot', new Error('the pack is gone'));
    expect((await failureOf(repo.log())).code).toBe('NOT_FOUND');
    expect(reported).toEqual([]);
    // If the lookup fails, too, the caller gets the original failure.
    faults.set('repoById', new Error('broken'));
    expect((await failureOf(repo.log())).code).toBe('INTERNAL_ERROR');
    expect((await failureOf(repo.log({ limit: 0 }))).code).toBe('INVALID_INPUT');
    expect(reported).toEqual([faults.get('snapshot')]);
  });

  it('BIND-060, BIND-100, BIND-101, BIND-102: rejects every call after it was disposed, without effect', async () => {
    const { repos } = testBinding(kind);
    await repos.create('notes');
    const repo = await repos.get('notes');
    const before = await repo.info();
    const running = repo.listTokens();
    repo[Symbol.dispose]();
    repo[Symbol.dispose]();
    expect((await running).total).toBe(1);
    const calls = [repo.info, repo.listTokens, repo.createToken, repo.log, () => repo.readBlob('no hash')];
    for (const call of calls) {
      const error: unknown = await call().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      expect([error instanceof RepoError, Object.keys(error as Error)]).toEqual([false, []]);
    }
    using again = await repos.get('notes');
    expect(await again.info()).toEqual(before);
  });

  test.prop([fc.array(fc.constantFrom('make', 'revoke', 'pass'), { maxLength: 12 })], { numRuns: 20 })(
    'BIND-063, BIND-064: a token is active until it expires or is revoked, regardless of other tokens',
    async (steps) => {
      const { repos, pass } = testBinding(kind);
      await repos.create('notes');
      using repo = await repos.get('notes');
      let now = 0;
      const model = new Map<string, { readonly end: number; revoked: boolean }>();
      model.set((await repo.listTokens()).tokens[0]?.id as string, { end: 86_400, revoked: false });
      for (const [index, step] of steps.entries()) {
        if (step === 'make') model.set((await repo.createToken('read', 60)).id, { end: now + 60, revoked: false });
        if (step === 'pass') pass(((now += 35), 35));
        if (step !== 'revoke') continue;
        const [chosen, token] = [...model][index % model.size] as [string, { readonly end: number; revoked: boolean }];
        expect(await repo.revokeToken(chosen)).toBe(!token.revoked && now < token.end);
        token.revoked ||= now < token.end;
      }
      const states = new Map((await repo.listTokens()).tokens.map((one) => [one.id, one.state]));
      for (const [token, { end, revoked }] of model) {
        expect(states.get(token)).toBe(revoked ? 'revoked' : now < end ? 'active' : 'expired');
      }
      expect(states.size).toBe(model.size);
    },
  );
});

describe('Symbol.dispose', () => {
  it('BIND-103: is defined if missing, and otherwise unchanged', () => {
    const lacking: { readonly dispose?: symbol } = {};
    defineDispose(lacking);
    expect(lacking.dispose).toBe(Symbol.for('Symbol.dispose'));
    const own = { dispose: Symbol('own') };
    const { dispose } = own;
    defineDispose(own);
    expect(own.dispose).toBe(dispose);
  });
});
