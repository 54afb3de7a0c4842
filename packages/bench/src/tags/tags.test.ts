import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TagContender } from './contender.ts';
import { openTagDatabase, type TagDatabase } from './database.ts';
import { handContender, type HandContender } from './hand-contender.ts';
import { httpContender, type HttpContender } from './http-contender.ts';
import { measuredLists } from './lists.ts';
import { checkSamePage, measureGet, measurePage, measureSet } from './measure-tags.ts';
import { parseTagsOptions } from './options.ts';
import { findPage } from './page-start.ts';
import { account, numberOf, sampleResource } from './sample-resources.ts';
import { storeContender } from './store-contender.ts';
import { renderFarPages } from './table.ts';

describe('the command line', () => {
  it('has defaults and accepts every option', () => {
    expect(parseTagsOptions([])).toEqual({ resources: 100_000, rounds: 5, out: undefined, help: false });
    const args = ['--resources', '20', '--rounds', '3', '--out', 'y.json', '--help'];
    expect(parseTagsOptions(args)).toEqual({ resources: 20, rounds: 3, out: 'y.json', help: true });
  });

  it.each([['--rounds', '0'], ['--resources', 'many'], ['--repo', 'x'], ['clone']])('refuses %s %s', (...args) => {
    expect(() => parseTagsOptions(args)).toThrow(args[0]);
  });
});

describe('sample resources', () => {
  it('are the same each time, and have ten tags each', () => {
    for (let number = 0; number < 500; number++) {
      const sample = sampleResource(number);
      expect(sampleResource(number)).toEqual(sample);
      expect(Object.keys(sample.tags)).toHaveLength(10);
      expect(numberOf(sample.resource.id)).toBe(number);
    }
  });

  it('are as common and rare as the lists assume', () => {
    const samples = Array.from({ length: 10_000 }, (_, number) => sampleResource(number).tags);
    const share = (test: (tags: Readonly<Record<string, string>>) => boolean): number =>
      samples.filter(test).length / samples.length;
    expect(share((tags) => tags['env'] === 'prod')).toBe(0.6);
    expect(share((tags) => tags['archived'] === '')).toBeCloseTo(0.1, 1);
    expect(share((tags) => tags['owner'] === 'person-42')).toBeLessThan(0.002);
    expect(new Set(samples.map((tags) => tags['owner'])).size).toBe(1000);
  });
});

describe('contenders', () => {
  let folder: string;
  let database: TagDatabase;
  let freshCacheSize: number;
  let hand: HandContender;
  let http: HttpContender;
  let contenders: readonly TagContender[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'packhouse-bench-tags-'));
    database = openTagDatabase(join(folder, 'tags.sqlite'));
    freshCacheSize = database.setting('cache_size');
    await database.fill(700);
    hand = handContender(database.file);
    http = httpContender(database.stores);
    contenders = [hand, storeContender(database.stores(account)), http];
  });

  afterAll(async () => {
    hand.close();
    database.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(measuredLists.map((list) => [list.title, list] as const))('return the same pages of %s', async (_, list) => {
    await checkSamePage(contenders, list, undefined);
    const second = await findPage(http, list, 2);
    if (second !== undefined) await checkSamePage(contenders, list, second);
  });

  it('find the file configured as on a server, despite the settings for filling', () => {
    expect(database.setting('synchronous')).toBe(2);
    expect(database.setting('cache_size')).toBe(freshCacheSize);
  });

  it('are measured on lists that mostly have items, some of them more than a page', async () => {
    const sizes = await Promise.all(measuredLists.map(async (list) => (await http.reply(list, '')).result.length));
    expect(sizes.filter((size) => size === 0).length).toBeLessThan(sizes.length / 2);
    expect(sizes).toContain(100);
  });

  it('are refused if one returns something else', async () => {
    const [list] = measuredLists;
    if (list === undefined) throw new Error('No lists');
    const wrong: TagContender = { ...hand, name: 'wrong', read: async () => ['something else'] };
    await expect(checkSamePage([hand, wrong], list, undefined)).rejects.toThrow(
      /all: wrong gives 1 items, by hand 100/,
    );
    await expect(measurePage([hand, wrong], list, 1, undefined, 1)).rejects.toThrow('wrong');
  });

  it('read and write single resources', async () => {
    const sample = sampleResource(3);
    const names = ['by hand', 'store', 'HTTP'];
    for (const row of [await measureGet(contenders, sample, 1), await measureSet(contenders, sample, 1)]) {
      expect(Object.keys(row.samples)).toEqual(names);
      for (const samples of Object.values(row.samples)) expect(samples[0]).toBeGreaterThan(0);
    }
    // Each contender was last once, and wrote the number of its last write.
    const record = await database.stores(account).record(sample.resource);
    expect(record?.tags).toEqual({ ...sample.tags, release: '19' });
    await contenders[0]?.set(sample)();
    expect((await database.stores(account).record(sample.resource))?.tags['release']).toBe('0');
  });
});

describe('the table of far pages', () => {
  it('compares each contender with its own first page', () => {
    const row = { name: 'page', unit: 'ms', gitStarts: 0 } as const;
    const first = { ...row, title: 'all, page 1', samples: { 'by hand': [1], store: [2] } };
    const far = { ...row, title: 'all, page 500', samples: { 'by hand': [1], store: [3] } };
    expect(renderFarPages([{ title: 'all', first, far }], 500).split('\n')).toEqual([
      'page 500 to page 1  by hand  store',
      'all                    1.00   1.50',
    ]);
  });
});
