import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { describe, expect, it } from 'vitest';
import { PlatformErrorOptionsError } from '../response/options-error.ts';
import { PlatformError } from '../thrown/platform-error.ts';
import { notFoundAs } from './not-found-as.ts';
import { platformErrors } from './platform-errors.ts';

const asJson = { headers: { accept: 'application/json' } };

describe('ERR-125: a Hono app without a route for a request', () => {
  it('keeps its 404 with the middleware', async () => {
    const app = new Hono();
    app.use(platformErrors());
    app.notFound((c) => c.text('mine', 404));
    const response = await app.request('/none', asJson);
    expect([response.status, await response.text()]).toEqual([404, 'mine']);
  });

  it.each([[[]], [[platformErrors()]], [[platformErrors(), cors()]]])(
    'answers with a configured code: %#',
    async (middleware) => {
      const app = new Hono();
      for (const one of middleware) app.use(one);
      app.notFound(notFoundAs(1016));
      const response = await app.request('/none', asJson);
      const body = await response.text();
      expect(response.status).toBe(530);
      expect(response.headers.get('content-length')).toBe(String(body.length));
      expect(JSON.parse(body)).toMatchObject({ error_code: 1016 });
      expect(response.headers.get('access-control-allow-origin')).toBe(middleware.length > 1 ? '*' : null);
    },
  );

  it('answers the same for c.notFound() of a handler', async () => {
    const app = new Hono();
    app.use(platformErrors());
    app.notFound(notFoundAs(1016));
    app.get('/some', (c) => c.notFound());
    expect(await (await app.request('/some', asJson)).json()).toMatchObject({ error_code: 1016 });
  });

  it('throws at start for a code that is not in the catalogue', () => {
    for (const code of [2404, '1016', undefined]) {
      expect(() => notFoundAs(code as number)).toThrow(
        new PlatformErrorOptionsError('code', 'must be of the catalogue'),
      );
    }
  });

  it('renders an error of the notFound handler', async () => {
    const app = new Hono();
    app.use(platformErrors());
    app.notFound(() => {
      throw new PlatformError(1020);
    });
    expect(await (await app.request('/none', asJson)).json()).toMatchObject({ error_code: 1020 });
  });
});
