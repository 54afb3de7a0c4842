import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import type { Context } from '../../core/context.ts';
import { sample } from '../../tools/dice.ts';
import { assertSuccess, shown } from '../../steps/replies.ts';
import { deleteTags, newDnsRecord, newWorker, tagsOf } from './support/one-resource.ts';
import { assertRefusal, refusals } from './support/refusals.ts';
import { untaggedMode } from './support/untagged.ts';

/** Asserts that a DELETE with this body is 204. */
async function assertRemoved(t: Context, body: unknown, at: 'account' | 'zone' = 'account'): Promise<void> {
  const reply = await t.tags('DELETE', '/tags', { body, at });
  const what = `DELETE of ${JSON.stringify(body).slice(0, 200)}`;
  assert.deepEqual([reply.status, reply.text], [204, ''], `${what}: expected 204, got ${shown(reply)}`);
}

export const tagDeletes: Suite = suite(
  {
    id: 'tags/deletes/removes',
    requirements: ['TAG-062'],
    level: 'MUST',
    explanation: 'After a removal a resource is read as one that never had tags, and is in no list.',
    run: async (t) => {
      const [resource, never] = [newWorker(t), newWorker(t)];
      const key = t.name('key');
      await t.setTags(resource, { [key]: 'b' });
      await assertRemoved(t, resource);
      assert.equal(await untaggedMode(t, resource), await untaggedMode(t, never), 'expected no difference');
      for (const path of [`/tags/resources?tag=${key}`, `/tags/values/${key}`]) {
        assert.deepEqual(assertSuccess(await t.tags('GET', path), 200, `GET ${path}`), [], 'expected nothing of it');
      }
      assert.deepEqual((await t.setTags(resource, { c: 'd' })).tags, { c: 'd' }, 'expected only what is set after it');
    },
  },
  {
    id: 'tags/deletes/one-alone',
    requirements: ['TAG-062'],
    level: 'MUST',
    explanation: 'A removal leaves the tags of other resources, also of equal ids.',
    run: async (t) => {
      const version = { resource_type: 'worker_version', resource_id: t.name(), worker_id: t.name('worker') };
      const others = [
        { ...version, worker_id: t.name('worker') },
        { resource_type: 'worker', resource_id: version.resource_id },
      ];
      await t.setTags(version, { is: 'this' });
      const kept = await Promise.all(others.map(async (one) => await t.setTags(one, { is: 'another' })));
      await assertRemoved(t, version);
      const after = await Promise.all(others.map(async (one) => await tagsOf(t, one)));
      assert.deepEqual(after, kept, 'expected the others as they were');
    },
  },
  {
    id: 'tags/deletes/idempotent',
    requirements: ['TAG-063'],
    level: 'MUST',
    explanation: 'A removal is 204 also where there is no record, or no such resource.',
    run: async (t) => {
      const resource = newWorker(t);
      await assertRemoved(t, resource);
      await t.setTags(resource, { a: 'b' });
      await assertRemoved(t, resource);
      await assertRemoved(t, resource);
      await assertRemoved(t, { resource_type: 'account', resource_id: t.name('other') });
    },
  },
  {
    id: 'tags/deletes/unknown-repository',
    requirements: ['TAG-063', 'TAG-127'],
    level: 'MUST',
    beyond: true,
    explanation: 'A removal is 204 also for a repo that there is not.',
    run: async (t) => await assertRemoved(t, { resource_type: 'repository', resource_id: `none-${t.name()}` }),
  },
  {
    id: 'tags/deletes/zone',
    requirements: ['TAG-062', 'TAG-063'],
    level: 'MUST',
    needs: ['zone id'],
    explanation: 'The same holds for resources of a zone.',
    run: async (t) => {
      const resource = newDnsRecord(t);
      await t.setTags(resource, { a: 'b' }, { at: 'zone' });
      for (let i = 0; i < 2; i++) await assertRemoved(t, resource, 'zone');
      await untaggedMode(t, resource, { at: 'zone' });
      await assertRemoved(t, { resource_type: 'zone', resource_id: t.name('other') }, 'zone');
    },
  },
  {
    id: 'tags/deletes/body',
    requirements: ['TAG-064'],
    level: 'MUST',
    explanation: 'A removal needs a body; tags in it are ignored, whatever they are.',
    run: async (t) => {
      const resource = newWorker(t);
      const ignored: readonly unknown[] = [{ a: 'b' }, { c: 'd' }, {}, null, [1], 'x', { 'not so': 5 }];
      for (const tags of sample(t, ignored, 1)) {
        await t.setTags(resource, { a: 'b' });
        await assertRemoved(t, { ...resource, tags });
        await untaggedMode(t, resource);
      }
      const set = await t.setTags(resource, { a: 'b' });
      const query = `?resource_type=worker&resource_id=${resource.resource_id}`;
      assertRefusal(await t.tags('DELETE', `/tags${query}`), refusals.deletePayload, 'DELETE without a body');
      const { resource_id: id } = resource;
      assertRefusal(
        await deleteTags(t, { resource_type: '', resource_id: id }),
        refusals.deletePayload,
        'DELETE of no type',
      );
      assert.deepEqual(await tagsOf(t, resource), set, 'expected the tags as they were');
    },
  },
);
