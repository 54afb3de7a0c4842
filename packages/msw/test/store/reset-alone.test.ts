import { fc, test } from '@fast-check/vitest';
import { runs } from '@packhouse/fixtures';
import { describe, expect, it } from 'vitest';
import { createErrorsMock } from '../../src/errors.ts';
import { createTaggingMock, type Fault, type TaggingMock, type TaggingSeed } from '../../src/tagging.ts';
import { send } from './clocked-mock.ts';
import { restRequest } from './steps.ts';

const baseUrl = 'https://tags.example.test';
const path = '/v4/accounts/local/tags';
const seed: TaggingSeed = { tags: [{ type: 'worker', id: 'w1', tags: { env: 'prod' } }] };
const faults: readonly Fault<TaggingSeed>[] = [{ kind: 'platform error', code: 522, path: '/never', times: 3 }];

const create = (now: () => number): TaggingMock =>
  createTaggingMock({
    baseUrl,
    seed,
    faults,
    zones: ['z1'],
    clock: { now },
    settings: { rate_tags: { requests: 15, seconds: 86_400 } },
  });

const body = fc.record({
  resource_type: fc.constant('worker'),
  resource_id: fc.constantFrom('w1', 'w2', 'w3'),
  tags: fc.constantFrom({}, { a: '1' }, { b: '2', c: '3' }),
});
const step = fc.oneof(
  fc.record({ method: fc.constantFrom('PUT', 'DELETE'), body }),
  fc.record({ method: fc.constant('GET'), query: fc.constantFrom('/resources?per_page=1', '/keys', '/none') }),
  fc.record({
    fault: fc.constantFrom<Fault<TaggingSeed>>(
      { kind: 'rate limit', retryAfter: 3, times: 2 },
      { kind: 'dropped connection', lost: 'reply', times: 1 },
      { kind: 'latency', milliseconds: 1, times: 2 },
      { kind: 'expired token', times: 1 },
      { kind: 'changed page', add: { tags: [{ type: 'worker', id: 'w4', tags: { d: '4' } }] } },
    ),
  }),
  fc.record({
    seed: fc.constant<TaggingSeed>({ tags: [{ type: 'dns_record', id: 'd1', zone: 'z1', tags: { e: '5' } }] }),
  }),
  fc.record({ wait: fc.nat(100_000_000) }),
);

/** Only ray ids are random here. */
const ask = async (mock: TaggingMock, query: string): Promise<unknown> => {
  const reply = await send(mock.handlers, restRequest(baseUrl, 'GET', `${path}${query}`));
  return [reply.status, reply.text, reply.headers.filter((line) => !line.startsWith('x-ray-id'))];
};

async function seen(mock: TaggingMock): Promise<unknown> {
  const first = [await mock.store.inspect.tags(), mock.faults.current];
  const replies = [await ask(mock, '/summary'), await ask(mock, '/resources')];
  let left = 0;
  while (JSON.stringify(await ask(mock, '/keys')).startsWith('[200') && left < 100) left += 1;
  return { first, replies, left };
}

describe('a reset of tagging alone', () => {
  test.prop([fc.array(step, { maxLength: 10 }), fc.array(step, { maxLength: 5 })], { numRuns: runs(60) })(
    'makes a mock equal to a fresh one after any steps, some of them in progress',
    async (before, underWay) => {
      let now = Date.UTC(2026, 0, 1);
      const mock = create(() => now);
      const take = async (one: (typeof before)[number]): Promise<void> => {
        if ('fault' in one) mock.faults.add(one.fault);
        else if ('seed' in one) await mock.store.seed(one.seed);
        else if ('wait' in one) now += one.wait;
        else if ('query' in one) await ask(mock, one.query);
        else await send(mock.handlers, restRequest(baseUrl, one.method, path, one.body));
      };
      for (const one of before) await take(one);
      const running = underWay.map(take);
      await new Promise((resolve) => setImmediate(resolve));
      await mock.store.reset();
      const then = now;
      const fresh = create(() => then);
      await Promise.all(running);
      expect(await seen(mock)).toEqual(await seen(fresh));
    },
  );
});

describe('a reset of platform errors alone', () => {
  it('restores its faults, and ends pending latencies', async () => {
    const first: readonly Fault[] = [{ kind: 'platform error', code: 1020, path: '/shop/*', times: 2 }];
    const mock = createErrorsMock({ baseUrl, faults: first as [] });
    await send(mock.handlers, { method: 'GET', url: `${baseUrl}/shop/cart` });
    mock.faults.add({ kind: 'latency', milliseconds: 1_000_000_000 });
    const running = send(mock.handlers, { method: 'GET', url: `${baseUrl}/cdn-cgi/error/522` });
    await new Promise((resolve) => setImmediate(resolve));
    mock.reset();
    expect(await running).toMatchObject({ status: 522 });
    expect(mock.faults.current).toEqual(first);
  });
});
