import { cloudflare, neutral } from '@packhouse/hosting';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { testService, type TestService } from '../test-service.test.util.ts';

const cases = (['memory', 'SQLite'] as const).map((storage) => ({
  dialect: storage === 'memory' ? neutral : cloudflare,
  storage,
}));

describe.each(cases)('lists, $dialect.name on $storage', ({ dialect, storage }) => {
  const start = () => testService({ dialect, storage });

  /** Creates repos one second apart. */
  const fill = async (service: TestService, names: readonly string[]) => {
    for (const name of names) {
      await service.call('POST', '/namespaces/nn/repos', { name });
      service.pass(1);
    }
  };
  const names = async (service: TestService, query = '') =>
    (await service.call('GET', `/namespaces/nn/repos${query}`)).json.result.map(({ name }: { name: string }) => name);

  it('REPO-091: result_info has the offset form if all rows fit or the request names a page', async () => {
    const service = start();
    const empty = { page: 1, per_page: 50, total_pages: 0, count: 0, total_count: 0 };
    const list = await service.call('GET', '/namespaces/nn/repos');
    expect([list.status, list.json.result_info]).toEqual([200, empty]);
    expect(Object.keys(list.json.result_info)).toEqual(Object.keys(empty));
    expect((await service.call('GET', '/namespaces')).json.result_info).toEqual({ ...empty, per_page: 100 });
    await fill(service, ['a', 'b', 'c']);
    const info = async (query: string) => (await service.call('GET', `/namespaces/nn/repos?${query}`)).json.result_info;
    expect(await info('limit=3')).toEqual({ page: 1, per_page: 3, total_pages: 1, count: 3, total_count: 3 });
    expect(await info('limit=2&page=2')).toEqual({ page: 2, per_page: 2, total_pages: 2, count: 1, total_count: 3 });
    expect(await info('page=9&limit=2')).toEqual({ page: 9, per_page: 2, total_pages: 2, count: 0, total_count: 3 });
    expect(await info('page=9007199254740991')).toMatchObject({ count: 0, total_count: 3 });
    expect(await names(service, '?limit=2&page=2')).toEqual(['a']);
  });

  it('REPO-052, REPO-075, REPO-114, REPO-115: lists search, sort and reverse', async () => {
    const service = start();
    await fill(service, ['Beta', 'alpha', 'Gamma', 'ALP']);
    const ids = Object.fromEntries(
      (await service.call('GET', '/namespaces/nn/repos')).json.result.map(
        ({ name, id }: { name: string; id: string }) => [name, id],
      ),
    );
    for (const name of ['alpha', 'Beta']) {
      await service.hosting.touch('a1', ids[name], { pushedAt: service.hosting.clock.now(), bytes: 1, version: 2 });
      service.pass(1);
    }
    expect(await names(service)).toEqual(['ALP', 'Gamma', 'alpha', 'Beta']);
    expect(await names(service, '?direction=asc')).toEqual(['Beta', 'alpha', 'Gamma', 'ALP']);
    expect(await names(service, '?sort=updated_at')).toEqual(['Beta', 'alpha', 'ALP', 'Gamma']);
    const never = ['ALP', 'Gamma'].toSorted((a, b) => (ids[a] < ids[b] ? -1 : 1));
    expect(await names(service, '?sort=last_push_at')).toEqual(['Beta', 'alpha', ...never]);
    expect(await names(service, '?sort=last_push_at&direction=asc')).toEqual([...never, 'alpha', 'Beta']);
    expect(await names(service, '?sort=name&direction=asc')).toEqual(['ALP', 'alpha', 'Beta', 'Gamma']);
    expect(await names(service, '?search=AL&sort=name')).toEqual(['alpha', 'ALP']);
    expect(await names(service, '?search=%25')).toEqual([]);
    const [item] = (await service.call('GET', '/namespaces/nn/repos')).json.result;
    expect(Object.keys(item).at(-1)).toBe('status');
    expect(item.status).toBe('ready');
  });

  it('REPO-103, REPO-104, LIM-003: lists namespaces newest first, and orders ties by name', async () => {
    const service = start();
    for (const namespace of ['bb', 'AA', 'cc']) await service.call('POST', '/namespaces', { namespace });
    service.pass(1);
    await service.call('POST', '/namespaces', { namespace: 'new' });
    const all: string[] = [];
    let cursor = '';
    do {
      const { result, result_info } = (await service.call('GET', `/namespaces?limit=1&cursor=${cursor}`)).json;
      all.push(...result.map(({ namespace }: { namespace: string }) => namespace));
      cursor = result_info.cursor;
    } while (cursor !== '');
    expect(all).toEqual(['new', 'AA', 'bb', 'cc']);
    const tooMany = (await service.call('GET', '/namespaces?limit=201')).json.errors[0];
    expect(tooMany).toMatchObject({ message: 'Too big: expected number to be <=200', source: { pointer: '/limit' } });
  });

  test.prop(
    {
      count: fc.integer({ min: 1, max: 8 }),
      limit: fc.integer({ min: 1, max: 3 }),
      sort: fc.constantFrom('created_at', 'updated_at', 'last_push_at', 'name'),
      direction: fc.constantFrom('asc', 'desc'),
      /** The changes to other repos before each page. */
      changes: fc.array(fc.constantFrom('create', 'delete', 'push', 'none'), { minLength: 4, maxLength: 9 }),
    },
    { numRuns: 40 },
  )(
    'REPO-094: a walk by cursor returns each repo that stays exactly once, while others change',
    async ({ count, limit, sort, direction, changes }) => {
      const service = start();
      const stays = Array.from({ length: count }, (_, i) => `s${(i * 5) % 9}`);
      for (const [i, name] of stays.entries()) {
        const { id } = (await service.call('POST', '/namespaces/nn/repos', { name })).json.result;
        if (i % 3 === 0)
          await service.hosting.touch('a1', id, { pushedAt: service.hosting.clock.now() + i, bytes: 1, version: 2 });
        await service.call('POST', '/namespaces/nn/repos', { name: `x${i}` });
        if (i % 2 === 0) service.pass(1);
      }
      const seen: string[] = [];
      let cursor = '';
      for (let step = 0; ; step++) {
        const change = changes[step % changes.length];
        const other = `x${step % count}`;
        if (change === 'create') await service.call('POST', '/namespaces/nn/repos', { name: `r${step}x` });
        if (change === 'delete') await service.call('DELETE', `/namespaces/nn/repos/${other}`);
        if (change === 'push') {
          const found = await service.call('GET', `/namespaces/nn/repos/${other}`);
          const at = service.hosting.clock.now() + step;
          if (found.status === 200)
            await service.hosting.touch('a1', found.json.result.id, { pushedAt: at, bytes: 2, version: 3 + step });
        }
        const path = `/namespaces/nn/repos?limit=${limit}&sort=${sort}&direction=${direction}&cursor=${cursor}`;
        const { result, result_info } = (await service.call('GET', path)).json;
        seen.push(...result.map(({ name }: { name: string }) => name));
        cursor = result_info.cursor;
        if (cursor === '' || step > 60) break;
      }
      expect(seen.filter((name) => name.startsWith('s')).toSorted()).toEqual(stays.toSorted());
    },
  );
});
