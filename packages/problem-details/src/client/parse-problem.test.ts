import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { builtInEntries } from '../catalogue/built-in.ts';
import { cloudflare } from '../dialect/cloudflare.ts';
import { neutral } from '../dialect/neutral.ts';
import { describeError } from '../problem/describe.ts';
import { isPlatformError } from './is-platform-error.ts';
import { parseProblem } from './parse-problem.ts';

const respond = (body: BodyInit | null, type = 'application/problem+json', status = 400): Response =>
  new Response(body, { status, headers: { 'Content-Type': type } });

const parse = (value: unknown, type?: string, status?: number): ReturnType<typeof parseProblem> =>
  parseProblem(respond(JSON.stringify(value), type, status));

const occurrence = { rayId: '9184027733651048', now: 1_793_864_472_000, zone: '2shop.example' };
const settings = { dialect: neutral, docsBase: 'https://docs.example' };
const problems = builtInEntries.map((entry) => describeError(entry, occurrence, settings).problem);
const rateLimited = problems.find(({ error_code }) => error_code === 1015);

/** The examples of RFC 9457 §3. */
const outOfCredit = {
  type: 'https://example.com/probs/out-of-credit',
  title: 'You do not have enough credit.',
  detail: 'Your current balance is 30, but that costs 50.',
  instance: '/account/12345/msgs/abc',
  balance: 30,
  accounts: ['/account/12345', '/account/67890'],
};
const notValid = {
  type: 'https://example.net/validation-error',
  title: 'Your request is not valid.',
  errors: [
    { detail: 'must be a positive integer', pointer: '#/age' },
    { detail: "must be 'green', 'red' or 'blue'", pointer: '#/profile/color' },
  ],
};

describe('parseProblem', () => {
  it('reads the examples of RFC 9457 §3', async () => {
    expect(await parse(outOfCredit, 'application/problem+json', 403)).toEqual(outOfCredit);
    expect(await parse(notValid, 'application/problem+json', 422)).toEqual(notValid);
  });

  it('ERR-036 to ERR-052: reads a platform error of every code, in both dialects', async () => {
    for (const dialect of [neutral, cloudflare]) {
      for (const entry of builtInEntries) {
        const { problem } = describeError(entry, occurrence, { ...settings, dialect });
        const parsed = await parse(problem, 'application/json', problem.status);
        expect(parsed).toEqual(problem);
        expect(isPlatformError(parsed)).toBe(true);
      }
    }
  });

  it('uses about:blank for a missing type', async () => {
    expect(await parse({ title: 'Not Found', status: 404 })).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
    });
    expect(await parse({})).toEqual({ type: 'about:blank' });
  });

  it.each([
    ['type', 7],
    ['type', null],
    ['title', ['a']],
    ['status', '400'],
    ['status', 99],
    ['status', 600],
    ['status', 400.5],
    ['detail', { a: 1 }],
    ['instance', true],
  ])('drops %s if it is %j, and no other member', async (name, value) => {
    const whole = { type: 'https://a.example/', title: 'b', status: 400, detail: 'c', instance: '/d', more: 1 };
    const expected: Record<string, unknown> = { ...whole };
    delete expected[name];
    expect(await parse({ ...whole, [name]: value })).toEqual({ type: 'about:blank', ...expected });
  });

  it.each([
    ['retry_after', '30'],
    ['retry_after', -1],
    ['retry_after', 1.5],
    ['retryable', 'yes'],
    ['error_code', '1015'],
    ['zone', null],
    ['footer', 4],
    ['x_hint', { a: 1 }],
    ['cloudflare_error', false],
  ])('drops %s of a platform error if it is %j', async (name, value) => {
    const expected: Record<string, unknown> = { ...rateLimited };
    delete expected[name];
    expect(await parse({ ...rateLimited, [name]: value })).toEqual(expected);
  });

  it('keeps extension members of other problems unchanged', async () => {
    const other = { type: 'https://a.example/', title: 'b', retryable: 'yes', zone: { id: 4 }, x_hint: [1] };
    expect(await parse(other)).toEqual(other);
  });

  it('resolves a relative type, but not an absolute one or instance', async () => {
    const at = (url: string, body: object): Response =>
      Object.defineProperty(respond(JSON.stringify(body)), 'url', { value: url });
    const problem = await parseProblem(at('https://api.example/v1/things', { type: 'errors/7', instance: 'abc' }));
    expect(problem).toEqual({ type: 'https://api.example/v1/errors/7', instance: 'abc' });
    expect((await parseProblem(at('https://api.example/', { type: 'URN:a:b' })))?.type).toBe('URN:a:b');
    expect((await parse({ type: '/errors/7' }))?.type).toBe('/errors/7');
  });

  it('reads application/json only for an error in the form of a problem', async () => {
    expect(await parse(outOfCredit, 'application/json', 403)).toEqual(outOfCredit);
    expect(await parse(outOfCredit, 'application/json', 200)).toBeUndefined();
    expect(await parse(outOfCredit, 'application/problem+json', 200)).toEqual(outOfCredit);
    expect(await parse({ type: 'error', error: { type: 'overloaded' } }, 'application/json')).toBeUndefined();
    expect(await parse({ title: 'War and Peace' }, 'application/json')).toBeUndefined();
    expect(await parse({ title: 'b', status: '404' }, 'application/json')).toBeUndefined();
    expect(await parse({ title: 'b', status: 404 }, 'application/json')).toBeDefined();
  });

  it.each([
    'application/problem+json; charset=utf-8',
    'application/problem+json;charset="UTF-8"',
    'Application/Problem+JSON ; charset=iso-8859-1',
  ])('reads UTF-8 with %s', async (type) => {
    expect((await parse({ title: 'größer' }, type))?.title).toBe('größer');
  });

  it.each(['text/html', 'text/plain', 'application/vnd.api+json', 'application/problem+xml', 'json', ''])(
    'does not touch a body of %j',
    async (type) => {
      const response = respond('{"title":"a","status":400}', type);
      expect(await parseProblem(response)).toBeUndefined();
      expect(response.bodyUsed).toBe(false);
    },
  );

  it('ignores a byte order mark', async () => {
    expect((await parseProblem(respond('\uFEFF{"title":"a"}')))?.title).toBe('a');
  });

  it('leaves the response readable', async () => {
    const response = respond(JSON.stringify(outOfCredit));
    expect(await parseProblem(response)).toEqual(await parseProblem(response));
    expect(await response.json()).toEqual(outOfCredit);
  });

  it('returns undefined for a body that was read, broke off, is empty or not JSON', async () => {
    const read = respond('{}');
    await read.text();
    expect(await parseProblem(read)).toBeUndefined();
    const locked = respond('{}');
    locked.body?.getReader();
    expect(await parseProblem(locked)).toBeUndefined();
    const broken = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"title":'));
      },
      pull(controller) {
        controller.error(new Error('broken off'));
      },
    });
    expect(await parseProblem(respond(broken))).toBeUndefined();
    for (const body of [null, '', '[]', '"a"', 'null', '7', '{"title":', '<html>', '['.repeat(60_000)]) {
      expect(await parseProblem(respond(body)), String(body).slice(0, 20)).toBeUndefined();
    }
  });

  it('reads 65,536 bytes and no more, and leaves a longer body unread for the caller', async () => {
    const ofLength = (length: number): string => JSON.stringify({ title: 'x'.repeat(length - 12) });
    expect(ofLength(100)).toHaveLength(100);
    expect(await parseProblem(respond(ofLength(65_536)))).toBeDefined();
    const longer = respond(ofLength(65_537));
    expect(await parseProblem(longer)).toBeUndefined();
    expect(await longer.text()).toHaveLength(65_537);
    const declared = new Response('{}', {
      headers: { 'Content-Type': 'application/problem+json', 'Content-Length': '65537' },
    });
    expect(await parseProblem(declared)).toBeUndefined();
  });

  it('does not read an endless body to its end', async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(1024).fill(0x20));
      },
    });
    expect(await parseProblem(respond(endless))).toBeUndefined();
    expect(pulled).toBeLessThan(80);
  });

  it('treats __proto__ as an ordinary member', async () => {
    const problem = await parseProblem(respond('{"title":"a","__proto__":{"status":404}}'));
    expect(problem?.status).toBeUndefined();
    expect(Object.keys(problem ?? {})).toContain('__proto__');
  });

  test.prop([fc.json({ maxDepth: 4 }), fc.constantFrom('application/problem+json', 'application/json')])(
    'reads any JSON without throwing, and keeps only members of the right type',
    async (json, type) => {
      const problem = await parseProblem(respond(json, type));
      if (problem === undefined) return;
      expect(typeof problem.type).toBe('string');
      for (const name of ['title', 'detail', 'instance'])
        expect(['string', 'undefined']).toContain(typeof problem[name]);
      expect(['number', 'undefined']).toContain(typeof problem.status);
    },
  );

  const member = fc.constantFrom(...Object.keys(rateLimited ?? {}), 'cloudflare_error', 'x_more');
  test.prop([fc.dictionary(member, fc.jsonValue({ maxDepth: 1 }))])(
    'keeps each member unchanged or drops it, for any replaced members',
    async (replaced) => {
      // JSON has no negative zero.
      const json = JSON.stringify({ ...rateLimited, ...replaced });
      const body = JSON.parse(json) as Record<string, unknown>;
      const problem = await parse(body);
      expect(problem).toBeDefined();
      const without = Object.entries(problem ?? {}).filter(([name]) => name !== 'type');
      for (const [name, value] of without) expect(value).toEqual(body[name]);
      const isWhole = Object.keys(rateLimited ?? {}).every(
        (name) => problem !== undefined && Object.hasOwn(problem, name),
      );
      const isMarked = body['platform_error'] === true && isWhole && problem?.type === body['type'];
      if (isMarked) expect(isPlatformError(problem)).toBe(true);
    },
  );

  test.prop([fc.uint8Array({ maxLength: 200 }), fc.string()])(
    'reads any bytes without throwing',
    async (bytes, noise) => {
      await parseProblem(respond(new Uint8Array(bytes)));
      const headers = new Headers();
      Object.defineProperty(headers, 'get', { value: () => noise });
      await parseProblem(Object.defineProperty(respond(null), 'headers', { value: headers }));
    },
  );
});
