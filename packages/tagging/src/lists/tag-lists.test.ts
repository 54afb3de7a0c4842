import { describe, expect, it } from 'vitest';
import type { TagSlice, TagStore } from '../model/tag-store.ts';
import { defaultResourceTypes } from '../registry/default-resource-types.ts';
import { createRegistry } from '../registry/registry.ts';
import { simpleTagStores } from '../contract/simple-tag-stores.ts';
import type { Tagging, TagList } from '../model/tagging.ts';
import { inAccount, inZone, testTagging } from '../service/tagging.test.util.ts';

/** Tagging with `count` workers, each with its own key, value and id. */
async function withWorkers(count: number): Promise<Tagging> {
  const tagging = testTagging();
  for (let i = 0; i < count; i++) {
    const own = String(i).padStart(4, '0');
    const tags = { [`key${own}`]: '', team: `value ${own}` };
    await tagging.set(inAccount, { resource_type: 'worker', resource_id: `w${own}`, tags }, null);
  }
  return tagging;
}

type Route = (tagging: Tagging, query: string, account?: string) => Promise<TagList<unknown>>;
const routes: readonly (readonly [string, Route, number])[] = [
  ['resources', (tagging, query, account = 'a1') => tagging.resources(account, query), 0],
  ['keys', (tagging, query, account = 'a1') => tagging.keys(account, query), 1],
  ['values', (tagging, query, account = 'a1') => tagging.values(account, 'team', query), 0],
  ['summary', (tagging, query, account = 'a1') => tagging.summary(account, query), 1],
];

describe.each(routes)('the list of %s', (_, list, others) => {
  it('TAG-066: is an empty page without items', async () => {
    const nothing = { items: [], info: { count: 0, cursor: null, cursors: { after: null } } };
    expect(await list(testTagging(), '')).toEqual(nothing);
  });

  it('TAG-075, TAG-076: has 100 items on a page, and one page for exactly 100', async () => {
    const { items, info } = await list(await withWorkers(100 - others), '?limit=7&per_page=7');
    expect(items).toHaveLength(100);
    expect(info).toEqual({ count: 100, cursor: null, cursors: { after: null } });
    expect(Object.keys(info)).toEqual(['count', 'cursor', 'cursors']);
  });

  it('TAG-077, TAG-079: a walk finds each item once', async () => {
    const tagging = await withWorkers(250 - others);
    const seen: unknown[] = [];
    const counts: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: TagList<unknown> = await list(tagging, `?cursor=${cursor}`);
      expect(page.info.cursors.after).toBe(page.info.cursor);
      expect(page.info.count).toBe(page.items.length);
      seen.push(...page.items);
      counts.push(page.info.count);
      cursor = page.info.cursor;
    }
    expect(counts).toEqual([100, 100, 50]);
    expect(new Set(seen.map((item) => JSON.stringify(item))).size).toBe(250);
  });

  it('TAG-078: accepts cursors of this list only', async () => {
    const tagging = await withWorkers(101);
    const { cursor } = (await list(tagging, '')).info;
    const invalid = { code: 10100, status: 400, message: 'Invalid cursor', pointer: '/cursor' };
    await expect(list(tagging, `?cursor=${cursor}`, 'a2')).rejects.toMatchObject(invalid);
    for (const [name, other] of routes.filter(([, each]) => each !== list)) {
      await expect(other(tagging, `?cursor=${cursor}`), name).rejects.toMatchObject(invalid);
    }
  });

  it('TAG-078, TAG-141, TAG-182: rejects a malformed cursor', async () => {
    for (const cursor of ['x', '%FF', '%00', '%', 'kept.', 'x'.repeat(1025), '+']) {
      await expect(list(testTagging(), `?cursor=${cursor}`)).rejects.toMatchObject({
        code: 10100,
        message: 'Invalid cursor',
        pointer: '/cursor',
      });
    }
  });

  it('TAG-166, TAG-182: refuses two cursors, even empty ones', async () => {
    await expect(list(testTagging(), '?cursor=&cursor=')).rejects.toMatchObject({
      code: 10100,
      message: 'Invalid query parameter: cursor',
      pointer: '/cursor',
    });
  });

  it('TAG-137: asks the store for a bounded page', async () => {
    const slices: TagSlice<unknown>[] = [];
    await list(testTagging({ stores: () => asking(slices) }), '');
    expect(slices).toEqual([{ limit: 100, lengthMax: 4_194_304 }]);
  });
});

describe('the list of resources', () => {
  const tags = { team: 'core' };

  it('TAG-007, TAG-065: shows resources of the account and its zones like a read', async () => {
    const tagging = testTagging();
    const version = { resource_type: 'worker_version', resource_id: 'v', worker_id: 'w', tags };
    const shown = [
      await tagging.set(inZone, { resource_type: 'dns_record', resource_id: 'd', tags }, null),
      await tagging.set(inAccount, version, null),
    ];
    const { items } = await tagging.resources('a1', '?tag=team');
    expect(JSON.stringify(items)).toBe(JSON.stringify(shown));
    expect((await tagging.resources('a2', '')).items).toEqual([]);
  });

  it('TAG-125: shows a resource whose type was removed, without its parent', async () => {
    const stores = simpleTagStores();
    const version = { resource_type: 'worker_version', resource_id: 'v', worker_id: 'w', tags };
    await testTagging({ stores }).set(inAccount, version, null);
    const changes = { remove: ['worker_version'] };
    const registry = createRegistry(defaultResourceTypes, [{ name: 'resource_types', changes }]);
    const { items } = await testTagging({ stores, registry }).resources('a1', '');
    expect(items).toMatchObject([{ id: 'v', type: 'worker_version', tags }]);
    expect(Object.keys(items[0] ?? {})).toEqual(['id', 'type', 'name', 'tags', 'etag', 'tags_updated_at']);
  });

  it('TAG-077, TAG-078: a cursor works with types and ids in any order', async () => {
    const tagging = await withWorkers(101);
    const query = '?type=worker&type=zone&name=w&tag=team&tag=other!=x';
    const { cursor } = (await tagging.resources('a1', query)).info;
    const again = `?case_insensitive=false&tag=team&tag=other%21%3Dx&name=w&type=zone&type=worker&cursor=${cursor}`;
    expect((await tagging.resources('a1', again)).info.count).toBe(1);
    for (const [part, other] of [
      ['type=zone', 'type=image'],
      ['type=zone', 'id=w0000'],
      ['name=w', 'name=W'],
      ['name=w', 'name='],
      ['tag=team', 'tag=other'],
      ['tag=team', 'tag=team=%22'],
      ['tag=team', ''],
      ['name=w', 'name=w&case_insensitive=true'],
    ] as const) {
      await expect(tagging.resources('a1', `${query.replace(part, other)}&cursor=${cursor}`)).rejects.toMatchObject({
        message: 'Invalid cursor',
      });
    }
  });

  it('TAG-152: checks the cursor last', async () => {
    await expect(testTagging().resources('a1', '?cursor=x&cursor=x&case_insensitive=1')).rejects.toMatchObject({
      pointer: '/case_insensitive',
    });
  });
});

describe('the list of values', () => {
  it('TAG-009, TAG-072: is that of one key, or of one type', async () => {
    const tagging = testTagging();
    await tagging.set(inAccount, { resource_type: 'worker', resource_id: 'a', tags: { team: 'one', Team: 'x' } }, null);
    await tagging.set(inZone, { resource_type: 'zone', resource_id: 'z1', tags: { team: 'two', é: '' } }, null);
    expect((await tagging.values('a1', 'team', '')).items).toEqual(['one', 'two']);
    expect((await tagging.values('a1', 't%65am', '?type=zone')).items).toEqual(['two']);
    expect((await tagging.values('a1', '%C3%A9', '?tag=!')).items).toEqual(['']);
  });

  it('TAG-078: a cursor is bound to key and type', async () => {
    const tagging = await withWorkers(101);
    const { cursor } = (await tagging.values('a1', 'team', '?type=worker')).info;
    expect((await tagging.values('a1', '%74eam', `?cursor=${cursor}&type=worker`)).info.count).toBe(1);
    for (const [key, query] of [
      ['Team', 'type=worker'],
      ['team', 'type=zone'],
      ['team', 'Type=worker'],
    ] as const) {
      await expect(tagging.values('a1', key, `?${query}&cursor=${cursor}`)).rejects.toMatchObject({ code: 10100 });
    }
  });

  it('TAG-153: checks the key, then the type, then the cursor', async () => {
    const refusal = async (key: string, query: string): Promise<unknown> => {
      try {
        return await testTagging().values('a1', key, query);
      } catch (error) {
        const { code, message } = error as Record<string, unknown>;
        return [code, message];
      }
    };
    const two = '?type=x&type=x&cursor=x';
    expect(await refusal('', two)).toEqual([1009, 'tag_key is required']);
    expect(await refusal('!', two)).toEqual([1014, 'Invalid tag key']);
    expect(await refusal('a', two)).toEqual([10100, 'Invalid query parameter: type']);
    expect(await refusal('a', '?type=&cursor=x')).toEqual([1006, 'Invalid resource type']);
    expect(await refusal('a', '?cursor=x')).toEqual([10100, 'Invalid cursor']);
  });
});

/** A store without records, which notes the requested slices. */
function asking(slices: TagSlice<unknown>[]): TagStore {
  const answer = async (slice: TagSlice<unknown>) => {
    slices.push(slice);
    return { items: [], more: false };
  };
  return {
    ...simpleTagStores()('a1'),
    resources: (_, slice) => answer(slice),
    keys: answer,
    values: (_, __, slice) => answer(slice),
    summary: answer,
  };
}
