import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { createPlatformErrors } from '../response/create.ts';
import { serveErrorRoute } from './serve-error-route.ts';

const asJson = { accept: 'application/json' };

describe('the error route in a Hono app', () => {
  const app = new Hono();
  const errors = createPlatformErrors({ site: 'ABC' });
  app.use(serveErrorRoute(errors, { limiter: (request) => (request.headers.has('x-often') ? {} : undefined) }));
  app.get('/page', (c) => c.text('page'));

  it('ERR-092: answers with the error of the code', async () => {
    const response = await app.request('/cdn-cgi/error/522', { headers: asJson });
    expect(response.status).toBe(522);
    expect(response.headers.get('x-ray-id')).toMatch(/-ABC$/);
    expect(await response.json()).toMatchObject({ error_code: 522 });
  });

  it('ERR-093: answers HEAD without a body', async () => {
    const response = await app.request('/cdn-cgi/error/522', { method: 'HEAD', headers: asJson });
    expect([response.status, await response.text()]).toEqual([522, '']);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(100);
  });

  it('ERR-099: asks the limiter', async () => {
    const response = await app.request('/cdn-cgi/error/522', { headers: { ...asJson, 'x-often': 'yes' } });
    expect(response.status).toBe(429);
  });

  it('lets other requests pass', async () => {
    expect(await (await app.request('/page')).text()).toBe('page');
    expect(await (await app.request('/none')).text()).toBe('404 Not Found');
  });
});
