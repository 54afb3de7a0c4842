import { afterAll, beforeAll, expect, it } from 'vitest';
import { startLocalService, type LocalService } from './support/local-service.ts';

let service: LocalService;
beforeAll(async () => {
  service = await startLocalService({ import_allow: ['localhost'] });
});
afterAll(async () => service.close());

it('REPO-132, REPO-133: an import is carried out by the object of its repository, and told by the Worker', async () => {
  // No server listens there.
  const body = { url: 'https://localhost:1/team/repo', branch: 'main', depth: 1 };
  const path = '/namespaces/default/repos/x';
  const { status, body: reply } = await service.rest('POST', `${path}/import`, body);
  expect([status, reply]).toMatchObject([502, { errors: [{ code: 10401 }] }]);
  expect((await service.rest('GET', path)).status).toBe(404);
  await expect
    .poll(() => service.lines.find(({ event, steps }) => event === 'alarm' && steps === 'import'))
    .toMatchObject({ object: 'repo', account: 'local' });
});
