/**
 * Section 5 of docs/specification/git.md by stock clients: clones with each filter in each version of the protocol, and
 * a life with them: checkouts that fetch what is missing, one by one and in batches, fetches with other filters, and
 * pushes back.
 */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tryGit } from '../support/git.ts';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';

const patterns = '/*\n!/*/\n/src/\n!*.bin\n';
const filters = [
  'blob:none',
  'blob:limit=0',
  'blob:limit=1k',
  'blob:limit=1g',
  'tree:0',
  'tree:1',
  'tree:2',
  'tree:9',
  'object:type=blob',
  'object:type=tree',
  'object:type=commit',
  'object:type=tag',
  'sparse:oid=main:.patterns',
  'sparse:oid=v1:.patterns',
  'combine:blob:limit=1k+tree:3',
  'combine:sparse:oid=refs/heads/side:.patterns+blob:limit=1k',
];
const sent = [0, 1, 2].flatMap((version) => filters.map((filter) => ({ version, filter })));

let server: TestServer;
let repo: TestRepo;
/** The same, to push to. */
let shared: TestRepo;
let folder: string;
/** A whole clone, and what stock git lists from it is what every other is compared with. */
let full: string;

beforeAll(async () => {
  server = await startTestServer();
  repo = await server.createRepo('partial');
  shared = await server.createRepo('shared');
  folder = makeFolder();
  full = join(folder, 'full');
  await run(folder, 'init', '-q', '-b', 'main', full);
  for (let i = 0; i < 6; i++) {
    write(full, 'readme', `version ${i}\n${'text\n'.repeat(50)}`);
    write(full, '.patterns', patterns);
    for (let j = 0; j < 12; j++)
      write(full, `src/part${j % 4}/file${j}`, `${'line\n'.repeat(20)}${i * (j % 3)} of ${j}\n`);
    write(full, `src/large.bin`, `${'0123456789abcdef'.repeat(100)}${i}`);
    write(full, `docs/deep/er/page${i}`, `page ${i}\n`);
    // At two places, one of them less deep.
    write(full, `src/part1/copy`, `page ${i}\n`);
    await commit(full, `change ${i}`);
    if (i === 3) {
      await run(full, 'branch', 'side');
      await run(full, 'tag', '-a', '-m', 'tag', 'v1');
      await run(full, 'tag', '-a', '-m', 'tree', 'tree', 'HEAD:src');
      await run(full, 'tag', '-a', '-m', 'blob', 'blob', 'HEAD:readme');
    }
  }
  for (const { remote } of [repo, shared]) await run(full, 'push', '-q', '--mirror', remote);
});
afterAll(async () => {
  await server.close();
  removeFolder(folder);
  expect(server.failures).toEqual([]);
});

/** Runs stock `git` in a folder, with the token and a name. */
async function run(cwd: string, ...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await tried(cwd, args);
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.toString();
}

function tried(
  cwd: string,
  args: readonly string[],
  { env = {}, input = '' }: { readonly env?: Record<string, string>; readonly input?: string } = {},
): ReturnType<typeof tryGit> {
  // For the processes of lazy fetches too.
  const settings = [
    ['user.name', 'A'],
    ['user.email', 'a@example.com'],
    // `fetch --refetch` starts a collection that would go on in the background.
    ['gc.auto', '0'],
    ...[repo, shared].map(({ remote, token }) => [`http.${remote}.extraHeader`, `Authorization: Bearer ${token}`]),
  ];
  const config = Object.fromEntries(
    settings.flatMap(([key = '', value = ''], i) => [
      [`GIT_CONFIG_KEY_${i}`, key],
      [`GIT_CONFIG_VALUE_${i}`, value],
    ]),
  );
  return tryGit(args, { cwd, input, env: { ...config, GIT_CONFIG_COUNT: String(settings.length), ...env } });
}

function write(at: string, path: string, text: string): void {
  mkdirSync(join(at, path, '..'), { recursive: true });
  writeFileSync(join(at, path), text);
}

async function commit(at: string, message: string): Promise<void> {
  await run(at, 'add', '-A');
  await run(at, 'commit', '-q', '-m', message);
}

const sorted = (text: string): string[] => [...new Set(text.split('\n').filter((line) => line !== ''))].sort();

/** Lists the ids of the objects present in a repository, without fetching missing ones. */
async function present(at: string): Promise<string[]> {
  return sorted(await run(at, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)'));
}

async function listed(at: string, ...args: readonly string[]): Promise<string[]> {
  return sorted(await run(at, 'rev-list', '--objects', '--no-object-names', ...args));
}

/** Missing objects of a partial clone. */
async function missing(at: string): Promise<string[]> {
  const lines = await listed(at, '--all', '--missing=print');
  return lines.filter((line) => line.startsWith('?')).map((line) => line.slice(1));
}

async function sound(at: string): Promise<void> {
  const { status, stdout, stderr } = await tried(at, ['fsck', '--no-dangling']);
  expect([status, stdout.toString(), stderr]).toEqual([0, '', '']);
}

let clones = 0;
/** A clone by that version of the protocol, with a proof that the filter was asked for and taken. */
async function cloned(filter: string, version: number, remote: string, ...options: readonly string[]): Promise<string> {
  const target = join(folder, `clone-${clones++}`);
  const trace = `${target}.trace`;
  const args = ['-c', `protocol.version=${version}`, 'clone', '-q', `--filter=${filter}`, ...options, remote, target];
  const { status, stderr } = await tried(folder, args, { env: { GIT_TRACE_PACKET: trace } });
  expect([status, stderr]).toEqual([0, '']);
  const packets = readFileSync(trace, 'latin1');
  expect(packets).toMatch(/> filter /);
  expect(packets.includes('< version 2')).toBe(version === 2);
  return target;
}

describe('a clone', () => {
  it.each(sent)(
    'GIT-080 to GIT-084, GIT-044, GIT-047: with $filter in version $version',
    async ({ version, filter }) => {
      const clone = await cloned(filter, version, repo.remote, '--bare');
      const refs = sorted(await run(full, 'for-each-ref', '--format=%(objectname)'));
      // Ref by ref and part by part: what stock git met once, as a wanted tree or for one part of a filter, it does not
      // look at again where it has another path.
      const parts = filter.replace('combine:', '').split('+');
      const lists = parts.map(async (part) =>
        (await Promise.all(refs.map((oid) => listed(full, `--filter=${part}`, oid)))).flat(),
      );
      const [first = [], ...others] = (await Promise.all(lists)).map((list) => new Set(list));
      const expected = [...first].filter((oid) => others.every((list) => list.has(oid)));
      expect(await present(clone)).toEqual(expected.sort());
      await sound(clone);
    },
  );

  it('GIT-081, GIT-072: with a filter and a depth', async () => {
    const whole = await run(
      full,
      'rev-parse',
      'main',
      'main:',
      'main:src',
      'main:docs',
      'main:readme',
      'main:.patterns',
    );
    const clone = await cloned(
      'tree:2',
      2,
      repo.remote,
      '--bare',
      '--depth=1',
      '--no-tags',
      '--single-branch',
      '-b',
      'main',
    );
    expect(await present(clone)).toEqual(sorted(whole));
    await sound(clone);
  });

  it('GIT-072, GIT-078: with a depth, gets the same entries the second time, when they are not made again', async () => {
    const packs: Buffer[] = [];
    for (const name of ['first', 'second']) {
      const target = join(folder, `shallow-${name}`);
      await run(folder, '-c', 'fetch.unpackLimit=1', 'clone', '-q', '--depth=1', '--no-checkout', repo.remote, target);
      await sound(target);
      const packFolder = join(target, '.git/objects/pack');
      packs.push(readFileSync(join(packFolder, readdirSync(packFolder).find((file) => file.endsWith('.pack')) ?? '')));
    }
    expect(packs[0]?.equals(packs[1] as Buffer)).toBe(true);
  });

  it('GIT-085, GIT-083: refuses an invalid filter, and quotes it', async () => {
    for (const filter of ['sparse:oid=main:nothing', 'sparse:oid=main', `sparse:oid=${'0'.repeat(40)}`]) {
      const { status, stderr } = await tried(folder, ['clone', `--filter=${filter}`, repo.remote, `${folder}/none`]);
      expect(status).not.toBe(0);
      expect(stderr).toContain(`invalid filter-spec '${filter}'`);
    }
  });
});

describe('a partial clone', () => {
  const lives = ['blob:none', 'blob:limit=1k', 'tree:0', 'tree:2', 'sparse:oid=main:.patterns'];

  it.each([0, 2].flatMap((version) => lives.map((filter) => ({ version, filter }))))(
    'GIT-086: with $filter in version $version fetches what it needs, commits and pushes',
    async ({ version, filter }) => {
      const clone = await cloned(filter, version, shared.remote);
      const work = `work-${clones}`;
      await run(clone, 'config', 'protocol.version', String(version));
      expect(sorted(await run(clone, 'ls-files'))).toEqual(sorted(await run(full, 'ls-files')));
      const before = (await missing(clone)).length;
      expect(before).toBeGreaterThan(0);
      await run(clone, 'checkout', '-q', 'main~3');
      expect(readFileSync(join(clone, 'readme'), 'utf8')).toContain('version 2');
      expect(await run(clone, 'diff', 'main~4', 'main~1')).toBe(await run(full, 'diff', 'main~4', 'main~1'));
      expect((await missing(clone)).length).toBeLessThan(before);
      await sound(clone);

      await run(clone, 'checkout', '-q', '-b', work, 'origin/main');
      write(clone, 'src/new', `by a clone with ${filter} in version ${version}\n`);
      await commit(clone, 'work');
      await run(clone, 'push', '-q', 'origin', 'HEAD');
      await run(clone, 'gc', '-q', '--prune=now');
      await sound(clone);
      const other = join(folder, `other-${clones++}`);
      await run(folder, 'clone', '-q', '--bare', shared.remote, other);
      expect(await run(other, 'show', `${work}:src/new`)).toContain(filter);
      await sound(other);
      // What is still missing comes in one batch.
      const left = await missing(clone);
      const input = left.map((oid) => `${oid}\n`).join('');
      const requests = server.requests.length;
      const { stdout } = await tried(clone, ['fetch', '-q', 'origin', '--stdin'], { input });
      expect(stdout.toString()).toBe('');
      expect(server.requests.length - requests).toBeLessThan(5);
      const still = new Set(await missing(clone));
      expect(left.filter((oid) => still.has(oid))).toEqual([]);
    },
  );

  it('GIT-086: left-out objects come one by one and in batches', async () => {
    const clone = await cloned('blob:none', 2, repo.remote, '--bare');
    const [one, ...others] = await missing(clone);
    expect(await run(clone, 'cat-file', '-t', one as string)).toBe('blob\n');
    expect(await missing(clone)).toEqual(others);
    const input = others.map((oid) => `${oid}\n`).join('');
    const { status, stdout } = await tried(clone, ['cat-file', '--batch-check', '--buffer'], { input });
    expect([status, sorted(stdout.toString()).length]).toEqual([0, others.length]);
    expect(await missing(clone)).toEqual([]);
    expect(await present(clone)).toEqual(await present(full));
    await sound(clone);
  });

  it('GIT-080: fetches all again with another filter', async () => {
    const clone = await cloned('tree:0', 2, repo.remote, '--bare');
    await run(clone, 'config', 'remote.origin.fetch', '+refs/heads/*:refs/heads/*');
    for (const filter of ['blob:none', 'blob:limit=1k']) {
      await run(clone, 'fetch', '-q', '--refetch', `--filter=${filter}`, 'origin');
      const heads = sorted(await run(clone, 'for-each-ref', '--format=%(objectname)', 'refs/heads'));
      const lacking = new Set(await missing(clone));
      const expected = await listed(clone, `--filter=${filter}`, '--missing=allow-any', ...heads);
      expect(expected.filter((oid) => lacking.has(oid))).toEqual([]);
      await sound(clone);
    }
  });

  it('GIT-087: fetches what came since, with no blob for a base that it may lack', async () => {
    const clone = await cloned('blob:none', 2, shared.remote, '--bare');
    await run(clone, 'config', 'remote.origin.fetch', '+refs/heads/*:refs/heads/*');
    write(full, 'readme', `${readFileSync(join(full, 'readme'), 'utf8')}and a line\n`);
    await commit(full, 'a line');
    await run(full, 'push', '-q', shared.remote, 'main');
    await run(clone, 'fetch', '-q', 'origin');
    const blob = (await run(full, 'rev-parse', 'main:readme')).trim();
    expect(await missing(clone)).toContain(blob);
    expect(await run(clone, 'show', 'main:readme')).toContain('and a line');
    await sound(clone);
  });
});
