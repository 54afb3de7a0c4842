import { fc } from '@fast-check/vitest';
import { blob, closure, tree, type MadeObject } from '../maintain/made-history.test.util.ts';
import { MaintainedRepository } from '../maintain/maintained-repository.test.util.ts';
import { commitKind } from '../object/kind.ts';
import { idOf, madePack } from '../pack/made-pack.test.util.ts';
import { stockGit, type StockGit } from '../pack/stock-git.test.util.ts';
import { ContentReader } from './content-reader.ts';

/** A commit of a random history: numbers choose its parents, its date and what it changes. */
export interface MadeStep {
  readonly parents: readonly number[];
  readonly date: number;
  readonly author: string;
  /** Files to write, by path; null deletes. */
  readonly changes: readonly (readonly [path: string, text: string | null])[];
  /** Takes the files of its last parent instead of the first. */
  readonly isTheirs: boolean;
}

/** Names of files that clash as file and folder, and that Git sorts unlike plain texts. */
export const paths: readonly string[] = ['a', 'a/b', 'a/b/c', 'a.c', 'd/e/f', 'd/e/g', 'd/x', 'ü'];

export const authors: readonly string[] = ['Ada <ada@example.com>', 'Ada Bee <bee@example.com>', 'ümit <u@x>'];

export const someHistory: fc.Arbitrary<MadeStep[]> = fc.array(
  fc.record({
    parents: fc.array(fc.nat(6), { maxLength: 3 }),
    date: fc.nat(12),
    author: fc.constantFrom(...authors),
    changes: fc.array(fc.tuple(fc.constantFrom(...paths), fc.constantFrom('1', '2', '3', null)), { maxLength: 2 }),
    isTheirs: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
);

type Files = ReadonlyMap<string, string>;

/** One history in a repository of ours and in one of stock git. */
export interface TwinHistory {
  readonly repository: MaintainedRepository;
  readonly git: StockGit;
  /** Ids of all commits, oldest first. */
  readonly commits: readonly string[];
}

/** Commits that nothing follows get branches `b0`, `b1` and so on, and the last one also `main`. */
export async function twinHistory(steps: readonly MadeStep[]): Promise<TwinHistory> {
  const made: { readonly object: MadeObject; readonly files: Files }[] = [];
  const followed = new Set<MadeObject>();
  for (const [i, step] of steps.entries()) {
    const chosen = [...new Set(step.parents.map((back) => made[i - 1 - back]).filter((one) => one !== undefined))];
    for (const { object } of chosen) followed.add(object);
    const files = new Map((step.isTheirs ? chosen.at(-1) : chosen[0])?.files);
    for (const [path, text] of step.changes) change(files, path, text);
    const by = `${step.author} ${1_700_000_000 + step.date} +0000`;
    const links = [treeOf(files), ...chosen.map(({ object }) => object)];
    const lines = links.map(({ id }, at) => `${at === 0 ? 'tree' : 'parent'} ${id}`).join('\n');
    const body = new Uint8Array(Buffer.from(`${lines}\nauthor ${by}\ncommitter ${by}\n\nchange ${i}\n`));
    made.push({ object: { kind: commitKind, body, id: idOf({ kind: commitKind, body }), links }, files });
  }
  const last = (made.at(-1) as (typeof made)[number]).object;
  const tips = [...new Set(made.map(({ object }) => object))].filter((object) => !followed.has(object));
  const refs = [['refs/heads/main', last], ...tips.map((tip, i) => [`refs/heads/b${i}`, tip])] as [
    string,
    MadeObject,
  ][];
  const objects = [...closure(tips).values()];
  const repository = new MaintainedRepository();
  await repository.push(
    refs.map(([ref, value]) => ({ ref, new: value })),
    objects,
  );
  const git = stockGit();
  git.run(['unpack-objects', '-q'], madePack(objects).bytes);
  git.run(['update-ref', '--stdin'], refs.map(([ref, { id }]) => `create ${ref} ${id}\n`).join(''));
  git.run(['symbolic-ref', 'HEAD', 'refs/heads/main']);
  return { repository, git, commits: made.map(({ object }) => object.id) };
}

/** Runs with a reader of the current snapshot. */
export async function reading<T>(
  { engine, repository, state }: MaintainedRepository,
  read: (reader: ContentReader) => Promise<T>,
): Promise<T> {
  const reader = await ContentReader.open(engine, repository, state.current, { hiddenRefs: [] });
  try {
    return await read(reader);
  } finally {
    reader.release();
  }
}

/** A file that is written takes the place of a folder, and the other way round. */
function change(files: Map<string, string>, path: string, text: string | null): void {
  for (const other of files.keys()) {
    if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) files.delete(other);
  }
  if (text === null) files.delete(path);
  else files.set(path, text);
}

function treeOf(files: Files): MadeObject {
  const names = new Map<string, Map<string, string>>();
  const entries: { name: string; object: MadeObject }[] = [];
  for (const [path, text] of files) {
    const slash = path.indexOf('/');
    if (slash < 0) {
      entries.push({ name: path, object: blob(text) });
      continue;
    }
    const name = path.slice(0, slash);
    names.set(name, (names.get(name) ?? new Map<string, string>()).set(path.slice(slash + 1), text));
  }
  for (const [name, below] of names) entries.push({ name, object: treeOf(below) });
  return tree(entries);
}
