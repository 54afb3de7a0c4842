import { createGitEngine, packRefs, RepoGoneError, type ObjectId, type RefName } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { describe, expect, it } from 'vitest';
import { createHosting, type Hosting } from '../hosting.ts';
import type { Catalog, RepoRecord } from '../ports/catalog.ts';
import type { HostedRepo, HostedSnapshot, RepoStatus } from '../ports/repo-storage.ts';
import type { RepoPath } from './content.ts';

const path: RepoPath = { account: 'a1', namespace: 'nn', repo: 'notes' };
const some = 'ab'.repeat(20);

interface Fake {
  readonly hosting: Hosting;
  /** Calls of the catalog and of states, in order. */
  readonly calls: string[];
  /** Repos by name in lower case. */
  readonly repos: Map<string, { readonly id: string; readonly status: RepoStatus; readonly rootId?: string }>;
  /** Snapshots by repo id. Undefined if the state was erased. */
  readonly states: Map<string, HostedSnapshot | undefined>;
}

const empty: HostedSnapshot = {
  version: 1,
  refs: packRefs([]),
  packs: [],
  shallow: [],
  defaultBranch: 'main',
  name: 'notes',
  refCount: 0,
  retiredTips: [],
};

function fake({ memory = Infinity }: { readonly memory?: number } = {}): Fake {
  const calls: string[] = [];
  const repos: Fake['repos'] = new Map([['notes', { id: 'one', status: 'ready' }]]);
  const states: Fake['states'] = new Map([['one', empty]]);
  const hosting = createHosting({
    engine: createGitEngine({ codec: nodeCodec(), memory, wait: async () => {} }),
    catalog: () =>
      ({
        async repo(_: string, name: string) {
          calls.push(`catalog ${name}`);
          const repo = repos.get(name.toLowerCase());
          return repo && ({ ...repo, jurisdiction: 'eu' } as RepoRecord);
        },
      }) as Partial<Catalog> as Catalog,
    storage: {
      repo: (_, id, jurisdiction) =>
        ({
          state: {
            async snapshot(known?: number) {
              calls.push(`${id} in ${jurisdiction}${known === undefined ? '' : ` since ${known}`}`);
              const snapshot = states.get(id);
              if (snapshot === undefined) throw new RepoGoneError();
              return snapshot.version === known ? undefined : snapshot;
            },
            wantedEvents: async () => [],
            async refs(version: number) {
              const now = states.get(id)?.version ?? 0;
              calls.push(`refs of version ${version}`);
              return version === now ? { chunks: [], next: undefined } : undefined;
            },
          },
        }) as unknown as HostedRepo,
      sharePacks: async () => false,
    },
    authorizer: { authorize: async () => undefined },
    settings: { accounts: ['a1'] },
  });
  return { hosting, calls, repos, states };
}

describe('reads of content', () => {
  it('GIT-156: start again when too many refs have changed since the snapshot', async () => {
    const { hosting, states, calls } = fake();
    states.set('one', { ...empty, refs: undefined });
    const reading = hosting.content.log(path, { ref: 'main' });
    for (let i = 0; i < 100 && !calls.includes('one in eu'); i++) await Promise.resolve();
    states.set('one', { ...empty, refs: undefined, version: 2 });
    await expect(reading).rejects.toMatchObject({ kind: 'refNotFound' });
    const refs = calls.filter((call) => call.startsWith('refs'));
    expect([refs[0], refs.at(-1)]).toEqual(['refs of version 1', 'refs of version 2']);
  });

  it('REPO-141, REPO-144, REPO-147, REPO-220: find nothing in an empty repo, each with its own message', async () => {
    const { content } = fake().hosting;
    expect(await content.log(path, {})).toEqual({ commits: [] });
    expect(await content.log(path, { ref: 'HEAD' })).toEqual({ commits: [] });
    const missing = { status: 404, items: [{ code: 10200, message: 'Commit not found' }] };
    await expect(content.commit(path, some)).rejects.toMatchObject(missing);
    await expect(content.log(path, { ref: 'main' })).rejects.toMatchObject({ items: [{ message: 'Ref not found' }] });
    await expect(content.tree(path, some)).rejects.toMatchObject({ items: [{ message: 'Tree not found' }] });
    await expect(content.blob(path, some)).rejects.toMatchObject({ items: [{ message: 'Blob not found' }] });
    await expect(content.file(path, { path: 'a' })).rejects.toMatchObject({ items: [{ message: 'File not found' }] });
    await expect(content.raw(path, 'main', Buffer.from('a'))).rejects.toMatchObject({ kind: 'fileNotFound' });
  });

  it.each([
    [{ limit: 0 }, '/limit', 'Too small: expected number to be >0'],
    [{ limit: '-1' }, '/limit', 'Too small: expected number to be >0'],
    [{ limit: '1.5' }, '/limit', 'Invalid input: expected number, received NaN'],
    [{ limit: 1.5 }, '/limit', 'Invalid input: expected number, received NaN'],
    [{ offset: -1 }, '/offset', 'Too small: expected number to be >=0'],
    [{ ref: 7 }, '/ref', 'Invalid input: expected string, received number'],
  ])('REPO-048, REPO-143: reject a log of %j before the repo is looked up', async (query, pointer, message) => {
    const { hosting, calls } = fake();
    const items = [{ code: 10100, message, pointer }];
    await expect(hosting.content.log(path, query)).rejects.toMatchObject({ status: 400, items });
    expect(calls).toEqual([]);
  });

  it.each(['', some.toUpperCase(), some.slice(1), `${some}0`, 'HEAD'])('REPO-140: reject hash %j', async (hash) => {
    const { hosting, calls } = fake();
    const { content } = hosting;
    const items = [{ code: 10100, message: 'Invalid SHA-1 hash', pointer: '/hash' }];
    for (const read of [content.commit, content.tree, content.blob])
      await expect(read(path, hash)).rejects.toMatchObject({ status: 400, items });
    expect(calls).toEqual([]);
  });

  it('REPO-036, REPO-147: check that a file has a path before the repo is looked up', async () => {
    const items = [{ message: 'Invalid input: expected string, received undefined', pointer: '/path' }];
    const unknown = { ...path, repo: 'none' };
    await expect(fake().hosting.content.file(unknown, {})).rejects.toMatchObject({ status: 400, items });
  });

  it('REPO-006: query the catalog once, and the state each time for changes since the known snapshot', async () => {
    const { hosting, calls, states } = fake();
    await hosting.content.log(path, {});
    await hosting.content.log({ ...path, repo: 'NOTES', namespace: 'NN' }, {});
    states.set('one', { ...empty, version: 2 });
    await hosting.content.log(path, {});
    await hosting.content.log(path, {});
    expect(calls).toEqual([
      'catalog notes',
      'one in eu',
      'one in eu since 1',
      'one in eu since 1',
      'one in eu since 2',
    ]);
  });

  it('REPO-116: look a deleted repo up once more, and find a new repo of that name', async () => {
    const { hosting, calls, repos, states } = fake();
    await hosting.content.log(path, {});
    states.set('one', undefined);
    repos.delete('notes');
    await expect(hosting.content.log(path, {})).rejects.toMatchObject({ kind: 'repoNotFound', status: 404 });
    repos.set('notes', { id: 'two', status: 'ready' });
    states.set('two', empty);
    expect(await hosting.content.log(path, {})).toEqual({ commits: [] });
    expect(calls.slice(2)).toEqual(['one in eu since 1', 'catalog notes', 'catalog notes', 'two in eu']);
    // The repo is deleted between both lookups.
    states.set('two', undefined);
    await expect(hosting.content.log(path, {})).rejects.toMatchObject({ kind: 'repoNotFound' });
  });

  it.each([
    ['creating', 10301],
    ['importing', 10302],
    ['forking', 10303],
  ] as const)('REPO-089: reject a repo that is %s with 409, and do not cache it', async (status, code) => {
    const { hosting, repos, calls } = fake();
    repos.set('notes', { id: 'one', status });
    const refusal = { status: 409, retryAfter: 1, items: [{ code }] };
    await expect(hosting.content.log(path, {})).rejects.toMatchObject(refusal);
    await expect(hosting.content.file(path, { path: 'a' })).rejects.toMatchObject(refusal);
    expect(calls).toEqual(['catalog notes', 'catalog notes']);
    repos.set('notes', { id: 'one', status: 'ready' });
    expect(await hosting.content.log(path, {})).toEqual({ commits: [] });
  });

  it('LIM-059, REPO-174: fail with 413 when they need more memory than there is', async () => {
    const { hosting } = fake({ memory: 1000 });
    await expect(hosting.content.log(path, {})).rejects.toMatchObject({
      status: 413,
      items: [
        { code: 10402, message: expect.stringMatching(/^not enough memory: \d+ bytes, limit 1000 \(memory_max\)$/) },
      ],
    });
  });

  it('BIND-038: need no name to read by id', async () => {
    const { hosting, calls, states } = fake();
    const identity = { account: 'a1', id: 'one', jurisdiction: 'us' };
    const kind = await hosting.content.read(identity, (reader) => reader.kindOf(some as ObjectId));
    expect([kind, calls]).toEqual([undefined, ['one in us']]);
    states.set('one', undefined);
    await expect(hosting.content.read(identity, async () => 1)).rejects.toMatchObject({ kind: 'repoNotFound' });
  });

  it('say that a repo was deleted where its files have gone', async () => {
    const { hosting, states } = fake();
    const identity = { account: 'a1', id: 'one', jurisdiction: 'eu' };
    const reading = hosting.content.read(identity, async () => {
      states.set('one', undefined);
      throw new Error('no such file');
    });
    await expect(reading).rejects.toMatchObject({ kind: 'repoNotFound' });
  });

  it('REPO-275, REPO-283: name the member where a fork is deleted during a merge', async () => {
    const { hosting, repos, states, calls } = fake();
    repos.set('try', { id: 'two', status: 'ready', rootId: 'one' });
    states.set('two', {
      ...empty,
      get refs() {
        states.set('two', undefined);
        return undefined;
      },
    });
    const author = { name: 'a', email: 'e' };
    const merge = hosting.merges.merge(path, { into: 'main', from: { repo: 'try' }, author });
    await expect(merge).rejects.toMatchObject({ kind: 'repoNotFound', items: [{ pointer: '/from/repo' }] });
    // The repo itself could have another name by now.
    expect(calls.filter((call) => call.startsWith('catalog'))).toEqual(['catalog notes', 'catalog try']);
  });

  it('REPO-176: pass storage errors on unchanged, so that the log has them', async () => {
    const { hosting } = fake();
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const identity = { account: 'a1', id: 'one', jurisdiction: 'eu' };
    await expect(hosting.content.read(identity, () => Promise.reject(full))).rejects.toBe(full);
  });

  it('pass on unexpected errors of a reader', async () => {
    const { hosting, states } = fake();
    const target = { oid: some as ObjectId, kind: 'commit' as const, peeled: null };
    states.set('one', { ...empty, refs: packRefs([{ name: 'refs/heads/main' as RefName, target }]) });
    await expect(
      hosting.content.read({ account: 'a1', id: 'one', jurisdiction: 'eu' }, async () => {
        throw new Error('broken');
      }),
    ).rejects.toThrow('broken');
  });
});
