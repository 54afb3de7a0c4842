import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';
import { stream, streamSSE, streamText } from 'hono/streaming';
import { breakOff, notFoundAs, onPlatformError, platformErrors } from '@packhouse/problem-details/hono';
import { errors } from './errors.ts';
import { scenarios } from './scenarios.ts';
import { secret } from './throwing.ts';

/** Adds every scenario below a path. */
function addScenarios(app: Hono, base = ''): Hono {
  for (const [path, scenario] of scenarios) app.all(`${base}${path}`, (c) => scenario(c.req.raw));
  return app;
}

const app = new Hono();
app.use(platformErrors(errors));

// Other middleware, which sets headers before and after the handler runs.
app.use('/headers/*', cors({ origin: 'https://app.example', credentials: true }), secureHeaders(), async (c, next) => {
  c.header('x-before', 'before');
  c.header('set-cookie', 'session=1');
  c.header('cache-control', 'public');
  c.header('content-disposition', 'attachment');
  c.header('expires', 'Thu, 01 Jan 2037 00:00:00 GMT');
  c.header('vary', 'Origin');
  await next();
  c.header('x-after', 'after');
});
app.get('/headers/late', (c) => c.json({ late: true }, 200, { etag: '"2"', 'x-late': 'late' }));
app.use('/late/*', async (_, next) => {
  await next();
  throw new Error(`${secret}: after the handler`);
});
app.get('/late/error', (c) => c.json({ late: true }, 200, { etag: '"2"', 'x-late': 'late' }));
app.get('/headers/http-exception', () => {
  const res = new Response('exception', { status: 401, headers: { 'www-authenticate': 'Basic', 'x-before': 'own' } });
  throw new HTTPException(401, { res });
});
app.get('/http-exception', () => {
  throw new HTTPException(403, { message: 'not for you' });
});

// Streams of Hono's helpers: one ends at once, one has a callback that throws.
app.get('/stream/quick', (c) => streamText(c, async (body) => void (await body.write('one;'))));
app.get('/stream/breaks', (c) => {
  c.header('content-type', 'text/plain');
  return stream(
    c,
    async (body) => {
      await body.write('one;');
      await body.sleep(50);
      throw new Error(`${secret}: in the callback`);
    },
    breakOff,
  );
});
app.get('/stream/sse-breaks', (c) =>
  streamSSE(
    c,
    async (body) => {
      await body.writeSSE({ data: 'one' });
      await body.sleep(50);
      throw new Error(`${secret}: in the callback`);
    },
    breakOff,
  ),
);

// A mounted app that has the middleware, too.
const inner = new Hono();
inner.use(platformErrors({ site: 'INN', log: (record) => console.log(JSON.stringify({ ...record, inner: true })) }));
app.route('/twice', addScenarios(inner));

// An app with its own error handler, and one whose error handler throws.
const withHandler = new Hono();
withHandler.onError((error, c) => c.text('Internal Server Error', 500, { 'x-mine': error.name }));
app.route('/own-handler', addScenarios(withHandler));
const withBadHandler = new Hono();
withBadHandler.onError(() => {
  throw new Error(`${secret}: in the error handler`);
});
app.route('/bad-handler', addScenarios(withBadHandler));

// The error handler of this package, alone and with the middleware.
const withOurHandler = new Hono();
withOurHandler.use('*', async (c, next) => {
  c.res.headers.set('x-before', 'before');
  c.res.headers.set('cache-control', 'public');
  await next();
});
withOurHandler.onError(onPlatformError(errors));
app.route('/our-handler', addScenarios(withOurHandler));
const alone = addScenarios(new Hono());
alone.use('/http-exception', async (c, next) => {
  c.header('x-before', 'before');
  await next();
});
alone.get('/http-exception', () => {
  throw new HTTPException(401, { res: new Response('exception', { headers: { 'www-authenticate': 'Basic' } }) });
});
alone.onError(onPlatformError(errors));
app.mount('/alone', alone.fetch);

// An app that maps missing routes to a code, with and without other middleware.
const mapped = new Hono();
mapped.notFound(notFoundAs(2404, errors));
mapped.use('/headers/*', cors(), async (c, next) => {
  c.header('x-before', 'before');
  c.header('cache-control', 'public');
  await next();
});
app.mount('/mapped', mapped.fetch);

addScenarios(app);
addScenarios(app, '/headers');

const bare = addScenarios(new Hono(), '/bare');

/** The app with Hono; `/bare` is the same without platform errors. */
export function handle(request: Request): Response | Promise<Response> {
  return (new URL(request.url).pathname.startsWith('/bare') ? bare : app).fetch(request);
}
