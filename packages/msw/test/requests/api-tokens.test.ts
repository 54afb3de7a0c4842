import { describe, expect, it } from 'vitest';
import { createMock } from '../../src/index.ts';
import { send } from '../store/clocked-mock.ts';

const mock = createMock({
  baseUrl: 'https://api.example.test',
  zones: ['z1', 'z2'],
  apiTokens: [
    'plain',
    { token: 'reader', permissions: ['read', 'tag.read'] },
    { token: 'elsewhere', account: 'a2', permissions: ['edit'] },
    { token: 'of-zone', zone: 'z1', permissions: ['tag.write'] },
    { token: 'of-zone', permissions: ['tag.read'] },
    { token: 'nothing', permissions: [] },
  ],
});

/** Sends one request for each permission, and returns the statuses. */
async function allowed(token: string): Promise<Readonly<Record<string, unknown>>> {
  const { accountUrl, restUrl } = mock;
  const { origin } = new URL(accountUrl);
  const ask = async (method: string, url: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return (await send(mock.handlers, { method, url, headers, ...(method !== 'GET' && { body: '{}' }) })).status;
  };
  return {
    read: await ask('GET', `${restUrl}/namespaces`),
    edit: await ask('POST', `${restUrl}/namespaces`),
    elsewhere: await ask('POST', `${origin}/v4/accounts/a2/repos/namespaces`),
    'tag.read': await ask('GET', `${accountUrl}/tags/keys`),
    'tag.write': await ask('PUT', `${accountUrl}/tags`),
    z1: await ask('PUT', `${origin}/v4/zones/z1/tags`),
    z2: await ask('PUT', `${origin}/v4/zones/z2/tags`),
  };
}

describe('API tokens', () => {
  // 400 means that the request was allowed, and only its body was refused.
  it.each([
    ['plain', { read: 200, edit: 400, elsewhere: 403, 'tag.read': 200, 'tag.write': 400, z1: 400, z2: 400 }],
    ['reader', { read: 200, edit: 403, elsewhere: 403, 'tag.read': 200, 'tag.write': 403, z1: 403, z2: 403 }],
    ['elsewhere', { read: 403, edit: 403, elsewhere: 400, 'tag.read': 403, 'tag.write': 403, z1: 403, z2: 403 }],
    ['of-zone', { read: 403, edit: 403, elsewhere: 403, 'tag.read': 200, 'tag.write': 403, z1: 400, z2: 403 }],
    ['nothing', { read: 403, edit: 403, elsewhere: 403, 'tag.read': 403, 'tag.write': 403, z1: 403, z2: 403 }],
    ['unknown', { read: 401, edit: 401, elsewhere: 401, 'tag.read': 401, 'tag.write': 401, z1: 401, z2: 401 }],
  ])('%s has exactly its permissions', async (token, statuses) => {
    expect(await allowed(token)).toEqual(statuses);
  });

  it('every token may do everything if none are listed', async () => {
    const open = createMock({ baseUrl: 'https://api.example.test' });
    const sent = { method: 'GET', url: `${open.restUrl}/namespaces`, headers: { authorization: 'Bearer whatever' } };
    expect(await send(open.handlers, sent)).toMatchObject({ status: 200 });
  });
});
