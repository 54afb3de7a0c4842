import { setupServer } from 'msw/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createMock,
  type CreateRepoResult,
  type CreateTokenResult,
  type CursorInfo,
  type ListReply,
  type Namespace,
  type OffsetInfo,
  type Refusal,
  type RepoDetails,
  type RepoInfo,
  type RepoListItem,
  type Reply,
  type TaggedResource,
  type TagListInfo,
  type TagSummary,
  type TokenInfo,
} from './index.ts';

const headers = { authorization: 'Bearer any', 'content-type': 'application/json' };
const created_at = '2026-11-20T09:15:02.000Z';
const mock = createMock({
  baseUrl: 'https://api.example.test',
  zones: ['z1'],
  clock: { now: () => Date.parse(created_at) },
  seed: {
    repos: { notes: { description: 'Notes', createdAt: created_at } },
    tags: [{ type: 'dns_record', id: 'd1', zone: 'z1', tags: { env: 'test' } }],
  },
});
const server = setupServer(...mock.handlers);
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterAll(() => server.close());

const tags = `${mock.accountUrl}/tags`;
const ask = async (url: string, body?: object): Promise<unknown> => {
  const sent: RequestInit = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  return await (await fetch(url.startsWith('/') ? mock.restUrl + url : url, { headers, ...sent })).json();
};

/** The common members of every success. */
const success: Pick<Reply<unknown>, 'success' | 'errors' | 'messages'> = { success: true, errors: [], messages: [] };
const text = expect.any(String) as string;
const at = { created_at, updated_at: created_at };
const notes: RepoInfo = {
  id: text,
  name: 'notes',
  description: 'Notes',
  default_branch: 'main',
  ...at,
  last_push_at: null,
  source: null,
  read_only: false,
  remote: mock.store.remote('notes'),
};

/** A missing or extra member in a type is a type error below; in a reply, it is a failed comparison. */
describe('types of replies match the replies', () => {
  it('REPO-050: namespaces, paged by number', async () => {
    const expected: ListReply<Namespace, OffsetInfo> = {
      result: [{ namespace: 'default', jurisdiction: 'unrestricted', repo_count: 1, ...at }],
      ...success,
      result_info: { page: 1, per_page: 100, total_pages: 1, count: 1, total_count: 1 },
    };
    expect(await ask('/namespaces')).toStrictEqual(expected);
  });

  it('REPO-052, REPO-090: repos, paged by cursor', async () => {
    const expected: ListReply<RepoListItem, CursorInfo> = {
      result: [{ ...notes, status: 'ready' }],
      ...success,
      result_info: { cursor: '', per_page: 50, count: 1 },
    };
    expect(await ask('/namespaces/default/repos?cursor=')).toStrictEqual(expected);
  });

  it('REPO-051: a repo', async () => {
    const details: RepoDetails = { ...notes, size: 0, object_count: 0, ref_count: 0 };
    const expected: Reply<RepoDetails> = { result: details, ...success };
    expect(await ask('/namespaces/default/repos/notes')).toStrictEqual(expected);
  });

  it('REPO-053, REPO-054: created repos and tokens', async () => {
    const name = 'made';
    const made: Reply<CreateRepoResult> = {
      result: {
        id: text,
        name,
        description: null,
        default_branch: 'main',
        remote: mock.store.remote(name),
        token: text,
      },
      ...success,
    };
    expect(await ask('/namespaces/default/repos', { name })).toStrictEqual(made);
    const token: Reply<CreateTokenResult> = {
      result: { id: text, plaintext: text, scope: 'read', expires_at: text },
      ...success,
    };
    expect(await ask('/namespaces/default/tokens', { repo: 'notes', scope: 'read', ttl: 60 })).toStrictEqual(token);
    const listed: ListReply<TokenInfo> = {
      result: [{ id: text, scope: 'write', state: 'active', created_at, expires_at: text }],
      ...success,
      result_info: { page: 1, per_page: 30, total_pages: 1, count: 1, total_count: 1 },
    };
    expect(await ask(`/namespaces/default/repos/${name}/tokens`)).toStrictEqual(listed);
  });

  it('REPO-037: a refusal', async () => {
    const expected: Refusal = {
      result: null,
      success: false,
      errors: [
        {
          code: 10100,
          message: text,
          documentation_url: text,
          source: { pointer: '/limit' },
          reason: 'invalid_input',
          retryable: false,
          hint: text,
        },
      ],
      messages: [],
    };
    expect(await ask('/namespaces?limit=0')).toStrictEqual(expected);
  });

  it('TAG-027, TAG-076: tagged resources and their keys', async () => {
    const result_info: TagListInfo = { count: 1, cursor: null, cursors: { after: null } };
    const expected: ListReply<TaggedResource, TagListInfo> = {
      result: [
        {
          id: 'd1',
          type: 'dns_record',
          name: 'd1',
          tags: { env: 'test' },
          etag: text,
          zone_id: 'z1',
          tags_updated_at: created_at,
        },
      ],
      ...success,
      result_info,
    };
    expect(await ask(`${tags}/resources`)).toStrictEqual(expected);
    const keys: ListReply<string, TagListInfo> = { result: ['env'], ...success, result_info };
    expect(await ask(`${tags}/keys`)).toStrictEqual(keys);
    const summary: ListReply<TagSummary, TagListInfo> = {
      result: [{ key: 'env', values: ['test'] }],
      ...success,
      result_info,
    };
    expect(await ask(`${tags}/summary`)).toStrictEqual(summary);
  });

  it('TAG-021, TAG-025: a refusal of tags, with details', async () => {
    const code = 1014;
    const expected: Refusal = {
      result: null,
      success: false,
      errors: [
        {
          code,
          message: text,
          documentation_url: text,
          source: { pointer: '/tag_key' },
          reason: 'invalid_tag_key',
          retryable: false,
          hint: text,
        },
      ],
      messages: [{ code, message: text }],
    };
    expect(await ask(`${tags}/values/%ff`)).toStrictEqual(expected);
  });
});
