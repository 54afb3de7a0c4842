import { expect } from 'vitest';
import { secret } from '../apps/throwing.ts';
import type { Reply } from '../exchange.ts';
import { json, theLine, type Case, type LogLine } from './case.ts';

/** Expects exactly the body before the break. Bun may lose it when it resets the connection. */
function expectBegin(reply: Reply, begin: string): void {
  expect(reply.body).toBe(reply.status === 0 ? '' : begin);
}

function expectTold(logged: readonly LogLine[]): void {
  expect(theLine(logged, 'broken-stream')?.['message']).toContain(secret);
  expect(logged).toHaveLength(1);
}

const breaking = (name: string, path: string, whole: string): Case => ({
  title: `ERR-127: a body that breaks is broken off, nothing is added, and the log is told (${name})`,
  path,
  check(reply, logged, { cutsChunked }) {
    expect(reply.complete).toBe(!cutsChunked);
    expectBegin(reply, whole);
    expectTold(logged);
  },
});

export const bodyCases: readonly Case[] = [
  breaking('a stream', '/return/breaks', 'one;two;'),
  breaking('a stream that broke before it is sent', '/return/breaks-before', ''),
  breaking('a stream that breaks at once', '/return/breaks-at-once', ''),
  breaking('a stream whose length the app gives', '/return/breaks-of-known-length', 'one;two;'),
  {
    title: 'ERR-126: HEAD gets status and headers of GET, and no body',
    path: '/throw/platform-error',
    asked: { ...json, method: 'HEAD' },
    check(reply, logged) {
      expect(reply).toMatchObject({ status: 429, body: '', complete: true });
      expect(reply.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(Number(reply.headers.get('content-length'))).toBeGreaterThan(500);
      expect(reply.headers.get('retry-after')).toBe('30');
      expect(logged).toHaveLength(1);
    },
  },
  ...['/throw/string', '/reject/error'].map((path): Case => ({
    title: `ERR-126: HEAD gets status and headers of GET, and no body (${path})`,
    path,
    asked: { ...json, method: 'HEAD' },
    check: (reply) => expect(reply).toMatchObject({ status: 500, body: '', complete: true }),
  })),
  {
    title: 'ERR-130: a request body that nobody reads does not hold up the reply',
    path: '/throw/platform-error',
    asked: {
      method: 'POST',
      headers: { accept: 'text/markdown', 'content-length': '100000000' },
      body: 'begin',
      unfinished: true,
    },
    check(reply) {
      expect(reply).toMatchObject({ status: 429, complete: true });
      expect(reply.body).toContain('error_code: 1015');
    },
  },
];

/** Cases of Hono's stream helpers. */
export const honoStreamCases: readonly Case[] = [
  breaking('stream()', '/stream/breaks', 'one;'),
  breaking('streamSSE()', '/stream/sse-breaks', 'data: one\n\n'),
];
