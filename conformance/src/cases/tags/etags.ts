import assert from 'node:assert/strict';
import fc from 'fast-check';
import { suite, type Case, type Suite } from '../../core/case.ts';
import { holds } from '../../steps/holds.ts';
import { assertSuccess } from '../../steps/replies.ts';
import { etagOf } from './support/etag-model.ts';
import { newWorker, readTags, setText, tagsOf } from './support/one-resource.ts';

type Entries = readonly (readonly [key: string, value: string])[];

/** The examples of section 4.1. Their tags are not in the canonical order here. */
const vectors: readonly (readonly [id: string, slug: string, etag: string, tags: Entries])[] = [
  ['TAG-039', 'empty', 'v1:RBNvo1WzZ4oRRq0W9-hkng', []],
  [
    'TAG-040',
    'letters',
    'v1:TQa2wNntoLzkR3dLOCiIug',
    [
      ['team', 'platform'],
      ['environment', 'production'],
    ],
  ],
  [
    'TAG-041',
    'accents',
    'v1:snRpbUaa9F0Vr2UgXv5a7w',
    [
      ['Équipe', 'é'],
      ['cost-center', ''],
    ],
  ],
  [
    'TAG-042',
    'digits',
    'v1:Lz1vnut2PN-KAe131cGz0g',
    [
      ['9', 'b'],
      ['1a', 'c'],
      ['10', 'a'],
    ],
  ],
  [
    'TAG-043',
    'prototypes',
    'v1:tYEWsfKp7R06omi4r9R00g',
    [
      ['constructor', 'y'],
      ['__proto__', 'x'],
    ],
  ],
  [
    'TAG-044',
    'outside-the-basic-plane',
    'v1:AK2v-m0r_fOU4bZiLWTXLw',
    [
      ['ﬁ', '1'],
      ['𐐀', '2'],
    ],
  ],
];

const letters = fc.string({
  unit: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('a', 'Z', '0', '9', '_', '.', '-') },
    { weight: 1, arbitrary: fc.constantFrom('é', 'ﬁ', '𐐀', '環', '٣', 'ß', 'İ', 'ǅ', '𝟗') },
  ),
  minLength: 1,
  maxLength: 12,
});
const key = fc.oneof(
  letters,
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '0', '-1', '1e3'),
);
/** Any scalar values except U+0000. */
const value = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll('\0', '')),
  fc.constantFrom(
    '',
    ' a ',
    '"\\/\b\f\n\r\t',
    '\u007f\u0080\u2028\u2029',
    '\ufeff',
    '\uffff',
    '\u{10ffff}',
    '%00',
    '<script>',
  ),
  fc.string({ maxLength: 1024 - 24 }),
);
const tagMaps = fc.uniqueArray(fc.tuple(key, value), { selector: ([name]) => name, maxLength: 12 });

export const etags: Suite = [
  ...vectors.map(([id, slug, etag, tags]): Case => ({
    id: `tags/etags/${slug}`,
    requirements: ['TAG-036', 'TAG-037', id],
    level: 'MUST',
    explanation: `The tags of this row of the specification have exactly the etag that it says (${slug}).`,
    run: async (t) => {
      const resource = newWorker(t);
      const reply = await t.tags('PUT', '/tags', { body: setText(resource, tags) });
      assert.equal(assertSuccess(reply, 200, 'PUT').etag, etag, 'PUT: expected this etag');
      const read = await tagsOf(t, resource);
      assert.equal(read.etag, etag, 'GET: expected this etag');
      assert.deepEqual(new Map(Object.entries(read.tags)), new Map(tags), 'GET: expected these tags');
    },
  })),
  ...suite(
    {
      id: 'tags/etags/of-the-tags-alone',
      requirements: ['TAG-036'],
      level: 'MUST',
      explanation: 'Equal tags have equal etags, whatever they belong to and whenever they were set.',
      run: async (t) => {
        const [one, other] = [newWorker(t), { ...newWorker(t), resource_type: 'queue' }];
        const first = await t.setTags(one, { a: '1', b: '2' });
        await t.setTags(one, { a: '1', b: '3' });
        const again = await t.setTags(one, { b: '2', a: '1' });
        const others = await t.setTags(other, { a: '1', b: '2' });
        assert.deepEqual([again.etag, others.etag], [first.etag, first.etag], 'expected equal etags');
      },
    },
    {
      id: 'tags/etags/random',
      requirements: ['TAG-030', 'TAG-036', 'TAG-037', 'TAG-050', 'TAG-145'],
      level: 'MUST',
      explanation: 'Whatever tags are set come back exactly, with the etag of their canonical JSON.',
      run: async (t) => {
        const resource = newWorker(t);
        const property = fc.asyncProperty(tagMaps, async (tags) => {
          const reply = await t.tags('PUT', '/tags', { body: setText(resource, tags) });
          const set = assertSuccess(reply, 200, 'PUT');
          assert.deepEqual(new Map(Object.entries(set.tags)), new Map(tags), 'PUT: expected the tags that were sent');
          assert.equal(set.etag, etagOf(tags), 'PUT: expected the etag of the tags');
          assert.deepEqual(await tagsOf(t, resource), set, 'GET: expected what PUT gave');
        });
        await holds(t, 2, property);
      },
    },
    {
      id: 'tags/etags/no-header',
      requirements: ['TAG-038'],
      level: 'MUST',
      beyond: true,
      explanation: 'There is no ETag header: the etag is of the tags, and the reply has more in it.',
      run: async (t) => {
        const resource = newWorker(t);
        const put = await t.tags('PUT', '/tags', { body: { ...resource, tags: { a: 'b' } } });
        assertSuccess(put, 200, 'PUT');
        for (const { headers } of [put, await readTags(t, resource), await t.tags('GET', '/tags/keys')]) {
          assert.equal(headers.get('etag'), null, 'expected no ETag header');
        }
        const headers = { 'if-none-match': `"${put.json.result.etag}"` };
        assertSuccess(await readTags(t, resource, { headers }), 200, 'GET with If-None-Match');
      },
    },
  ),
];
