import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import type { Context, TagIdentity, TagsOptions } from '../../core/context.ts';
import { assertSuccess, shown } from '../../steps/replies.ts';
import { sample } from '../../tools/dice.ts';
import { accountTypes, parents, zoneTypes } from './support/default-types.ts';
import { deleteTags, newWorker, putTags, readTags, tagsOf } from './support/one-resource.ts';
import { assertRefusal, refusals } from './support/refusals.ts';
import { assertNotFound, untaggedMode } from './support/untagged.ts';

/** Returns a new resource of a type, with its parent. */
function newOf(t: Context, type: string): TagIdentity {
  const parent = parents[type];
  const id = t.name(type.slice(0, 20).replaceAll('_', '-'));
  return { resource_type: type, resource_id: id, ...(parent === undefined ? {} : { [parent]: 'parent' }) };
}

/** Sets tags of a resource of each type. */
async function assertTypes(t: Context, types: readonly string[], options: TagsOptions): Promise<void> {
  for (const type of types) {
    const set = await t.setTags(newOf(t, type), { a: 'b' }, options);
    assert.deepEqual([set.type, set.tags], [type, { a: 'b' }], `expected the tags of a ${type}`);
  }
}

/** Asserts that the account or zone itself accepts tags. Restores its tags afterwards. */
async function assertOwn(t: Context, own: TagIdentity, options: TagsOptions): Promise<void> {
  const before = await readTags(t, own, options);
  const record = before.json?.result as { tags: Record<string, string>; etag: string; tags_updated_at?: string } | null;
  const had = before.status === 200 && record?.tags_updated_at !== undefined;
  const headers: Record<string, string> = had ? { 'if-match': `"${record.etag}"` } : {};
  const reply = await putTags(t, own, had ? record.tags : {}, { ...options, headers });
  assert.equal(assertSuccess(reply, 200, `PUT of the ${own.resource_type}`).id, own.resource_id, 'expected its id');
  if (!had) assert.equal((await deleteTags(t, own, options)).status, 204, 'DELETE: expected 204');
}

/** Asserts that types of another level are refused: each with another method, in an order that the seed chooses. */
async function assertNoTypes(t: Context, types: readonly string[], options: TagsOptions): Promise<void> {
  for (const [i, type] of types.entries()) {
    const resource = { resource_type: type, resource_id: t.name() };
    const method = ['PUT', 'GET', 'DELETE'][(i + t.seed) % 3] ?? '';
    const reply =
      method === 'PUT'
        ? await putTags(t, resource, {}, options)
        : await (method === 'GET' ? readTags : deleteTags)(t, resource, options);
    assertRefusal(reply, refusals.resourceType, `${method} of the type ${JSON.stringify(type)}`);
  }
}

const unknownTypes = [
  'none',
  'Worker',
  'WORKER',
  'workers',
  ' worker',
  'worker ',
  '__proto__',
  'constructor',
  'dns-record',
];

/** Types in addition to the default ones, and one fewer. */
const otherTypes = {
  resource_types: {
    add: [
      { type: 'gadget', level: 'account' },
      { type: 'gizmo', level: 'zone', parent: 'gadget_id' },
    ],
    remove: ['image'],
  },
};

export const tagTypes: Suite = suite(
  {
    id: 'tags/types/account',
    requirements: ['TAG-126'],
    level: 'MUST',
    explanation: 'Default types of accounts take tags: some of them in each run, of which the lists name all.',
    run: async (t) => {
      await assertTypes(t, sample(t, accountTypes, 1), {});
      await assertOwn(t, { resource_type: 'account', resource_id: t.account }, {});
    },
  },
  {
    id: 'tags/types/zone',
    requirements: ['TAG-128'],
    level: 'MUST',
    needs: ['zone id'],
    explanation: 'Default types of zones take tags: some of them in each run, of which the lists name all.',
    run: async (t) => {
      await assertTypes(t, sample(t, zoneTypes, 2), { at: 'zone' });
      await assertOwn(t, { resource_type: 'zone', resource_id: t.zoneId }, { at: 'zone' });
    },
  },
  {
    id: 'tags/types/unknown',
    requirements: ['TAG-129', 'TAG-156'],
    level: 'MUST',
    explanation: 'A type that is none, or is spelled in another case, is refused with 1006.',
    run: async (t) => {
      await assertNoTypes(t, sample(t, unknownTypes, 2), {});
      for (const path of ['/tags/resources?type=worker&type=', '/tags/values/k?type=']) {
        for (const type of sample(t, ['none', 'Worker', '__proto__'], 1)) {
          const reply = await t.tags('GET', path + type);
          assertRefusal(reply, refusals.resourceType, `GET ${path}${type}`);
        }
      }
    },
  },
  {
    id: 'tags/types/zone-types',
    requirements: ['TAG-129', 'TAG-156', 'TAG-180'],
    level: 'MUST',
    explanation: 'A type of zones is none on the route of an account.',
    run: async (t) => await assertNoTypes(t, ['zone', 'dns_record', 'access_application_policy'], {}),
  },
  {
    id: 'tags/types/account-types',
    requirements: ['TAG-129', 'TAG-156', 'TAG-180'],
    level: 'MUST',
    needs: ['zone id'],
    explanation: 'A type of accounts, or none, is none on the route of a zone.',
    run: async (t) => {
      const types = ['account', 'worker', 'worker_version', 'repository', 'none', 'Zone'];
      await assertNoTypes(t, sample(t, types, 2), { at: 'zone' });
    },
  },
  {
    id: 'tags/types/repository',
    requirements: ['TAG-127'],
    level: 'MUST',
    beyond: true,
    explanation: 'A repo takes tags by its id, under the name of its namespace and its own as they are stored.',
    run: async (t) => {
      const namespace = t.name('Namespace');
      const repo = await t.createRepo({ namespace, name: 'Notes' });
      const resource = { resource_type: 'repository', resource_id: repo.id };
      await untaggedMode(t, { ...resource, resource_id: `${namespace}/Notes` });
      const key = t.name('key');
      const set = await t.setTags(resource, { [key]: 'b' });
      assert.deepEqual([set.id, set.name], [repo.id, `${namespace}/Notes`], 'expected id and name of the repo');
      const second = await t.createRepo({ namespace: namespace.toLowerCase(), name: 'Others' });
      const { name } = await t.setTags({ ...resource, resource_id: second.id }, {});
      assert.equal(name, `${namespace}/Others`, 'expected the stored spelling of the namespace');
      assert.deepEqual(await tagsOf(t, resource), set, 'expected GET to show the same');
      const list = assertSuccess(
        await t.tags('GET', `/tags/resources?tag=${key}&type=repository&name=NOTES`),
        200,
        'the list',
      );
      assert.deepEqual(list, [set], 'expected the list to show the same');
    },
  },
  {
    id: 'tags/types/repository-deleted',
    requirements: ['TAG-127', 'TAG-054'],
    level: 'MUST',
    beyond: true,
    explanation: 'A repo that is deleted has no tags any more, and takes none.',
    run: async (t) => {
      const { namespace, name, id } = await t.createRepo();
      const resource = { resource_type: 'repository', resource_id: id };
      const key = t.name('key');
      await t.setTags(resource, { [key]: 'b' });
      const deleted = await t.rest('DELETE', `/namespaces/${namespace}/repos/${name}`);
      assert.equal(deleted.status, 202, `DELETE of the repo: expected 202, got ${shown(deleted)}`);
      await untaggedMode(t, resource);
      const lists = [`/tags/resources?tag=${key}`, `/tags/resources?id=${id}`, `/tags/values/${key}`];
      for (const path of sample(t, lists, 1)) {
        assert.deepEqual(assertSuccess(await t.tags('GET', path), 200, `GET ${path}`), [], 'expected nothing of it');
      }
      assertNotFound(await putTags(t, resource, { a: 'b' }), 404, resource, 'PUT of a deleted repo');
      const again = await t.createRepo({ namespace, name });
      await untaggedMode(t, { ...resource, resource_id: again.id });
    },
  },
  {
    id: 'tags/types/own-account',
    requirements: ['TAG-130', 'TAG-054'],
    level: 'MUST',
    beyond: true,
    explanation: 'Of the type account there is only the one of the path; other types take every id.',
    run: async (t) => {
      const other = { resource_type: 'account', resource_id: t.name('other') };
      assertNotFound(await putTags(t, other, {}), 404, other, 'PUT of another account');
      await untaggedMode(t, other);
      const loud = { resource_type: 'account', resource_id: `${t.account} ` };
      assertNotFound(await putTags(t, loud, {}), 404, loud, 'PUT of the account with a space behind');
      for (const id of sample(t, ['0', '-', '.', '../x', '*'], 1).map((text) => `${text}${t.name()}`)) {
        await t.setTags({ ...newWorker(t), resource_id: id }, {});
      }
    },
  },
  {
    id: 'tags/types/own-zone',
    requirements: ['TAG-130', 'TAG-054'],
    level: 'MUST',
    beyond: true,
    needs: ['zone id'],
    explanation: 'Of the type zone there is only the one of the path.',
    run: async (t) => {
      const other = { resource_type: 'zone', resource_id: t.name('other') };
      assertNotFound(await putTags(t, other, {}, { at: 'zone' }), 404, other, 'PUT of another zone');
      const reply = await readTags(t, other, { at: 'zone' });
      assertNotFound(reply, reply.status === 404 ? 404 : 500, other, 'GET of another zone');
    },
  },
  {
    id: 'tags/types/setting',
    requirements: ['TAG-125'],
    level: 'MUST',
    beyond: true,
    needs: ['settings', 'zone id'],
    settings: otherTypes,
    explanation: 'A deployment has the types that it adds, with level and parent, and has not those that it removes.',
    run: async (t) => {
      const gadget = await t.setTags({ resource_type: 'gadget', resource_id: t.name() }, { a: 'b' });
      assert.equal(gadget.type, 'gadget', 'expected an added type');
      await assertNoTypes(t, ['image', 'gizmo'], {});
      await assertNoTypes(t, ['gadget'], { at: 'zone' });
      const bare = { resource_type: 'gizmo', resource_id: t.name() };
      const refused = await putTags(t, bare, {}, { at: 'zone' });
      assertRefusal(refused, refusals.setPayload, 'PUT without the parent of an added type');
      const reply = await t.tags('PUT', '/tags', { at: 'zone', body: { ...bare, gadget_id: 'g', tags: {} } });
      assert.equal(assertSuccess(reply, 200, 'PUT with the parent').gadget_id, 'g', 'expected the parent in the reply');
      const list = await t.tags('GET', '/tags/resources?type=gadget&type=gizmo');
      assert.deepEqual(assertSuccess(list, 200, 'the list'), [gadget], 'expected the added type in lists');
      assertRefusal(
        await t.tags('GET', '/tags/values/a?type=image'),
        refusals.resourceType,
        'a removed type in a list',
      );
    },
  },
);
