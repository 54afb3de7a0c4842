import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromByteText, toByteText } from '../bytes/byte-text.ts';
import type { MadeObject } from '../maintain/made-history.test.util.ts';
import { kindNumber, type ObjectKind } from '../object/kind.ts';
import type { ObjectId } from '../object/object-id.ts';

/** A file, link or submodule; the content of the latter is the id of its commit. */
export interface TestFile {
  readonly mode: string;
  readonly content: string;
}

/** Files of a commit by path, as byte texts. */
export type Files = ReadonlyMap<string, TestFile>;

export interface TestCommit {
  readonly files: Files;
  /** Numbers of earlier commits. */
  readonly parents: readonly number[];
  readonly time?: number;
}

export interface StockMerge {
  readonly isClean: boolean;
  readonly tree: string;
  /** `mode oid stage\tpath` by Git. */
  readonly stages: readonly string[];
}

/** A bare repository of stock Git with these commits, on branches side-0, side-1, ... */
export class StockRepository {
  readonly #folder = mkdtempSync(join(tmpdir(), 'merges-'));

  constructor(commits: readonly TestCommit[]) {
    this.#git(['init', '-q', '--bare', '.']);
    this.#git(['fast-import', '--quiet', '--force'], importOf(commits));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Merges pairs of commits. Undefined: Git itself fails on the pair, as some assertions of its ort do. */
  merge(pairs: readonly (readonly [ours: number, theirs: number])[]): (StockMerge | undefined)[] {
    const args = ['merge-tree', '--write-tree', '--stdin', '--allow-unrelated-histories'];
    const { status, stdout, stderr } = this.#run('git', args, namesOf(pairs));
    if (status === 0) return parseMerges(toByteText(stdout), pairs.length);
    if (!/Assertion/.test(stderr.toString())) throw new Error(stderr.toString());
    if (pairs.length === 1) return [undefined];
    const half = Math.ceil(pairs.length / 2);
    return [...this.merge(pairs.slice(0, half)), ...this.merge(pairs.slice(half))];
  }

  /** Returns all merge bases of pairs of commits, in the order of Git. */
  mergeBases(pairs: readonly (readonly [ours: number, theirs: number])[]): ObjectId[][] {
    const each = 'while read -r one two; do git merge-base --all "$one" "$two" | tr "\\n" " "; echo; done';
    const { stdout } = this.#run('sh', ['-c', each], namesOf(pairs));
    const lines = stdout.toString().split('\n');
    return pairs.map((_, i) => (lines[i] as string).split(' ').slice(0, -1) as ObjectId[]);
  }

  /** Ids of the commits by their numbers. */
  commits(): ObjectId[] {
    const ids: ObjectId[] = [];
    const refs = this.#git(['for-each-ref', '--format=%(refname:lstrip=2) %(objectname)', 'refs/heads']);
    for (const line of refs.toString().trim().split('\n')) {
      const [name, id] = line.split(' ') as [string, ObjectId];
      ids[Number(name.slice('side-'.length))] = id;
    }
    return ids;
  }

  /** Returns the objects that a commit reaches. */
  objects(commit: number): MadeObject[] {
    const ids = this.#git(['rev-list', '--objects', '--no-object-names', `side-${commit}`]);
    const all = this.#git(['cat-file', '--batch'], toByteText(ids));
    const found: MadeObject[] = [];
    for (let at = 0; at < all.length;) {
      const end = all.indexOf(10, at);
      const [id, kind, size] = all.subarray(at, end).toString().split(' ') as [string, ObjectKind, string];
      at = end + 1 + Number(size) + 1;
      found.push({ id, kind: kindNumber[kind], body: all.subarray(end + 1, at - 1), links: [] });
    }
    return found;
  }

  #git(args: readonly string[], input?: string): Buffer {
    const { status, stdout, stderr } = this.#run('git', args, input);
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.toString()}`);
    return stdout;
  }

  #run(program: string, args: readonly string[], input?: string): SpawnSyncReturns<Buffer> {
    const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
    return spawnSync(program, args, {
      cwd: this.#folder,
      env,
      input: input === undefined ? undefined : fromByteText(input),
      maxBuffer: 2 ** 30,
    });
  }
}

function namesOf(pairs: readonly (readonly [ours: number, theirs: number])[]): string {
  return pairs.map(([ours, theirs]) => `side-${ours} side-${theirs}\n`).join('');
}

function importOf(commits: readonly TestCommit[]): string {
  let text = '';
  for (const [number, { files, parents, time = 1000 + number }] of commits.entries()) {
    text += `commit refs/heads/side-${number}\nmark :${number + 1}\n`;
    text += `committer T <t@example.com> ${time} +0000\ndata 0\n`;
    for (const [i, parent] of parents.entries()) text += `${i === 0 ? 'from' : 'merge'} :${parent + 1}\n`;
    text += 'deleteall\n';
    for (const [path, { mode, content }] of files) {
      text += `M ${mode} ${mode === '160000' ? content : 'inline'} ${path}\n`;
      if (mode !== '160000') text += `data ${content.length}\n${content}\n`;
    }
    text += '\n';
  }
  return text;
}

/** Parses the output of `git merge-tree --stdin`. */
function parseMerges(output: string, count: number): StockMerge[] {
  const fields = output.split('\0');
  let at = 0;
  return Array.from({ length: count }, () => {
    const isClean = fields[at++] === '1';
    const tree = fields[at++] as string;
    const stages: string[] = [];
    while (/^\d{6} [0-9a-f]{40} \d\t/.test(fields[at] ?? '')) stages.push(fields[at++] as string);
    // Conflicts end with an empty field. Messages follow: a count, that many paths, a type and a text each.
    if (!isClean) at++;
    while (/^\d+$/.test(fields[at] ?? '')) at += Number(fields[at]) + 3;
    at++;
    return { isClean, tree, stages };
  });
}
