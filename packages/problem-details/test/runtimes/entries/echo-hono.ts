import { Hono } from 'hono';

const app = new Hono();
app.all('*', (c) => {
  console.log(JSON.stringify({ pathname: c.req.path }));
  return c.req.text().then((text) => c.text(`${c.req.method} ${c.req.path} ${text}`, 201));
});

/** Does the same as `echo.ts`, with Hono. */
export const handle: typeof app.fetch = app.fetch;
