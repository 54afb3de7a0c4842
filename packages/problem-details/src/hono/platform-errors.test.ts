import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../response/log.ts';
import { PlatformError } from '../thrown/platform-error.ts';
import { onPlatformError } from './on-platform-error.ts';
import { platformErrors } from './platform-errors.ts';

const asJson = { headers: { accept: 'application/json' } };

describe('platformErrors for Hono', () => {
  it('is one line in an app with its own types', async () => {
    const app = new Hono<{ Bindings: { readonly NAME: string }; Variables: { readonly user: string } }>();
    app.use(platformErrors());
    app.get('/:id', () => {
      throw new PlatformError(1015, { retryAfter: 3 });
    });
    const response = await app.request('/7', asJson, { NAME: 'x' });
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({ error_code: 1015, retry_after: 3 });
  });

  it('explains how to mount it if it was not called', async () => {
    const message = 'options must not be what a handler gets: mount `platformErrors()`, called';
    const app = new Hono();
    app.use(platformErrors as never);
    app.onError((error, c) => c.text(error.message));
    expect(await (await app.request('/')).text()).toBe(message);
    expect(() => onPlatformError(new PlatformError(1015) as never)).toThrow(message);
  });

  it('ERR-120: leaves errors unchanged, for the app and for outer middleware', async () => {
    const error = new Error('broken');
    const seen: unknown[] = [];
    const app = new Hono();
    app.use(async (c, next) => {
      await next();
      seen.push(c.error, Object.getOwnPropertyDescriptor(c, 'error')?.value, 'getResponse' in error);
    });
    app.use(platformErrors());
    app.get('/', () => {
      throw error;
    });
    expect((await app.request('/', asJson)).status).toBe(500);
    expect(seen).toEqual([error, error, false]);
  });

  it('ERR-120: ignores errors of outer middleware', async () => {
    const app = new Hono();
    app.use(async (c, next) => {
      await next();
      if (c.error) throw c.error;
    });
    app.use(platformErrors());
    app.get('/', () => {
      throw new PlatformError(1020);
    });
    app.onError((error, c) => c.json({ mine: 'getResponse' in error }, 500));
    expect(await (await app.request('/')).json()).toEqual({ mine: false });
  });

  it('ERR-120: keeps the reply of an error handler with the same text as the one of Hono', async () => {
    const app = new Hono();
    app.use(platformErrors());
    app.get('/', () => {
      throw new Error('broken');
    });
    app.onError((_, c) => c.text('Internal Server Error', 500));
    const response = await app.request('/', asJson);
    expect([response.status, await response.text()]).toEqual([500, 'Internal Server Error']);
    expect(response.headers.has('x-ray-id')).toBe(false);
  });

  it('shows the status of the reply to inner middleware, such as a logger', async () => {
    const seen: number[] = [];
    const app = new Hono();
    app.use(platformErrors({ unhandledCode: 1104 }));
    app.use(async (c, next) => {
      await next();
      seen.push(c.res.status);
    });
    app.get('/:code', (c) => {
      const code = Number(c.req.param('code'));
      throw code === 0 ? new Error('broken') : new PlatformError(code);
    });
    const replied: number[] = [];
    for (const code of [1015, 522, 4711, 0]) replied.push((await app.request(`/${code}`)).status);
    expect(seen).toEqual([429, 522, 500, 500]);
    expect(replied).toEqual(seen);
  });

  it('ERR-131: the outer one of two renders errors thrown between them', async () => {
    const between = new Error('between');
    const seen: unknown[] = [];
    const app = new Hono();
    app.use(async (c, next) => {
      await next();
      seen.push(c.error);
    });
    app.use(platformErrors({ site: 'OUT' }));
    app.use(async (_, next) => {
      await next();
      throw between;
    });
    app.use(platformErrors({ site: 'INN' }));
    app.get('/', () => {
      throw new PlatformError(1020);
    });
    const response = await app.request('/', asJson);
    expect(await response.json()).toMatchObject({ error_code: 1101 });
    expect(response.headers.get('x-ray-id')).toMatch(/-OUT$/);
    expect(seen).toEqual([between]);
  });

  it('ERR-123: logs the thrown error, not the marker for Hono', async () => {
    const log: LogRecord[] = [];
    const app = new Hono();
    app.use(platformErrors({ log: (record) => log.push(record) }));
    app.get('/', () => {
      throw new Error('broken');
    });
    await app.request('/', asJson);
    expect(log).toMatchObject([{ event: 'platform-error' }, { event: 'unhandled', message: 'broken' }]);
  });

  it('ERR-122: sends a thrown response with the headers of other middleware, except those about another body', async () => {
    const app = new Hono();
    app.use(platformErrors());
    app.use(async (c, next) => {
      c.header('x-other', 'stays');
      c.header('x-own', 'goes');
      await next();
      throw new Response('own', { status: 402, headers: { 'x-own': 'own', 'set-cookie': 'a=1' } });
    });
    app.get('/', (c) => c.json({}, 200, { 'content-length': '2', etag: '"1"', 'set-cookie': 'b=2' }));
    const { status, headers } = await app.request('/');
    expect([status, headers.get('x-other'), headers.get('x-own')]).toEqual([402, 'stays', 'own']);
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect([headers.has('etag'), headers.has('content-length')]).toEqual([false, false]);
    expect(headers.get('content-type')).toBe('text/plain;charset=UTF-8');
  });

  it('leaves it to Hono to report that no handler has answered', async () => {
    const app = new Hono();
    app.use(platformErrors());
    app.get('/', (() => undefined) as never);
    app.onError((error, c) => c.text(error.message, 500));
    expect(await (await app.request('/')).text()).toContain('Context is not finalized');
  });

  it('refuses wrong options at once', () => {
    expect(() => platformErrors({ unhandledCode: 4711 })).toThrow(/unhandledCode/);
  });
});
