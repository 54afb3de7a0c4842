import { cloudflare, neutral } from '@packhouse/hosting';
import { expect, it } from 'vitest';
import { testService } from './test-service.test.util.ts';

it('REPO-004: a deployment may replace single constants of a dialect', async () => {
  const own = { ...neutral, serviceSegment: 'vaults', tokenPrefix: 'own_v1_', forkSourcePrefix: 'vaults:' };
  const { call } = testService({ dialect: own });
  const { status, json } = await call('POST', '/namespaces/n1/repos', { name: 'notes' });
  expect(status).toBe(201);
  expect(json?.result).toMatchObject({ name: 'notes', token: expect.stringMatching(/^own_v1_[0-9a-f]{40}\?/) });
});

it.each([
  [neutral, 'Repos Read', 'Repos Edit'],
  [cloudflare, 'Artifacts Read', 'Artifacts Edit'],
])('REPO-014: the names of permissions are those of the dialect: $name', async (dialect, read, edit) => {
  const { hosting } = testService({ dialect });
  expect(dialect.permissions).toEqual({ read, edit });
  await expect(hosting.authorize('read-a1', { account: 'a1' }, 'read')).resolves.toEqual({});
  await expect(hosting.authorize('edit-a1', { account: 'a1' }, 'edit')).resolves.toEqual({});
  await expect(hosting.authorize('read-a1', { account: 'a1' }, 'edit')).rejects.toThrow('Insufficient permission');
});
