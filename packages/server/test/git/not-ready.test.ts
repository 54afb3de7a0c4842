/**
 * GIT-030 of docs/specification/git.md: repos that are not ready. It needs the data folder, because nothing that a
 * client can ask for leaves a repo in these states.
 */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { discover, post } from '@packhouse/conformance/tools/wire-client';
import { startTestServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
});

it('GIT-030: a repo that is not ready is 409 with when to come again, after the scope and read-only were checked', async () => {
  const unready = await server.createRepo('unready');
  const database = new DatabaseSync(join(server.data, 'packhouse.sqlite'));
  const become = (status: string): void => {
    database.prepare('UPDATE catalog_repos SET status = ? WHERE id = ?').run(status, unready.id);
    database.prepare('UPDATE repos SET status = ?, version = version + 1 WHERE id = ?').run(status, unready.id);
  };
  const minted = await server.rest('POST', '/namespaces/default/tokens', { repo: 'unready', scope: 'read' });
  const reader = { ...unready, token: String(minted.result['plaintext']) };
  try {
    for (const [status, text] of [
      ['creating', 'Repository creation in progress'],
      ['importing', 'Repository import in progress'],
      ['forking', 'Repository fork in progress'],
    ] as const) {
      become(status);
      for (const service of ['git-upload-pack', 'git-receive-pack'] as const) {
        for (const reply of [
          await discover(unready, { service }),
          await post(unready, Buffer.from('zzzz'), { service, headers: { 'content-type': 'x/y' } }),
        ]) {
          expect([status, reply.status, reply.body.toString()]).toEqual([status, 409, text]);
          expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
        }
      }
      expect((await discover(reader, { service: 'git-receive-pack' })).status).toBe(403);
    }
    become('ready');
    expect((await discover(unready)).status).toBe(200);
  } finally {
    database.close();
  }
});
