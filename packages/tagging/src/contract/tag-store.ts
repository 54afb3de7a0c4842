import type { TagChange, TagPart, TagRecord, TagSlice, TagStores } from '../model/tag-store.ts';
import { etagOf, type Tags } from '@packhouse/tag-filter';
import { test } from '@fast-check/vitest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testTagLists } from './tag-store-lists.ts';
import { testTagWrites } from './tag-store-writes.ts';
import {
  anyResource,
  anyTags,
  change,
  everything,
  filtered,
  listed,
  nameOf,
  resource,
  walk,
} from './tag-store-samples.ts';

/** Empty stores for one test. */
export interface TagStoreFixture {
  /** Each call may return another handle or connection; all must show the same state. */
  readonly stores: TagStores;
  close(): void | Promise<void>;
}

const worker = resource('worker', 'e77a');

/** Tests an adapter against the contract of `TagStore`: `testTagStore('memory', () => fixture)`. */
export function testTagStore(adapter: string, make: () => TagStoreFixture | Promise<TagStoreFixture>): void {
  describe(`TagStore: ${adapter}`, () => {
    let fixture: TagStoreFixture;
    beforeEach(async () => {
      fixture = await make();
    });
    afterEach(() => fixture.close());
    const open = (account = 'a1') => fixture.stores(account);
    const set = (id: string, tags: Tags, more: Partial<TagChange> = {}) =>
      open().set(change(resource('worker', id), tags, more));

    it('TAG-050, TAG-051: a set replaces the whole map, even by an empty one', async () => {
      expect(await open().record(worker)).toBeUndefined();
      const first = { resource: worker, name: 'checkout', tags: { env: 'prod', team: 'core' }, updatedAt: 1000 };
      expect(await open().set(change(worker, first.tags, { name: 'checkout' }))).toEqual({
        kind: 'set',
        record: first,
      });
      expect(await open().record(worker)).toEqual(first);
      const second = { ...first, name: 'pay', tags: { env: 'dev', note: '' }, updatedAt: 2000 };
      const outcome = await open().set(change(worker, second.tags, { name: 'pay', at: 2000 }));
      expect(outcome).toEqual({ kind: 'set', record: second });
      expect(await open().record(worker)).toEqual(second);
      expect((await open().keys({ limit: 9 })).items).toEqual(['env', 'note']);
      await open().set(change(worker, {}, { at: 3000 }));
      expect(await open().record(worker)).toMatchObject({ tags: {}, updatedAt: 3000 });
    });

    it('TAG-052: treats names of inherited members as ordinary keys', async () => {
      const tags = JSON.parse('{"__proto__":"x","constructor":"y","toString":"","10":"a"}') as Tags;
      await open().set(change(worker, tags));
      const record = (await open().record(worker)) as TagRecord;
      expect(Object.entries(record.tags).toSorted()).toEqual(Object.entries(tags).toSorted());
      expect(etagOf(record.tags)).toBe(etagOf(tags));
      expect((await open().values('__proto__', null, { limit: 9 })).items).toEqual(['x']);
      expect((await open().values('valueOf', null, { limit: 9 })).items).toEqual([]);
      expect(await listed(open(), filtered({ key: 'constructor', test: 'one-of', values: ['y'] }))).toHaveLength(1);
      expect(await listed(open(), filtered({ key: 'valueOf', test: 'has' }))).toEqual([]);
      await open().set(change(worker, { constructor: 'y' }));
      expect(Object.entries((await open().record(worker))?.tags ?? {})).toEqual([['constructor', 'y']]);
    });

    it('is not affected by later changes of objects that it received or returned', async () => {
      const tags: Record<string, string> = { env: 'prod' };
      const outcome = await open().set(change(worker, tags));
      tags['env'] = 'dev';
      if (outcome.kind === 'set') (outcome.record.tags as Record<string, string>)['env'] = 'test';
      const record = (await open().record(worker)) as TagRecord;
      (record.tags as Record<string, string>)['more'] = '';
      expect((await open().record(worker))?.tags).toEqual({ env: 'prod' });
    });

    const current = etagOf({ env: 'prod' });
    const other = etagOf({ env: 'dev' });
    const headers: readonly [header: string | null, record: boolean, none: boolean][] = [
      [null, true, true],
      [`"${current}"`, true, false],
      [current, true, false],
      [`"${other}", "${current}"`, true, false],
      [`"${other}"`, false, false],
      [`"${etagOf({})}"`, false, true],
      ['*', true, false],
      [`W/"${current}"`, false, false],
      ['', false, false],
      ['"', false, false],
    ];

    it.each(headers)('TAG-045 to TAG-049: If-Match %j', async (ifMatch, record, none) => {
      const missing = resource('worker', 'missing');
      await open().set(change(worker, { env: 'prod' }));
      const outcome = await open().set(change(missing, { env: 'new' }, { ifMatch }));
      expect(outcome.kind).toBe(none ? 'set' : 'no match');
      expect(await open().record(missing)).toEqual(
        none ? expect.objectContaining({ tags: { env: 'new' } }) : undefined,
      );
      expect(await open().remove(resource('worker', 'other'), ifMatch)).toBe(none ? 'missing' : 'no match');
      const before = await open().record(worker);
      const changed = await open().set(change(worker, { env: 'new' }, { ifMatch, at: 2000, name: 'new' }));
      expect(changed.kind).toBe(record ? 'set' : 'no match');
      if (record) await open().set(change(worker, { env: 'prod' }));
      else expect(await open().record(worker)).toEqual(before);
      expect(await open().remove(worker, ifMatch)).toBe(record ? 'removed' : 'no match');
      expect((await open().record(worker)) === undefined).toBe(record);
    });

    it('TAG-047: an empty record has the etag of a missing one, but exists', async () => {
      await open().set(change(worker, {}));
      const ifMatch = `"${etagOf({})}"`;
      expect((await open().set(change(worker, {}, { ifMatch: '*' }))).kind).toBe('set');
      expect((await open().set(change(worker, { a: '' }, { ifMatch }))).kind).toBe('set');
      expect((await open().set(change(worker, { b: '' }, { ifMatch }))).kind).toBe('no match');
    });

    it('TAG-053: increases the time of a record with every write, even if the clock stands still', async () => {
      const times = [];
      for (const at of [1000, 1000, 500, 1001, 5000]) {
        const outcome = await open().set(change(worker, { env: 'prod' }, { at }));
        if (outcome.kind === 'set') times.push(outcome.record.updatedAt);
      }
      expect(times).toEqual([1000, 1001, 1002, 1003, 5000]);
      expect((await open().record(worker))?.updatedAt).toBe(5000);
      await open().rename(worker, 'other');
      expect((await open().record(worker))?.updatedAt).toBe(5000);
    });

    it('TAG-062, TAG-063: leaves no trace of a removed record', async () => {
      expect(await open().remove(worker, null)).toBe('missing');
      await open().set(change(worker, { env: 'prod' }, { at: 9000 }));
      expect(await open().remove(worker, null)).toBe('removed');
      expect(await open().remove(worker, null)).toBe('missing');
      expect(await open().record(worker)).toBeUndefined();
      expect(await listed(open())).toEqual([]);
      expect((await open().keys({ limit: 9 })).items).toEqual([]);
      await open().set(change(worker, {}, { at: 2000 }));
      expect(await open().remove(worker, null)).toBe('removed');
      await open().set(change(worker, { team: '' }, { at: 3000 }));
      expect(await open().record(worker)).toMatchObject({ tags: { team: '' }, updatedAt: 3000 });
    });

    it('TAG-065, TAG-066: lists contain only resources with tags', async () => {
      expect(await open().resources(everything, { limit: 5 })).toEqual({ items: [], more: false });
      expect(await open().summary({ limit: 5 })).toEqual({ items: [], more: false });
      await set('a', {});
      await set('b', { env: '' });
      await set('c', { env: '' });
      await set('c', {});
      expect(await listed(open())).toEqual(['["worker",null,null,"b"]']);
      expect(await listed(open(), filtered({ key: 'archived', test: 'lacks' }))).toEqual(['["worker",null,null,"b"]']);
      expect(await listed(open(), { ...everything, ids: ['a', 'c'] })).toEqual([]);
      await set('a', { env: '' });
      expect(await listed(open(), { ...everything, ids: ['a', 'c'] })).toEqual(['["worker",null,null,"a"]']);
    });

    it('TAG-069: finds the latest name, ignoring case and without patterns', async () => {
      await set('r1', { env: '' }, { name: 'Große 100% _Straße_' });
      const named = async (name: string) => (await listed(open(), { ...everything, name })).length;
      for (const part of ['', 'GROSSE', 'großE', '100%', '_strasse_', '%', '_', 'SSE 1', 'e'])
        expect([part, await named(part)]).toEqual([part, 1]);
      for (const part of ['1_0', 'g%e', '*', 'große  ', "'"]) expect([part, await named(part)]).toEqual([part, 0]);
      await open().rename(resource('worker', 'r1'), 'Ünd');
      await open().rename(resource('worker', 'r2'), 'Ünd');
      expect([await named('große'), await named('üND')]).toEqual([0, 1]);
      expect(await open().record(resource('worker', 'r1'))).toMatchObject({ name: 'Ünd', tags: { env: '' } });
      expect(await open().record(resource('worker', 'r2'))).toBeUndefined();
    });

    it('TAG-070, TAG-071: lists a resource once with its own spelling if case is ignored', async () => {
      await set('a', { env: 'prod', ENV: 'PROD', Env: 'dev' });
      await set('b', { Straße: 'Ä' });
      const ignoring = (list: ReturnType<typeof filtered>) => listed(open(), { ...list, caseInsensitive: true });
      const [a, b] = ['["worker",null,null,"a"]', '["worker",null,null,"b"]'];
      expect(await ignoring(filtered({ key: 'eNV', test: 'has' }))).toEqual([a]);
      expect(await ignoring(filtered({ key: 'eNV', test: 'one-of', values: ['Prod', 'DEV', 'PROD'] }))).toEqual([a]);
      expect(await ignoring(filtered({ key: 'env', test: 'none-of', values: ['Dev'] }))).toEqual([b]);
      expect(await ignoring(filtered({ key: 'STRASSE', test: 'one-of', values: ['ä'] }))).toEqual([b]);
      expect(await listed(open(), filtered({ key: 'eNV', test: 'has' }))).toEqual([]);
      await set('b', { Straße: 'Ö' });
      expect(await ignoring(filtered({ key: 'STRASSE', test: 'one-of', values: ['ä'] }))).toEqual([]);
      expect(await ignoring(filtered({ key: 'STRASSE', test: 'none-of', values: ['ä', 'x'] }))).toEqual([a, b]);
      expect(await ignoring(filtered({ key: 'STRASSE', test: 'one-of', values: ['ö'] }))).toEqual([b]);
      const { items } = await open().resources(everything, { limit: 1 });
      expect(items[0]?.tags).toEqual({ env: 'prod', ENV: 'PROD', Env: 'dev' });
    });

    it('TAG-073: sorts by type, zone (account level first), parent and id, each by code point', async () => {
      const expected = [
        resource('worker', '\uE000', { zone: null }),
        resource('worker', '\uFFFD'),
        resource('worker', '\u{1F600}'),
        resource('worker', '\u0001', { parent: '\u0001' }),
        resource('worker', 'z', { parent: '\u0001' }),
        resource('worker', 'a', { parent: 'a' }),
        resource('worker', 'a', { parent: 'a\u0001' }),
        resource('worker', 'a', { parent: 'ab' }),
        resource('worker', 'a', { zone: 'Z' }),
        resource('worker', 'a', { zone: 'z', parent: 'b' }),
        resource('worker', 'a', { zone: 'z1' }),
        resource('worker_version', 'a'),
      ];
      for (const one of expected.toReversed()) await open().set(change(one, { env: '' }));
      expect(await listed(open())).toEqual(expected.map(nameOf));
      const ids = expected.slice(0, 3).map(({ id }) => id);
      const some = expected.slice(0, 3).map(nameOf);
      expect(await listed(open(), { ...everything, ids: ids.toReversed(), types: ['zone', 'worker'] })).toEqual(some);
      for (const one of expected.slice(0, 3)) await open().set(change(one, { env: '', id: one.id }));
      expect(await listed(open(), filtered({ key: 'id', test: 'one-of', values: ids.toReversed() }))).toEqual(some);
      for (const text of ['ﬁ', '𐐀', 'z', '10', '9']) await set('keys', { ...(await tagsOf('keys')), [text]: '' });
      for (const text of ['ﬁ', '𐐀', '\uFEFF', '\u0001', '', 'Z']) await set(`v${text}`, { only: text });
      expect((await open().keys({ limit: 9 })).items).toEqual(['10', '9', 'env', 'id', 'only', 'z', 'ﬁ', '𐐀']);
      const values = ['', '\u0001', 'Z', 'ﬁ', '\uFEFF', '𐐀'];
      expect((await open().values('only', null, { limit: 9 })).items).toEqual(values);
      expect((await open().values('only', 'worker', { limit: 9 })).items).toEqual(values);
      expect((await open().values('only', 'work', { limit: 9 })).items).toEqual([]);
    });
    const tagsOf = async (id: string) => (await open().record(resource('worker', id)))?.tags;

    it('TAG-135 to TAG-139: accepts the maximum number of filters, values, ids and types', async () => {
      const values = Array.from({ length: 10 }, (_, index) => `v${index}`);
      const filters = filtered(
        ...Array.from({ length: 20 }, (_, index) => ({
          key: `k${index}`,
          test: index % 2 === 0 ? ('one-of' as const) : ('none-of' as const),
          values,
        })),
      );
      const even = Array.from({ length: 10 }, (_, index) => [`k${2 * index}`, `v${index}`]);
      const ids = Array.from({ length: 50 }, (_, index) => `i${index}`);
      await set('i7', Object.fromEntries(even));
      await set('i8', Object.fromEntries(even.slice(1)));
      await set('i9', Object.fromEntries([...even, ['k19', 'v0']]));
      const types = [...Array.from({ length: 40 }, (_, index) => `t${index}`), 'worker'];
      for (const list of [filters, { ...filters, ids }, { ...filters, types }, { ...filters, ids, types }])
        for (const caseInsensitive of [false, true]) {
          const all = { ...list, caseInsensitive, name: 'I' };
          expect(await listed(open(), all)).toEqual([nameOf(resource('worker', 'i7'))]);
        }
    });

    it('TAG-142: counts the tags of all records of an account through all changes', async () => {
      const limit = { accountMax: 5 };
      expect((await set('a', { a: '', b: '', c: '' }, limit)).kind).toBe('set');
      expect(await set('b', { a: '', b: '', c: '' }, limit)).toEqual({ kind: 'too many', maximum: 5 });
      expect(await open().record(resource('worker', 'b'))).toBeUndefined();
      expect((await set('b', { a: '', b: '' }, limit)).kind).toBe('set');
      expect(await set('b', { a: '', b: '', c: '' }, limit)).toEqual({ kind: 'too many', maximum: 5 });
      expect(await tagsOf('b')).toEqual({ a: '', b: '' });
      expect(await set('c', {}, limit)).toEqual({ kind: 'too many', maximum: 5 });
      expect((await set('b', {}, limit)).kind).toBe('set');
      expect((await set('c', {}, limit)).kind).toBe('set');
      expect(await set('e', {}, limit)).toEqual({ kind: 'too many', maximum: 5 });
      expect((await set('a', { d: '' }, limit)).kind).toBe('set');
      expect((await set('c', { a: '', b: '', c: '' }, limit)).kind).toBe('set');
      expect((await set('d', { a: '' }, limit)).kind).toBe('too many');
      await open().remove(resource('worker', 'c'), null);
      expect((await set('d', { a: '', b: '', c: '' }, limit)).kind).toBe('set');
      expect((await set('e', { a: '' }, limit)).kind).toBe('too many');
      expect((await open('a2').set(change(worker, { a: '' }, limit))).kind).toBe('set');
    });

    it('TAG-142, TAG-143: above a limit, accepts changes that do not raise the number, and checks If-Match first', async () => {
      await set('a', { a: '', b: '', c: '' });
      const low = { accountMax: 1, resourceMax: 2 };
      expect((await set('a', { d: '', e: '', f: '' }, low)).kind).toBe('set');
      expect((await set('a', { d: '', e: '' }, low)).kind).toBe('set');
      expect(await set('a', { d: '', e: '', f: '' }, low)).toEqual({ kind: 'too many', maximum: 1 });
      expect(await set('a', { d: '', e: '', f: '' }, { ...low, ifMatch: '""' })).toEqual({ kind: 'no match' });
      expect(await set('a', { d: '', e: '', f: '' }, { resourceMax: 2 })).toEqual({ kind: 'too many', maximum: 2 });
      expect((await set('b', { a: '', b: '' }, { resourceMax: 2 })).kind).toBe('set');
      expect(await set('c', { a: '', b: '', c: '' }, { resourceMax: 0 })).toEqual({ kind: 'too many', maximum: 0 });
    });

    it.each(['\uFEFFx', ' x ', 'e\u0301', 'É', '\u{1F600}', '\u0001', '\uFFFE', "'; DROP --", '"', '%', '\\u0000'])(
      'TAG-027, TAG-145: stores the text %j unchanged',
      async (text) => {
        const of = resource('worker_version', text, { parent: text });
        await open().set(change(of, { env: text }, { name: text }));
        const record = { resource: of, name: text, tags: { env: text }, updatedAt: 1000 };
        expect(await open().record(of)).toEqual(record);
        expect(await open().resources(everything, { limit: 1 })).toEqual({ items: [record], more: false });
        const list = { ...filtered({ key: 'env', test: 'one-of', values: [text] }), ids: [text], name: text };
        expect(await open().resources(list, { limit: 1 })).toEqual({ items: [record], more: false });
        expect((await open().values('env', null, { limit: 1 })).items).toEqual([text]);
        expect((await open().values('env', null, { limit: 1, after: text })).items).toEqual([]);
        expect((await open().summary({ limit: 1 })).items).toEqual([{ key: 'env', values: [text] }]);
        await open().keepPlace(text, text, 1);
        expect(await open().keptPlace(text)).toBe(text);
      },
    );

    it('TAG-132, TAG-133, TAG-140: stores texts of the maximum length', async () => {
      const [long, key] = ['\u{1F600}'.repeat(1024), '𐐀'.repeat(256)];
      const of = resource('worker_version', long, { parent: long });
      await open().set(change(of, { [key]: long }, { name: long }));
      const record = { resource: of, name: long, tags: { [key]: long }, updatedAt: 1000 };
      expect(await open().resources({ ...everything, ids: [long] }, { limit: 1 })).toEqual({
        items: [record],
        more: false,
      });
      expect((await open().resources(everything, { limit: 1, after: of })).items).toEqual([]);
    });

    it('TAG-171: accepts exactly one of simultaneous sets with one etag', async () => {
      await set('a', { n: '' });
      const ifMatch = `"${etagOf({ n: '' })}"`;
      const outcomes = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => set('a', { n: `${n}` }, { ifMatch })));
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual([...Array(5).fill('no match'), 'set']);
      const winner = outcomes.findIndex(({ kind }) => kind === 'set');
      expect(await tagsOf('a')).toEqual({ n: `${winner + 1}` });
    });

    it('TAG-174: the limit of an account holds under simultaneous sets', async () => {
      const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
      const outcomes = await Promise.all(ids.map((id) => set(id, { x: '', y: '' }, { accountMax: 7 })));
      expect(outcomes.filter(({ kind }) => kind === 'set')).toHaveLength(3);
      expect(await listed(open())).toHaveLength(3);
    });

    test.prop({ of: anyResource, first: anyTags, second: anyTags }, { numRuns: 60 })(
      'TAG-050, TAG-172, TAG-173: a read returns exactly the map of the last set',
      async ({ of, first, second }) => {
        for (const tags of [first, second]) {
          const outcome = await open().set(change(of, tags));
          const record = await open().record(of);
          expect(record).toEqual(outcome.kind === 'set' ? outcome.record : undefined);
          expect(Object.entries(record?.tags ?? {}).toSorted()).toEqual(Object.entries(tags).toSorted());
          const { items } = await open().resources(everything, { limit: 1 });
          expect(items).toEqual(Object.keys(tags).length > 0 ? [record] : []);
        }
        await open().remove(of, null);
        expect((await open().keys({ limit: 1 })).items).toEqual([]);
      },
    );

    it('TAG-075, TAG-076: a full page reports more items only if there are some', async () => {
      const ids = Array.from({ length: 21 }, (_, index) => `r${index}`.padEnd(5, '.'));
      for (const id of ids) await set(id, { env: id, [`key-${id}`]: '' });
      const last = resource('worker', ids.toSorted().at(-1) as string);
      const lengths = async () =>
        (
          await walk(
            (after: typeof last | undefined) => open().resources(everything, { limit: 10, ...(after && { after }) }),
            (record) => record.resource,
          )
        ).map((page) => page.length);
      const texts = async (list: (slice: TagSlice<string>) => Promise<TagPart<string>>) =>
        (
          await walk(
            (after: string | undefined) => list({ limit: 10, ...(after !== undefined && { after }) }),
            (text) => text,
          )
        ).map((page) => page.length);
      expect(await lengths()).toEqual([10, 10, 1]);
      expect(await texts((slice) => open().keys(slice))).toEqual([10, 10, 2]);
      expect(await texts((slice) => open().values('env', 'worker', slice))).toEqual([10, 10, 1]);
      await open().remove(last, null);
      expect(await lengths()).toEqual([10, 10]);
      expect(await texts((slice) => open().values('env', null, slice))).toEqual([10, 10]);
      expect(await open().resources(everything, { limit: 10, after: last })).toEqual({ items: [], more: false });
    });

    it('TAG-080: keeps a place for at least 24 hours, and drops it at a write after 48', async () => {
      const hour = 3_600_000;
      expect(await open().keptPlace('p')).toBeUndefined();
      await open().keepPlace('p', '["worker",null]\0\uFEFF', 0);
      await open().keepPlace('p', '["worker",null]\0\uFEFF', 0);
      await open().keepPlace('q', '\uFEFFx', 24 * hour);
      expect(await open().keptPlace('p')).toBe('["worker",null]\0\uFEFF');
      expect(await open().keptPlace('q')).toBe('\uFEFFx');
      expect(await open('a2').keptPlace('q')).toBeUndefined();
      await open().keepPlace('p', '["worker",null]\0\uFEFF', 30 * hour);
      await open().keepPlace('p', '["worker",null]\0\uFEFF', 3 * hour);
      await open().keepPlace('r', 'r', 24 * hour + 48 * hour + 1);
      expect(await open().keptPlace('q')).toBeUndefined();
      expect(await open().keptPlace('p')).toBe('["worker",null]\0\uFEFF');
      await open().keepPlace('r', 'r', 999 * hour);
      expect([await open().keptPlace('p'), await open().keptPlace('r')]).toEqual([undefined, 'r']);
    });

    it('REPO-011: separates accounts', async () => {
      await open().set(change(worker, { env: 'prod' }));
      const stranger = open('a2');
      const filters = filtered({ key: 'env', test: 'one-of', values: ['prod'] });
      for (const known of [false, true]) {
        if (known) await stranger.set(change(resource('worker', 'own'), { own: 'x' }));
        expect(await stranger.record(worker)).toBeUndefined();
        expect(await stranger.remove(worker, null)).toBe('missing');
        await stranger.rename(worker, 'stolen');
        for (const list of [filters, { ...filters, caseInsensitive: true }, filtered({ key: 'env', test: 'has' })])
          expect(await listed(stranger, list)).toEqual([]);
        expect(await listed(stranger, { ...everything, ids: [worker.id], types: ['worker'] })).toEqual([]);
        expect((await stranger.keys({ limit: 9 })).items).toEqual(known ? ['own'] : []);
        for (const type of [null, 'worker'])
          expect((await stranger.values('env', type, { limit: 9 })).items).toEqual([]);
        expect((await stranger.summary({ limit: 9 })).items).toEqual(known ? [{ key: 'own', values: ['x'] }] : []);
      }
      expect(await open().record(worker)).toMatchObject({ name: worker.id, tags: { env: 'prod' } });
    });

    testTagWrites(open);
    testTagLists(open);
  });
}
