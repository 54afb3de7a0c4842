import { gzipSync } from 'node:zlib';
import { commandBody, ending } from '@packhouse/fixtures/hostile';
import { openTemporaryService } from '../../service/temporary-service.ts';
import type { Area, Values } from '../inputs/area.ts';
import { prepareRepos, type PreparedRepo } from '../inputs/prepared-repos.ts';

const commands = ['fetch', 'ls-refs', 'object-info'] as const;
const filters = ['blob:none', 'tree:0', 'tree:3', 'blob:limit=1', 'object:type=tree', 'combine', 'sparse', 'nested'];
const reposMax = 14;

/** Sends requests of protocol version 2 to repositories that are costly to read. */
export const fetchArea: Area = {
  name: 'fetch',
  fields: {
    repo: { max: reposMax },
    command: { max: 5 },
    wants: { max: 20_000, byMagnitude: true },
    knownHaves: { max: 5_000, byMagnitude: true },
    unknownHaves: { max: 100_000, byMagnitude: true },
    shallow: { max: 20_000, byMagnitude: true },
    depth: { max: 100_000, byMagnitude: true },
    bound: { max: 4 },
    deepenNot: { max: 2_000, byMagnitude: true },
    filter: { max: 2 * filters.length },
    patterns: { max: 5 },
    prefixes: { max: 20_000, byMagnitude: true },
    flags: { max: 255 },
  },
  cut(values, { refs }) {
    const cut = (name: string): number => Math.min(values[name] ?? 0, 5 * refs);
    const lines = ['wants', 'knownHaves', 'unknownHaves', 'shallow', 'deepenNot', 'prefixes'];
    return { ...values, ...Object.fromEntries(lines.map((name) => [name, cut(name)])) };
  },
  async open() {
    const service = openTemporaryService();
    const repos = await prepareRepos(service);
    return {
      service,
      trial(values) {
        const prepared = repos[(values['repo'] ?? 0) % repos.length] as PreparedRepo;
        const body = fetchRequest(values, prepared);
        const isZipped = ((values['flags'] ?? 0) & 1) !== 0;
        const sent = isZipped ? gzipSync(body) : body;
        return Promise.resolve({
          sent: sent.length,
          run: async () => [await prepared.repo.command(sent, isZipped ? 'gzip' : undefined)],
        });
      },
    };
  },
};

function fetchRequest(values: Values, { tips }: PreparedRepo): Buffer {
  const value = (name: string): number => values[name] ?? 0;
  const tip = (i: number): string => tips[i % tips.length] as string;
  const lines = (name: string, line: (i: number) => string): string[] =>
    Array.from({ length: value(name) }, (_, i) => line(i));
  const has = (flag: number): boolean => (value('flags') & flag) !== 0;
  const command = commands[Math.max(0, value('command') - 3)] as (typeof commands)[number];
  if (command === 'ls-refs') {
    const prefixes = lines('prefixes', (i) => `ref-prefix refs/${has(2) ? 'tags/' : 'x'}${i.toString(36)}`);
    return commandBody('ls-refs', ['peel', 'symrefs', ...prefixes]);
  }
  if (command === 'object-info') return commandBody('object-info', ['size', ...lines('wants', (i) => `oid ${tip(i)}`)]);
  const filter = filterText(filterOf(values), value('patterns'));
  const bound = value('bound');
  return commandBody('fetch', [
    ...(has(2) ? ['thin-pack'] : []),
    ...(has(4) ? ['include-tag'] : []),
    ...(has(8) ? ['ofs-delta'] : []),
    ...(has(16) ? ['deepen-relative'] : []),
    `want ${tip(tips.length - 1)}`,
    ...lines('wants', (i) => `want ${tip(i)}`),
    ...lines('knownHaves', (i) => `have ${tip(i + 1)}`),
    ...lines('unknownHaves', (i) => `have ${ending(i).toString().repeat(5)}`),
    ...lines('shallow', (i) => `shallow ${has(32) ? tip(i) : ending(i).toString().repeat(5)}`),
    ...(bound === 1 ? [`deepen ${value('depth') + 1}`] : []),
    ...(bound === 2 ? [`deepen-since ${value('depth')}`] : []),
    ...(bound === 3
      ? lines('deepenNot', (i) => `deepen-not ${has(64) ? 'refs/heads/main' : `refs/tags/${i.toString(36)}`}`)
      : []),
    ...(filter === undefined ? [] : [`filter ${filter}`]),
    ...(has(128) ? [] : ['done']),
  ]);
}

/** Returns the filter of a request; undefined if it has none. */
export function filterOf(values: Values): string | undefined {
  const isFetch = (values['command'] ?? 0) - 3 < 1;
  return isFetch ? filters[values['filter'] ?? 0] : undefined;
}

function filterText(kind: string | undefined, patterns: number): string | undefined {
  if (kind === 'sparse') return `sparse:oid=main:p${patterns}`;
  if (kind === 'combine') return `combine:${Array.from({ length: 60 }, (_, i) => `tree:${i}`).join('+')}`;
  if (kind === 'nested')
    return `combine:sparse:oid=main%3Ap${patterns}+tree:9+sparse:oid=main%3Ap${(patterns + 1) % 6}`;
  return kind;
}
