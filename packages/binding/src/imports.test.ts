import type { Outbound } from '@packhouse/hosting';
import { describe, expect, it } from 'vitest';
import type { ImportParams } from './repos.ts';
import { refusal, storageKinds, testBinding, type TestBinding } from './test-binding.test.util.ts';

interface Remote {
  readonly outbound: Outbound;
  /** The calls of the remote. */
  readonly calls: string[];
}

/** A remote that answers all requests with one status. */
function remoteWith(status: number, address = '93.184.216.34'): Remote {
  const calls: string[] = [];
  const outbound: Outbound = {
    async lookup(host) {
      calls.push(`lookup ${host}`);
      return [address];
    },
    async fetch(request) {
      calls.push(`fetch ${request.url}`);
      return new Response('no', { status });
    },
  };
  return { outbound, calls };
}

const url = 'https://git.example.org/team/hello';
const notHttps = 'Must be an HTTPS URL (source.url)';

describe.each(storageKinds)('imports into %s', (kind) => {
  const binding = (remote: Remote): TestBinding => testBinding(kind, { outbound: remote.outbound });

  it.each<[string, unknown, string, string]>([
    ['name', { source: { url: 'x', depth: 0 }, target: { name: '-' } }, 'INVALID_REPO_NAME', 'Invalid repo name: '],
    ['target', { source: { url } }, 'INVALID_REPO_NAME', 'Invalid repo name: '],
    ['params', undefined, 'INVALID_REPO_NAME', 'Invalid repo name: '],
    ['url', { source: { url: 'http://x', depth: 0, branch: '-' }, target: { name: 'a' } }, 'INVALID_INPUT', notHttps],
    ['url', { source: { url: 'x', depth: 0 }, target: { name: 'a' } }, 'INVALID_INPUT', notHttps],
    [
      'url',
      { target: { name: 'a' } },
      'INVALID_INPUT',
      'Invalid input: expected string, received undefined (source.url)',
    ],
    [
      'url',
      { source: { url: 'https://me:secret@x.org/a', depth: 0 }, target: { name: 'a' } },
      'INVALID_URL',
      'url must be an HTTPS git remote URL',
    ],
    ['depth', { source: { url, depth: 0, branch: '-' }, target: { name: 'a' } }, 'INVALID_INPUT', 'Too small: '],
    ['depth', { source: { url, depth: '1' }, target: { name: 'taken' } }, 'INVALID_INPUT', 'Invalid input: '],
    ['depth', { source: { url, depth: 1.5 }, target: { name: 'taken' } }, 'INVALID_INPUT', 'Invalid input: '],
    ['branch', { source: { url, branch: '-' }, target: { name: 'taken' } }, 'INVALID_INPUT', 'Invalid branch name (s'],
    ['existence', { source: { url }, target: { name: 'Taken' } }, 'ALREADY_EXISTS', 'repo already exists: Taken'],
  ])('BIND-041, BIND-043: checks the %s before it connects: %j', async (_, params, code, message) => {
    const remote = remoteWith(200);
    const { repos } = binding(remote);
    await repos.create('taken');
    expect(await refusal(repos.import(params as ImportParams))).toEqual([code, expect.stringContaining(message)]);
    expect(remote.calls).toEqual([]);
    expect((await repos.list()).total).toBe(1);
  });

  it.each<[number, string, string]>([
    [
      401,
      'REMOTE_AUTH_REQUIRED',
      `Repository "${url}.git" requires authentication (HTTP 401). Only public repositories can be imported.`,
    ],
    [404, 'NOT_FOUND', 'Remote repository not found'],
    [503, 'UPSTREAM_UNAVAILABLE', 'The upstream service is unavailable. Please retry.'],
    [200, 'INVALID_URL', 'url must be an HTTPS git remote URL (e.g. https://github.com/owner/repo)'],
  ])('BIND-042: reports a remote that answers %i, and leaves no repo', async (status, code, message) => {
    const { repos, reported } = binding(remoteWith(status));
    expect(await refusal(repos.import({ source: { url }, target: { name: 'hello' } }))).toEqual([code, message]);
    expect(await repos.list()).toEqual({ repos: [], total: 0 });
    // A fault of the remote is not a failure of this service.
    expect(reported.filter((error) => (error as { readonly level?: unknown }).level !== 'warn')).toEqual([]);
  });

  it('BIND-041: refuses an address that is not public', async () => {
    const remote = remoteWith(200, '127.0.0.1');
    const { repos } = binding(remote);
    const [code] = await refusal(repos.import({ source: { url }, target: { name: 'hello' } }));
    expect([code, remote.calls.filter((call) => call.startsWith('fetch'))]).toEqual(['INVALID_URL', []]);
  });

  it('BIND-026: a slow import does not delay other calls', async () => {
    const asked = Promise.withResolvers<undefined>();
    const answer = Promise.withResolvers<Response>();
    const remote = remoteWith(200);
    const slow: Outbound = {
      ...remote.outbound,
      fetch: () => {
        asked.resolve(undefined);
        return answer.promise;
      },
    };
    const { repos } = testBinding(kind, { outbound: slow });
    const importing = refusal(repos.import({ source: { url }, target: { name: 'hello' } }));
    await asked.promise;
    await repos.create('notes');
    expect((await refusal(repos.get('hello')))[0]).toBe('IMPORT_IN_PROGRESS');
    expect((await refusal(repos.create('HELLO')))[0]).toBe('ALREADY_EXISTS');
    expect(await repos.delete('hello')).toBe(true);
    answer.resolve(new Response('no', { status: 404 }));
    expect((await importing)[0]).toBe('NOT_FOUND');
    expect((await repos.list()).repos.map(({ name }) => name)).toEqual(['notes']);
  });
});
