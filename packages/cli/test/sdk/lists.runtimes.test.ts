import type Cloudflare from 'cloudflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect } from './outcomes.ts';
import { servedClient, type ServedClient } from './served-client.ts';

/** Two and a half pages (TAG-075). */
const workers = 250;
const padded = (number: number): string => String(number).padStart(3, '0');
const numbers = Array.from({ length: workers }, (_, number) => number);

let served: ServedClient;
let tagging: Cloudflare['resourceTagging'];
let account: { readonly account_id: string };

/** Returns the tags of a worker: a unique key, a unique value, and tags for filters. */
const tagsOf = (number: number): Record<string, string> => ({
  [`key-${padded(number)}`]: '',
  number: padded(number),
  env: ['prod', 'staging', 'test'][number % 3] ?? '',
  ...(number < 5 && { Équipe: 'Données', note: 'a+b = 50%' }),
});

beforeAll(async () => {
  served = await servedClient();
  tagging = served.client.resourceTagging;
  account = { account_id: served.account };
  const left = numbers.values();
  const setAll = async (): Promise<void> => {
    for (const number of left) {
      const resource_id = `worker-${padded(number)}`;
      await tagging.accountTags.update({ ...account, resource_type: 'worker', resource_id, tags: tagsOf(number) });
    }
  };
  await Promise.all(Array.from({ length: 8 }, setAll));
  await tagging.zoneTags.update({
    zone_id: served.zone,
    resource_type: 'zone',
    resource_id: served.zone,
    tags: { env: 'prod' },
  });
});

afterAll(() => served.stop());

const workerIds = numbers.map((number) => `worker-${padded(number)}`);

describe('the SDK of the public service, with its base URL changed', () => {
  it('TAG-007, TAG-077: lists 250 resources to the end', async () => {
    const resources = await collect(tagging.list({ ...account, type: ['worker'] }));
    expect(resources.map(({ id }) => id)).toEqual(workerIds);
    expect(resources.map(({ tags }) => tags)).toEqual(numbers.map(tagsOf));
    const all = await collect(tagging.list(account));
    expect(all.map(({ id }) => id)).toEqual([...workerIds, served.zone]);
  });

  it('TAG-076: reports for each page whether another one follows', async () => {
    const first = await tagging.list({ ...account, type: ['worker'] });
    expect(first.result).toHaveLength(100);
    expect(first.result_info).toMatchObject({ count: 100, cursors: { after: expect.any(String) } });
    const second = await first.getNextPage();
    const last = await second.getNextPage();
    expect([first, second, last].map((page) => page.hasNextPage())).toEqual([true, true, false]);
    expect(last.result).toHaveLength(50);
    await expect(last.getNextPage()).rejects.toThrow('No next page expected');
    const again = await tagging.list({ ...account, type: ['worker'], cursor: first.result_info.cursors?.after ?? '' });
    expect(again.result).toEqual(second.result);
  });

  it.each<[string, Filters, (number: number) => boolean]>([
    ['a key', { tag: ['number'] }, () => true],
    ['no key', { tag: ['!Équipe'] }, (number) => number >= 5],
    ['a value', { tag: ['env=prod'] }, (number) => number % 3 === 0],
    ['one of two values', { tag: ['env=prod,staging'] }, (number) => number % 3 !== 2],
    ['none of two values', { tag: ['env!=prod,staging'] }, (number) => number % 3 === 2],
    ['an empty value', { tag: ['key-007='] }, (number) => number === 7],
    ['what an URL has another meaning for', { tag: ['note=a+b = 50%'] }, (number) => number < 5],
    ['two filters', { tag: ['env=test', 'Équipe'] }, (number) => number < 5 && number % 3 === 2],
    ['any case', { tag: ['éQUIPE=dONNÉES'], case_insensitive: true }, (number) => number < 5],
    ['its own case', { tag: ['éQUIPE'], case_insensitive: false }, () => false],
    ['ids', { id: ['worker-003', 'worker-001', 'nobody'] }, (number) => number === 1 || number === 3],
    ['part of a name', { name: 'KER-01' }, (number) => number >= 10 && number < 20],
  ])('TAG-067 to TAG-070, TAG-083: lists by %s', async (_, filters, matches) => {
    const resources = await collect(tagging.list({ ...account, type: ['worker', 'queue'], ...filters }));
    expect(resources.map(({ id }) => id)).toEqual(numbers.filter(matches).map((number) => `worker-${padded(number)}`));
  });

  it('TAG-008: lists the keys to the end', async () => {
    const keys = await collect(tagging.keys.list(account));
    expect(keys).toEqual(['env', ...numbers.map((number) => `key-${padded(number)}`), 'note', 'number', 'Équipe']);
  });

  it('TAG-009: lists the values of a key to the end', async () => {
    expect(await collect(tagging.values.list('number', { ...account, type: 'worker' }))).toEqual(numbers.map(padded));
    expect(await collect(tagging.values.list('Équipe', account))).toEqual(['Données']);
    expect(await collect(tagging.values.list('env', { ...account, type: 'zone' }))).toEqual(['prod']);
    expect(await collect(tagging.values.list('unused', account))).toEqual([]);
  });

  it('TAG-010: returns the first page of the summary', async () => {
    const summary = await tagging.summary.get(account);
    expect(summary).toHaveLength(100);
    expect(summary[0]).toEqual({ key: 'env', values: ['prod', 'staging', 'test'] });
    expect(summary[1]).toEqual({ key: 'key-000', values: [''] });
  });
});

type Filters = Partial<Parameters<Cloudflare['resourceTagging']['list']>[0]>;
