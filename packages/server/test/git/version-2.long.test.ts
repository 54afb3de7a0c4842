/**
 * GIT-093 to GIT-099: what stock clients make of version 2 by themselves, as their traces tell, and what they never
 * send.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { change, pack, tag } from '@packhouse/conformance/tools/made-objects';
import { commandBody, linesOf, packOf, post, push, set } from '@packhouse/conformance/tools/wire-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contents, git, tryGit, type GitResult } from '../support/git.ts';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let folder: string;
let work: string;
let repo: TestRepo;
let numbers = 0;

beforeAll(async () => {
  server = await startTestServer();
  folder = makeFolder();
  repo = await server.createRepo('stock');
  work = join(folder, 'work');
  await git(['init', '-q', '-b', 'main', work]);
  await git(['remote', 'add', 'origin', repo.remote], { cwd: work });
  for (let i = 0; i < 30; i++) await commit(`${i}`);
  await git(['branch', 'side', 'HEAD~5'], { cwd: work });
  await git(['tag', '-a', '-m', 'annotated', 'v1', 'HEAD~3'], { cwd: work });
  await git(['tag', 'light', 'HEAD~4'], { cwd: work });
  await git(['notes', 'add', '-m', 'noted', 'HEAD'], { cwd: work });
  await git([...repo.auth, 'push', '-q', '--mirror', repo.remote], { cwd: work });
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
  removeFolder(folder);
});

async function commit(text: string, cwd = work): Promise<void> {
  await writeFile(join(cwd, 'file'), `${text}\n`.repeat(100));
  await git(['add', 'file'], { cwd });
  await git(['commit', '-q', '-m', text], { cwd });
}

interface Traced extends GitResult {
  /** All packets of all its processes. */
  readonly trace: string;
  /** Lines that the client sent in its last request, and those it got back, without the LF. */
  readonly sent: readonly string[];
  readonly got: readonly string[];
}

/**
 * Runs stock `git` in version 2, and takes apart what it said over the wire in its last request. After the first pack
 * of a process its trace leaves out what comes in band 1.
 */
async function traced(args: readonly string[], cwd: string): Promise<Traced> {
  const trace = join(folder, `trace-${numbers++}`);
  const config = ['-c', 'protocol.version=2', ...repo.auth];
  const result = await tryGit([...config, ...args], { cwd, env: { GIT_TRACE_PACKET: trace } });
  const text = await readFile(trace, 'utf8');
  const lines = [...text.matchAll(/packet: +(?:fetch|clone|pull)([<>]) (.*)/g)];
  const begin = lines.findLastIndex(([, way, line]) => way === '>' && line?.startsWith('command='));
  const last = lines.slice(begin);
  const of = (way: string): string[] => last.flatMap(([, found, line]) => (found === way ? [line as string] : []));
  return { ...result, trace: text, sent: of('>'), got: of('<') };
}

async function copy(): Promise<string> {
  const path = join(folder, `copy-${numbers++}`);
  await git([...repo.auth, 'clone', '-q', repo.remote, path]);
  return path;
}

/** Expects all packets in band 1, except flush, delim and the end of the reply. */
function expectBanded(got: readonly string[]): void {
  expect(got.length).toBeGreaterThan(1);
  expect(got.filter((line) => !/^\\1|^000[012]$/.test(line))).toEqual([]);
}

describe('GIT-098, GIT-099: stock git with want-ref and sideband-all', () => {
  it.each([
    ['clone', ['clone', '--quiet']],
    ['clone of everything', ['clone', '--quiet', '--mirror']],
    ['clone of one branch', ['clone', '--quiet', '--single-branch', '--branch', 'side']],
    ['clone of a tag', ['clone', '--quiet', '--branch', 'v1']],
    ['clone without tags', ['clone', '--quiet', '--no-tags', '--bare']],
    ['clone with progress', ['clone', '--progress']],
  ])('%s', async (_, args) => {
    const path = join(folder, `clone-${numbers++}`);
    const { status, stderr, sent, got } = await traced([...args, repo.remote, path], folder);
    expect([status, stderr.includes('fatal')]).toEqual([0, false]);
    expect(sent).toContain('sideband-all');
    expect(sent.filter((line) => line.startsWith('want '))).toEqual([]);
    const asked = sent.flatMap((line) => (line.startsWith('want-ref ') ? [line.slice(9)] : []));
    expectBanded(got);
    const told = got.slice(got.indexOf('\\1wanted-refs') + 1, got.indexOf('0001'));
    expect(told.map((line) => line.slice(43))).toEqual(asked);
    await git(['fsck', '--strict', '--no-dangling'], { cwd: path });
    if (args.includes('--mirror')) expect(await contents(path)).toEqual(await contents(work));
  });

  it('fetch of what is new, with haves', async () => {
    const path = await copy();
    await commit(`new ${numbers++}`);
    await git([...repo.auth, 'push', '-q', repo.remote, 'main'], { cwd: work });
    const { status, sent, got } = await traced(['fetch', 'origin'], path);
    expect(status).toBe(0);
    expect(sent).toEqual(expect.arrayContaining(['sideband-all', 'want-ref refs/heads/main']));
    expectBanded(got);
    const order = got.filter((line) => /^\\1[a-z-]+$/.test(line));
    expect(order).toEqual(['\\1acknowledgments', '\\1ready', '\\1wanted-refs', '\\1packfile']);
    const tip = await git(['rev-parse', 'main'], { cwd: work });
    expect(await git(['rev-parse', 'origin/main'], { cwd: path })).toBe(tip);
  });

  it('fetch that negotiates over several rounds', async () => {
    const path = await copy();
    const lines = Array.from({ length: 600 }, (_, i) => {
      const from = i === 0 ? `from refs/remotes/origin/main\n` : '';
      return `commit refs/heads/own\nmark :${i + 1}\ncommitter A <a@b> ${1_800_000_000 + i} +0000\ndata 1\n.\n${from}\n`;
    });
    await git(['fast-import', '--quiet'], { cwd: path, input: lines.join('') });
    await commit(`after ${numbers++}`);
    await git([...repo.auth, 'push', '-q', repo.remote, 'main'], { cwd: work });
    const { status, trace } = await traced(['fetch', 'origin'], path);
    expect(status).toBe(0);
    expect(trace.match(/fetch> command=fetch/g)?.length).toBeGreaterThan(2);
    expect(trace).toContain('\\1NAK');
    expect(trace).toContain('\\1ready');
    await git(['fsck', '--strict', '--no-dangling'], { cwd: path });
  });

  it('GIT-094: shallow and partial clones, and what they fetch later: shallow-info comes before wanted-refs', async () => {
    const shallow = join(folder, `clone-${numbers++}`);
    const order = (got: readonly string[]): readonly string[] =>
      got.filter((line) => /^\\1(acknowledgments|shallow-info|wanted-refs|packfile)$/.test(line));
    const runs = [
      [
        ['clone', '--quiet', '--depth=2', repo.remote, shallow],
        folder,
        ['\\1shallow-info', '\\1wanted-refs', '\\1packfile'],
      ],
      [['fetch', '--no-tags', '--deepen=3', 'origin'], shallow, undefined],
      [['fetch', '--no-tags', '--shallow-exclude=v1', 'origin'], shallow, undefined],
      [['fetch', '--no-tags', '--unshallow', 'origin'], shallow, undefined],
    ] as const;
    for (const [args, cwd, sections] of runs) {
      const { status, stderr, sent, got } = await traced(args, cwd);
      expect([status, stderr.includes('fatal')], args.join(' ')).toEqual([0, false]);
      expect(sent).toContain('sideband-all');
      expectBanded(got);
      expect(order(got).at(-1)).toBe('\\1packfile');
      if (sections !== undefined) expect(order(got)).toEqual(sections);
      else expect(order(got)).toContain('\\1shallow-info');
    }
    await git(['fsck', '--strict', '--no-dangling'], { cwd: shallow });
    expect(await git(['rev-list', '--count', 'origin/main'], { cwd: shallow })).toBe(
      await git(['rev-list', '--count', 'main'], { cwd: work }),
    );
    const partial = join(folder, `clone-${numbers++}`);
    const cloned = await traced(
      ['clone', '--quiet', '--filter=blob:none', '--no-checkout', repo.remote, partial],
      folder,
    );
    expect([cloned.status, cloned.sent.includes('filter blob:none')]).toEqual([0, true]);
    const checkedOut = await traced(['checkout', '--quiet', 'main'], partial);
    expect([checkedOut.status, checkedOut.trace.includes('sideband-all')]).toEqual([0, true]);
    expect(await git(['status', '--porcelain'], { cwd: partial })).toBe('');
  });

  it.each([
    ['one ref', ['fetch', 'origin', 'refs/notes/commits']],
    ['HEAD', ['fetch', 'origin', 'HEAD']],
    ['a tag', ['fetch', 'origin', 'tag', 'v1']],
    ['all tags, and forgetting what is gone', ['fetch', '--tags', '--prune', '--force', 'origin']],
    ['into refs of its own', ['fetch', 'origin', '+refs/*:refs/copy/*']],
    ['nothing but a look', ['fetch', '--dry-run', 'origin', 'side']],
    ['a pull', ['pull', '--ff-only', '--quiet', 'origin', 'main']],
  ])('%s', async (_, args) => {
    const path = join(folder, `small-${numbers++}`);
    await git(['init', '-q', path]);
    await git(['remote', 'add', 'origin', repo.remote], { cwd: path });
    const { status, stderr, trace } = await traced(args, path);
    expect([status, stderr.includes('fatal'), trace.includes('sideband-all')]).toEqual([0, false, true]);
  });

  it('an object by its id comes as a want', async () => {
    const path = join(folder, `small-${numbers++}`);
    await git(['init', '-q', path]);
    const oid = (await git(['rev-parse', 'main~7'], { cwd: work })).trim();
    const { status, sent } = await traced(['fetch', repo.remote, oid], path);
    expect([status, sent.includes(`want ${oid}`), sent.includes('sideband-all')]).toEqual([0, true, true]);
    expect((await git(['rev-parse', 'FETCH_HEAD'], { cwd: path })).trim()).toBe(oid);
  });

  it('GIT-017: a refusal reaches the user', async () => {
    const { status, stderr, sent, got } = await traced(['fetch', 'origin', '1'.repeat(40)], work);
    expect(status).toBe(128);
    expect(sent).toContain('sideband-all');
    expect(got).toEqual([`\\3upload-pack: not our ref ${'1'.repeat(40)}`]);
    expect(stderr).toContain(`fatal: remote error: upload-pack: not our ref ${'1'.repeat(40)}`);
  });
});

describe('GIT-096, GIT-097: stock git with wait-for-done', () => {
  it('negotiates alone, and before a push', async () => {
    const path = await copy();
    await git(['checkout', '-q', '-b', 'ahead'], { cwd: path });
    const known = (await git(['rev-parse', 'HEAD'], { cwd: path })).trim();
    await commit('ahead', path);
    const alone = await traced(['fetch', '--negotiate-only', '--negotiation-tip=ahead', 'origin'], path);
    expect(alone.status).toBe(0);
    expect(alone.stdout.toString().split('\n')).toContain(known);
    expect(alone.stdout.toString()).not.toContain((await git(['rev-parse', 'HEAD'], { cwd: path })).trim());
    expect(alone.sent).toEqual(expect.arrayContaining(['wait-for-done', `have ${known}`]));
    expect(alone.got[0]).toBe('acknowledgments');
    expect(alone.got).toContain(`ACK ${known}`);
    expect(alone.got.filter((line) => !/^(acknowledgments|ACK [0-9a-f]{40}|000[02])$/.test(line))).toEqual([]);
    const pushed = await traced(['-c', 'push.negotiate=true', 'push', '--quiet', 'origin', 'ahead'], path);
    expect([pushed.status, pushed.trace.includes('fetch> wait-for-done')]).toEqual([0, true]);
  });
});

describe('requests that stock git does not make', () => {
  const first = change('first');
  const second = change('second', first);
  const label = tag('label', first);
  const all = [...first.all, ...second.all, label];
  let made: TestRepo;

  beforeAll(async () => {
    made = await server.createRepo('made');
    const refs = [set('refs/heads/main', second), set('refs/heads/old', first), set('refs/tags/label', label)];
    expect((await push(made, refs, pack(...all)))[0]).toBe('unpack ok');
  });

  const ask = async (to: TestRepo, ...words: readonly string[]): Promise<Buffer> =>
    (await post(to, commandBody('fetch', words))).body;
  const countOf = (reply: Buffer): number => packOf(reply).readUInt32BE(8);

  it('GIT-098: refs are listed as asked for, in the order asked, beside wants by id', async () => {
    const words = ['want-ref refs/tags/label', `want ${second.oid}`, 'want-ref HEAD', 'want-ref refs/heads/old'];
    const reply = await ask(made, ...words, 'no-progress', 'done');
    expect(linesOf(reply).slice(0, 6)).toEqual([
      'wanted-refs',
      `${label.oid} refs/tags/label`,
      `${second.oid} HEAD`,
      `${first.oid} refs/heads/old`,
      'delim',
      'packfile',
    ]);
    expect(countOf(reply)).toBe(all.length);
  });

  it('GIT-094, GIT-098: they come once the pack follows, behind the acknowledgments', async () => {
    const words = ['want-ref refs/heads/main', 'no-progress'];
    expect(linesOf(await ask(made, ...words, `have ${'1'.repeat(40)}`))).toEqual(['acknowledgments', 'NAK', 'flush']);
    const reply = await ask(made, ...words, `have ${first.oid}`);
    expect(linesOf(reply).slice(0, 7)).toEqual([
      'acknowledgments',
      `ACK ${first.oid}`,
      'ready',
      'delim',
      'wanted-refs',
      `${second.oid} refs/heads/main`,
      'delim',
    ]);
    expect(countOf(reply)).toBe(second.all.length);
  });

  it.each([
    ['refs/heads/none'],
    ['main'],
    ['heads/main'],
    ['head'],
    ['refs/heads/'],
    ['refs/tags/label^{}'],
    [''],
    ['the longest name', `refs/heads/${'x'.repeat(1013)}`],
  ])('GIT-098: %j is no ref', async (name, ref = name) => {
    expect(linesOf(await ask(made, `want-ref ${ref}`, 'done'))).toEqual([`ERR unknown ref ${ref}`]);
    const banded = await ask(made, `want-ref ${ref}`, 'sideband-all', 'done');
    expect(linesOf(banded)).toEqual([`3:unknown ref ${ref}`]);
  });

  it('GIT-098: neither is HEAD, where it is unborn; nor a hidden ref', async () => {
    const empty = await server.createRepo('empty');
    expect(linesOf(await ask(empty, 'want-ref HEAD', 'done'))).toEqual(['ERR unknown ref HEAD']);
    await server.restart({ settings: { hidden_refs: ['refs/heads/old', 'refs/heads/main'] } });
    for (const ref of ['refs/heads/old', 'refs/heads/main', 'HEAD']) {
      expect(linesOf(await ask(made, `want-ref ${ref}`, 'done')), ref).toEqual([`ERR unknown ref ${ref}`]);
    }
    const reply = await ask(made, 'want-ref refs/tags/label', 'no-progress', 'done');
    expect(countOf(reply)).toBe(first.all.length + 1);
    await server.restart({ settings: {} });
  });

  it('GIT-098, GIT-130: HEAD is left out beside other refs once a second branch has made it unborn', async () => {
    const repo = await server.createRepo('two-branches');
    await push(repo, [set('refs/heads/one', first)], pack(...first.all));
    const words = ['want-ref HEAD', 'want-ref refs/heads/one', 'no-progress', 'done'];
    expect(linesOf(await ask(repo, ...words))).toContain(`${first.oid} HEAD`);
    await push(repo, [set('refs/heads/two', first)], pack(...first.all));
    const reply = await ask(repo, ...words);
    expect(linesOf(reply).slice(0, 4)).toEqual(['wanted-refs', `${first.oid} refs/heads/one`, 'delim', 'packfile']);
    expect(countOf(reply)).toBe(first.all.length);
  });

  it('GIT-096, GIT-097: without a want there is nothing, or acknowledgments alone, also after done', async () => {
    expect(await ask(made, `have ${first.oid}`, 'sideband-all', 'done')).toHaveLength(0);
    const told = ['acknowledgments', `ACK ${first.oid}`, 'flush'];
    for (const more of [[], ['done'], [`want ${second.oid}`], ['deepen-since 9999999999'], ['deepen 1']]) {
      expect(linesOf(await ask(made, 'wait-for-done', `have ${first.oid}`, ...more)), more.join()).toEqual(told);
    }
    expect(linesOf(await ask(made, 'wait-for-done', 'sideband-all'))).toEqual(['1:acknowledgments', '1:NAK', 'flush']);
    expect(linesOf(await ask(made, 'wait-for-done', `want ${second.oid}`))).toEqual([
      'acknowledgments',
      'NAK',
      'flush',
    ]);
  });

  it('GIT-017, GIT-099: what is refused in any way comes in band 3, alone', async () => {
    for (const [words, text] of [
      [['frotz'], "unexpected line: 'frotz'"],
      [['want-ref HEAD', 'want-ref HEAD'], 'duplicate want-ref HEAD'],
      [[`want ${'1'.repeat(40)}`, 'done'], `upload-pack: not our ref ${'1'.repeat(40)}`],
    ] as const) {
      expect(linesOf(await ask(made, ...words, 'sideband-all'))).toEqual([`3:${text}`]);
      expect(linesOf(await ask(made, 'sideband-all', ...words))).toEqual([`3:${text}`]);
    }
  });
});
