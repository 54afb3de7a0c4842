import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, TagsOptions } from '../../../core/context.ts';
import { sample } from '../../../tools/dice.ts';
import { assertReason, assertRefusal, badParameter, refusals, type Refusal } from '../support/refusals.ts';

/** One request with several faults, and the failure that reports the first one. */
interface Faulty {
  readonly faults: string;
  readonly method?: string;
  readonly path?: string;
  /** Sent as JSON; a text is sent unchanged. */
  readonly body?: unknown;
  readonly options?: TagsOptions;
  readonly expected: Refusal;
}

/** Further requests of a case that each run sends: other runs send others. */
const furtherMax = 1;

/** Sends the requests, of which one shows each pair of neighbours in the order, and some of the further ones. */
async function expectOrder(
  t: Context,
  requests: readonly Faulty[],
  usual: Pick<Faulty, 'method' | 'path'>,
  further: readonly Faulty[] = [],
): Promise<void> {
  for (const { faults, method = usual.method ?? 'GET', path = usual.path ?? '', body, options, expected } of [
    ...requests,
    ...sample(t, further, furtherMax),
  ]) {
    const reply = await t.tags(method, path, { ...options, ...(body !== undefined && { body }) });
    const what = `${method} ${path.slice(0, 200)} with ${faults}`;
    assertRefusal(reply, expected, what);
    assertReason(reply, expected, what);
  }
}

/** Larger than the maximum body (LIM-009). */
const huge = 'x'.repeat(1_048_577);
const longKey = 'k'.repeat(257);
const longValue = 'v'.repeat(1025);
const items = 'a,'.repeat(10);
const text = { headers: { 'content-type': 'text/plain' } };
const json = { headers: { 'content-type': 'application/json' } };
const stale = { headers: { 'if-match': '"v1:none"' } };

/**
 * Returns requests with each fault of a request as a whole, together with all later faults. `late` are faults of the
 * requested resource.
 */
function requestFaults(t: Context, path: string, method: string, late: string, body: unknown): readonly Faulty[] {
  const foreign = { account: `none${t.name('account').replaceAll('-', '')}` };
  const more = body === undefined ? {} : { body };
  const faulty = (faults: string, expected: Refusal, options: TagsOptions, other = {}): Faulty => ({
    faults,
    path: path + late,
    method,
    ...more,
    options,
    expected,
    ...other,
  });
  const all = { at: foreign, token: null };
  return [
    faulty('no such route, method, credential, permission and more', refusals.noRoute, all, {
      method: 'PATCH',
      path: `${path}/none${late}`,
    }),
    faulty('no such route and method', refusals.noRoute, {}, { method: 'PATCH', path: `${path}/none` }),
    faulty('no such method, credential, permission and more', refusals.noMethod, all, { method: 'PATCH' }),
    faulty('no such method and credential', refusals.noMethod, { token: null }, { method: 'PATCH' }),
    faulty('no credential, permission and more', refusals.authentication, all),
    faulty('an unknown credential, no permission and more', refusals.authentication, { at: foreign, token: 'nobody' }),
    faulty('no permission and more', refusals.permission, { at: foreign, token: t.apiToken }),
  ];
}

/** Returns requests with each fault of a body as a whole, for both PUT and DELETE. */
function bodyFaults(
  payload: Refusal,
  late: Readonly<Record<string, unknown>>,
): Readonly<Record<'each' | 'further', readonly Faulty[]>> {
  const withStale = (one: Faulty): Faulty => ({ ...one, options: { ...stale, ...one.options } });
  return {
    each: [
      { faults: 'a wrong type, too large and no JSON', body: huge, options: text, expected: refusals.mediaType },
      { faults: 'too large, and no JSON', body: huge, options: json, expected: refusals.bodyTooLarge },
      { faults: 'no id, an unknown type and more', body: { ...late, resource_id: undefined }, expected: payload },
      { faults: 'an unknown type and more', body: late, expected: refusals.resourceType },
      { faults: 'no parent, and more', body: { ...late, resource_type: 'worker_version' }, expected: payload },
    ].map(withStale),
    further: [
      { faults: 'a wrong type, and no JSON', body: '{', options: text, expected: refusals.mediaType },
      {
        faults: 'too large, and an unknown type',
        body: JSON.stringify({ resource_type: 'nope', resource_id: 'x', tags: {}, more: huge }),
        options: json,
        expected: refusals.bodyTooLarge,
      },
      { faults: 'an empty id, and a type of the zone', body: { ...late, resource_id: '' }, expected: payload },
      { faults: 'a type that is a number', body: { ...late, resource_type: 7 }, expected: payload },
      {
        faults: 'a type of the zone, without its parent',
        body: { ...late, resource_type: 'access_application_policy' },
        expected: refusals.resourceType,
      },
    ].map(withStale),
  };
}

export const tagCheckOrder: Suite = suite(
  {
    id: 'tags/check-order/request',
    requirements: ['TAG-147'],
    level: 'MUST',
    beyond: true,
    explanation:
      'On every route path, method, credential and permission are checked in this order, all else after them.',
    run: async (t) => {
      const query = '?resource_type=nope&tag=&type=nope&cursor=%00';
      const routes = [
        ...['/tags', '/tags/resources', '/tags/keys', '/tags/summary', '/tags/values/a%20b'].map((path) =>
          requestFaults(t, path, 'GET', query, undefined),
        ),
        ...['PUT', 'DELETE'].map((method) =>
          requestFaults(t, '/tags', method, query, huge).map((one) => ({
            ...one,
            options: { ...text, ...one.options },
          })),
        ),
      ];
      // Each fault on another route.
      for (const [i, faults] of routes.entries()) {
        const one = faults[(i + t.seed) % faults.length];
        if (one !== undefined) await expectOrder(t, [one], {});
      }
    },
  },
  {
    id: 'tags/check-order/set',
    requirements: ['TAG-148', 'TAG-149', 'REPO-298', 'REPO-299'],
    level: 'MUST',
    beyond: true,
    explanation:
      'Of a set the media type, size, shape, type, parent, tags, existence and etag are checked in this order.',
    run: async (t) => {
      const id = t.name('worker');
      const late = { resource_type: 'nope', resource_id: id, tags: { 'a b': longValue } };
      const worker = { resource_type: 'worker', resource_id: id };
      const missing = { resource_type: 'account', resource_id: id };
      const notFound = { status: 404, code: 10200, message: `resource not found: type=account id=${id}` };
      const tagged = (faults: string, tags: Readonly<Record<string, string>>, expected: Refusal): Faulty => ({
        faults: `${faults}, of a resource that does not exist, with a stale etag`,
        body: { ...missing, tags },
        options: stale,
        expected,
      });
      const ofBody = bodyFaults(refusals.setPayload, late);
      await expectOrder(
        t,
        [
          ...ofBody.each,
          {
            faults: 'a value that is none, and a type',
            body: { ...late, tags: { a: 1 } },
            expected: refusals.setPayload,
          },
          tagged(
            'a key too long with another character and a long value',
            { [`${longKey} `]: longValue },
            refusals.keyTooLong,
          ),
          tagged('a key with another character and a long value', { 'a b': longValue }, refusals.invalidKey),
          tagged('a long value before a bad key', { 'c d': '', b: longValue, [longKey]: '' }, refusals.valueTooLong),
          tagged('a bad key before a long value', { b: longValue, 'a b': '', [longKey]: '' }, refusals.invalidKey),
          tagged('tags without a fault', { a: '' }, notFound),
          { faults: 'a stale etag', body: { ...worker, tags: { a: '' } }, options: stale, expected: refusals.noMatch },
        ],
        { method: 'PUT', path: '/tags' },
        [
          ...ofBody.further,
          {
            faults: 'tags that are null, and an unknown type',
            body: { ...late, tags: null },
            expected: refusals.setPayload,
          },
          {
            faults: 'a value that is none, and a key',
            body: { ...worker, tags: { 'a b': '', z: 1 } },
            expected: refusals.setPayload,
          },
          tagged('an empty key and a long value', { '': longValue }, refusals.invalidKey),
          tagged('a long key before a bad one', { 'l m': '', z: longValue, [longKey]: '' }, refusals.keyTooLong),
          tagged('a bad key that is before another in UTF-16', { '\ufb01': longValue, '𐐀 ': '' }, refusals.invalidKey),
          tagged('a long value before one in UTF-16', { '\ufb01 ': '', 𐐀: longValue }, refusals.valueTooLong),
          tagged('a bad key before a number', { 9: longValue, '10 ': '' }, refusals.invalidKey),
          tagged('a long value before a number', { '9 ': '', 10: longValue }, refusals.valueTooLong),
        ],
      );
      assert.deepEqual(
        (await t.tags('GET', `/tags/resources?id=${id}`)).json?.result,
        [],
        'expected nothing to be set by what was refused',
      );
    },
  },
  {
    id: 'tags/check-order/delete',
    requirements: ['TAG-148', 'TAG-150', 'REPO-298', 'REPO-299'],
    level: 'MUST',
    beyond: true,
    explanation: 'Of a deletion the media type, size, shape, type, parent and etag are checked in this order.',
    run: async (t) => {
      const id = t.name('worker');
      await t.setTags({ resource_type: 'worker', resource_id: id }, { a: '' });
      const late = { resource_type: 'nope', resource_id: id };
      const stillThere = { resource_type: 'worker', resource_id: id };
      const ofBody = bodyFaults(refusals.deletePayload, late);
      await expectOrder(
        t,
        [...ofBody.each, { faults: 'a stale etag', body: stillThere, options: stale, expected: refusals.noMatch }],
        { method: 'DELETE', path: '/tags' },
        ofBody.further,
      );
    },
  },
  {
    id: 'tags/check-order/get',
    requirements: ['TAG-151', 'REPO-298', 'REPO-299'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    explanation:
      'Of a read presence, repetition, type, id and parent are checked in this order, then whether it exists.',
    run: async (t) => {
      const id = t.name('none');
      const long = 'x'.repeat(1025);
      const faulty = (query: string, expected: Refusal): Faulty => ({
        faults: query,
        path: `/tags?${query}`,
        expected,
      });
      await expectOrder(
        t,
        [
          faulty('resource_type=nope&resource_type=nope', refusals.resourceMissing),
          faulty('resource_type=&resource_id=a&resource_id=b', refusals.resourceMissing),
          faulty('resource_type=nope&resource_type=other&resource_id=%00', badParameter('resource_type')),
          faulty('resource_type=nope&resource_id=a&resource_id=%00', badParameter('resource_id')),
          faulty('resource_type=nope&resource_id=%00', refusals.resourceType),
          faulty('resource_type=worker_version&resource_id=%00', badParameter('resource_id')),
          faulty(`resource_type=worker_version&resource_id=${id}`, badParameter('worker_id')),
          faulty(`resource_type=account&resource_id=${long}`, badParameter('resource_id')),
        ],
        {},
        [
          faulty('resource_type=nope', refusals.resourceMissing),
          faulty('resource_id=%00', refusals.resourceMissing),
          faulty(`resource_id=${long}&resource_id=${long}`, refusals.resourceMissing),
          faulty('resource_type=nope&resource_id=', refusals.resourceMissing),
          faulty(`resource_type=Worker&resource_id=${long}`, refusals.resourceType),
          faulty('resource_type=access_application_policy&resource_id=%FF', refusals.resourceType),
          faulty(`resource_type=worker_version&resource_id=${long}&worker_id=%00`, badParameter('resource_id')),
          faulty(`resource_type=worker_version&resource_id=${id}&worker_id=${long}`, badParameter('worker_id')),
        ],
      );
    },
  },
  {
    id: 'tags/check-order/resources',
    requirements: ['TAG-152', 'REPO-298', 'REPO-299'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    explanation:
      'Of the list of resources the number of filters, each filter, type, id, name, case_insensitive and cursor are checked in this order.',
    run: async (t) => {
      const tags = (count: number, filter: string): string => `tag=${filter}&`.repeat(count);
      const long = 'x'.repeat(1025);
      const later = 'type=nope&id=&name=a&name=b&case_insensitive=1&cursor=%00';
      const faulty = (faults: string, query: string, expected: Refusal): Faulty => ({
        faults,
        path: `/tags/resources?${query}`,
        expected,
      });
      await expectOrder(
        t,
        [
          faulty('21 bad filters', `${tags(21, '')}${later}`, refusals.tooManyFilters),
          faulty('form and key length', `tag=${longKey}=%FF&${later}`, refusals.filterForm),
          faulty('key length and characters', `tag=${longKey}!x=${items}a&${later}`, refusals.keyTooLong),
          faulty('key characters and number of items', `tag=a:b=${items}${longValue}&${later}`, refusals.invalidKey),
          faulty('number of items and value length', `tag=env=${items}${longValue}&${later}`, refusals.tooManyValues),
          faulty('value length and type', `tag=env=${longValue}&${later}`, refusals.valueTooLong),
          faulty('characters of a key, and form of the next filter', 'tag=a:b&tag=!&tag=', refusals.invalidKey),
          faulty('form of a filter, and characters of the next key', 'tag=env&tag=!&tag=a:b', refusals.filterForm),
          faulty('type and id', later, refusals.resourceType),
          faulty('id and name', `cursor=%00&name=a&name=b&case_insensitive=1&id=${long}`, badParameter('id')),
          faulty('name and case_insensitive', 'cursor=%00&case_insensitive=1&name=a&name=b', badParameter('name')),
          faulty('case_insensitive and cursor', 'cursor=%00&case_insensitive=1', badParameter('case_insensitive')),
        ],
        {},
        [
          faulty('21 filters of 11 items', tags(21, `env=${items}a`), refusals.tooManyFilters),
          faulty('form and key characters', `tag=a%20b=a,&${later}`, refusals.filterForm),
          faulty('form and number of items', `tag=env=${items}`, refusals.filterForm),
          faulty('form and value length', `tag=env=${longValue},&${later}`, refusals.filterForm),
          faulty('key length and number of items', `tag=${longKey}=${items}a`, refusals.keyTooLong),
          faulty('key characters and value length', `tag=a:b=${longValue}`, refusals.invalidKey),
          faulty('length of a value, and form of the next filter', `tag=env=${longValue}&tag=`, refusals.valueTooLong),
          faulty(
            'number of items, and length of the next key',
            `tag=env=${items}a&tag=${longKey}`,
            refusals.tooManyValues,
          ),
          faulty('a filter behind the other parameters', `${later}&tag=a:b`, refusals.invalidKey),
          faulty('a second type and id', 'type=worker&type=nope&id=', refusals.resourceType),
          faulty('type and cursor', 'cursor=%00&type=nope', refusals.resourceType),
          faulty('51 ids and name', `${'id=x&'.repeat(51)}name=${longKey}`, badParameter('id')),
          faulty('name too long and case_insensitive', `case_insensitive=TRUE&name=${longKey}`, badParameter('name')),
          faulty(
            'case_insensitive, twice, and cursor',
            'cursor=x&case_insensitive=true&case_insensitive=true',
            badParameter('case_insensitive'),
          ),
          faulty('a cursor', 'cursor=%00', refusals.cursor),
        ],
      );
    },
  },
  {
    id: 'tags/check-order/values',
    requirements: ['TAG-153', 'REPO-298', 'REPO-299'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    explanation: 'Of the list of values the key, the type and the cursor are checked in this order.',
    run: async (t) => {
      const later = 'type=nope&type=nope&cursor=%00';
      const faulty = (faults: string, path: string, expected: Refusal): Faulty => ({
        faults,
        path: `/tags/values${path}`,
        expected,
      });
      await expectOrder(
        t,
        [
          faulty('no key, types and cursor', `?${later}`, refusals.keyMissing),
          faulty('key length and characters', `/${longKey}%20?${later}`, refusals.keyTooLong),
          faulty('key characters and types', `/a%20b?${later}`, refusals.invalidKey),
          faulty('types that repeat, and are unknown', `/env?${later}`, badParameter('type')),
          faulty('an unknown type and a cursor', '/env?cursor=%00&type=nope', refusals.resourceType),
        ],
        {},
        [
          faulty('an empty key, types and cursor', `/?${later}`, refusals.keyMissing),
          faulty('key length and types', `/${longKey}?${later}`, refusals.keyTooLong),
          faulty('key characters and an unknown type', '/a%2Fb?type=nope', refusals.invalidKey),
          faulty('types that repeat, and a cursor', '/env?type=worker&type=worker&cursor=%00', badParameter('type')),
          faulty('a cursor', '/env?cursor=%00&type=worker', refusals.cursor),
        ],
      );
    },
  },
);
