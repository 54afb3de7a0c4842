import { parseRefName, type Codec } from '@packhouse/git';
import { MadeObjects, type MadeFile, type MadeObject, type Signature } from './git-objects.ts';
import type { CommitSeed, RepoSeed } from './seed.ts';
import { SeedError } from './seed-error.ts';

/** The history of a new repo. */
export interface History {
  /** Object ids by full ref name. */
  readonly refs: ReadonlyMap<string, string>;
  readonly objects: readonly MadeObject[];
}

interface Branch {
  readonly tip: string;
  readonly files: ReadonlyMap<string, MadeFile>;
}

const somebody = { name: 'Ada Example', email: 'ada@example.com' };

/**
 * Creates the commits and tags of a seed.
 *
 * @param at milliseconds since 1970, for entries without a time.
 * @throws {SeedError} for a contradiction in the seed.
 */
export function makeHistory(codec: Codec, place: string, seed: RepoSeed, at: number): History {
  const { defaultBranch = 'main', files, commits = [], tags = {} } = seed;
  const objects = new MadeObjects(codec);
  const branches = new Map<string, Branch>();
  const made: string[] = [];
  const first: CommitSeed[] = files === undefined ? [] : [{ message: 'Initial commit', files }];

  for (const [number, commit] of [...first, ...commits].entries()) {
    const here = number < first.length ? `${place}.files` : `${place}.commits[${number - first.length}]`;
    const { branch = defaultBranch, author = somebody, message = `Commit ${number}` } = commit;
    refName(commit.branch === undefined ? `${place}.defaultBranch` : `${here}.branch`, 'branch', branch);
    const before = branches.get(branch) ?? branches.get(defaultBranch);
    const changed = changedFiles(objects, here, before?.files ?? new Map(), commit);
    const tip = objects.commit({
      tree: objects.tree(changed),
      parents: before === undefined ? [] : [before.tip],
      by: { ...author, at: commit.at === undefined ? at : timeOf(`${here}.at`, commit.at) },
      message,
    });
    branches.set(branch, { tip, files: changed });
    made.push(tip);
  }

  const refs = new Map([...branches].map(([name, { tip }]) => [`refs/heads/${name}`, tip]));
  for (const [name, tag] of Object.entries(tags)) {
    const here = `${place}.tags[${JSON.stringify(name)}]`;
    const target = typeof tag === 'object' ? tag.target : tag;
    const object = typeof target === 'number' ? made[target] : branches.get(target)?.tip;
    if (object === undefined) {
      throw new SeedError(
        here,
        `there is no ${typeof target === 'number' ? 'commit' : 'branch'} ${JSON.stringify(target)}`,
      );
    }
    const by: Signature = { ...somebody, at };
    refs.set(
      refName(here, 'tag', name),
      typeof tag === 'object' ? objects.tag({ object, name, by, message: tag.message }) : object,
    );
  }
  return { refs, objects: objects.all };
}

/** The formats that `Date.parse` reads the same way everywhere (ECMA-262, "Date Time String Format"). */
const time = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/**
 * Parses a time to milliseconds since 1970.
 *
 * @throws {SeedError} for an invalid time.
 */
export function timeOf(place: string, text: string): number {
  const at = time.test(text) ? Date.parse(text) : Number.NaN;
  // Git objects cannot have earlier times, and lists cannot sort them.
  if (Number.isNaN(at) || at < 0) throw new SeedError(place, 'expected a time as in ISO 8601, from 1970 on');
  return at;
}

/**
 * Returns the full ref name. An invalid name would break the push or its report, so it is refused here.
 *
 * @throws {SeedError}
 */
function refName(place: string, kind: 'branch' | 'tag', name: string): string {
  const full = parseRefName(`refs/${kind === 'branch' ? 'heads' : 'tags'}/${name}`);
  if (full === undefined) throw new SeedError(place, `${JSON.stringify(name)} is no name of a ${kind}`);
  return full;
}

function changedFiles(
  objects: MadeObjects,
  place: string,
  before: ReadonlyMap<string, MadeFile>,
  { files = {} }: CommitSeed,
): ReadonlyMap<string, MadeFile> {
  const after = new Map(before);
  for (const [path, file] of Object.entries(files)) {
    if (file !== null) after.set(path, objects.file(file));
    else if (!after.delete(path)) throw new SeedError(place, `there is no file ${JSON.stringify(path)} to remove`);
  }
  for (const path of after.keys()) {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      const folder = path.slice(0, slash);
      if (after.has(folder)) throw new SeedError(place, `${JSON.stringify(folder)} is a file and a folder`);
    }
  }
  return after;
}
