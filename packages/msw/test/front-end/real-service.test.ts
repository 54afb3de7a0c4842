// @vitest-environment jsdom
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveNode } from '@packhouse/server/node';
import { describe, it } from 'vitest';
import { behindApi } from './behind-api.ts';
import { openPage } from './open-page.ts';
import { scenarios } from './scenarios.ts';
import { visitorInNode } from './visitor-in-node.ts';

/** A running service passes the same visits of the same page as the mock. */
describe('the page in Node, with a server', () => {
  it.each(scenarios.filter(({ faults }) => faults === undefined))(
    '$name',
    async ({ seed, token = 'secret', visit }) => {
      const data = await mkdtemp(join(tmpdir(), 'page-'));
      const server = await serveNode({ data, port: 0, apiToken: 'secret' });
      try {
        const apiUrl = `${server.url}/v4/accounts/local/repos`;
        const behind = behindApi(apiUrl, 'secret');
        await behind.seed(seed);
        openPage(apiUrl);
        await visitorInNode.enter('Token', token);
        await visit(visitorInNode, behind);
      } finally {
        await server.close(0);
        await rm(data, { recursive: true });
      }
    },
  );
});
