/**
 * GIT-119, GIT-157, GIT-170: full, shallow and partial clones of stock `git` that push in turn, in random order. Each
 * push goes to a repository of stock git as well, which must say the same and end with the same.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { runs } from '@packhouse/fixtures';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contents, git, tryGit } from '../support/git.ts';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let made = 0;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
});

/** How clones are made; `elsewhere`: of another repository, whose history the service does not have. */
const kinds = [
  { options: [], from: 'service' },
  { options: ['--depth=1', '--no-single-branch'], from: 'service' },
  { options: ['--depth=3', '--no-single-branch'], from: 'service' },
  { options: ['--filter=blob:none'], from: 'service' },
  { options: ['--filter=tree:0'], from: 'service' },
  { options: ['--depth=2', '--filter=blob:none', '--no-single-branch'], from: 'service' },
  { options: ['--depth=2'], from: 'elsewhere' },
  { options: [], from: 'elsewhere' },
] as const;

const branches = ['main', 'left', 'right'] as const;

/** The steps of a clone before its push. Numbers select among the existing items. */
const step = fc.record({
  clone: fc.nat(kinds.length - 1),
  before: fc.array(
    fc.record({ what: fc.constantFrom('edit', 'edit', 'merge', 'rewind', 'tag', 'fetch'), pick: fc.nat(99) }),
    { maxLength: 4 },
  ),
  branch: fc.constantFrom(...branches),
  how: fc.constantFrom(
    [],
    [],
    ['--force'],
    ['--atomic', '--force'],
    ['--delete'],
    ['--follow-tags'],
    ['--force', '--tags'],
  ),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** The steps that begin every history, so that every outcome of a push occurs. */
const always: readonly Step[] = [
  { clone: 6, before: [], branch: 'right', how: ['--force'] },
  { clone: 0, before: [{ what: 'rewind', pick: 0 }], branch: 'main', how: ['--force'] },
  { clone: 0, before: [], branch: 'left', how: ['--delete'] },
];

/** The ref of a line of `git push --porcelain`. */
const ref = (line: string): string => line.split('\t')[1] ?? '';

class World {
  readonly #folder: string;
  readonly #repo: TestRepo;
  /** Stock repository with the expected state of the service. */
  readonly #stock: string;
  readonly #clones = new Map<number, string>();
  #made = 0;

  constructor(folder: string, repo: TestRepo) {
    this.#folder = folder;
    this.#repo = repo;
    this.#stock = join(folder, 'stock');
  }

  async begin(): Promise<void> {
    for (const name of ['stock', 'elsewhere']) {
      const path = join(this.#folder, name);
      await git(['init', '--quiet', '--bare', '--initial-branch=main', path]);
      for (const setting of ['receive.autogc=false', 'uploadpack.allowFilter=true', 'receive.denyDeleteCurrent=ignore'])
        await git(['config', ...setting.split('=')], { cwd: path });
      const commits = Array.from({ length: 6 }, (_, i) =>
        [
          `commit refs/heads/${i % 2 === 0 ? 'main' : 'left'}\ncommitter A <a@x> ${1_600_000_000 + i} +0000\ndata 0`,
          `M 644 inline ${i % 2}\ndata ${name.length + 2}\n${name}${i}\nM 644 inline same\ndata 4\nsame\n`,
        ].join('\n'),
      );
      await git(['fast-import', '--quiet'], { cwd: path, input: commits.join('') });
    }
    await git([...this.#repo.auth, 'push', '--quiet', '--mirror', this.#repo.remote], { cwd: this.#stock });
  }

  /** Pushes to both remotes. Returns the lines of `git push` for the service. */
  async take({ clone: number, before, branch, how }: Step): Promise<readonly string[]> {
    const cwd = this.#clones.get(number) ?? (await this.#clone(number));
    await tryGit(['checkout', '--quiet', '-B', branch, `origin/${branch}`], { cwd });
    for (const { what, pick } of before) await this.#do(cwd, what, pick);
    const specs = how[0] === '--delete' ? [branch] : [`HEAD:refs/heads/${branch}`, `HEAD:refs/heads/made-${number}`];
    const push = (remote: string): Promise<string[]> => this.#push(cwd, remote, how, specs);
    const [expected, got] = [await push(this.#stock), await push(this.#repo.remote)];
    expect(got.length).toBe(expected.length);
    for (const [i, line] of got.entries()) {
      if (line === expected[i]) continue;
      // The service may still have objects of earlier pushes. Stock git counts only objects that refs reach.
      expect(expected[i]).toContain('shallow update not allowed');
      expect(line).toMatch(/^[ +*]/);
      await git([...this.#repo.auth, 'fetch', '--quiet', this.#repo.remote, '+refs/*:refs/*'], { cwd: this.#stock });
    }
    const seen = join(this.#folder, `seen-${this.#made++}`);
    await git([...this.#repo.auth, 'clone', '--quiet', '--mirror', this.#repo.remote, seen]);
    expect(await contents(seen)).toEqual(await contents(this.#stock));
    await git(['fsck', '--full', '--strict'], { cwd: seen });
    return got;
  }

  /** Returns the lines of `git push` by ref name. Both remotes have the same refs, so both receive the same push. */
  async #push(cwd: string, remote: string, how: readonly string[], specs: readonly string[]): Promise<string[]> {
    const push = ['push', '--porcelain', ...how, remote, ...specs];
    const { stdout, stderr } = await tryGit(push, { cwd });
    expect(stderr).not.toMatch(/protocol error|HTTP [45]/);
    return (
      stdout
        .toString()
        .split('\n')
        .filter((line) => line.includes('\t'))
        // A partial clone may fetch in between what it then sees not to be an ancestor.
        .map((line) => line.replace(/\[rejected\] \((?:fetch first|non-fast-forward)\)/, '[rejected]'))
        // Git shows what was refused after what was not.
        .toSorted((one, other) => (ref(one) < ref(other) ? -1 : 1))
    );
  }

  async #clone(number: number): Promise<string> {
    const cwd = join(this.#folder, `clone-${number}`);
    const { options, from } = kinds[number] as (typeof kinds)[number];
    const remote = from === 'service' ? this.#repo.remote : `file://${join(this.#folder, 'elsewhere')}`;
    await git([...this.#repo.auth, 'clone', '--quiet', ...options, remote, cwd]);
    const [, header = ''] = this.#repo.auth[1]?.split('http.extraHeader=') ?? [];
    // What a partial clone lacks it fetches in between.
    const settings = { 'http.extraHeader': header, 'user.name': 'A', 'user.email': 'a@x', 'gc.auto': '0' };
    for (const [name, value] of Object.entries({ ...settings, 'advice.detachedHead': 'false' }))
      await git(['config', name, value], { cwd });
    this.#clones.set(number, cwd);
    return cwd;
  }

  async #do(cwd: string, what: Step['before'][number]['what'], pick: number): Promise<void> {
    if (what === 'edit') {
      writeFileSync(join(cwd, `file-${pick % 5}`), `${this.#made++}\n`.repeat(1 + (pick % 40)));
      await git(['add', '--all'], { cwd });
      await git(['commit', '--quiet', '-m', `edit ${this.#made}`], { cwd });
    } else if (what === 'merge') {
      const other = `origin/${branches[pick % branches.length] as string}`;
      const merge = ['merge', '--quiet', '--no-edit', '--allow-unrelated-histories', '-s', 'ours', other];
      await tryGit(merge, { cwd });
    } else if (what === 'rewind') {
      await tryGit(['reset', '--quiet', '--hard', `HEAD~${1 + (pick % 3)}`], { cwd });
    } else if (what === 'tag') {
      const target = ['HEAD', 'HEAD^{tree}', 'HEAD~1'][pick % 3] as string;
      await tryGit(['tag', ...(pick % 2 === 0 ? ['-a', '-m', 'tag'] : []), `t${this.#made++}`, target], { cwd });
    } else await tryGit(['fetch', '--quiet', '--prune', 'origin'], { cwd });
  }
}

it('GIT-119, GIT-157, GIT-170: every push ends as with stock git, and both hold the same after it', async () => {
  const shown: string[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 14, size: 'max' }), async (steps) => {
      const folder = makeFolder();
      try {
        const world = new World(folder, await server.createRepo(`clones-${made++}`));
        await world.begin();
        for (const one of [...always, ...steps]) shown.push(...(await world.take(one)));
      } finally {
        removeFolder(folder);
      }
    }),
    { numRuns: runs(5) },
  );
  for (const what of ['[new branch]', '(forced update)', '[deleted]', '[remote rejected] (shallow update not allowed)'])
    expect(shown.join()).toContain(what);
}, 300_000);
