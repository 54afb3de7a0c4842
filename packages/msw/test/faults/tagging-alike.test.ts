import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { createMock } from '../../src/index.ts';
import { send, type Reply, type Sent } from '../store/clocked-mock.ts';
import { createTaggingMock, type Fault, type TaggingSeed } from '../../src/tagging.ts';

const common = {
  baseUrl: 'https://api.example.test',
  zones: ['z1'],
  apiTokens: [
    { token: 'all', permissions: ['tag.write'] },
    { token: 'reader', permissions: ['tag.read'] },
    { token: 'of-zone', zone: 'z1', permissions: ['tag.write'] },
    { token: 'nothing', permissions: [] },
    'plain',
  ],
  seed: { tags: [{ type: 'worker', id: 'w1', tags: { env: 'prod' } }] },
  clock: { now: () => Date.UTC(2026, 0, 1) },
  settings: { rate_tags: { requests: 6, seconds: 99 }, rest_body_max: 300 },
} as const;

const method = fc.constantFrom('GET', 'HEAD', 'PUT', 'DELETE', 'POST', 'OPTIONS');
const fault: fc.Arbitrary<Fault<TaggingSeed>> = fc
  .tuple(
    fc.constantFrom<Fault<TaggingSeed>>(
      { kind: 'rate limit', retryAfter: 5 },
      { kind: 'expired token' },
      { kind: 'expired token', token: 'all' },
      { kind: 'platform error', code: 522 },
      { kind: 'platform error', code: 1015, retryAfter: 9 },
      { kind: 'dropped connection' },
      { kind: 'dropped connection', lost: 'reply' },
      { kind: 'latency', milliseconds: 0 },
      { kind: 'changed page', add: { tags: [{ type: 'worker', id: 'w9', tags: { later: 'yes' } }] } },
    ),
    fc.constantFrom({ times: 1 }, { times: 3 }, { times: 2, method: 'PUT' }, { times: 2, path: '/v4/zones/*' }),
  )
  .map(([one, scope]) => ({ ...one, ...scope }));

const sent = fc.record({
  method,
  where: fc.constantFrom('accounts/local', 'accounts/other', 'zones/z1', 'zones/z2'),
  rest: fc.constantFrom(
    '',
    '',
    '',
    '/keys',
    '/resources?per_page=1',
    '/values/env',
    '/summary',
    '/none',
    '/values/%zz',
  ),
  token: fc.constantFrom('all', 'plain', 'reader', 'of-zone', 'nothing', 'unknown', undefined),
  type: fc.constantFrom('application/json', 'application/json', 'text/plain'),
  body: fc.constantFrom(
    '{"resource_type":"worker","resource_id":"w1","tags":{"a":"1"}}',
    '{"resource_type":"dns_record","resource_id":"d1","tags":{"b":"2"}}',
    '{"resource_type":"none","resource_id":"w1","tags":{}}',
    '[]',
    ' '.repeat(400),
  ),
});

/** Ray ids are random on one side, and counted on the other. */
const numberless = (reply: Reply): unknown => ({
  ...reply,
  headers: reply.headers.filter((line) => !/^(?:x-ray-id|cf-ray):/.test(line)),
});

describe.each(['neutral', 'cloudflare'] as const)('tagging alone, %s', (dialect) => {
  test.prop([fc.array(fault, { maxLength: 4 }), fc.array(sent, { minLength: 1, maxLength: 10 })], { numRuns: 30 })(
    'TAG-147: answers any requests with any faults as the whole mock does, up to the last request of a rate',
    async (faults, requests) => {
      const whole = createMock({ ...common, dialect, faults });
      const alone = createTaggingMock({ ...common, dialect, faults });
      const base = alone.accountUrl.slice(0, alone.accountUrl.indexOf('/accounts/'));
      for (const { where, rest, token, type, body, ...given } of requests) {
        const one: Sent = {
          ...given,
          url: `${base}/${where}/tags${rest}`,
          headers: { 'content-type': type, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
          ...(['PUT', 'DELETE', 'POST'].includes(given.method) && { body }),
        };
        const [theirs, mine] = [await send(whole.handlers, one), await send(alone.handlers, one)];
        expect(numberless(mine)).toEqual(numberless(theirs));
        expect(alone.faults.current).toEqual(whole.faults.current);
      }
      expect(await alone.store.inspect.tags()).toEqual(await whole.store.inspect.tags());
    },
  );
});
