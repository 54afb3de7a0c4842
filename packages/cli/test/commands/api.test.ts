import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runGit } from '@packhouse/fixtures';
import { serveNode, type Serving } from '@packhouse/server/node';
import { ran, type Ran, type RunOptions } from './in-process.ts';
import { packhouse } from './program.ts';

let root: string;
let server: Serving;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'packhouse-api-'));
  server = await serveNode({ port: 0, data: join(root, '.packhouse') });
});

afterAll(async () => {
  await server.close(0);
  rmSync(root, { recursive: true, force: true });
});

async function call(...args: readonly string[]): Promise<Ran> {
  return await ran(args, { env: { PACKHOUSE_URL: server.url, PACKHOUSE_API_TOKEN: server.keptToken?.token ?? '' } });
}

async function result(...args: readonly string[]): Promise<unknown> {
  const { code, out, err } = await call(...args, '--json');
  expect(err).toBe('');
  expect(code).toBe(0);
  expect(out.endsWith('\n') && out.indexOf('\n') === out.length - 1).toBe(true);
  return JSON.parse(out);
}

it('a command that calls a service does not load one', async () => {
  const hooks = `import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => (/packages.(?:git|storage).src/.test(url) && console.log(url), next(url, context)) });`;
  const args = ['repo', 'list', '--url', server.url, '--api-token', server.keptToken?.token ?? ''];
  const env = { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(hooks)}"` };
  expect(await packhouse([...args, '--namespace', 'none', '--json'], { env })).toEqual({
    code: 0,
    out: '[]\n',
    err: '',
  });
});

describe('namespace, repo and token', () => {
  it('create, list, show and delete', async () => {
    expect(await result('namespace', 'create', 'Team', '--jurisdiction', 'eu')).toMatchObject({
      namespace: 'Team',
      jurisdiction: 'eu',
    });
    const made = await result(
      'repo',
      'create',
      'notes',
      '--namespace',
      'team',
      '--description',
      'a b',
      '--default-branch',
      'trunk',
      '--read-only',
    );
    expect(made).toMatchObject({
      name: 'notes',
      description: 'a b',
      default_branch: 'trunk',
      remote: `${server.url}/git/local/Team/notes.git`,
    });
    expect(await result('repo', 'get', 'NOTES', '--namespace', 'team')).toMatchObject({
      name: 'notes',
      read_only: true,
    });
    expect(await result('namespace', 'get', 'team')).toMatchObject({ repo_count: 1 });

    const token = (await result(
      'token',
      'create',
      'notes',
      '--namespace',
      'team',
      '--scope',
      'read',
      '--ttl',
      '2h',
    )) as { id: string; expires_at: string };
    expect(Date.parse(token.expires_at) - Date.now()).toBeGreaterThan(7_000_000);
    expect(await result('token', 'list', 'notes', '--namespace', 'team')).toMatchObject([
      { id: token.id, scope: 'read' },
      { scope: 'write' },
    ]);
    expect(await result('token', 'revoke', token.id, '--namespace', 'team')).toEqual({ id: token.id });
    expect(await result('token', 'list', 'notes', '--namespace', 'team', '--state', 'revoked')).toMatchObject([
      { id: token.id },
    ]);

    expect((await call('namespace', 'delete', 'team')).err).toBe(
      'error: The namespace "team" is not empty.\nhint: Delete its repos first: "packhouse repo list --namespace team" shows them.\n',
    );
    expect(await result('repo', 'delete', 'notes', '--namespace', 'team', '--yes')).toMatchObject({
      id: (made as { id: string }).id,
    });
    expect(await result('namespace', 'delete', 'team')).toEqual({ namespace: 'team' });
    expect(await result('namespace', 'list')).toEqual([]);
  });

  it('show the refs of a repo', async () => {
    const { remote, token } = (await result('repo', 'create', 'named')) as { remote: string; token: string };
    expect((await call('repo', 'refs', 'named')).out).toBe('There are no such refs.\n');
    const cwd = join(root, 'named');
    runGit(['init', '--quiet', '--initial-branch=main', cwd]);
    runGit(['commit', '--quiet', '--allow-empty', '--message', 'x'], { cwd });
    runGit(['tag', '--annotate', '--message', 'first', 'v1'], { cwd });
    const auth = `http.extraHeader=Authorization: Bearer ${token}`;
    await promisify(execFile)('git', ['-c', auth, 'push', '--quiet', remote, 'main', 'v1'], { cwd });
    const [tip, tag] = ['main', 'v1'].map((name) => String(runGit(['rev-parse', name], { cwd })).trim());
    const tags = [{ name: 'refs/tags/v1', hash: tag, kind: 'tag', peeled: tip }];
    expect(await result('repo', 'refs', 'named', '--prefix', 'refs/tags/')).toEqual(tags);
    expect((await call('repo', 'refs', 'named')).out).toMatch(
      new RegExp(
        `^REF +OBJECT +KIND +LEADS TO\nrefs/heads/main +${tip} +commit +-\nrefs/tags/v1 +${tag} +tag +${tip}\n$`,
      ),
    );
    expect((await call('repo', 'refs', 'none')).err).toContain('There is no repo "none"');
    expect((await call('repo', 'log', 'named')).out).toMatch(
      new RegExp(`^COMMIT +TIME +AUTHOR +MESSAGE\n${tip} +2023-11-14T22:13:20Z +Ada Example +x\n$`),
    );
    expect(await result('repo', 'log', 'named', 'v1', '--limit', '1')).toMatchObject([{ hash: tip }]);
    expect((await call('repo', 'ls', 'named', 'main')).out).toBe('The folder is empty.\n');
    expect((await call('repo', 'ls', 'named', 'v2')).err).toContain('has no branch, tag or commit "v2"');
    expect((await call('repo', 'ls', 'named', 'v1', 'none')).err).toContain('has no file or folder "none"');
    const filtered = async (...filters: readonly string[]): Promise<number> =>
      ((await result('repo', 'log', 'named', ...filters)) as readonly unknown[]).length;
    expect(await filtered('--author', 'Ada', '--since', '2023-11-14', '--until', '1d')).toBe(1);
    expect(await filtered('--since', '2023-11-14T22:13:21Z', '--parents', 'all')).toBe(0);
    expect(await filtered('--path', 'none')).toBe(0);
    expect((await call('repo', 'log', 'named', '--since', 'soon')).err).toContain('--since cannot be "soon".');
    expect((await call('repo', 'log', 'named', 'v2')).err).toContain('has no branch, tag or commit "v2"');

    const file = join(root, 'v1.tar');
    expect(await result('repo', 'archive', 'named', 'v1', '-o', file)).toMatchObject({ file, format: 'tar' });
    expect(readFileSync(file).equals(runGit(['archive', 'v1'], { cwd }))).toBe(true);
    expect((await call('repo', 'archive', 'named', 'v1', '-o', file)).err).toContain(`${file} exists already.`);
    const none = join(root, 'none.tar');
    const failed = async (...args: readonly string[]) =>
      (await call('repo', 'archive', 'named', ...args, '-o', none)).err;
    expect(await failed('v2')).toContain('has no branch, tag or commit "v2"');
    expect(await failed('v1', 'none')).toContain('has no file or folder "none"');
    expect(existsSync(none)).toBe(false);
  });

  it('update a repo', async () => {
    await result('repo', 'create', 'before', '--description', 'old');
    const flags = ['--rename', 'after', '--description', '', '--default-branch', 'trunk', '--read-only'];
    const expected = { name: 'after', description: null, default_branch: 'trunk', read_only: true };
    expect(await result('repo', 'update', 'before', ...flags)).toMatchObject(expected);
    expect((await call('repo', 'update', 'after', '--writable')).out).toMatch(/^read_only +false$/m);
    expect((await call('repo', 'update', 'before', '--writable')).err).toContain('There is no repo "before"');
    expect((await call('repo', 'update', 'after')).err).toContain('There is nothing to change.');
    expect((await call('repo', 'update', 'after', '--writable', '--read-only')).err).toContain('not both');
    await result('repo', 'create', 'taken');
    expect((await call('repo', 'update', 'after', '--rename', 'taken')).err).toContain('already a repo "taken"');
    expect((await call('repo', 'update', 'after', '--rename', '-')).err).toContain('cannot have that name');
    for (const name of ['after', 'taken']) await result('repo', 'delete', name, '--yes');
  });

  it('REPO-250, REPO-256: commit files from a folder, upload large ones, and name the head of a stale branch', async () => {
    await result('repo', 'create', 'written');
    const folder = join(root, 'written-files');
    mkdirSync(folder);
    writeFileSync(join(folder, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
    writeFileSync(join(folder, 'large'), 'x'.repeat(100_000));
    const author = ['--author-name', 'Ada', '--author-email', 'ada@example.com'];
    const put = ['--put', `bin/run=${join(folder, 'run.sh')}`, '--put', `large=${join(folder, 'large')}`];
    const first = await call('repo', 'commit', 'written', '-m', 'First', '--expect', 'none', ...put, ...author);
    expect(first.out).toMatch(/^main is at [0-9a-f]{40} now\. Changed files: 2\.\n$/);
    const moved = ['--move', 'large=docs/big', '--delete', 'bin', '--branch', 'next'];
    const second = await result('repo', 'commit', 'written', '-m', 'Second', ...moved, ...author);
    expect(second).toMatchObject({ ref: { name: 'refs/heads/next' }, paths: ['bin/run', 'docs/big', 'large'] });
    expect(await result('repo', 'ls', 'written', 'main', '--recursive')).toMatchObject([
      { path: 'bin', type: 'tree' },
      { path: 'bin/run', mode: '100755' },
      { path: 'large', mode: '100644', size: 100_000 },
    ]);
    const stale = await call('repo', 'commit', 'written', '-m', 'x', '--delete', 'bin', '--expect', 'none', ...author);
    expect(stale.err).toMatch(/main is at [0-9a-f]{40}\./);
    const wrong = async (...args: readonly string[]): Promise<string> =>
      (await call('repo', 'commit', 'written', ...args)).err;
    expect(await wrong('--delete', 'x')).toContain('A commit needs a message.');
    expect(await wrong('-m', 'x', '--delete', 'x')).toContain('A commit needs a name and an address.');
    expect(await wrong('-m', 'x', '--move', 'x', ...author)).toContain('--move cannot be "x".');
    expect(await wrong('-m', 'x', '--put', join(folder, 'none'), ...author)).toContain('Cannot read');
    expect(await wrong('-m', 'x', '--delete', 'none', ...author)).toContain(
      'none: The update was refused: there is no',
    );
    expect(await wrong('-m', 'x', '--put', `./a=${join(folder, 'large')}`, ...author)).toContain('./a: Invalid path: ');
    expect(await wrong('-m', 'x', ...author)).toContain('Give --put, --delete or --move.');
  });

  it('search the files of a repo', async () => {
    const { remote, token } = (await result('repo', 'create', 'searched')) as { remote: string; token: string };
    const cwd = join(root, 'searched');
    runGit(['init', '--quiet', '--initial-branch=main', cwd]);
    mkdirSync(join(cwd, 'docs'));
    writeFileSync(join(cwd, 'docs', 'a.md'), 'the plan\n\tA \x1b[1mPlan\r\n');
    writeFileSync(join(cwd, 'plan'), 'no\nplan b');
    runGit(['add', '.'], { cwd });
    runGit(['commit', '--quiet', '--message', 'x'], { cwd });
    const auth = `http.extraHeader=Authorization: Bearer ${token}`;
    await promisify(execFile)('git', ['-c', auth, 'push', '--quiet', remote, 'main'], { cwd });
    expect((await call('repo', 'search', 'searched', 'plan')).out).toBe('docs/a.md:1:the plan\nplan:2:plan b\n');
    expect((await call('repo', 'search', 'searched', 'PLAN$', '--regex', '--ignore-case', '--path', 'docs')).out).toBe(
      'docs/a.md:1:the plan\n',
    );
    expect((await call('repo', 'search', 'searched', '\tA', '--ref', 'main')).out).toBe(
      'docs/a.md:2:\tA \uFFFD[1mPlan\n',
    );
    expect((await call('repo', 'cat', 'searched', 'docs/a.md')).out).toBe('the plan\n\tA \x1b[1mPlan\r\n');
    expect((await call('repo', 'cat', 'searched', 'docs', '--ref', 'main')).err).toContain('no file "docs" at "main"');
    const { err } = await call('repo', 'search', 'searched', '(', '--regex');
    expect(err).toMatch(/missing closing \).*\nhint: Correct TEXT;/);
    const wrongRef = await call('repo', 'search', 'searched', 'x', '--ref', 'none');
    expect(wrongRef.err).toContain('has no branch, tag or commit "none"');
    const wrongPath = await call('repo', 'search', 'searched', 'x', '--path', 'none');
    expect(wrongPath.err).toContain('has no file or folder "none"');
    const json = JSON.parse((await call('repo', 'search', 'searched', 'b', '--json')).out) as { matches: unknown[] };
    expect(json.matches).toEqual([
      { path: 'plan', line: 2, column: 6, text: 'plan b', start: 5, end: 6, clipped: false },
    ]);
  });

  it('merge a branch of a fork, and tell the paths in conflict', async () => {
    const { remote, token } = (await result('repo', 'create', 'merged')) as { remote: string; token: string };
    const cwd = join(root, 'merged');
    const auth = `http.extraHeader=Authorization: Bearer ${token}`;
    const commit = async (branch: string, text: string): Promise<void> => {
      writeFileSync(join(cwd, 'plan'), text);
      runGit(['add', '.'], { cwd });
      runGit(['commit', '--quiet', '--message', text], { cwd });
      await promisify(execFile)('git', ['-c', auth, 'push', '--quiet', remote, `HEAD:${branch}`], { cwd });
    };
    runGit(['init', '--quiet', '--initial-branch=main', cwd]);
    await commit('refs/heads/main', 'one');
    const me = ['--author-name', 'Ada', '--author-email', 'ada@example.com'];
    await result('repo', 'fork', 'merged', 'merged-try');
    await commit('refs/heads/main', 'two');
    await commit('refs/heads/topic', 'three');
    expect((await call('repo', 'merge', 'merged', 'topic')).err).toContain('A commit needs a name');
    const forward = await call('repo', 'merge', 'merged-try', 'merged:topic', '--strategy', 'ff-only');
    expect(forward.out).toMatch(/^main is at [0-9a-f]{40} now\.\n$/);
    const compared = ['repo', 'diff', 'merged', 'main', 'merged-try:main'];
    expect((await call(...compared)).out).toBe(
      String(runGit(['diff', '--full-index', '--binary', 'HEAD~1...HEAD'], { cwd })),
    );
    expect((await call(...compared, '--stat')).out).toMatch(
      /^STATUS +ADDED +DELETED +PATH\nmodified +1 +1 +plan\nCommits ahead: 1, behind: 0\n$/,
    );
    expect(await result(...compared)).toMatchObject({ ahead: 1, files: [{ path: 'plan' }] });
    expect((await call('repo', 'diff', 'merged', 'main', 'named:main')).err).toContain('no fork or parent');
    expect((await call('repo', 'diff', 'merged', 'main', 'none')).err).toContain('no branch, tag or commit "main" or');
    expect((await call('repo', 'merge', 'merged', 'main~1', ...me)).out).toBe('main has main~1 already.\n');
    expect(await result('repo', 'revert', 'merged-try', 'main', ...me)).toMatchObject({
      ref: { name: 'refs/heads/main' },
    });
    const torn = await call('repo', 'revert', 'merged', 'main~1', '--into', 'main', ...me);
    expect(torn.err).toContain('These paths are in conflict: plan.');
    expect((await call('repo', 'cherry-pick', 'merged', 'merged-try:main~1', ...me)).code).toBe(0);
    for (const [words, text] of [
      ['merge merged none', 'There is no "none".'],
      ['merge merged main --into none', 'The repo "merged" in namespace "default" has no branch "none".'],
      ['merge merged named:main', '"named:main" does not name a fork or parent of the repo "merged"'],
      ['cherry-pick merged none:main', '"none:main" does not name a fork or parent of the repo "merged"'],
      ['cherry-pick merged merged-try:main~1', 'nothing to commit.\nhint: The branch has these files already.\n'],
      ['merge merged topic --strategy squash', 'A squash needs a message.'],
      ['revert merged main --mainline x', '--mainline cannot be "x".'],
      ['revert merged main --mainline 2', 'the commit does not have that parent.\nhint: Give --mainline NUMBER;'],
    ] as const) {
      expect((await call('repo', ...words.split(' '), ...me)).err).toContain(text);
    }
  });

  it('print commands that people can paste', async () => {
    const { out } = await call('repo', 'create', 'pasted');
    const token = /rht_v1_[0-9a-f]{40}\?expires=\d+/.exec(out)?.[0];
    expect(out).toContain(`TOKEN='${token}'`);
    expect(out).toContain(
      `git -c http.extraHeader="Authorization: Bearer $TOKEN" push ${server.url}/git/local/default/pasted.git HEAD:refs/heads/main\n`,
    );
    const readOnly = await call('repo', 'create', 'kept-as-is', '--read-only', '--namespace', 'still');
    expect(readOnly.out).toContain('It is read-only');
    expect(readOnly.out).not.toMatch(/ push |may write/);
    expect((await call('repo', 'create', 'odd', '--default-branch', "a'$(b)", '--namespace', 'still')).out).toContain(
      `push ${server.url}/git/local/still/odd.git 'HEAD:refs/heads/a'\\''$(b)'\n`,
    );
    expect((await call('repo', 'list', '--search', 'past')).out).toMatch(
      /^REPO +STATUS +LAST PUSH +REMOTE\npasted +ready +- +http/,
    );
    expect((await call('repo', 'list', '--namespace', 'none')).out).toBe('There are no repos in namespace none.\n');
    expect((await call('token', 'list', 'pasted', '--state', 'revoked')).out).toBe('There are no such tokens.\n');
  });

  it('never print text of a service that a shell would split or interpret', async () => {
    const made = {
      name: 'x',
      default_branch: 'main',
      remote: 'http://x/;touch /evil',
      token: "a';touch /evil;'\u001b",
    };
    const reply = JSON.stringify({ result: made, success: true, errors: [], messages: [] });
    const hostile = createServer((_, outgoing) =>
      outgoing.writeHead(201, { 'content-type': 'application/json', connection: 'close' }).end(reply),
    ).listen(0, '127.0.0.1');
    await once(hostile, 'listening');
    const url = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
    const { out } = await call('repo', 'create', 'x', '--url', url);
    expect(out).toContain("TOKEN='a'\\'';touch /evil;'\\''\uFFFD'\n");
    expect(out).toContain("push 'http://x/;touch /evil' HEAD:refs/heads/main\n");
    expect(out).toContain("clone 'http://x/;touch /evil'\n");
    hostile.close();
  });

  it('REPO-120: fork', async () => {
    await result('repo', 'create', 'Parent', '--namespace', 'forks');
    const forked = await result('repo', 'fork', 'parent', 'child', '--namespace', 'forks', '--description', 'try');
    expect(forked).toMatchObject({ name: 'child', description: 'try', default_branch: 'main', objects: 0 });
    expect(await result('repo', 'get', 'child', '--namespace', 'forks')).toMatchObject({
      source: 'repos:forks/Parent',
      read_only: false,
    });
    const kept = await call('repo', 'fork', 'parent', 'kept', '--namespace', 'forks', '--all', '--read-only');
    expect(kept.out).toMatch(/^Made repo +kept\n[^]*It is read-only/);
    expect((await call('repo', 'fork', 'parent', 'CHILD', '--namespace', 'forks')).err).toContain(
      'There is already a repo "child" in namespace "forks" (names ignore case).',
    );
    expect((await call('repo', 'fork', 'none', 'other', '--namespace', 'forks')).err).toBe(
      'error: There is no repo "none" in namespace "forks".\nhint: "packhouse repo list --namespace forks" shows those there are.\n',
    );
    expect((await call('repo', 'fork', 'parent', '-x', '--namespace', 'forks')).code).not.toBe(0);
  });
});

describe('the stored token', () => {
  it('is used for a service on this machine, and is never sent elsewhere', async () => {
    const local = await ran(['repo', 'list'], { env: { PACKHOUSE_URL: server.url }, cwd: root });
    expect(local.code).toBe(0);
    const sent: Request[] = [];
    for (const url of ['https://git.example.com', 'http://x.localhost:1']) {
      const elsewhere = await ran(['repo', 'list', '--url', url], {
        cwd: root,
        fetch: async (request) => {
          sent.push(request);
          return new Response();
        },
      });
      expect(elsewhere).toMatchObject({
        code: 4,
        err: expect.stringContaining(
          `PACKHOUSE_API_TOKEN (not set), then the file ${join(root, '.packhouse', 'api-token')} (not read, since ${url} is not this machine). `,
        ),
      });
    }
    expect(sent).toEqual([]);
  });
});

describe('a call that fails', () => {
  const reply = (result: object): Response => Response.json({ result, success: true, errors: [], messages: [] });
  const refusal = (status: number, item: object, headers = {}): Response => {
    const errors = [{ code: 10503, message: 'The service is overloaded. Please retry.', ...item }];
    return Response.json({ result: null, success: false, errors, messages: [] }, { status, headers });
  };
  const lost = (code: string) => (): Promise<never> =>
    Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) }));

  /** Runs a command whose requests get these replies, one after the other. */
  async function answered(line: string, ...replies: readonly (() => Response | Promise<never>)[]) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let sent = 0;
    try {
      const ended = ran(line.split(' '), {
        env: { PACKHOUSE_API_TOKEN: 'x'.repeat(20) },
        fetch: async () => await (replies[sent++] ?? (() => reply({ name: 'a' })))(),
      });
      await vi.advanceTimersByTimeAsync(60_000);
      return { ...(await ended), sent };
    } finally {
      vi.useRealTimers();
    }
  }

  it('is made again after a reply that asks for it, and says so', async () => {
    const busy = (): Response => refusal(503, { retryable: true }, { 'retry-after': '2' });
    const { code, out, err, sent } = await answered('repo get a --json', busy);
    expect([code, out, sent]).toEqual([0, '{"name":"a"}\n', 2]);
    expect(err).toBe('The service is overloaded. Please retry. Trying again in 3 seconds.\n');
    expect((await answered('repo get a', lost('ECONNRESET'))).sent).toBe(2);
  });

  const busy = (): Response => refusal(429, { code: 10429, retryable: true }, { 'retry-after': '30' });
  const crowded = (): Response => refusal(503, { retryable: true }, { 'retry-after': '30' });
  const moved = (): Response => new Response(null, { status: 302, headers: { location: 'https://elsewhere' } });
  const strange = (): Response => new Response('{"name":"a"}', { headers: { 'content-type': 'application/json' } });

  it.each([
    ['without a server', 1, lost('ECONNREFUSED'), 5, 'Nothing listens at http://127.0.0.1:8787.'],
    ['without an answer', 1, lost('UND_ERR_CONNECT_TIMEOUT'), 5, 'cannot be reached (no answer in time).'],
    ['after lost replies', 4, lost('ECONNRESET'), 5, 'broke the connection off (ECONNRESET).'],
    ['instead of a long pause', 1, busy, 3, 'Too many requests.\nhint: Try again in 30 seconds.'],
    ['where there is no room', 1, crowded, 3, 'is overloaded. Please retry.\nhint: Try again in 30 seconds.'],
    ['after a redirect', 1, moved, 5, '(HTTP 302)'],
    ['after JSON of another service', 1, strange, 5, '(HTTP 200)'],
  ] as const)('ends %s after %i attempts', async (_, attempts, failed, exit, text) => {
    const { code, err, sent } = await answered('repo get a', failed, failed, failed, failed);
    expect([code, sent]).toEqual([exit, attempts]);
    expect(err).toContain(text);
  });

  it('asks for no archive that cannot be written', async () => {
    const file = join(root, 'there.tar');
    writeFileSync(file, 'mine');
    const { code, sent } = await answered(`repo archive a main -o ${file}`);
    expect([code, sent, readFileSync(file, 'utf8')]).toEqual([2, 0, 'mine']);
  });

  it('names the conflicts of a merge, also if the service lists the first ones alone', async () => {
    const details = { conflicts: [{ path: 'a' }, { path: 'b\x1b' }], truncated: true };
    const conflict = (): Response => refusal(409, { code: 10206, details });
    const { err } = await answered('repo merge a topic --into main --author-name A --author-email a@b', conflict);
    expect(err).toContain('These paths are in conflict: a, b\uFFFD, and more.\n');
  });

  it.each([
    ['the connection', 'broke the connection off (ECONNRESET)', ''],
    ['the disk', 'Cannot write', 'ulimit -f 1; trap "" XFSZ; '],
  ])('says that %s ended an archive, and leaves no part of it', async (what, text, limit) => {
    // Node reports the limit of a file's size like a full disk: as a failed write.
    const bytes = Buffer.alloc(1 << 20);
    const torn = createServer((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'application/x-tar', 'content-length': bytes.length });
      if (limit === '') outgoing.write('x', () => outgoing.socket?.resetAndDestroy());
      else outgoing.end(bytes);
    }).listen(0, '127.0.0.1');
    await once(torn, 'listening');
    const file = join(root, `torn by ${what}.tar`);
    const url = `http://127.0.0.1:${(torn.address() as AddressInfo).port}`;
    const args = ['repo', 'archive', 'a', 'main', '-o', file, '--url', url, '--api-token', 'x'.repeat(20)];
    const { code, err } = await packhouse(args, { shell: limit });
    expect([code, err]).toEqual([what === 'the disk' ? 2 : 5, expect.stringContaining(text)]);
    expect(existsSync(file)).toBe(false);
    torn.close();
  });
});

describe('repo delete', () => {
  const deletes = async (name: string, options: RunOptions, ...more: readonly string[]): Promise<Ran> =>
    await ran(['repo', 'delete', name, ...more], {
      env: { PACKHOUSE_URL: server.url, PACKHOUSE_API_TOKEN: server.keptToken?.token ?? '' },
      ...options,
    });

  it('asks on a terminal, and deletes only after a yes', async () => {
    await call('repo', 'create', 'kept');
    const questions: string[] = [];
    const answer = (text: string): RunOptions => ({
      ask: async (question) => {
        questions.push(question);
        return text;
      },
    });
    for (const text of ['', '\n', 'n\n', 'kept\n', 'yes please\n']) {
      expect(await deletes('kept', answer(text))).toEqual({
        code: 2,
        out: '',
        err: 'error: Nothing was deleted.\nhint: Answer y to delete it, or add --yes.\n',
      });
    }
    expect(questions[0]).toBe(
      `Delete the repo "kept" in namespace "default" at ${server.url}, with all its history and tokens? [y/N] `,
    );
    expect((await call('repo', 'get', 'kept')).code).toBe(0);
    expect(await deletes('kept', answer('Y\n'))).toEqual({ code: 0, out: 'Deleted repo kept.\n', err: '' });
    expect((await call('repo', 'get', 'kept')).code).toBe(3);
    await call('repo', 'create', 'kept');
    expect((await deletes('kept', answer('yes\r\n'), '--json')).code).toBe(0);
  });

  it('needs --yes without a terminal, and does not ask if it is given', async () => {
    await call('repo', 'create', 'scripted');
    expect(await deletes('scripted', {})).toEqual({
      code: 2,
      out: '',
      err: 'error: This deletes data for good, and there is no terminal to ask on.\nhint: Add --yes to delete it without a question.\n',
    });
    const ask = async (): Promise<string> => {
      throw new Error('asked');
    };
    expect((await deletes('scripted', { ask }, '--yes')).code).toBe(0);
  });
});

describe('an error is one sentence and the next step', () => {
  async function told(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<[number, string, string]> {
    const { code, out, err } = await ran(args, {
      env: { PACKHOUSE_URL: server.url, PACKHOUSE_API_TOKEN: server.keptToken?.token ?? '', ...env },
    });
    expect(out).toBe('');
    const [, message = '', hint = ''] = /^error: ([^\n]*)\nhint: ([^\n]*)\n$/.exec(err) ?? [];
    return [code, message, hint];
  }

  it('for a repo name with a space', async () => {
    expect(await told(['repo', 'create', 'my repo'])).toEqual([
      3,
      'The repo "my repo" in namespace "default" cannot have that name.',
      'Use letters, digits, ".", "_" and "-", with a letter or digit first, such as "my-repo".',
    ]);
  });

  it('for what an API token or a webhook cannot have', async () => {
    expect((await told(['api-token', 'create', 'x'.repeat(101)]))[2]).toBe('Give a shorter NAME, of one line.');
    const tagToken = ['api-token', 'create', 'x', '--namespace', 'default', '--permission', 'tag.read'];
    expect((await told(tagToken))[2]).toContain('Leave out --namespace');
    expect((await told(['webhook', 'create', 'http://192.0.2.1/', '--repo', 'missing']))[2]).toContain('https');
    expect((await told(['webhook', 'list', '--repo', 'missing']))[2]).toContain('repo list --namespace default');
  });

  it('for a wrong token, no token, and a Git token', async () => {
    expect(await told(['repo', 'list'], { PACKHOUSE_API_TOKEN: 'wrong-wrong-wrong' })).toEqual([
      4,
      `${server.url} does not accept the API token.`,
      'Pass the one of that server with --api-token or PACKHOUSE_API_TOKEN; "serve" keeps it in the file api-token of its data folder.',
    ]);
    expect(await told(['repo', 'list'], { PACKHOUSE_API_TOKEN: '' })).toEqual([
      4,
      'There is no API token.',
      'Looked at --api-token (not given), then PACKHOUSE_API_TOKEN (empty), then the file /nowhere/.packhouse/api-token (does not exist). ' +
        'Set one of the first two; a server without a database keeps its token in the file api-token of its data folder.',
    ]);
    expect((await told(['repo', 'list'], { PACKHOUSE_API_TOKEN: `rht_v1_${'0'.repeat(40)}` }))[1]).toBe(
      'This is a repo token, which is for Git alone.',
    );
    expect((await told(['repo', 'list'], { PACKHOUSE_API_TOKEN: 'line\nbreak' }))[1]).toBe(
      'The API token has characters that no token has.',
    );
  });

  it('for a wrong account or dialect', async () => {
    expect((await told(['repo', 'list', '--account', 'other']))[1]).toBe(
      'The API token does not allow this in account "other".',
    );
    expect((await told(['repo', 'list', '--account', 'a/b']))[1]).toMatch(/does not know the address of this command/);
    expect(await told(['repo', 'list', '--dialect', 'cloudflare'])).toEqual([
      5,
      `What answers at ${server.url} is not this service, or has another dialect (HTTP 404).`,
      'Check --url (the base URL alone) and --dialect.',
    ]);
  });

  it('for an invalid URL, one with a path, and one with a password', async () => {
    expect((await told(['repo', 'list', '--url', 'localhost'])).slice(0, 2)).toEqual([
      2,
      '"localhost" is not a URL of a service.',
    ]);
    expect(await told(['repo', 'list', '--url', `${server.url}/v4`])).toEqual([
      2,
      `"${server.url}/v4" is more than the base URL of a service.`,
      `Write --url ${server.url}.`,
    ]);
    expect((await told(['repo', 'list', '--url', 'http://me:secret@127.0.0.1']))[1]).not.toContain('secret');
  });

  it('for no server, and for another kind of server', async () => {
    const other = createServer((_, outgoing) =>
      outgoing.writeHead(200, { connection: 'close' }).end('<h1>Hello</h1>'),
    ).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect((await told(['repo', 'list', '--url', url]))[1]).toBe(
      `What answers at ${url} is not this service, or has another dialect (HTTP 200).`,
    );
    expect((await told(['repo', 'list', '--url', url.replace('http:', 'https:')]))[2]).toBe(
      'Check whether --url should begin with https:// or http://.',
    );
    other.close();
    other.closeAllConnections();
    await once(other, 'close');
    expect(await told(['repo', 'list', '--url', url])).toEqual([
      5,
      `Nothing listens at ${url}.`,
      'Start a server with "packhouse serve", or name another with --url or PACKHOUSE_URL.',
    ]);
  });

  it('for a port that no client uses', async () => {
    expect((await told(['repo', 'list', '--url', 'http://127.0.0.1:1']))[1]).toBe(
      'http://127.0.0.1:1 cannot be reached (bad port).',
    );
  });

  it('for a missing thing, a name that is taken, and a missing permission', async () => {
    await call('repo', 'create', 'taken');
    expect((await told(['repo', 'create', 'TAKEN']))[1]).toBe(
      'There is already a repo "taken" in namespace "default" (names ignore case).',
    );
    expect((await told(['repo', 'create', 'taken']))[1]).toBe(
      'There is already a repo "taken" in namespace "default".',
    );
    expect((await told(['namespace', 'create', 'DEFAULT']))[1]).toBe(
      'There is already a namespace "default" (names ignore case).',
    );
    for (const args of [
      ['namespace', 'create', 'x'],
      ['repo', 'create', 'x', '--namespace', 'a-'],
    ]) {
      expect((await told(args)).slice(1)).toEqual([
        'No namespace can have that name.',
        'Use 2 to 63 letters, digits, ".", "_" and "-", with a letter or digit first and no "-" last, such as "my-team".',
      ]);
    }
    expect(await told(['repo', 'get', 'none'])).toEqual([
      3,
      'There is no repo "none" in namespace "default".',
      '"packhouse repo list --namespace default" shows those there are.',
    ]);
    expect((await told(['namespace', 'get', 'none']))[1]).toBe('There is no namespace "none".');
    expect((await told(['token', 'revoke', 'none']))[1]).toBe('There is no token "none" in namespace "default".');
    expect((await told(['token', 'create', 'taken', '--ttl', '1s'])).slice(1)).toEqual([
      'ttl must be between 60 and 31536000 seconds.',
      'Write seconds after --ttl, or a number with m, h or d, such as 12h.',
    ]);
    expect((await told(['token', 'create', 'taken', '--ttl', 'soon'])).slice(0, 2)).toEqual([
      2,
      '--ttl cannot be "soon".',
    ]);
    expect((await told(['repo', 'create', 'x', '--default-branch', 'a..b'])).slice(1)).toEqual([
      'default_branch: Invalid branch name.',
      expect.stringMatching(/^Use a name that Git takes for a branch, such as "main"/),
    ]);
  });

  it('never lets a reply control the terminal', async () => {
    const reply = { result: { name: 'a\x1b[2Jb' }, success: true, errors: [], messages: [] };
    const { out } = await ran(['repo', 'get', 'a'], {
      env: { PACKHOUSE_API_TOKEN: 'x'.repeat(20) },
      fetch: async () => Response.json(reply),
    });
    expect(out).not.toContain('\x1b');
  });
});

describe('API tokens', () => {
  interface Made {
    readonly id: string;
    readonly plaintext: string;
  }
  const as = (token: string, ...args: readonly string[]): Promise<Ran> =>
    ran(args, { env: { PACKHOUSE_URL: server.url, PACKHOUSE_API_TOKEN: token } });

  it('REPO-360 to REPO-374: are made, used by commands and by Git, listed and revoked', async () => {
    await call('repo', 'create', 'one', '--namespace', 'ci');
    const pusher = (await result(
      'api-token',
      'create',
      'git',
      '--namespace',
      'ci',
      '--permission',
      'git.write',
    )) as Made;
    await call('repo', 'create', 'two', '--namespace', 'ci');
    const folder = join(root, 'of-token');
    runGit(['init', '-q', '-b', 'main', folder]);
    runGit(['commit', '-q', '--allow-empty', '-m', 'first'], { cwd: folder });
    // The server is in this process, so Git must not block it.
    const git = (...args: readonly string[]) => promisify(execFile)('git', ['-C', folder, ...args]);
    const url = new URL(server.url);
    url.username = 'any';
    url.password = pusher.plaintext;
    for (const name of ['one', 'two']) {
      await git('push', '-q', `${url.href}git/local/ci/${name}.git`, 'main');
    }
    await expect(git('ls-remote', `${url.href}git/local/default/none.git`)).rejects.toThrow('403');

    const reader = (await result(
      'api-token',
      'create',
      'r',
      '--namespace',
      'ci',
      '--repo',
      'one',
      '--ttl',
      '1h',
    )) as Made;
    expect((await as(reader.plaintext, 'repo', 'get', 'one', '--namespace', 'ci')).code).toBe(0);
    expect(await as(reader.plaintext, 'repo', 'get', 'two', '--namespace', 'ci')).toMatchObject({
      code: 3,
      err: expect.stringContaining('There is no repo "two" in namespace "ci".'),
    });
    const listed = (await call('api-token', 'list')).out;
    expect(listed).toMatch(new RegExp(`${pusher.id} +git +ci +git.write +active`));
    expect(listed).toMatch(new RegExp(`${reader.id} +r +ci/one +read +active`));
    expect((await call('api-token', 'revoke', pusher.id)).out).toBe(`Revoked API token ${pusher.id}.\n`);
    await expect(git('ls-remote', `${url.href}git/local/ci/one.git`)).rejects.toThrow('403');
    expect((await call('api-token', 'revoke', 'none')).err).toContain('There is no API token "none".');
    expect(await call('api-token', 'create', 'x', '--repo', 'one')).toMatchObject({ code: 2 });
    const inText = [call('api-token', 'create', 'text'), call('token', 'create', 'one', '--namespace', 'ci')];
    for (const { out } of await Promise.all(inText)) expect(out).toMatch(/^plaintext +r\S+ {3}\(shown only now\)$/m);
  });
});

describe('doctor', () => {
  async function doctor(data: string): Promise<Ran> {
    return await ran(['doctor', '--data', data, '--json']);
  }

  it('refuses a folder that a server holds, a missing folder, and a folder of another kind', async () => {
    const held = await doctor(join(root, '.packhouse'));
    expect(held).toMatchObject({ code: 6, err: expect.stringContaining(`is in use by process ${process.pid}.`) });
    expect(await doctor(join(root, 'none'))).toMatchObject({ code: 6, err: expect.stringContaining('does not exist') });
    mkdirSync(join(root, 'empty'));
    expect(await doctor(join(root, 'empty'))).toMatchObject({
      code: 6,
      err: expect.stringContaining('holds no data of a server'),
    });
  });

  it('says so if the database cannot be read', async () => {
    mkdirSync(join(root, 'broken'));
    copyFileSync(process.execPath, join(root, 'broken', 'packhouse.sqlite'));
    expect(await doctor(join(root, 'broken'))).toMatchObject({
      code: 7,
      err: expect.stringMatching(/^error: The database in .* cannot be read: /),
    });
  });
});
