import { describeInBrowser, serveFiles } from '@packhouse/fixtures/browser';
import { expect, it } from 'vitest';
import { startTestServer } from '../support/test-server.ts';

describeInBrowser('a page of another origin in Chromium', (browser) => {
  it('REPO-301, REPO-302: uses REST and tags, and reads failures with their headers, if its origin is listed', async () => {
    const files = new Map([['/', { type: 'text/html', body: '<title>app</title>' }]]);
    const [listed, foreign] = [await serveFiles(files), await serveFiles(files)];
    const server = await startTestServer({ settings: { cors_origins: [listed.origin] } });
    const page = await browser().newPage();
    try {
      const asked = async (origin: string): Promise<unknown> => {
        await page.goto(origin);
        return await page.evaluate(
          async ([url, token]) => {
            const ask = async (path: string, init: RequestInit = {}, credential = token): Promise<unknown> => {
              const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' };
              try {
                const reply = await fetch(`${url}/v4/accounts/local${path}`, { headers, ...init });
                const { errors } = (await reply.json()) as { errors: { reason: string }[] };
                return [reply.status, errors[0]?.reason, reply.headers.has('x-ray-id'), reply.headers.get('allow')];
              } catch (error) {
                return (error as Error).name;
              }
            };
            return [
              await ask('/repos/namespaces', { method: 'POST', body: '{"namespace":"web"}' }),
              await ask('/repos/namespaces/none'),
              await ask('/repos/namespaces', {}, 'wrong'),
              await ask('/repos/namespaces', { method: 'PUT', body: '{}' }),
              await ask('/tags/keys'),
            ];
          },
          [server.url, server.apiToken] as const,
        );
      };
      expect(await asked(foreign.origin)).toEqual(Array.from({ length: 5 }, () => 'TypeError'));
      expect(await asked(listed.origin)).toEqual([
        [201, undefined, true, null],
        [404, 'namespace_not_found', true, null],
        [401, 'authentication_failed', true, null],
        [405, 'method_not_allowed', true, 'POST, GET, HEAD'],
        [200, undefined, true, null],
      ]);
      expect(server.failures).toEqual([]);
    } finally {
      await page.close();
      await server.close();
      listed.close();
      foreign.close();
    }
  });
});
