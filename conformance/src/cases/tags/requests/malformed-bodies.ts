import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, RestReply } from '../../../core/context.ts';
import { assertSuccess } from '../../../steps/replies.ts';
import { sample } from '../../../tools/dice.ts';
import { newWorker, setText, tagsOf } from '../support/one-resource.ts';
import { assertRefusal, refusals, type Refusal } from '../support/refusals.ts';

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Bodies other than a JSON object in UTF-8. Those of bytes cannot be expressed as text. */
const noObjects: readonly (readonly [what: string, body: string | Uint8Array])[] = [
  ['nothing', ''],
  ['a space', ' '],
  ['broken JSON', '{"resource_type":"worker"'],
  ['JSON and more', '{} {}'],
  ['a comma too many', '{"a":1,}'],
  ['single quotes', "{'a':1}"],
  ['a comment', '{/**/}'],
  ['NaN', '{"a":NaN}'],
  ['a raw line end in a text', '{"a":"\n"}'],
  ['a broken escape', '{"a":"\\u12"}'],
  ['invalid UTF-8', Uint8Array.of(...utf8('{"a":"'), 0xff, ...utf8('"}'))],
  ['a surrogate in UTF-8', Uint8Array.of(...utf8('{"a":"'), 0xed, 0xa0, 0x80, ...utf8('"}'))],
  ['UTF-16', new Uint8Array(Buffer.from('{"a":1}', 'utf16le'))],
  ['an array', '[]'],
  ['an array with an object', '[{"resource_type":"worker","resource_id":"x","tags":{}}]'],
  ['a text', '"{}"'],
  ['a number', '1'],
  ['true', 'true'],
  ['null', 'null'],
  ['much nesting', '['.repeat(100_000) + ']'.repeat(100_000)],
];

const malformed = (method: string): Refusal => (method === 'PUT' ? refusals.setPayload : refusals.deletePayload);

async function send(t: Context, method: string, body: string | Uint8Array, headers = {}): Promise<RestReply> {
  return await t.tags(method, '/tags', { body, headers });
}

/** Returns the method of a row: PUT or DELETE in turn, by the seed. */
function turn(t: Context, row: number): readonly string[] {
  return [(row + t.seed) % 2 === 0 ? 'PUT' : 'DELETE'];
}

/** Returns the JSON text of an object with one member replaced. */
function bodyWith(t: Context, member: string, json: string): string {
  const { resource_type: type, resource_id: id } = newWorker(t);
  const members = new Map([
    ['resource_type', JSON.stringify(type)],
    ['resource_id', JSON.stringify(id)],
    ['tags', '{}'],
    [member, json],
  ]);
  return `{${[...members].map(([name, value]) => `"${name}":${value}`).join(',')}}`;
}

/** Values of `tags` other than a map of texts (TAG-176). */
const noTags = [
  'null',
  '[]',
  '[["a","b"]]',
  '"a"',
  '""',
  '0',
  'true',
  ...['1', '1.5', 'true', 'null', '{}', '{"a":"b"}', '[]', '["b"]'].map((value) => `{"a":"b","c":${value}}`),
  ...['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00x"', '"\\udc00\\ud800"'].map((value) => `{"a":${value}}`),
  `{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`,
];

/** Invalid keys (TAG-178), as JSON. */
const noKeys = [
  '',
  ' ',
  'a b',
  ' a',
  'a/b',
  'a:b',
  'a=b',
  'a,b',
  'a!',
  '!a',
  'a+b',
  'a%b',
  '😀',
  'e\u0301',
  '\u200d',
  'a\n',
  '\ufeff',
  '①',
  '²',
  'Ⅷ',
  '\u0000',
  '$',
  'a@b',
  '~',
  '\u00ad',
  '\uff0d',
].map((key) => JSON.stringify(key));

const noIds = [
  'null',
  '5',
  'true',
  '{}',
  '["x"]',
  '""',
  '"\\u0000"',
  '"a\\u0000"',
  '"\\ud800"',
  JSON.stringify('x'.repeat(1025)),
];

export const tagMalformedBodies: Suite = suite(
  {
    id: 'tags/malformed/bodies',
    requirements: ['TAG-154', 'TAG-164', 'TAG-175'],
    level: 'MUST',
    explanation: 'A body that is no JSON object in UTF-8 is refused with 1002 on PUT and 1015 on DELETE.',
    run: async (t) => {
      for (const [i, [what, body]] of sample(t, noObjects, 3).entries()) {
        for (const method of turn(t, i)) {
          const headers = { 'content-type': 'application/json' };
          assertRefusal(await send(t, method, body, headers), malformed(method), `${method} with ${what}`);
        }
      }
      for (const method of ['PUT', 'DELETE']) {
        assertRefusal(await t.tags(method, '/tags'), malformed(method), `${method} without a body`);
      }
    },
  },
  {
    id: 'tags/malformed/deep',
    requirements: ['TAG-175', 'TAG-176'],
    level: 'MUST',
    explanation: 'JSON that is nested as deep as its size allows is taken or refused, and nothing breaks.',
    run: async (t) => {
      const depth = 100_000;
      const nests = [['[', ']'] as const, ['{"a":', '}'] as const];
      for (const [open, close] of sample(t, nests, 1)) {
        const nest = `${open.repeat(depth)}1${close.repeat(depth)}`;
        const tags = await send(t, 'PUT', bodyWith(t, 'tags', nest));
        assertRefusal(tags, refusals.setPayload, 'PUT of tags with much nesting');
        for (const method of ['PUT', 'DELETE']) {
          const reply = await send(t, method, bodyWith(t, 'more', nest));
          const taken = method === 'PUT' ? 200 : 204;
          if (reply.status !== taken) assertRefusal(reply, malformed(method), `${method} with much nesting`);
        }
      }
    },
  },
  {
    id: 'tags/malformed/tags',
    requirements: ['TAG-154', 'TAG-176'],
    level: 'MUST',
    explanation: 'Tags that are no object of texts are refused with 1002, and nothing of them is stored.',
    run: async (t) => {
      const resource = newWorker(t);
      const set = await t.setTags(resource, { a: 'b' });
      const start = JSON.stringify(resource).slice(0, -1);
      for (const tags of sample(t, noTags, 2)) {
        const reply = await send(t, 'PUT', `${start},"tags":${tags}}`);
        assertRefusal(reply, refusals.setPayload, `PUT of the tags ${tags.slice(0, 100)}`);
      }
      assertRefusal(await send(t, 'PUT', `${start}}`), refusals.setPayload, 'PUT without tags');
      assert.deepEqual(await tagsOf(t, resource), set, 'expected the tags as they were');
    },
  },
  {
    id: 'tags/malformed/identities',
    requirements: ['TAG-154', 'TAG-164', 'TAG-177'],
    level: 'MUST',
    explanation:
      'A type or id in a body that is missing, empty or no text is refused with 1002 on PUT and 1015 on DELETE.',
    run: async (t) => {
      const ids = sample(t, noIds, 2).map((json) => bodyWith(t, 'resource_id', json));
      const noTypes = ['null', '5', '{}', '["worker"]', '""'];
      const types = sample(t, noTypes, 2).map((json) => bodyWith(t, 'resource_type', json));
      const missing = ['{}', '{"resource_type":"worker"}', `{"resource_id":"${t.name()}"}`];
      for (const [i, body] of [...ids, ...types, ...sample(t, missing, 1)].entries()) {
        for (const method of turn(t, i)) {
          assertRefusal(await send(t, method, body), malformed(method), `${method} of ${body.slice(0, 200)}`);
        }
      }
    },
  },
  {
    id: 'tags/malformed/keys',
    requirements: ['TAG-163', 'TAG-178'],
    level: 'MUST',
    explanation: 'A key in a body that is empty, or has other characters than keys may have, is refused with 1014.',
    run: async (t) => {
      const resource = newWorker(t);
      const set = await t.setTags(resource, { a: 'b' });
      const start = JSON.stringify(resource).slice(0, -1);
      for (const key of sample(t, [...noKeys, '"\\ud800"', '"a\\udc00"'], 2)) {
        const reply = await send(t, 'PUT', `${start},"tags":{"a":"b",${key}:"c"}}`);
        assertRefusal(reply, refusals.invalidKey, `PUT with the key ${key}`);
      }
      assert.deepEqual(await tagsOf(t, resource), set, 'expected the tags as they were');
    },
  },
  {
    id: 'tags/malformed/parents',
    requirements: ['TAG-154', 'TAG-164', 'TAG-179'],
    level: 'MUST',
    explanation: 'A version of a Worker without the Worker is refused, with 1002 on PUT and 1015 on DELETE.',
    run: async (t) => {
      const parents = ['', ',"worker_id":null', ',"worker_id":5', ',"worker_id":""', ',"WORKER_ID":"w"'];
      for (const [i, parent] of sample(t, parents, 2).entries()) {
        const body = `{"resource_type":"worker_version","resource_id":"${t.name()}","tags":{}${parent}}`;
        for (const method of turn(t, i)) {
          assertRefusal(await send(t, method, body), malformed(method), `${method} of ${body}`);
        }
      }
    },
  },
  {
    id: 'tags/malformed/media-types',
    requirements: ['TAG-170', 'TAG-183', 'REPO-040'],
    level: 'MUST',
    beyond: true,
    explanation:
      'A body is application/json in UTF-8 without a content encoding, or it is 415; without a type it counts as JSON.',
    run: async (t) => {
      const resource = newWorker(t);
      const body = setText(resource, [['a', 'b']]);
      const wrong = [
        { 'content-type': 'text/plain' },
        { 'content-type': 'application/x-www-form-urlencoded' },
        { 'content-type': 'application/merge-patch+json' },
        { 'content-type': 'application/json; charset=iso-8859-1' },
        { 'content-type': 'application/json', 'content-encoding': 'gzip' },
        { 'content-type': 'application/json', 'content-encoding': 'x-none' },
      ];
      for (const [i, headers] of sample(t, wrong, 2).entries()) {
        for (const method of turn(t, i)) {
          const what = `${method} with ${JSON.stringify(headers)}`;
          assertRefusal(await send(t, method, body, headers), refusals.mediaType, what);
        }
      }
      const right = ['Application/JSON', 'application/json;charset="UTF-8"', 'application/json; x=y'];
      for (const type of sample(t, right, 1)) {
        const reply = await send(t, 'PUT', body, { 'content-type': type });
        assertSuccess(reply, 200, `PUT with the content type ${type}`);
      }
      const plain = await send(t, 'PUT', body, { 'content-encoding': 'identity' });
      assertSuccess(plain, 200, 'PUT with the content encoding identity');
      const untyped = await t.tags('PUT', '/tags', { body: utf8(body), untyped: true });
      assertSuccess(untyped, 200, 'PUT without a content type');
    },
  },
);
