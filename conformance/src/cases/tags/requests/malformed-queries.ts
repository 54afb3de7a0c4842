import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import { assertSuccess, shown } from '../../../steps/replies.ts';
import { sample } from '../../../tools/dice.ts';
import { newWorker, pathOf } from '../support/one-resource.ts';
import { assertRefusal, badParameter, refusals } from '../support/refusals.ts';

/** Invalid queries of lists of resources (TAG-182), with the name of the wrong parameter. */
const badQueries: readonly (readonly [query: string, name: string])[] = [
  ['case_insensitive=1', 'case_insensitive'],
  ['case_insensitive=', 'case_insensitive'],
  ['case_insensitive=TRUE', 'case_insensitive'],
  ['case_insensitive=true&case_insensitive=true', 'case_insensitive'],
  ['id=', 'id'],
  [Array.from({ length: 51 }, (_, i) => `id=${i}`).join('&'), 'id'],
  [`id=${'x'.repeat(1025)}`, 'id'],
  ['id=%', 'id'],
  ['id=%FF', 'id'],
  ['id=a%00b', 'id'],
  ['id=%ED%A0%80', 'id'],
  ['name=a&name=b', 'name'],
  ['name=%zz', 'name'],
  ['name=%00', 'name'],
  [`name=${'x'.repeat(257)}`, 'name'],
];

export const tagMalformedQueries: Suite = suite(
  {
    id: 'tags/malformed/parents-in-queries',
    requirements: ['TAG-166', 'TAG-179'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    explanation: 'GET of a version of a Worker without the Worker is refused with 10100.',
    run: async (t) => {
      const path = pathOf({ resource_type: 'worker_version', resource_id: t.name() });
      const parents = ['', '&worker_id=', '&worker_id=a&worker_id=b', '&worker_id=%FF', '&worker_id=%00'];
      for (const parent of sample(t, parents, 2)) {
        assertRefusal(await t.tags('GET', path + parent), badParameter('worker_id'), `GET ${path}${parent}`);
      }
    },
  },
  {
    id: 'tags/malformed/queries',
    requirements: ['TAG-155'],
    level: 'MUST',
    readOnly: true,
    explanation: 'GET without a type or an id, or with an empty one, is refused with 1003.',
    run: async (t) => {
      const queries = [
        '',
        '?',
        '?resource_type=worker',
        '?resource_id=x',
        '?resource_type=&resource_id=x',
        '?resource_type=worker&resource_id=',
        '?resource_type=worker&resource_id',
        '?type=worker&id=x',
      ];
      for (const query of sample(t, queries, 2)) {
        assertRefusal(await t.tags('GET', `/tags${query}`), refusals.resourceMissing, `GET /tags${query}`);
      }
    },
  },
  {
    id: 'tags/malformed/keys-in-paths',
    requirements: ['TAG-163', 'TAG-181'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    explanation: 'A key in a path that is no UTF-8, badly encoded or not a key is refused with 1014.',
    run: async (t) => {
      const wrong = ['%FF', 'a%2Fb', '%', '%4', '%zz', '%C3', '%00', 'a+b', 'a%20b', '%F0%9F%98%80', '%25', 'a:b'];
      for (const text of sample(t, wrong, 2)) {
        const reply = await t.tags('GET', `/tags/values/${text}`);
        assertRefusal(reply, refusals.invalidKey, `GET /tags/values/${text}`);
      }
      for (const text of sample(t, ['%61', 'a%2Db', '%C3%89quipe', '__proto__', 'keys', 'a.b'], 2)) {
        assertSuccess(await t.tags('GET', `/tags/values/${text}`), 200, `GET /tags/values/${text}`);
      }
    },
  },
  {
    id: 'tags/malformed/parameters',
    requirements: ['TAG-166', 'TAG-182'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    explanation:
      'A parameter of a list that is repeated, too long, too often there or badly encoded is refused with 10100.',
    run: async (t) => {
      for (const [query, name] of sample(t, badQueries, 3)) {
        const reply = await t.tags('GET', `/tags/resources?${query}`);
        assertRefusal(reply, badParameter(name), `GET /tags/resources?${query.slice(0, 100)}`);
      }
      const path = pathOf(newWorker(t));
      const twice = [
        ['&resource_id=x', 'resource_id'],
        ['&resource_type=worker', 'resource_type'],
      ] as const;
      for (const [query, name] of sample(t, twice, 1)) {
        assertRefusal(await t.tags('GET', path + query), badParameter(name), `GET /tags with two of ${name}`);
      }
      for (const id of sample(t, ['%', '%FF', 'a%00', 'x'.repeat(1025)], 1)) {
        const reply = await t.tags('GET', `/tags?resource_type=worker&resource_id=${id}`);
        assertRefusal(reply, badParameter('resource_id'), `GET /tags with the resource_id ${id.slice(0, 100)}`);
      }
      const types = await t.tags('GET', '/tags/values/k?type=worker&type=worker');
      assertRefusal(types, badParameter('type'), 'GET of values with two types');
      const most = await t.tags('GET', `/tags/resources?${Array.from({ length: 50 }, (_, i) => `id=${i}`).join('&')}`);
      assertSuccess(most, 200, 'GET with 50 ids');
    },
  },
  {
    id: 'tags/malformed/cursors',
    requirements: ['TAG-165', 'TAG-182'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    explanation: 'What is no cursor, or comes twice, is refused with 10100 on every list.',
    run: async (t) => {
      const lists = ['/tags/resources', '/tags/keys', '/tags/values/k', '/tags/summary'];
      const cursors = sample(t, ['none', '%', '%FF', 'a%00', 'e30=', 'x'.repeat(1025)], lists.length);
      for (const [i, list] of lists.entries()) {
        const cursor = cursors[i] ?? '';
        const reply = await t.tags('GET', `${list}?cursor=${cursor}`);
        assertRefusal(reply, refusals.cursor, `GET ${list}?cursor=${cursor.slice(0, 100)}`);
        if (i !== t.seed % lists.length) continue;
        const twice = await t.tags('GET', `${list}?cursor=&cursor=`);
        assert.equal(twice.status, 400, `GET ${list} with two cursors: expected 400, got ${shown(twice)}`);
        assert.equal(twice.json.errors[0].code, 10100, `GET ${list} with two cursors: expected this code`);
      }
    },
  },
);
