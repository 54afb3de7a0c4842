import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromByteText, toByteText } from '../bytes/byte-text.ts';
import type { ObjectSource } from '../diff/object-source.ts';
import { kindNumber, type GitObject, type ObjectKind } from '../object/kind.ts';
import type { ObjectId } from '../object/object-id.ts';
import { Scheduler } from '../work/scheduler.ts';

/** Files of a commit by path, as byte texts. */
export type Files = ReadonlyMap<string, { readonly mode: string; readonly content: string }>;

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
    const lines = pairs.map(([ours, theirs]) => `side-${ours} side-${theirs}\n`).join('');
    const { status, stdout, stderr } = this.#run(['merge-tree', '--write-tree', '--stdin'], lines);
    if (status === 0) return parseMerges(toByteText(stdout), pairs.length);
    if (!/Assertion/.test(stderr.toString())) throw new Error(stderr.toString());
    if (pairs.length === 1) return [undefined];
    const half = Math.ceil(pairs.length / 2);
    return [...this.merge(pairs.slice(0, half)), ...this.merge(pairs.slice(half))];
  }

  /** Ids of the commits, and all objects. */
  objects(): { readonly source: ObjectSource; readonly trees: readonly ObjectId[] } {
    const all = this.#git(['cat-file', '--batch-all-objects', '--batch', '--unordered']);
    const found = new Map<ObjectId, GitObject>();
    for (let at = 0; at < all.length;) {
      const end = all.indexOf(10, at);
      const [oid, kind, size] = all.subarray(at, end).toString().split(' ');
      at = end + 1 + Number(size) + 1;
      found.set(oid as ObjectId, { kind: kindNumber[kind as ObjectKind], body: all.subarray(end + 1, at - 1) });
    }
    const trees = this.#git(['for-each-ref', '--format=%(refname:lstrip=2) %(tree)', 'refs/heads']);
    const byCommit: ObjectId[] = [];
    for (const line of trees.toString().trim().split('\n')) {
      const [name, tree] = line.split(' ') as [string, ObjectId];
      byCommit[Number(name.slice('side-'.length))] = tree;
    }
    const read = (oid: ObjectId): GitObject => found.get(oid) as GitObject;
    return {
      source: { work: new Scheduler().begin(), read, sizeOf: (oid) => read(oid).body.length },
      trees: byCommit,
    };
  }

  #git(args: readonly string[], input?: string): Buffer {
    const { status, stdout, stderr } = this.#run(args, input);
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.toString()}`);
    return stdout;
  }

  #run(args: readonly string[], input?: string): SpawnSyncReturns<Buffer> {
    const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
    return spawnSync('git', args, {
      cwd: this.#folder,
      env,
      input: input === undefined ? undefined : fromByteText(input),
      maxBuffer: 2 ** 30,
    });
  }
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
