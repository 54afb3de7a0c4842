import { withPlatformErrors } from '@packhouse/problem-details';
import { errors } from './errors.ts';
import { scenarios } from './scenarios.ts';

function app(request: Request, path = new URL(request.url).pathname): Response | Promise<Response> {
  return scenarios.get(path)?.(request) ?? new Response('no such page', { status: 404 });
}

const wrapped = withPlatformErrors((request: Request) => app(request), errors);

/** Wrapped twice; its site and log records identify the inner one. */
const twice = withPlatformErrors(
  withPlatformErrors((request: Request) => app(request, new URL(request.url).pathname.slice('/twice'.length)), {
    site: 'INN',
    log: (record) => console.log(JSON.stringify({ ...record, inner: true })),
  }),
  errors,
);

/** The app as a plain fetch handler; `/bare` is the same without platform errors. */
export function handle(request: Request): Response | Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith('/bare')) return app(request, pathname.slice('/bare'.length));
  return (pathname.startsWith('/twice') ? twice : wrapped)(request);
}
