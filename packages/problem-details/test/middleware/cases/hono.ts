import { expect } from 'vitest';
import type { Asked, Reply } from '../exchange.ts';
import { honoStreamCases } from './bodies.ts';
import { expectRendered, json, theLine, type Case } from './case.ts';

function expectOtherHeaders(reply: Reply): void {
  const { headers } = reply;
  expect(headers.get('access-control-allow-origin')).toBe('https://app.example');
  expect(headers.get('access-control-allow-credentials')).toBe('true');
  expect(headers.get('x-before')).toBe('before');
}

function expectSectionSix(reply: Reply): void {
  const { headers } = reply;
  for (const name of ['set-cookie', 'content-disposition', 'expires', 'etag']) expect(headers.has(name)).toBe(false);
  expect(headers.get('cache-control')).toBe('private, max-age=0, no-store, no-cache, must-revalidate');
  expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
  expect(headers.get('referrer-policy')).toBe('same-origin');
  expect(headers.get('vary')).toBe('Origin, Accept');
}

/** A request from another origin. */
const fromApp: Asked = { headers: { ...json.headers, origin: 'https://app.example' } };

/** Cases for Hono only: other middleware, error handlers, a handler for missing routes. */
export const honoCases: readonly Case[] = [
  ...honoStreamCases,
  {
    title: 'ERR-120: a stream that declares chunked encoding gets no length, even if it ends at once',
    path: '/stream/quick',
    check(reply, logged) {
      expect(reply).toMatchObject({ status: 200, body: 'one;', complete: true });
      expect(reply.headers.has('transfer-encoding') && reply.headers.has('content-length')).toBe(false);
      expect(logged).toEqual([]);
    },
  },
  ...['/headers/throw/platform-error', '/headers/reject/error'].map((path): Case => ({
    title: `ERR-129: headers of other middleware stay, but for those of the reply (${path})`,
    path,
    asked: fromApp,
    check(reply) {
      expectOtherHeaders(reply);
      expectSectionSix(reply);
      expect(reply.headers.get('x-after')).toBe('after');
      expect(reply.headers.get('strict-transport-security')).toContain('max-age=');
    },
  })),
  {
    title: 'ERR-129: headers set before a string is thrown stay; Hono runs no middleware after it',
    path: '/headers/throw/string',
    asked: fromApp,
    check(reply) {
      expectOtherHeaders(reply);
      expectSectionSix(reply);
      expect(reply.headers.has('x-after')).toBe(false);
    },
  },
  {
    title: 'ERR-129: headers of a response that middleware gives up stay, but for those of the reply',
    path: '/late/error',
    asked: json,
    check(reply, logged) {
      expectRendered(reply, 1101, 500, logged);
      expect(reply.headers.get('x-late')).toBe('late');
      expect(reply.headers.has('etag')).toBe(false);
    },
  },
  {
    title: 'ERR-122: an HTTPException keeps its headers, and those of other middleware stay',
    path: '/headers/http-exception',
    asked: fromApp,
    check(reply, logged) {
      expect(reply).toMatchObject({ status: 401, body: 'exception' });
      expect(reply.headers.get('www-authenticate')).toBe('Basic');
      expect(reply.headers.get('access-control-allow-origin')).toBe('https://app.example');
      expect(reply.headers.get('x-after')).toBe('after');
      expect(logged).toEqual([]);
    },
  },
  {
    title: 'ERR-122: an HTTPException without a response has the one that Hono makes of it',
    path: '/http-exception',
    check: (reply) => expect(reply).toMatchObject({ status: 403, body: 'not for you' }),
  },
  {
    title: 'ERR-122: onPlatformError starts from the headers of an HTTPException',
    path: '/alone/http-exception',
    check(reply) {
      expect(reply).toMatchObject({ status: 401, body: 'exception' });
      expect(reply.headers.get('www-authenticate')).toBe('Basic');
      expect(reply.headers.get('x-before')).toBe('before');
    },
  },
  ...['platform-error', 'error'].map((name): Case => ({
    title: `ERR-120: what an error handler of the app answers is its response (${name})`,
    path: `/own-handler/throw/${name}`,
    asked: json,
    check(reply, logged) {
      expect(reply).toMatchObject({ status: 500, body: 'Internal Server Error' });
      expect(reply.headers.get('x-mine')).toBe(name === 'error' ? 'Error' : 'PlatformError');
      expect(logged).toEqual([]);
    },
  })),
  {
    title: 'ERR-123: a string does not reach the error handler of an app, and is rendered',
    path: '/own-handler/throw/string',
    asked: json,
    check: (reply, logged) => expectRendered(reply, 1101, 500, logged),
  },
  {
    title: 'ERR-123: what an error handler throws is rendered',
    path: '/bad-handler/throw/error',
    asked: json,
    check(reply, logged) {
      expectRendered(reply, 1101, 500, logged);
      expect(theLine(logged, 'unhandled')?.['message']).toContain('in the error handler');
    },
  },
  {
    title: 'ERR-121: onPlatformError renders, and the middleware passes that through',
    path: '/our-handler/throw/platform-error',
    asked: json,
    check(reply, logged) {
      expectRendered(reply, 1015, 429, logged);
      expect(reply.headers.get('x-before')).toBe('before');
      expect(reply.headers.get('cache-control')).toContain('no-store');
      expect(logged).toHaveLength(1);
    },
  },
  {
    title: 'ERR-123: onPlatformError alone renders an error',
    path: '/alone/reject/error',
    asked: json,
    check: (reply, logged) => expectRendered(reply, 1101, 500, logged),
  },
  ...['/mapped/page', '/mapped/headers/page'].map((path): Case => ({
    title: `ERR-125: notFoundAs maps a request without a route to a code (${path})`,
    path,
    asked: json,
    check(reply, logged) {
      expectRendered(reply, 2404, 404, logged);
      expect(logged).toHaveLength(1);
      expect(reply.headers.get('cache-control')).toContain('no-store');
      expect(reply.headers.get('x-before')).toBe(path.includes('headers') ? 'before' : null);
      expect(reply.headers.get('access-control-allow-origin')).toBe(path.includes('headers') ? '*' : null);
    },
  })),
];
