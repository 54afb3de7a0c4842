/**
 * Imports over REST: the replies to the client, and the remains of failed imports. The remotes are stock
 * `git http-backend`.
 */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeSampleRepositories, runGit, serveHttpBackend, type HttpBackend } from '@packhouse/fixtures';
import type { Outbound } from '@packhouse/hosting';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { contents, git, tryGit } from '../support/git.ts';
import { makeFolder, removeFolder, startTestServer, type RestReply, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let remotes: HttpBackend;
let folder: string;

/** A host's answer instead of stock git's. */
type Answer = (request: Request) => Promise<Response> | Response;
let answers: Readonly<Record<string, Answer>> = {};
let reached: string[] = [];

const addresses: Readonly<Record<string, readonly string[]>> = {
  'inside.example': ['10.0.0.7'],
  'rebound.example': ['93.184.216.34', '127.0.0.1'],
};

const outbound: Outbound = {
  async lookup(host) {
    if (host === 'unknown.example') throw new Error('ENOTFOUND');
    return addresses[host] ?? ['93.184.216.34'];
  },
  async fetch(request) {
    const url = new URL(request.url);
    reached.push(`${url.host}${url.pathname}`);
    const answer = answers[url.host];
    if (answer !== undefined) return answer(request);
    return passed(request);
  },
};

function passed(request: Request): Promise<Response> {
  const url = new URL(request.url);
  return fetch(new Request(remotes.origin + url.pathname + url.search, request));
}

beforeAll(async () => {
  folder = makeFolder();
  makeSampleRepositories(folder);
  runGit(['symbolic-ref', 'HEAD', 'refs/heads/left'], { cwd: join(folder, 'merges.git') });
  makeLarge();
  remotes = await serveHttpBackend(folder);
  server = await startTestServer({ settings: {} }, outbound);
});

/** Makes a repository whose pack is too large for rows, and is stored while it arrives. */
function makeLarge(): void {
  const cwd = join(folder, 'large.git');
  runGit(['init', '--quiet', '--bare', '--initial-branch=main', cwd]);
  const noise = Buffer.from(createHash('shake256', { outputLength: 30_000_000 }).update('large').digest());
  const head = `commit refs/heads/main\ncommitter A <a@x> 0 +0000\ndata 0\nM 644 inline large\ndata ${noise.length}\n`;
  runGit(['fast-import', '--quiet'], { cwd, input: Buffer.concat([Buffer.from(head), noise, Buffer.from('\n')]) });
}

afterEach(() => {
  answers = {};
  reached = [];
});

afterAll(async () => {
  await remotes.close();
  expect(server.failures).toEqual([]);
  await server.close();
  removeFolder(folder);
});

const path = (name: string): string => `/namespaces/default/repos/${name}`;
const imported = (name: string, body: Record<string, unknown>): Promise<RestReply> =>
  server.rest('POST', `${path(name)}/import`, body);
const listed = async (): Promise<Record<string, unknown>[]> =>
  (await server.rest('GET', '/namespaces/default/repos?limit=100')).result as unknown as Record<string, unknown>[];

/** Returns the stored traces of repositories. A deleted or never finished repository must leave none. */
function traces(): unknown {
  const database = new DatabaseSync(join(server.data, 'packhouse.sqlite'), { readOnly: true });
  try {
    const rows = (query: string): unknown[] => database.prepare(query).all();
    const known = rows('SELECT id FROM catalog_repos').map((row) => (row as { id: string }).id);
    const packs = join(server.data, 'packs', 'local');
    const all = existsSync(packs) ? readdirSync(packs, { withFileTypes: true }) : [];
    const folders = all.filter((entry) => !known.includes(entry.name));
    return {
      alive: rows('SELECT id FROM repos WHERE erased = 0 AND id NOT IN (SELECT id FROM catalog_repos)'),
      unready: rows("SELECT id FROM catalog_repos WHERE status <> 'ready'"),
      files: folders.flatMap((entry) => readdirSync(join(packs, entry.name))),
    };
  } finally {
    database.close();
  }
}

async function expectNothingLeft(): Promise<void> {
  // Bytes are removed after the reply.
  await expect.poll(traces).toEqual({ alive: [], unready: [], files: [] });
}

const body = { url: 'https://git.example/merges' };
const large = { url: 'https://git.example/large' };

it('REPO-079, REPO-113, REPO-130, REPO-132: answers with a repo that is ready to use', async () => {
  const { status, result } = await imported('first', { ...body, description: 'ours', read_only: true });
  expect([status, result]).toEqual([
    201,
    {
      id: expect.stringMatching(/^[0-9a-z]{16}$/),
      name: 'first',
      description: 'ours',
      default_branch: 'left',
      remote: `${server.url}/git/local/default/first.git`,
      token: expect.stringMatching(/^rht_v1_/),
    },
  ]);
  expect(reached.slice(0, 1)).toEqual(['git.example/merges.git/info/refs']);
  const record = (await server.rest('GET', path('first'))).result;
  expect(record).toMatchObject({
    source: 'git:https://git.example/merges.git',
    default_branch: 'left',
    read_only: true,
    last_push_at: null,
  });
  expect((await server.rest('GET', `${path('first')}/tokens`)).result).toHaveLength(1);
  const clone = join(folder, 'first-clone.git');
  const auth = ['-c', `http.extraHeader=Authorization: Bearer ${String(result['token'])}`];
  await git([...auth, 'clone', '--quiet', '--mirror', String(result['remote']), clone]);
  expect(await contents(clone)).toEqual(await contents(join(folder, 'merges.git')));
  expect((await git(['symbolic-ref', 'HEAD'], { cwd: clone })).trim()).toBe('refs/heads/left');
});

it('REPO-057: an import is no push, and the first push is', async () => {
  const { result } = await imported('pushed', body);
  const auth = ['-c', `http.extraHeader=Authorization: Bearer ${String(result['token'])}`];
  const clone = join(folder, 'pushed');
  await git([...auth, 'clone', '--quiet', String(result['remote']), clone]);
  await git(['commit', '--quiet', '--allow-empty', '-m', 'next'], { cwd: clone });
  const before = (await server.rest('GET', path('pushed'))).result;
  await git([...auth, 'push', '--quiet', 'origin', 'left'], { cwd: clone });
  const after = (await server.rest('GET', path('pushed'))).result;
  expect([before['last_push_at'], typeof after['last_push_at']]).toEqual([null, 'string']);
});

it('REPO-130, REPO-131: takes a branch and a depth', async () => {
  const { status, result } = await imported('cut', { ...body, branch: 'right', depth: 1 });
  expect([status, result['default_branch']]).toEqual([201, 'right']);
  const auth = ['-c', `http.extraHeader=Authorization: Bearer ${String(result['token'])}`];
  const clone = join(folder, 'cut.git');
  await git([...auth, 'clone', '--quiet', '--bare', String(result['remote']), clone]);
  expect(await git(['rev-list', '--count', '--all'], { cwd: clone })).toBe('1\n');
});

it('REPO-125: takes a pack in that is stored while it comes', async () => {
  expect((await imported('large', large)).status).toBe(201);
  expect(traces()).toEqual({ alive: [], unready: [], files: [] });
  expect((await server.rest('DELETE', path('large'))).status).toBe(202);
  await expectNothingLeft();
});

it('REPO-130: an empty remote gives an empty repo', async () => {
  const { status, result } = await imported('nothing', { url: 'https://git.example/empty.git' });
  expect([status, result['default_branch']]).toEqual([201, 'main']);
});

it('REPO-125: a name that is taken is refused before the remote is asked', async () => {
  await imported('taken', body);
  reached = [];
  const { status, errors } = await imported('TAKEN', body);
  expect([status, errors[0]?.code, reached]).toEqual([409, 10201, []]);
});

const invalid = [400, 10104, 'url must be an HTTPS git remote URL (e.g. https://github.com/owner/repo)', '/url'];
const unavailable = [502, 10401, 'The upstream service is unavailable. Please retry.', undefined];
const missing = (what: string): unknown[] => [404, 10200, `Remote ${what} not found`, undefined];
const status =
  (code: number): Answer =>
  () =>
    new Response('no', { status: code });
const movedTo =
  (location: string): Answer =>
  () =>
    new Response(null, { status: 302, headers: { location } });
/** Makes an answer that changes only the pack of stock git's answer. */
const withPack = (change: (pack: Buffer) => Uint8Array | ReadableStream<Uint8Array>): Answer => {
  return async (request) => {
    const reply = await passed(request);
    const bytes = Buffer.from(await reply.arrayBuffer());
    const isPack = bytes.includes('packfile\n');
    return new Response((isPack ? change(bytes) : bytes) as BodyInit, { headers: reply.headers });
  };
};

it.each<[string, Record<string, unknown>, Answer | undefined, unknown[]]>([
  [
    'REPO-126: no URL of HTTPS',
    { url: 'http://git.example/x' },
    undefined,
    [400, 10100, 'Must be an HTTPS URL', '/url'],
  ],
  ['REPO-126: a password', { url: 'https://a:b@git.example/x' }, undefined, invalid],
  ['REPO-126: a page', body, () => new Response('<html>', { headers: { 'content-type': 'text/html' } }), invalid],
  ['REPO-127: nothing there', { url: 'https://git.example/nowhere' }, undefined, missing('repository')],
  ['REPO-127: gone', body, status(410), missing('repository')],
  ['REPO-127: no such branch', { ...body, branch: 'nowhere' }, undefined, missing('branch')],
  ...[401, 403].map((code): [string, Record<string, unknown>, Answer, unknown[]] => [
    `REPO-127: for others (${code})`,
    body,
    status(code),
    [
      422,
      10106,
      `Repository "https://git.example/merges.git" requires authentication (HTTP ${code}). Only public repositories can be imported.`,
      '/url',
    ],
  ]),
  ['REPO-128: failing', body, status(503), unavailable],
  ['REPO-128: unreachable', body, () => Promise.reject(new Error('ECONNREFUSED')), unavailable],
  ['REPO-128: no such host', { url: 'https://unknown.example/x' }, undefined, unavailable],
  ['REPO-128: broken off', body, withPack((pack) => pack.subarray(0, -100)), unavailable],
  ['REPO-128: broken off, and large', large, withPack((pack) => pack.subarray(0, -100)), unavailable],
  [
    'REPO-128: a corrupt pack',
    large,
    withPack((pack) => {
      pack[pack.length - 60] = (pack[pack.length - 60] as number) ^ 1;
      return pack;
    }),
    unavailable,
  ],
  [
    'REPO-128: a connection that breaks',
    body,
    withPack(
      (pack) =>
        new ReadableStream({
          start: (controller) => controller.enqueue(pack.subarray(0, 200)),
          pull: (controller) => controller.error(new Error('ECONNRESET')),
        }),
    ),
    unavailable,
  ],
  ['REPO-129: loopback', { url: 'https://127.0.0.1/x' }, undefined, invalid],
  ['REPO-129: a private network', { url: 'https://inside.example/x' }, undefined, invalid],
  ['REPO-129: both', { url: 'https://rebound.example/x' }, undefined, invalid],
  ['REPO-129: on to a private network', body, movedTo('https://inside.example/x/info/refs'), invalid],
  ['REPO-129: on to an address', body, movedTo('https://169.254.169.254/x/info/refs'), invalid],
  ['REPO-129: on without TLS', body, movedTo('http://other.example/x/info/refs'), invalid],
  ['REPO-129: on in a circle', body, movedTo('https://git.example/merges.git/info/refs'), invalid],
])('%s, and nothing is left', async (_, given, answer, expected) => {
  if (answer !== undefined) answers = { 'git.example': answer };
  const reply = await imported('failing', given);
  const [error] = reply.errors;
  expect([reply.status, error?.code, error?.message, error?.source?.pointer]).toEqual(expected);
  for (const forbidden of ['inside.example', '127.0.0.1', '169.254', 'other.example', 'rebound']) {
    expect(reached.filter((url) => url.startsWith(forbidden))).toEqual([]);
  }
  expect((await listed()).map(({ name }) => name)).not.toContain('failing');
  expect((await server.rest('GET', path('failing'))).status).toBe(404);
  await expectNothingLeft();
});

it('REPO-129: follows redirects, and asks where it was led', async () => {
  answers = { 'git.example': movedTo('https://moved.example/merges.git/info/refs?service=git-upload-pack') };
  expect((await imported('moved', body)).status).toBe(201);
  expect(reached.at(-1)).toBe('moved.example/merges.git/git-upload-pack');
  expect((await server.rest('GET', path('moved'))).result['source']).toBe('git:https://git.example/merges.git');
});

/** A remote whose pack comes when it is let go. */
function heldBack(): { answer: Answer; asked: Promise<void>; release: () => void; aborted: Promise<void> } {
  const [asked, released, aborted] = [0, 1, 2].map(() => Promise.withResolvers<void>()) as [
    PromiseWithResolvers<void>,
    PromiseWithResolvers<void>,
    PromiseWithResolvers<void>,
  ];
  const answer: Answer = async (request) => {
    if (request.method === 'POST') {
      request.signal.addEventListener('abort', () => aborted.resolve());
      asked.resolve();
      await released.promise;
    }
    return passed(request);
  };
  return { answer, asked: asked.promise, release: () => released.resolve(), aborted: aborted.promise };
}

it('REPO-132, REPO-089, GIT-030, LIM-014: answers before the work is done, and says so everywhere until then', async () => {
  await server.restart({ settings: { sync_wait: 0 } });
  const remote = heldBack();
  answers = { 'git.example': remote.answer };
  const { status: created, result } = await imported('slow', body);
  expect(created).toBe(201);
  await remote.asked;
  expect((await listed()).find(({ name }) => name === 'slow')).toMatchObject({ status: 'importing' });
  const get = await server.rest('GET', path('slow'));
  expect([get.status, get.errors[0]?.code, get.errors[0]?.message]).toEqual([
    409,
    10302,
    'Repository import in progress',
  ]);
  expect(get.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  const auth = ['-c', `http.extraHeader=Authorization: Bearer ${String(result['token'])}`];
  const early = await tryGit([...auth, 'ls-remote', String(result['remote'])]);
  expect(early.stderr).toContain('Repository import in progress');
  expect((await imported('slow', body)).errors[0]?.code).toBe(10201);
  remote.release();
  while ((await server.rest('GET', path('slow'))).status === 409);
  expect((await server.rest('GET', path('slow'))).result['default_branch']).toBe('left');
  expect(await git([...auth, 'ls-remote', String(result['remote'])])).toContain('refs/heads/left');
});

it('REPO-119: is cancelled by DELETE, which frees the name at once', async () => {
  const remote = heldBack();
  answers = { 'git.example': remote.answer };
  await imported('dropped', body);
  await remote.asked;
  expect((await server.rest('DELETE', path('dropped'))).status).toBe(202);
  await remote.aborted;
  remote.release();
  await expectNothingLeft();
  answers = {};
  expect((await imported('dropped', body)).status).toBe(201);
  while ((await server.rest('GET', path('dropped'))).status === 409);
});

it('REPO-133: is given up by a server that stops, and leaves nothing for the next', async () => {
  const remote = heldBack();
  answers = { 'git.example': remote.answer };
  await imported('stopped', body);
  await remote.asked;
  await server.restart(undefined, () => expect((traces() as { unready: unknown[] }).unready).toEqual([]));
  await remote.aborted;
  remote.release();
  await expectNothingLeft();
});

it('LIM-014, REPO-128: takes no longer than it may', async () => {
  await server.restart({ settings: { import_timeout: 1 } });
  answers = { 'git.example': heldBack().answer };
  expect((await imported('late', body)).errors[0]?.code).toBe(10401);
  await expectNothingLeft();
});

it.each([{ repo_storage_max: 100 }, { account_storage_max: 100 }, { blob_max: 3 }])(
  'REPO-128, LIM-012, LIM-050, LIM-051: takes no more than %j',
  async (settings) => {
    await server.restart({ settings });
    const { status: told, errors } = await imported('large', body);
    const message = 'The repository exceeds the import limits';
    expect([told, errors[0]?.code, errors[0]?.message]).toEqual([413, 10402, message]);
    await expectNothingLeft();
  },
);

it('REPO-129: exempts hosts that are allowed', async () => {
  await server.restart({ settings: { import_allow: ['inside.example'] } });
  expect((await imported('inside', { url: 'https://inside.example/merges' })).status).toBe(201);
});
