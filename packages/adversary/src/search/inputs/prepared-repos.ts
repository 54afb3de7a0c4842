import {
  commitBody,
  emptyTreeId,
  HostilePack,
  objectId,
  packOfChain,
  pushBody,
  shortRef,
  treeBody,
  type HostileCommand,
  type HostileRepo,
  type TreeEntryBytes,
} from '@packhouse/fixtures/hostile';
import type { LocalService } from '../../service/local-service.ts';
import { shapes } from './shapes.ts';

/** A repository whose content is costly to read. */
export interface PreparedRepo {
  readonly name: string;
  readonly repo: HostileRepo;
  /** Ids of commits and tags that refs point to. */
  readonly tips: readonly string[];
  /** Paths on the default branch. */
  readonly paths: readonly string[];
}

interface Recipe {
  readonly name: string;
  readonly shape: string;
  readonly size: number;
  readonly count: number;
  readonly refs?: number;
  readonly paths?: (size: number) => readonly string[];
}

const recipes: readonly Recipe[] = [
  { name: 'history', shape: 'history', size: 20, count: 5_000 },
  { name: 'braids', shape: 'braids', size: 0, count: 2_000, refs: 2 },
  { name: 'parents', shape: 'parents', size: 1_000_000, count: 20, refs: 20 },
  { name: 'parents that differ', shape: 'parents that differ', size: 100_000, count: 20, refs: 20 },
  { name: 'wide folders', shape: 'wide folders that change', size: 1_000_000, count: 40, paths: () => ['000', 'zzz'] },
  {
    name: 'same folders',
    shape: 'folders of the same folders',
    size: 3_200,
    count: 60,
    paths: () => ['00/00/00', '00'],
  },
  {
    name: 'deep folders',
    shape: 'deep folders',
    size: 0,
    count: 2_000,
    paths: () => ['d/d/d', `d${'/d'.repeat(1_500)}`],
  },
  {
    name: 'deep folders that change',
    shape: 'deep folders that change',
    size: 6_400,
    count: 40,
    paths: () => ['d/d/d'],
  },
  { name: 'tags', shape: 'tags of tags', size: 0, count: 2_000, refs: 2_000 },
  { name: 'refs', shape: 'history', size: 10, count: 10, refs: 10_000 },
  { name: 'chain of refs', shape: 'chain of refs', size: 500_000, count: 200, refs: 100 },
  {
    name: 'wide folders in each other',
    shape: 'wide folders in each other',
    size: 500_000,
    count: 40,
    paths: (size) => [Array.from({ length: 38 }, () => lastEntry(size)).join('/')],
  },
  { name: 'long names', shape: 'long names', size: 60_000, count: 5, paths: () => ['n'.repeat(60_000)] },
];

const branch = 'refs/heads/main';

/** Pushes the repositories to a service. Retries with a smaller one if a limit refuses it, as a tenant would. */
export async function prepareRepos(service: LocalService): Promise<readonly PreparedRepo[]> {
  const repos: PreparedRepo[] = [];
  for (const recipe of recipes) repos.push(await prepare(service, recipe));
  repos.push(await prepareChain(service), await preparePatterns(service));
  return repos;
}

async function prepare(service: LocalService, recipe: Recipe): Promise<PreparedRepo> {
  const { name, shape, refs = 1, paths = () => [] } = recipe;
  for (let { size, count } = recipe; count >= 1; size = Math.ceil(size / 4), count = Math.floor(count / 2)) {
    const pack = new HostilePack();
    const tips = shapes.find((one) => one.name === shape)?.add(pack, size, count) ?? [];
    const repo = await service.target.createRepo();
    const commands = Array.from({ length: refs }, (_, i): HostileCommand => {
      const to = tips[(tips.length - 1 + i) % tips.length] as string;
      const isBranch = i === 0 && !shape.startsWith('tags') && !shape.startsWith('chain');
      return { ref: isBranch ? branch : `refs/tags/${shortRef(i).slice('refs/heads/'.length)}`, to };
    });
    if (await isTaken(repo, pushBody(commands, pack.bytes()))) return { name, repo, tips, paths: paths(size) };
  }
  throw new Error(`No repository of ${name} is taken`);
}

async function prepareChain(service: LocalService): Promise<PreparedRepo> {
  for (let size = 8 * 1024 * 1024; ; size = Math.ceil(size / 4)) {
    const repo = await service.target.createRepo();
    const { pack, commit } = packOfChain(size, 60);
    if (await isTaken(repo, pushBody([{ ref: branch, to: commit }], pack)))
      return { name: 'chain', repo, tips: [commit], paths: ['f'] };
  }
}

/** Returns the last entry of a folder with so many bytes, as the shapes name it. */
function lastEntry(size: number): string {
  return (Math.floor(size / 32) - 1).toString(36);
}

const patternTexts: readonly string[] = [
  'a*b*c*d*e\n'.repeat(10_000),
  '[!a-y]*[0-9]\n'.repeat(10_000),
  '**/x/**/y/**/z\n'.repeat(5_000),
  `${'*a'.repeat(50_000)}\n`,
  '!*\n*\n'.repeat(20_000),
  `/${'0/'.repeat(500)}\n`.repeat(50),
];

/** Prepares files of sparse patterns, and folders that take long to match. */
async function preparePatterns(service: LocalService): Promise<PreparedRepo> {
  const pack = new HostilePack();
  pack.whole('tree', new Uint8Array(0));
  const add = (entries: readonly TreeEntryBytes[]): string => {
    const tree = treeBody(entries);
    pack.whole('tree', tree);
    return objectId('tree', tree);
  };
  const texts = patternTexts.map((text, i): TreeEntryBytes => {
    pack.whole('blob', Buffer.from(text));
    return { mode: '100644', name: `p${i}`, id: objectId('blob', Buffer.from(text)) };
  });
  const file = { mode: '100644', id: (texts[0] as TreeEntryBytes).id } as const;
  let folder = add(Array.from({ length: 20 }, (_, i) => ({ ...file, name: String.fromCharCode(97 + i).repeat(200) })));
  for (let level = 0; level < 12; level++) {
    folder = add(Array.from({ length: 8 }, (_, i) => ({ mode: '40000', name: String(i), id: folder })));
  }
  const names = add(Array.from({ length: 2_000 }, (_, i) => ({ ...file, name: `${'n'.repeat(200)}${1_000_000 + i}` })));
  const root = add([{ mode: '40000', name: 'f', id: folder }, { mode: '40000', name: 'n', id: names }, ...texts]);
  const commit = commitBody(root);
  pack.whole('commit', commit);
  pack.whole('commit', commitBody(emptyTreeId));
  const repo = await service.target.createRepo();
  const to = objectId('commit', commit);
  if (!(await isTaken(repo, pushBody([{ ref: branch, to }], pack.bytes())))) throw new Error('No patterns are taken');
  return { name: 'patterns', repo, tips: [to], paths: [...texts.map(({ name }) => name), 'f/0/0/0', 'n'] };
}

async function isTaken(repo: HostileRepo, body: Uint8Array): Promise<boolean> {
  const { body: report } = await repo.push(body);
  return Buffer.from(report).toString('latin1', 0, 20).includes('unpack ok');
}
