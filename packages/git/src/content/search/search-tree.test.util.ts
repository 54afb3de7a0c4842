import { fc } from '@fast-check/vitest';
import {
  blob,
  closure,
  commit,
  tree,
  type MadeObject,
  type MadeTreeEntry,
} from '../../maintain/made-history.test.util.ts';
import { MaintainedRepository } from '../../maintain/maintained-repository.test.util.ts';
import { madePack } from '../../pack/made-pack.test.util.ts';
import type { StockGit } from '../../pack/stock-git.test.util.ts';
import { ContentReader } from '../content-reader.ts';
import { literalPattern } from './literal-pattern.ts';
import type { FoundLine, SearchPage, SearchPlace, TreeSearch } from './search-tree.ts';

/** Texts of files by path, with one character a byte. */
export type Texts = Readonly<Record<string, string>>;

const word = fc.constantFrom('a', 'b', 'ab', 'aba', ' ', '\t', '\r', '\n', '\n', '\n', '\xc3\xa9', '\xff', '\xe9');
const text = fc
  .tuple(fc.array(word, { maxLength: 40 }), fc.nat(30))
  .map(([words, rare]) => `${rare === 0 ? '\0' : ''}${words.join('')}`);
const path = fc
  .array(fc.constantFrom('a', 'b', 'a-b', 'a.c', 'ab'), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join('/'));

/** Files of which none is at the path of a folder. */
export const someTexts: fc.Arbitrary<Texts> = fc
  .dictionary(path, text, { minKeys: 1, maxKeys: 14 })
  .map((files) =>
    Object.fromEntries(Object.entries(files).filter(([at]) => !Object.keys(files).some((o) => at.startsWith(`${o}/`)))),
  );

/** Queries that the files often have. */
export const someQuery: fc.Arbitrary<string> = fc
  .array(fc.constantFrom('a', 'b', ' ', '\r', '\xc3\xa9'), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''));

/** Makes the tree of these files, and of further entries in the root. */
export function treeOf(files: Texts, more: readonly MadeTreeEntry[] = []): MadeObject {
  const folders = new Map<string, Record<string, string>>();
  const entries = [...more];
  for (const [at, content] of Object.entries(files)) {
    const slash = at.indexOf('/');
    const [name, rest] = slash < 0 ? [at, ''] : [at.slice(0, slash), at.slice(slash + 1)];
    if (rest === '') entries.push({ name, object: rawBlob(content) });
    else folders.set(name, { ...folders.get(name), [rest]: content });
  }
  for (const [name, below] of folders) entries.push({ name, object: treeOf(below) });
  return tree(entries);
}

function rawBlob(content: string): MadeObject {
  return blob(Buffer.from(content, 'latin1'));
}

/** A repository whose branch `main` has these files. */
export async function repositoryOf(root: MadeObject): Promise<MaintainedRepository> {
  const repository = new MaintainedRepository();
  const main = commit(root, [], 1);
  await repository.push([{ ref: 'refs/heads/main', new: main }], [...closure([main]).values()]);
  return repository;
}

/** Searches one page of `main`. */
export async function searchPage(
  repository: MaintainedRepository,
  options: Partial<TreeSearch> & Pick<TreeSearch, 'pattern'>,
  at = '',
): Promise<SearchPage | 'revision' | 'path'> {
  const { engine, state } = repository;
  const reader = await ContentReader.open(engine, repository.repository, state.current, { hiddenRefs: [] });
  try {
    return await reader.search('main', Buffer.from(at), { limit: 1000, isLate: () => false, ...options });
  } finally {
    reader.release();
  }
}

/** Searches all pages. */
export async function searchAll(
  repository: MaintainedRepository,
  options: Partial<TreeSearch> & Pick<TreeSearch, 'pattern'>,
  at = '',
): Promise<readonly FoundLine[]> {
  const lines: FoundLine[] = [];
  for (let from: SearchPlace | undefined; ;) {
    const page = await searchPage(repository, { ...options, from }, at);
    if (typeof page === 'string') throw new Error(page);
    lines.push(...page.lines);
    if (page.next === undefined) return lines;
    from = page.next;
  }
}

/** Checks that a literal is found where stock git finds it, in pages of any size, and below any path. */
export async function findsWhatGitFinds(
  git: StockGit,
  files: Texts,
  query: string,
  limit: number,
  at: string,
): Promise<readonly [ours: readonly string[], ofGit: readonly string[]]> {
  const root = treeOf(files);
  git.run(['unpack-objects', '-q'], madePack([...closure([root]).values()]).bytes);
  const repository = await repositoryOf(root);
  const pattern = literalPattern(Buffer.from(query, 'latin1'));
  const found = await searchAll(repository, { pattern, limit }, at);
  const args = ['grep', '-I', '-n', '--column', '-F', '-e', Buffer.from(query, 'latin1').toString(), root.id, '--'];
  let printed = '';
  try {
    printed = git.run(at === '' ? args : [...args, at]).toString();
  } catch (error) {
    // Git exits with 1 where nothing matches.
    if ((error as { status?: number }).status !== 1) throw error;
  }
  const ours = found.map(
    ({ path: name, line, column, text: shown }) => `${root.id}:${name}:${line}:${column}:${shown}`,
  );
  return [ours, printed.split('\n').slice(0, -1)];
}
