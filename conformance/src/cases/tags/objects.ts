import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import type { Context, TagIdentity, TaggedResource, TagsOptions } from '../../core/context.ts';
import { assertSuccess } from '../../steps/replies.ts';
import { sample } from '../../tools/dice.ts';
import { timeOf } from '../../steps/values.ts';
import { etagOf } from './support/etag-model.ts';
import { newDnsRecord, newWorker, putTags, readTags, setText, tagsOf } from './support/one-resource.ts';
import { untaggedMode } from './support/untagged.ts';

/** Sets tags, and asserts the replies of PUT, GET and the list, except the name. */
async function assertObject(
  t: Context,
  resource: TagIdentity,
  shown: Partial<TaggedResource>,
  options: TagsOptions = {},
): Promise<TaggedResource> {
  const tags = { [t.name('key')]: 'v', empty: '' };
  const { name, tags_updated_at: at, ...rest } = await t.setTags(resource, tags, options);
  const expected = { ...shown, type: resource.resource_type, tags, etag: etagOf(Object.entries(tags)) };
  assert.deepEqual(rest, expected, 'expected these members besides name and tags_updated_at');
  assert.ok(typeof name === 'string' && name !== '', 'expected a name');
  timeOf(at ?? '(none)', 'tags_updated_at');
  const read = await tagsOf(t, resource, options);
  assert.deepEqual(read, { ...rest, name, tags_updated_at: at }, 'expected GET to show what PUT did');
  const [key] = Object.keys(tags);
  const listed = assertSuccess(await t.tags('GET', `/tags/resources?tag=${key}`), 200, 'the list of resources');
  assert.deepEqual(listed, [read], 'expected the list to show what GET did');
  return read;
}

/** Ids with all characters that ids may contain. */
const odd = [
  'a b',
  ' a ',
  'a/b?c=d&e#f',
  'A%2Fb+c%',
  '日本語 é e\u0301 𝒳',
  '"\\\u0001\u007f',
  'null',
  '0',
  '😀'.repeat(3),
  '__proto__',
];

export const tagObjects: Suite = suite(
  {
    id: 'tags/objects/account',
    requirements: ['TAG-027', 'TAG-028', 'TAG-029', 'TAG-030', 'TAG-031', 'TAG-035'],
    level: 'MUST',
    explanation: 'PUT, GET and the list of resources show a resource of an account with the same members.',
    run: async (t) => {
      const resource = newWorker(t);
      await assertObject(t, resource, { id: resource.resource_id });
    },
  },
  {
    id: 'tags/objects/zone',
    requirements: ['TAG-027', 'TAG-028', 'TAG-032', 'TAG-034'],
    level: 'MUST',
    needs: ['zone id'],
    explanation: 'A resource of a zone is shown with the id of the zone, and an Access policy with its application.',
    run: async (t) => {
      const record = newDnsRecord(t);
      await assertObject(t, record, { id: record.resource_id, zone_id: t.zoneId }, { at: 'zone' });
      const policy = {
        resource_type: 'access_application_policy',
        resource_id: t.name('policy'),
        access_application_id: t.name('application'),
      };
      const { resource_type: _, resource_id: id, ...parent } = policy;
      await assertObject(t, policy, { id, ...parent, zone_id: t.zoneId }, { at: 'zone' });
    },
  },
  {
    id: 'tags/objects/worker-version',
    requirements: ['TAG-033'],
    level: 'MUST',
    explanation: 'A version of a Worker is shown with the Worker, which tells it from versions of others.',
    run: async (t) => {
      const version = { resource_type: 'worker_version', resource_id: t.name('version'), worker_id: t.name('worker') };
      const { resource_id: id, worker_id: worker } = version;
      const set = await assertObject(t, version, { id, worker_id: worker });
      const other = { ...version, worker_id: t.name('worker') };
      await untaggedMode(t, other);
      await t.setTags(other, {});
      assert.deepEqual(await tagsOf(t, version), set, 'expected equal ids of two Workers not to meet');
    },
  },
  {
    id: 'tags/objects/apart',
    requirements: ['TAG-027', 'TAG-028'],
    level: 'MUST',
    explanation: 'Equal ids of two types are two resources, as are ids that differ in case.',
    run: async (t) => {
      const resource = newWorker(t);
      const set = await t.setTags(resource, { is: 'worker' });
      const others = [
        { ...resource, resource_type: 'queue' },
        { ...resource, resource_id: resource.resource_id.toUpperCase() },
      ];
      for (const other of others) {
        await untaggedMode(t, other);
        await t.setTags(other, { is: 'another' });
      }
      assert.deepEqual(await tagsOf(t, resource), set, 'expected the tags of the first as they were');
    },
  },
  {
    id: 'tags/objects/name',
    requirements: ['TAG-029', 'TAG-130'],
    level: 'MUST',
    beyond: true,
    explanation: 'A resource that no directory knows has its id as its name.',
    run: async (t) => {
      const resource = newWorker(t);
      assert.equal((await t.setTags(resource, {})).name, resource.resource_id, 'expected the id as the name');
      assert.equal((await tagsOf(t, resource)).name, resource.resource_id, 'expected the id as the name');
    },
  },
  {
    id: 'tags/objects/ids',
    requirements: ['TAG-027', 'TAG-134'],
    level: 'MUST',
    beyond: true,
    explanation: 'An id is any text, and comes back as it was sent.',
    run: async (t) => {
      for (const text of sample(t, odd, 1)) {
        const resource = newWorker(t, text);
        const set = await t.setTags(resource, { text: 'x' });
        assert.equal(set.id, resource.resource_id, 'PUT: expected the id unchanged');
        assert.deepEqual(await tagsOf(t, resource), set, 'GET: expected what PUT gave');
      }
    },
  },
  {
    id: 'tags/objects/member-order',
    requirements: ['TAG-030', 'TAG-036'],
    level: 'MUST',
    explanation: 'The order of tags in a body has no meaning: other orders are the same tags.',
    run: async (t) => {
      const resource = newWorker(t);
      const entries = [
        ['b', '1'],
        ['10', '2'],
        ['a', '3'],
        ['9', '4'],
      ] as const;
      const one = await t.setTags(resource, Object.fromEntries(entries));
      for (const order of [entries, entries.toReversed()]) {
        const reply = await t.tags('PUT', '/tags', { body: setText(resource, order) });
        const { tags, etag } = assertSuccess(reply, 200, 'PUT in another order');
        assert.deepEqual([tags, etag], [one.tags, one.etag], 'expected the same tags and etag');
      }
    },
  },
  {
    id: 'tags/objects/no-time',
    requirements: ['TAG-035'],
    level: 'MUST',
    explanation: 'A time of update is there when there is a record, also one without tags.',
    run: async (t) => {
      const resource = newWorker(t);
      const before = await readTags(t, resource);
      if (before.status === 200) {
        assert.ok(!('tags_updated_at' in before.json.result), 'expected no time without a record');
      }
      const reply = await putTags(t, resource, {});
      timeOf(assertSuccess(reply, 200, 'PUT').tags_updated_at, 'tags_updated_at');
    },
  },
);
