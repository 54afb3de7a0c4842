/** A working clone of stock git that performs random operations. */

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Context, TestRepo } from '../../../core/context.ts';
import type { Dice } from '../../../tools/dice.ts';
import { protocolVersions, speaking, traced } from '../../../steps/work-tree.ts';

const paths = ['a', 'b', 'folder/a', 'folder/b', 'folder/deep/er/c', 'other/d'];
export const branches = ['main', 'left', 'right'] as const;

export class Work {
  readonly #t: Context;
  readonly #repo: TestRepo;
  readonly #dice: Dice;
  readonly cwd: string;
  /** Filter of a partial clone. */
  readonly #filter: string | undefined;
  #made = 0;

  private constructor(t: Context, repo: TestRepo, dice: Dice, cwd: string, filter: string | undefined) {
    this.#t = t;
    this.#repo = repo;
    this.#dice = dice;
    this.cwd = cwd;
    this.#filter = filter;
  }

  static async clone(
    t: Context,
    repo: TestRepo,
    dice: Dice,
    { depth, filter }: { readonly depth?: number; readonly filter?: string } = {},
  ): Promise<Work> {
    const work = new Work(t, repo, dice, await t.folder(), filter);
    const options = [
      ...(depth === undefined ? [] : [`--depth=${depth}`, '--no-single-branch']),
      ...(filter === undefined ? [] : [`--filter=${filter}`]),
    ];
    const asks = [...(depth === undefined ? [] : ['deepen ']), ...(filter === undefined ? [] : ['filter '])];
    // Background work of git would interfere with these operations.
    const still = ['--config', 'gc.auto=0', '--config', 'maintenance.auto=false'];
    await work.#remote(['clone', '--quiet', ...still, ...options, repo.remote, '.'], asks);
    return work;
  }

  /** Runs a command that contacts the service, in a random version. Expects requests that begin with these words. */
  async #remote(args: readonly string[], asks: readonly string[] = []): Promise<void> {
    const version = this.#dice.pick(protocolVersions);
    const { status, sent, stderr } = await traced(this.#t, [...speaking(version, this.#repo), ...args], this.cwd);
    assert.equal(status, 0, `git ${args.join(' ')} succeeds with protocol.version ${version}: ${stderr}`);
    const sentWords = sent.flatMap((packet) => [packet, ...packet.split(' ')]);
    for (const word of asks)
      assert.ok(
        sentWords.some((text) => text.startsWith(word)),
        `git ${args.join(' ')} asks for "${word}" with protocol.version ${version}.`,
      );
  }

  /** Runs a command that may need filtered-out objects. */
  async git(...args: readonly string[]): Promise<string> {
    const version = this.#dice.pick(protocolVersions);
    return await this.#t.git([...speaking(version, this.#repo), ...args], { cwd: this.cwd, env: this.#clock() });
  }

  async isShallow(): Promise<boolean> {
    return (await readFile(join(this.cwd, '.git', 'shallow'), 'utf8').catch(() => '')) !== '';
  }

  /** Switches to a branch, and creates it from the service's branch if it is missing here. */
  async goTo(branch: string): Promise<void> {
    const known = (await this.git('branch', '--list', '--all', branch, `origin/${branch}`)).includes(branch);
    await this.git('checkout', '--quiet', '--force', ...(known ? [] : ['-b']), branch);
  }

  async commit(branch: string = this.#dice.pick(branches)): Promise<void> {
    await this.goTo(branch);
    for (let count = this.#dice.below(3); count >= 0; count--) {
      const path = this.#dice.pick(paths);
      const lines = Array.from({ length: 60 }, (_, i) => `line ${i} ${this.#dice.below(20) === 0 ? this.#made : ''}`);
      await mkdir(dirname(join(this.cwd, path)), { recursive: true });
      await writeFile(join(this.cwd, path), `${lines.join('\n')}\n${this.#made}\n`);
    }
    await this.git('add', '--all');
    await this.git('commit', '--quiet', '--allow-empty', '-m', `commit ${this.#made++}`);
  }

  async removeFile(): Promise<void> {
    const files = (await this.git('ls-files')).trim().split('\n');
    const file = this.#dice.pick(files);
    if (file === '') return;
    await this.git('rm', '--quiet', '--force', file);
    await this.git('commit', '--quiet', '-m', `remove ${this.#made++}`);
  }

  async merge(): Promise<void> {
    await this.goTo(this.#dice.pick(branches));
    const listed = await this.git('for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/remotes/origin');
    const other = this.#dice.pick(
      listed
        .trim()
        .split('\n')
        .filter((ref) => !ref.endsWith('/HEAD')),
    );
    const options = ['--quiet', '--allow-unrelated-histories', '--strategy-option=ours', '-m', `merge ${this.#made++}`];
    const { status } = await this.#t.tryGit([...this.#repo.auth, 'merge', ...options, other], {
      cwd: this.cwd,
      env: this.#clock(),
    });
    if (status !== 0) await this.git('reset', '--quiet', '--hard');
  }

  async tag(): Promise<void> {
    await this.git('tag', '-a', '-m', 'tagged', `t${this.#made++}-${this.#dice.below(1e9)}`);
  }

  /** Resets a branch to an older commit. */
  async rewind(): Promise<void> {
    await this.goTo(this.#dice.pick(branches));
    const { status } = await this.#t.tryGit([...this.#repo.auth, 'reset', '--quiet', '--hard', 'HEAD~1'], {
      cwd: this.cwd,
    });
    if (status !== 0) await this.git('reset', '--quiet', '--hard');
  }

  async push(): Promise<void> {
    await this.#remote(['push', '--quiet', '--force', '--tags', 'origin', 'refs/heads/*:refs/heads/*']);
  }

  async deleteBranch(): Promise<void> {
    const branch = this.#dice.pick(branches.slice(1));
    const there = await this.git('ls-remote', '--heads', 'origin', branch);
    if (there !== '') await this.#remote(['push', '--quiet', 'origin', '--delete', branch]);
  }

  async fetch(): Promise<void> {
    await this.#remote(['fetch', '--quiet', '--prune', '--tags', '--force', 'origin']);
  }

  async deepen(): Promise<void> {
    if (!(await this.isShallow())) return;
    const by = 1 + this.#dice.below(3);
    if (this.#dice.below(2) === 0) await this.#remote(['fetch', '--quiet', `--deepen=${by}`, 'origin'], ['deepen']);
    else await this.#remote(['fetch', '--quiet', `--depth=${by + 1}`, 'origin'], ['deepen ']);
  }

  async unshallow(): Promise<void> {
    if (await this.isShallow())
      await this.#remote(['fetch', '--quiet', '--unshallow', 'origin'], ['deepen 2147483647']);
  }

  async refetch(): Promise<void> {
    const asks = this.#filter === undefined ? [] : ['filter '];
    await this.#remote(['fetch', '--quiet', '--refetch', 'origin'], asks);
  }

  /** Returns the ids that refs reach and that a filter left out. */
  async missing(): Promise<string[]> {
    const listed = await this.git('rev-list', '--objects', '--all', '--missing=print', '--no-object-names');
    return listed.split('\n').flatMap((line) => (line.startsWith('?') ? [line.slice(1)] : []));
  }

  /** Reads some missing objects one by one, which fetches them. */
  async lookAtSome(): Promise<void> {
    const some = (await this.missing()).slice(0, 4);
    const version = this.#dice.pick(protocolVersions);
    const checked = await this.#t.git([...speaking(version, this.#repo), 'cat-file', '--batch-check'], {
      cwd: this.cwd,
      input: some.map((oid) => `${oid}\n`).join(''),
    });
    assert.ok(!checked.includes(' missing'), `What is looked at comes: ${checked}`);
  }

  /** Fetches missing objects in batches, until none is missing. */
  async backfill(): Promise<void> {
    for (let ids = await this.missing(); ids.length > 0; ids = await this.missing()) {
      const version = this.#dice.pick(protocolVersions);
      const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--filter=blob:none', '--stdin'];
      await this.#t.git(
        [...speaking(version, this.#repo), '-c', 'fetch.negotiationAlgorithm=noop', 'fetch', 'origin', ...options],
        { cwd: this.cwd, input: ids.join('\n') },
      );
    }
  }

  async collect(): Promise<void> {
    if (this.#dice.below(2) === 0) await this.git('gc', '--quiet', '--prune=now');
    else {
      await this.git('repack', '-a', '-d', '--quiet');
      // Unlike `gc`, it leaves a commit graph that still names the dropped commits, which `fsck` reports.
      await this.#look('commit-graph', 'write', '--reachable', '--no-progress');
    }
    // In a partial clone, stock git also drops a local tree if the service has promised it since. Reading the tree
    // fetches it again, but `fsck` fetches nothing and reports that the index names it.
    if (this.#filter !== undefined) await this.#look('ls-tree', '-r', '-t', 'HEAD');
  }

  /** Runs a read-only command that may need filtered-out objects, in git's default version. */
  async #look(...args: readonly string[]): Promise<void> {
    await this.#t.git([...this.#repo.auth, ...args], { cwd: this.cwd });
  }

  async check(): Promise<void> {
    await this.git('fsck', '--full', '--strict', '--no-dangling', '--no-progress');
  }

  /** Makes the branches and tags of the service equal to the local ones. */
  async pushAll(): Promise<void> {
    const all = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
    await this.#remote(['push', '--quiet', '--prune', 'origin', ...all]);
  }

  /** Returns the environment with the commit time. Each commit is a minute later than the one before. */
  #clock(): Readonly<Record<string, string>> {
    const date = `${1_700_000_000 + 60 * this.#made} +0000`;
    return { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  }
}
