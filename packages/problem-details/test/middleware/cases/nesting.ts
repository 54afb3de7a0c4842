import { expect } from 'vitest';
import { expectRendered, json, type Case } from './case.ts';

const nested = (path: string, code: number, status: number): Case => ({
  title: `ERR-131: of two middlewares the inner one renders (${path})`,
  path: `/twice${path}`,
  asked: json,
  check(reply, logged) {
    expectRendered(reply, code, status, logged);
    expect(reply.headers.get('x-ray-id')).toMatch(/-INN$/);
    expect(logged.filter((line) => line['inner'] !== true)).toEqual([]);
  },
});

export const nestingCases: readonly Case[] = [
  nested('/throw/platform-error', 1015, 429),
  nested('/reject/error', 1101, 500),
  nested('/throw/string', 1101, 500),
  nested('/reject/undefined', 1101, 500),
  nested('/throw/frozen-error', 1101, 500),
  {
    title: 'ERR-131: of two middlewares one tells the log of a body that breaks',
    path: '/twice/return/breaks',
    check: (_, logged) => expect(logged).toEqual([expect.objectContaining({ event: 'broken-stream', inner: true })]),
  },
];
