/** The content of a repo according to stock git: the oracle for content reads. */

import assert from 'node:assert/strict';
import type { Context, TestRepo } from '../core/context.ts';
import type { ShownCommit, ShownEntry } from '../core/shown-content.ts';

const types: Readonly<Record<string, string>> = {
  '40000': 'tree',
  '100644': 'blob',
  '100755': 'exec',
  '120000': 'symlink',
  '160000': 'gitlink',
};

export interface StockObject {
  readonly oid: string;
  readonly kind: string;
  readonly body: Buffer;
}

/** A file in the tree of a commit. */
export interface StockFile {
  /** The path as bytes. */
  readonly path: Buffer;
  readonly type: string;
  readonly hash: string;
}

/** A bare repository of stock git with all refs of a repo. */
export class StockContent {
  readonly #t: Context;
  readonly #folder: string;

  private constructor(t: Context, folder: string) {
    this.#t = t;
    this.#folder = folder;
  }

  /** Clones a repo with all its refs. */
  static async of(t: Context, repo: TestRepo): Promise<StockContent> {
    const folder = await t.folder();
    await t.git(['init', '--quiet', '--bare', folder]);
    await t.git([...repo.auth, 'fetch', '--quiet', repo.remote, '+refs/*:refs/*'], { cwd: folder });
    return new StockContent(t, folder);
  }

  /** Returns the names of all refs. */
  async refs(): Promise<readonly string[]> {
    return lines(await this.#run(['for-each-ref', '--format=%(refname)']));
  }

  /** Returns all objects with their content. */
  async objects(): Promise<readonly StockObject[]> {
    const listed = await this.#run(['cat-file', '--batch-all-objects', '--batch']);
    const objects: StockObject[] = [];
    for (let at = 0; at < listed.length;) {
      const end = listed.indexOf(10, at);
      const [oid = '', kind = '', size = ''] = listed.subarray(at, end).toString().split(' ');
      const body = listed.subarray(end + 1, end + 1 + Number(size));
      objects.push({ oid, kind, body });
      at = end + 2 + Number(size);
    }
    return objects;
  }

  /** Returns the commit that a revision peels to, if it is one. */
  async commitAt(revision: string): Promise<string | undefined> {
    const { status, stdout } = await this.#t.tryGit(
      ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
      { cwd: this.#folder },
    );
    return status === 0 ? Buffer.from(stdout).toString().trim() : undefined;
  }

  /** Returns the first-parent chain of a revision. */
  async log(revision: string): Promise<readonly ShownCommit[]> {
    const format = ['H', 'T', 'an', 'ae', 'cn', 'ce', 'P', 'at', 'ct', 'B'].map((one) => `%${one}`).join('%x01');
    const shown = await this.#run(['log', '-z', '--first-parent', `--format=${format}`, '--end-of-options', revision]);
    return split(shown, 0).map((one) => {
      const [hash, treeHash, an, ae, cn, ce, parents, at, ct, message] = split(one, 1, true).map(String);
      return {
        hash: hash ?? '',
        treeHash: treeHash ?? '',
        message: (message ?? '').replace(/\n$/, ''),
        author: { name: an ?? '', email: ae ?? '' },
        committer: { name: cn ?? '', email: ce ?? '' },
        parents: parents === '' ? [] : (parents ?? '').split(' '),
        authoredAt: Number(at),
        committedAt: Number(ct),
      };
    });
  }

  /** Returns the entries of a tree. */
  async tree(oid: string): Promise<readonly ShownEntry[]> {
    return split(await this.#run(['ls-tree', '-z', oid]), 0).map((line) => {
      const { form, name, hash } = entry(line);
      return { name: name.toString(), mode: form, hash, type: types[form] ?? '' };
    });
  }

  /** Returns everything in the tree of a commit except folders. */
  async files(commit: string): Promise<readonly StockFile[]> {
    return split(await this.#run(['ls-tree', '-r', '-z', commit]), 0).map((line) => {
      const { form, name, hash } = entry(line);
      return { path: name, type: types[form] ?? '', hash };
    });
  }

  async #run(args: readonly string[]): Promise<Buffer> {
    const { status, stdout, stderr } = await this.#t.tryGit(args, { cwd: this.#folder });
    assert.equal(status, 0, `git ${args.join(' ')}: ${stderr}`);
    return Buffer.from(stdout);
  }
}

function entry(line: Buffer): { readonly form: string; readonly name: Buffer; readonly hash: string } {
  const tab = line.indexOf(9);
  const [mode = '', , hash = ''] = line.subarray(0, tab).toString().split(' ');
  // Formatted as the service does; git writes the mode of a folder with six digits.
  const form =
    mode === '040000'
      ? '40000'
      : mode.replace(/^100(\d)\d\d$/, (_, owner) => (Number(owner) & 1 ? '100755' : '100644'));
  return { form, name: line.subarray(tab + 1), hash };
}

function lines(text: Buffer): readonly string[] {
  return text
    .toString()
    .split('\n')
    .filter((line) => line !== '');
}

/** Splits bytes at a byte value. With `keepsLast`, the part after the last separator counts even if it is empty. */
function split(bytes: Buffer, at: number, keepsLast = false): readonly Buffer[] {
  const parts: Buffer[] = [];
  let from = 0;
  for (let next = bytes.indexOf(at); next >= 0; next = bytes.indexOf(at, from)) {
    parts.push(bytes.subarray(from, next));
    from = next + 1;
  }
  if (keepsLast || from < bytes.length) parts.push(bytes.subarray(from));
  return parts;
}
