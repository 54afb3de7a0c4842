import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createMock } from '@packhouse/msw';
import { afterAll, describe, expect, it } from 'vitest';
import { codecContenders, measureCodecs } from './measure-codecs.ts';
import { measureReady } from './measure-ready.ts';
import { measureRequests, requestContenders } from './measure-requests.ts';
import { parseMocksOptions } from './options.ts';
import { layPublished } from './published-packages.ts';
import { seedsOf } from './seeds.ts';
import { renderMocks } from './table.ts';

it('the command line has defaults and accepts every option', () => {
  expect(parseMocksOptions([])).toEqual({ repos: 1000, rounds: 5, out: undefined, help: false });
  const args = ['--repos', '30', '--rounds', '2', '--out', 'x.json', '--help'];
  expect(parseMocksOptions(args)).toEqual({ repos: 30, rounds: 2, out: 'x.json', help: true });
});

it.each([['--repos', '0'], ['--rounds', 'many'], ['--repo', 'x'], ['clone']])(
  'the command line refuses %s %s',
  (...args) => {
    expect(() => parseMocksOptions(args)).toThrow(args[0]);
  },
);

it('the seeds have what their names say', async () => {
  const [nothing, empty, full] = seedsOf(3).map(({ seed }) => createMock({ baseUrl: 'https://a.test', seed }).store);
  expect(await nothing?.inspect.repos()).toEqual([]);
  expect((await empty?.inspect.repos())?.map(({ last_push_at: at }) => at)).toEqual([null, null, null]);
  expect(await full?.inspect.repos()).toHaveLength(3);
  expect(await full?.inspect.file('repo-2', 'README.md')).toBe('# Repo 2\n');
});

it('each round takes a sample of each seed', async () => {
  const rows = await measureReady(seedsOf(2), 2);
  expect(rows.map(({ name, samples }) => [name, Object.values(samples).map(({ length }) => length)])).toEqual([
    ['ready', [2, 2, 2]],
    ['reset', [2, 2, 2]],
  ]);
});

it('every contender returns the list of repos, and is measured', async () => {
  const { samples } = await measureRequests(1);
  expect(Object.keys(samples)).toEqual(requestContenders);
  for (const [rate] of Object.values(samples)) expect(rate).toBeGreaterThan(0);
});

it('both codecs do each work on the same text, and are measured', async () => {
  const rows = await measureCodecs(1, [300, 2048]);
  expect(rows.map(({ title }) => title)).toEqual([
    'inflate of 300 bytes',
    'deflate of 300 bytes',
    'SHA-1 of 300 bytes',
    'inflate of 2 KiB',
    'deflate of 2 KiB',
    'SHA-1 of 2 KiB',
  ]);
  for (const { samples } of rows) expect(Object.keys(samples)).toEqual(codecContenders);
});

describe('packages as they are published', () => {
  const folder = mkdtempSync(join(tmpdir(), 'packhouse-bench-published-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const [house, laid] = [join(folder, 'house'), join(folder, 'laid')];
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(house, path)), { recursive: true });
    writeFileSync(join(house, path), text);
  };
  const exports = { '.': './src/index.ts' };
  const published = { '.': { default: './dist/index.js' } };
  put('one/package.json', JSON.stringify({ exports, publishConfig: { exports: published }, dependencies: { a: '1' } }));
  put('one/dist/index.js', '1');
  put('one/dist/index.test.js', '1');
  put('one/node_modules/a/index.js', 'a');
  put('two/package.json', JSON.stringify({ exports, dependencies: { '@packhouse/one': 'workspace:*' } }));

  it('have their own entries, the built files, and their dependencies', async () => {
    await layPublished(laid, '@packhouse/one', house);
    const modules = join(laid, 'node_modules');
    expect(JSON.parse(readFileSync(join(modules, '@packhouse/one/package.json'), 'utf8'))).toMatchObject({
      exports: published,
    });
    expect(readdirSync(join(modules, '@packhouse/one/dist'))).toEqual(['index.js']);
    expect(readFileSync(join(modules, 'a/index.js'), 'utf8')).toBe('a');
  });

  it('are reported missing if they were not built', async () => {
    await expect(layPublished(laid, '@packhouse/two', house)).rejects.toThrow('@packhouse/two was not built');
  });
});

it('the tables compare with the first contender', () => {
  const row = { name: 'x', title: 'x', unit: 'ms', gitStarts: 0 } as const;
  const rate = { ...row, unit: 'requests/s' } as const;
  const text = renderMocks({
    rounds: 1,
    seeds: ['nothing', '9 empty repos'],
    ready: [{ ...row, title: 'a mock is ready', samples: { nothing: [10], '9 empty repos': [30] } }],
    requests: { ...rate, title: 'a list', samples: { mock: [100], 'service without MSW': [200] } },
    start: {
      ...row,
      title: 'start',
      samples: { 'msw/node': [100], errors: [120], tagging: [130], 'whole mock': [250] },
    },
    codecs: [{ ...row, title: 'inflate', unit: 'MB/s', samples: { 'portable codec': [50], 'node codec': [200] } }],
  });
  const cells = text.split('\n').map((line) => line.trim().split(/ {2,}/));
  expect(cells).toContainEqual(['measure', 'unit', 'nothing', '9 empty repos', '9 empty repos to nothing']);
  expect(cells).toContainEqual(['a mock is ready', 'ms', '10.0', '30.0', '3.00']);
  expect(cells).toContainEqual(['start', 'ms', '100', '120', '130', '250', '1.20', '1.30', '2.50']);
  expect(cells).toContainEqual(['a list', 'requests/s', '100', '200', '2.00']);
  expect(cells).toContainEqual(['inflate', 'MB/s', '50.0', '200', '4.00']);
});
