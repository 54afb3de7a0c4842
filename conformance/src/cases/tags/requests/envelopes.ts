import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, RestReply } from '../../../core/context.ts';
import { sample } from '../../../tools/dice.ts';
import { assertSuccess } from '../../../steps/replies.ts';
import { assertMembers } from '../../../steps/values.ts';
import { newWorker, pathOf, putTags } from '../support/one-resource.ts';
import { assertRefusal, badParameter, refusals, type Refusal } from '../support/refusals.ts';

const members = ['result', 'success', 'errors', 'messages'];

/** A request, and its refusal. */
interface Refused {
  readonly path: string;
  readonly method?: 'PUT' | 'DELETE';
  readonly body?: unknown;
  readonly refusal: Refusal;
  /** TAG-023. Absent: no single member is at fault. */
  readonly pointer?: string;
}

async function send(t: Context, { path, method, body }: Refused, headers = {}): Promise<RestReply> {
  return await t.tags(method ?? 'GET', path, { headers, ...(body === undefined ? {} : { body }) });
}

const worker = { resource_type: 'worker', resource_id: 'none' };
const { setPayload, deletePayload } = refusals;

/** Failures that one member or parameter causes. None of these requests changes anything. */
const atFault: readonly Refused[] = [
  { path: '/tags', method: 'PUT', body: { ...worker, tags: [] }, refusal: setPayload, pointer: '/tags' },
  { path: '/tags', method: 'PUT', body: worker, refusal: setPayload, pointer: '/tags' },
  { path: '/tags', method: 'PUT', body: { ...worker, tags: { 'x.y': 5 } }, refusal: setPayload, pointer: '/tags/x.y' },
  {
    path: '/tags',
    method: 'PUT',
    body: { resource_type: 'worker', tags: {} },
    refusal: setPayload,
    pointer: '/resource_id',
  },
  {
    path: '/tags',
    method: 'PUT',
    body: { resource_id: 'x', tags: {} },
    refusal: setPayload,
    pointer: '/resource_type',
  },
  {
    path: '/tags',
    method: 'DELETE',
    body: { resource_type: 'worker', resource_id: 5 },
    refusal: deletePayload,
    pointer: '/resource_id',
  },
  {
    path: '/tags',
    method: 'PUT',
    body: { ...worker, resource_type: 'none', tags: {} },
    refusal: refusals.resourceType,
    pointer: '/resource_type',
  },
  {
    path: '/tags',
    method: 'PUT',
    body: { ...worker, resource_type: 'worker_version', tags: {} },
    refusal: setPayload,
    pointer: '/worker_id',
  },
  {
    path: '/tags',
    method: 'PUT',
    body: { ...worker, tags: { 'a/b': '' } },
    refusal: refusals.invalidKey,
    pointer: '/tags/a~1b',
  },
  {
    path: '/tags',
    method: 'PUT',
    body: { ...worker, tags: { 'a~b': '' } },
    refusal: refusals.invalidKey,
    pointer: '/tags/a~0b',
  },
  {
    path: '/tags',
    method: 'PUT',
    body: { ...worker, tags: { a: 'v'.repeat(1025) } },
    refusal: refusals.valueTooLong,
    pointer: '/tags/a',
  },
  { path: '/tags?resource_type=none&resource_id=x', refusal: refusals.resourceType, pointer: '/resource_type' },
  {
    path: '/tags?resource_type=worker&resource_id=x&resource_id=y',
    refusal: badParameter('resource_id'),
    pointer: '/resource_id',
  },
  {
    path: '/tags?resource_type=worker_version&resource_id=x',
    refusal: badParameter('worker_id'),
    pointer: '/worker_id',
  },
  { path: '/tags/resources?tag==x', refusal: refusals.filterForm, pointer: '/tag' },
  { path: '/tags/resources?tag=a%3Ab', refusal: refusals.invalidKey, pointer: '/tag' },
  { path: `/tags/resources?${'tag=a&'.repeat(21)}`, refusal: refusals.tooManyFilters, pointer: '/tag' },
  { path: '/tags/resources?type=none', refusal: refusals.resourceType, pointer: '/type' },
  {
    path: '/tags/resources?case_insensitive=yes',
    refusal: badParameter('case_insensitive'),
    pointer: '/case_insensitive',
  },
  { path: '/tags/resources?cursor=none', refusal: refusals.cursor, pointer: '/cursor' },
  { path: '/tags/values/k?type=none', refusal: refusals.resourceType, pointer: '/type' },
];

/** Failures that the body as a whole, or the request, causes. */
const elsewhere: readonly Refused[] = [
  { path: '/tags', method: 'PUT', body: '{', refusal: setPayload },
  { path: '/tags', method: 'PUT', body: [], refusal: setPayload },
  { path: '/tags', method: 'DELETE', body: 'null', refusal: deletePayload },
  { path: '/tags/none', refusal: refusals.noRoute },
];

/** Codes with details in `messages`, and what these name (TAG-025). */
const detailed: readonly (Refused & { readonly says: RegExp })[] = [
  { path: '/tags/resources?tag=env&tag=team=x,', refusal: refusals.filterForm, says: /\b2\b/ },
  { path: '/tags/resources?tag==x', refusal: refusals.filterForm, says: /\b1\b/ },
  { path: `/tags/resources?tag=a&tag=b&tag=${'k'.repeat(257)}`, refusal: refusals.keyTooLong, says: /\b3\b/ },
  { path: `/tags/resources?tag=a&tag=b=${'v'.repeat(1025)}`, refusal: refusals.valueTooLong, says: /\b2\b/ },
  { path: '/tags/resources?tag=a=1,2,3,4,5,6,7,8,9,10,11', refusal: refusals.tooManyValues, says: /\b1\b/ },
  { path: '/tags/resources?tag=a&tag=b%3Ac', refusal: refusals.invalidKey, says: /\b2\b/ },
  {
    path: '/tags',
    method: 'PUT',
    body: { ...worker, tags: { 'not so': '' } },
    refusal: refusals.invalidKey,
    says: /not so/,
  },
  {
    path: '/tags',
    method: 'PUT',
    body: { ...worker, tags: { odd: 'v'.repeat(1025) } },
    refusal: refusals.valueTooLong,
    says: /\bodd\b/,
  },
];

export const tagEnvelopes: Suite = suite(
  {
    id: 'tags/envelopes/success',
    requirements: ['TAG-021', 'REPO-033', 'REPO-034'],
    level: 'MUST',
    explanation: 'A success is the envelope, with result_info on lists and on nothing else.',
    run: async (t) => {
      const resource = newWorker(t);
      const key = t.name('key');
      for (const [what, reply] of [
        ['PUT', await putTags(t, resource, { [key]: 'v' })],
        ['GET', await t.tags('GET', pathOf(resource))],
      ] as const) {
        assertSuccess(reply, 200, what);
        assertMembers(reply.json, members, what);
      }
      for (const path of ['/tags/resources', '/tags/keys', `/tags/values/${key}`, '/tags/summary']) {
        const reply = await t.tags('GET', path);
        assertSuccess(reply, 200, `GET ${path}`);
        assertMembers(reply.json, [...members, 'result_info'], `GET ${path}`);
      }
    },
  },
  {
    id: 'tags/envelopes/failure',
    requirements: ['TAG-021', 'TAG-022', 'TAG-026', 'REPO-008'],
    level: 'MUST',
    explanation: 'A failure is the envelope with exactly one error, whatever Accept says.',
    run: async (t) => {
      const accepts = ['text/html', 'text/markdown', 'application/problem+json', 'image/png', 'application/json;q=0'];
      for (const [i, refused] of sample(t, [...atFault, ...elsewhere], 2).entries()) {
        const accept = accepts[i % accepts.length] as string;
        const { refusal, path } = refused;
        const reply = await send(t, refused, { accept });
        const what = `${refused.method ?? 'GET'} ${path.slice(0, 100)} with Accept: ${accept}`;
        assert.equal(reply.headers.get('content-type'), 'application/json', `${what}: expected JSON`);
        assertMembers(reply.json, members, what);
        // Other cases check what goes beyond the public service; this one checks only the form.
        if (refusal.code < 7000) assertRefusal(reply, refusal, what);
        else assert.equal(reply.json.errors.length, 1, `${what}: expected exactly one error`);
        for (const item of [...reply.json.errors, ...reply.json.messages]) {
          assert.ok(Number.isInteger(item.code) && item.code >= 1000, `${what}: expected a code of at least 1000`);
          assert.ok(typeof item.message === 'string' && item.message !== '', `${what}: expected a message`);
        }
      }
    },
  },
  {
    id: 'tags/envelopes/pointers',
    requirements: ['TAG-023'],
    level: 'SHOULD',
    beyond: true,
    explanation: 'A failure that one member or parameter causes points to it, any other points nowhere.',
    run: async (t) => {
      for (const refused of [...sample(t, atFault, 5), ...sample(t, elsewhere, 1)]) {
        const { refusal, path, pointer, body } = refused;
        const reply = await send(t, refused);
        const what = `${refused.method ?? 'GET'} ${path.slice(0, 100)} ${JSON.stringify(body ?? null).slice(0, 100)}`;
        assertRefusal(reply, refusal, what);
        const expected = pointer === undefined ? undefined : { pointer };
        assert.deepEqual(reply.json.errors[0].source, expected, `${what}: expected this source`);
      }
    },
  },
  {
    id: 'tags/envelopes/messages',
    requirements: ['TAG-025'],
    level: 'SHOULD',
    beyond: true,
    explanation: 'A filter or key that is refused is told of in messages, by its position or name.',
    run: async (t) => {
      for (const refused of sample(t, detailed, 2)) {
        const { refusal, path, says } = refused;
        const reply = await send(t, refused);
        const what = `${refused.method ?? 'GET'} ${path.slice(0, 100)}`;
        assertRefusal(reply, refusal, what);
        const { messages } = reply.json;
        assert.equal(messages.length, 1, `${what}: expected one message`);
        assert.equal(messages[0].code, refusal.code, `${what}: expected the code of the error`);
        assert.match(messages[0].message, says, `${what}: expected the message to say which`);
      }
    },
  },
  {
    id: 'tags/envelopes/advice',
    requirements: ['REPO-298', 'REPO-299', 'REPO-300'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    explanation: 'A failure of tagging says which case it is in one word, whether to try again, and what to do next.',
    run: async (t) => {
      for (const [path, reason] of [
        ['/tags/none', 'route_not_found'],
        ['/tags/resources?tag==x', 'invalid_tag_filter'],
        ['/tags/resources?cursor=none', 'invalid_cursor'],
      ] as const) {
        const [item] = (await t.tags('GET', path)).json.errors;
        assert.deepEqual([item.reason, item.retryable], [reason, false], `GET ${path}`);
        assert.match(item.hint, /^[A-Z][^\n]*\.$/, `GET ${path}: expected a sentence as the hint`);
      }
    },
  },
  {
    id: 'tags/envelopes/documentation',
    requirements: ['TAG-024'],
    level: 'MAY',
    explanation: 'An error item may name the page that documents it.',
    run: async (t) => {
      for (const refused of sample(t, [...atFault, ...elsewhere], 2)) {
        const [item] = (await send(t, refused)).json?.errors ?? [];
        const link = item?.documentation_url;
        if (t.dialect.name === 'cloudflare') {
          assert.equal(link, undefined, 'expected no documentation_url in this dialect');
          continue;
        }
        if (link === undefined) t.unsupported('error items have no documentation_url');
        assert.match(link, new RegExp(`^https?://[^ ]+/tags/errors#${item.code}$`), 'expected the address of the code');
      }
    },
  },
);
