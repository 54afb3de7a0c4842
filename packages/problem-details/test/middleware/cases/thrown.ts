import { expect } from 'vitest';
import { secret, thrown } from '../apps/throwing.ts';
import { expectRendered, json, theLine, type Case } from './case.ts';

/** Thrown values that are not platform errors, and the text that the log has for each. */
const others: Readonly<Record<string, string>> = {
  // Hono calls `getResponse` first, and its error is logged.
  'bad-teapot': secret,
  'used-response': '',
  'locked-response': '',
  'response-of-failure': '',
  error: `${secret} error`,
  'type-error': `${secret} type error`,
  'frozen-error': `${secret} frozen`,
  'error-of-a-client': `${secret} of a client`,
  string: `${secret} string`,
  undefined: 'undefined',
  null: 'null',
  number: '42',
  symbol: `Symbol(${secret} symbol)`,
  object: `{"why":"${secret} object"}`,
  revoked: '',
};

const known: Readonly<Record<string, readonly [code: number, status: number]>> = {
  'platform-error': [1015, 429],
  'retry-after': [1015, 429],
  'retry-after-on-1020': [1020, 403],
  'platform-error-with-cause': [502, 502],
  'own-code': [2404, 404],
  'other-copy': [1020, 403],
};

function casesOf(how: 'throw' | 'reject'): readonly Case[] {
  return [
    ...Object.entries(known).map(([name, [code, status]]): Case => ({
      title: `ERR-121: renders a platform error (${how}, ${name})`,
      path: `/${how}/${name}`,
      asked: json,
      check(reply, logged) {
        expectRendered(reply, code, status, logged);
        expect(logged).toHaveLength(1);
      },
    })),
    ...Object.entries(others).map(([name, message]): Case => ({
      title: `ERR-123: renders 1101 for anything else and tells the log (${how}, ${name})`,
      path: `/${how}/${name}`,
      asked: json,
      check(reply, logged) {
        expectRendered(reply, 1101, 500, logged);
        expect(logged).toHaveLength(2);
        const line = theLine(logged, 'unhandled');
        expect(line?.['message']).toContain(message);
        expect(line?.['ray_id']).toBe((JSON.parse(reply.body) as { ray_id: string }).ray_id);
        if (name.includes('error')) expect(line?.['stack']).toMatch(/\n +at /);
      },
    })),
    ...['unknown-code', 'no-code'].map((name): Case => ({
      title: `ERR-124: renders 500 for an unknown code and tells the log (${how}, ${name})`,
      path: `/${how}/${name}`,
      asked: json,
      check(reply, logged) {
        expectRendered(reply, 500, 500, logged);
        // JSON has no NaN.
        expect(theLine(logged, 'unknown-code')?.['code']).toBe(name === 'no-code' ? null : 4711);
      },
    })),
    {
      title: `ERR-122: sends the response of an exception (${how}, teapot)`,
      path: `/${how}/teapot`,
      asked: json,
      check(reply, logged) {
        expect(reply).toMatchObject({ status: 418, body: 'short and stout', complete: true });
        expect(reply.headers.get('x-pot')).toBe('tea');
        expect(reply.headers.get('vary')).toBe('X-Pot');
        expect(reply.headers.has('x-ray-id')).toBe(false);
        expect(logged).toEqual([]);
      },
    },
    {
      title: `ERR-122: sends a response that was thrown as it is (${how}, response)`,
      path: `/${how}/response`,
      asked: json,
      check(reply, logged) {
        expect(reply).toMatchObject({ status: 403, body: 'thrown as it is', complete: true });
        expect(reply.headers.get('x-thrown')).toBe('yes');
        expect(logged).toEqual([]);
      },
    },
  ];
}

export const thrownCases: readonly Case[] = [
  ...casesOf('throw'),
  ...casesOf('reject'),
  {
    title: 'ERR-121: a Retry-After given with the error stands in header and body',
    path: '/throw/retry-after',
    asked: json,
    check(reply) {
      expect(reply.headers.get('retry-after')).toBe('7');
      expect(JSON.parse(reply.body)).toMatchObject({ retry_after: 7 });
    },
  },
  {
    title: 'ERR-121: an error that is not retryable has no Retry-After',
    path: '/throw/retry-after-on-1020',
    asked: json,
    check: (reply) => expect(reply.headers.has('retry-after')).toBe(false),
  },
  {
    title: 'ERR-121: the form is negotiated',
    path: '/throw/own-code',
    asked: { headers: { accept: 'text/markdown' } },
    check(reply) {
      expect(reply.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      expect(reply.body).toContain('\nx_page: "none"\n---\n\n# Error 2404: No such page\n');
    },
  },
];

/** Thrown values without a case; must be empty. */
export const valuesWithoutCase: readonly string[] = Object.keys(thrown).filter(
  (name) => !(name in known) && !(name in others) && !/^(?:teapot|response|unknown-code|no-code)$/.test(name),
);
