import { fc, test } from '@fast-check/vitest';
import { getResponse } from 'msw';
import { describe, expect } from 'vitest';
import { createMock, SeedError, type Fault, type Ids, type Mock, type Seed } from '../index.ts';

const baseUrl = 'https://api.example.test';
const headers = { authorization: 'Bearer any', 'content-type': 'application/json', accept: 'application/json' };
const seed: Seed = {
  namespaces: ['empty'],
  repos: { notes: { files: { 'a.txt': 'a\n' } }, 'team/api': {} },
  tags: [{ type: 'worker', id: 'w1', tags: { env: 'prod' } }],
};
const faults: readonly Fault<Seed>[] = [{ kind: 'platform error', code: 522, path: '/v4/never', times: 3 }];

/** Ids that are the same from each beginning on. */
function countedIds(): Ids {
  let count = 0;
  const next = (length: number): string => (++count).toString(16).padStart(length, '0');
  return { id: () => next(16), secret: () => next(40), requestId: () => next(16) };
}

const fresh = (): Mock =>
  createMock({ baseUrl, seed, faults, createIds: countedIds, clock: { now: () => Date.UTC(2026, 0, 1) } });

type Step =
  | { readonly method: string; readonly path: string; readonly body?: object }
  | { readonly fault: Fault<Seed> };

const name = fc.constantFrom('notes', 'api', 'other', 'Notes');
const namespace = fc.constantFrom('default', 'team', 'empty', 'new');
const repos = '/v4/accounts/local/repos';

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    method: fc.constant('POST'),
    path: namespace.map((one) => `${repos}/namespaces/${one}/repos`),
    body: fc.record({ name }),
  }),
  fc.record({
    method: fc.constantFrom('DELETE', 'GET'),
    path: fc.tuple(namespace, name).map(([one, repo]) => `${repos}/namespaces/${one}/repos/${repo}`),
  }),
  fc.record({ method: fc.constantFrom('DELETE', 'GET'), path: namespace.map((one) => `${repos}/namespaces/${one}`) }),
  fc.record({
    method: fc.constant('POST'),
    path: fc.tuple(namespace, name).map(([one, repo]) => `${repos}/namespaces/${one}/repos/${repo}/fork`),
    body: fc.record({ name }),
  }),
  fc.record({
    method: fc.constantFrom('PUT', 'DELETE'),
    path: fc.constant('/v4/accounts/local/tags'),
    body: fc.record({
      resource_type: fc.constant('worker'),
      resource_id: fc.constantFrom('w1', 'w2'),
      tags: fc.constantFrom({ a: '1' }, { b: '2' }),
    }),
  }),
  fc.record({
    fault: fc.constantFrom<Fault<Seed>>(
      { kind: 'rate limit', retryAfter: 3, times: 2 },
      { kind: 'dropped connection', lost: 'reply', times: 1 },
      { kind: 'expired token' },
      { kind: 'changed page', add: { namespaces: ['added'] }, times: 1 },
    ),
  }),
);

async function send(mock: Mock, one: { method: string; path: string; body?: object }): Promise<string> {
  const request = new Request(`${baseUrl}${one.path}`, {
    method: one.method,
    headers,
    ...(one.body !== undefined && { body: JSON.stringify(one.body) }),
  });
  // What a fault adds may be there already.
  const response = await getResponse([...mock.handlers], request).catch((error: unknown) => {
    if (error instanceof SeedError) return undefined;
    throw error;
  });
  if (response === undefined || response.type === 'error') return String(response?.type);
  return `${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`;
}

/** All that can be seen of a mock, from within and from without. */
async function seen(mock: Mock): Promise<unknown> {
  const { inspect } = mock.store;
  const held: unknown[] = [await inspect.namespaces(), await inspect.tags(), mock.faults.current];
  for (const one of await inspect.namespaces()) {
    for (const repo of await inspect.repos(one.namespace)) {
      const key = `${one.namespace}/${repo.name}`;
      held.push([repo, await inspect.refs(key), await inspect.tokens(key)]);
    }
  }
  const replies: string[] = [];
  for (const path of [
    `${repos}/namespaces`,
    `${repos}/namespaces/default/repos/notes/log`,
    '/v4/accounts/local/tags/summary',
  ]) {
    replies.push(await send(mock, { method: 'GET', path }));
  }
  const created = { method: 'POST', path: `${repos}/namespaces/default/repos`, body: { name: 'notes' } };
  return [held, replies, await send(mock, created)];
}

describe('reset', () => {
  test.prop([fc.array(step, { maxLength: 8 })], { numRuns: 30 })(
    'a mock after any requests and reset is the same as a fresh one',
    async (steps) => {
      const mock = fresh();
      for (const one of steps) {
        if ('fault' in one) mock.faults.add(one.fault);
        else await send(mock, one);
      }
      await mock.store.reset();
      const other = fresh();
      await other.store.ready();
      expect(await seen(mock)).toEqual(await seen(other));
    },
  );
});
