/**
 * Requirements of docs/specification/git.md that show only with slow or failing storage. The tests use real HTTP over
 * storage that the tests can delay.
 */

import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHash } from 'node:crypto';
import { createGitEngine, StorageGoneError } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { createHosting, neutral, type HostedRepo } from '@packhouse/hosting';
import { createService, gitFace } from '@packhouse/router';
import { memoryCatalogs, memoryRepos } from '@packhouse/storage';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createListener } from '../../src/node-http/listener.ts';
import { blob, change, commit, pack, tree } from '@packhouse/conformance/tools/made-objects';
import { git, tryGit } from '../support/git.ts';
import { makeFolder, removeFolder, type TestRepo } from '../support/test-server.ts';
import {
  commandBody,
  discover,
  fetchBody,
  flush,
  linesOf,
  listedRefs,
  packet,
  post,
  push,
  pushBody,
  readPackets,
  set,
  uploadBody,
} from '@packhouse/conformance/tools/wire-client';

const first = change('first');
const noise = Buffer.concat(Array.from({ length: 100_000 }, (_, i) => createHash('sha1').update(String(i)).digest()));
const large = blob(noise);
const root = tree({ large });
const heavy = commit('heavy', root);

type Access = Pick<TestRepo, 'remote' | 'token'>;

let http: Server;
let base: string;
/** Methods of the ports that wait, by name, until their promise is kept; and those that fail. */
const gates = new Map<string, PromiseLike<void>>();
const faults = new Map<string, Error>();
const failures: unknown[] = [];
const options: string[] = [];
const unheard: string[] = [];

beforeAll(async () => {
  const storage = memoryRepos();
  const catalogs = memoryCatalogs();
  const repos = new Map<string, HostedRepo>();
  http = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => http.once('listening', resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const engine = createGitEngine({ codec: nodeCodec() });
  const hosting = createHosting({
    engine,
    dialect: neutral,
    catalog: (account) => waiting(catalogs(account)),
    storage: {
      repo(account, id, jurisdiction) {
        const repo = repos.get(id) ?? storage.repo(account, id, jurisdiction);
        repos.set(id, repo);
        return { id, state: waiting(repo.state), packs: waiting(repo.packs) };
      },
      sharePacks: storage.sharePacks,
    },
    authorizer: { authorize: async () => [{ account: 'local', permission: neutral.permissions.edit }] },
    settings: { public_url: origin, keep_alive: 1 },
    report: (error) => failures.push(error),
    unheard: ({ account }) => unheard.push(account),
  });
  const git = gitFace({
    hosting,
    engine,
    report: (error) => failures.push(error),
    pushOptions: (access, given) =>
      options.push(access.head.name, ...given.map((option) => Buffer.from(option).toString('latin1'))),
  });
  const listener = createListener({ handler: createService({ hosting, git }), fallbackHost: '127.0.0.1' });
  http.on('request', (incoming, outgoing) => listener.serve(incoming, outgoing));
  base = `${origin}/v4/accounts/local/repos`;
});

beforeEach(() => {
  gates.clear();
  faults.clear();
  failures.length = 0;
});

afterAll(() => {
  http.close();
  http.closeAllConnections();
});

/** A port whose methods wait and fail as told. */
function waiting<T extends object>(port: T): T {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]): unknown => {
        const call = (): unknown => (member as (...values: unknown[]) => unknown).apply(target, given);
        const gate = gates.get(String(name));
        const fault = faults.get(String(name));
        if (gate === undefined && fault === undefined) return call();
        const ready = async (): Promise<void> => {
          await gate;
          if (fault !== undefined) throw fault;
        };
        if (name === 'framed' || name === 'stream') {
          return (async function* () {
            await ready();
            yield* call() as AsyncIterable<Uint8Array>;
          })();
        }
        return ready().then(call);
      };
    },
  });
}

/** Holds calls of a port's method until it is opened. */
function hold(method: string): () => void {
  let open: () => void = () => {};
  gates.set(method, new Promise((resolve) => (open = resolve)));
  return open;
}

/** Holds calls of a port's method until it is opened, and resolves `reached` when the first one waits. */
function holdAndWatch(method: string): { reached: Promise<void>; open: () => void } {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  gates.set(method, {
    // An `await` of the gate calls this.
    // oxlint-disable-next-line unicorn/no-thenable
    then(...handlers) {
      reached.resolve();
      return opened.promise.then(...handlers);
    },
  });
  return { reached: reached.promise, open: opened.resolve };
}

async function createRepo(name: string): Promise<Access> {
  const response = await fetch(`${base}/namespaces/default/repos`, {
    method: 'POST',
    headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  const { result } = (await response.json()) as { result: Access };
  expect(response.status).toBe(201);
  return result;
}

/** Posts, and tells as soon as `count` keep-alives stand at the end of what has come so far. */
function postAndWatch(
  repo: Access,
  service: string,
  body: Buffer,
  version: 0 | 2,
): { kept: (count: number) => Promise<Buffer>; whole: Promise<Buffer> } {
  const headers = {
    authorization: `Bearer ${repo.token}`,
    'content-type': `application/x-${service}-request`,
    'git-protocol': `version=${version}`,
  };
  let got = Buffer.alloc(0);
  const waiters: { count: number; resolve: (bytes: Buffer) => void }[] = [];
  const whole = new Promise<Buffer>((resolve, reject) => {
    const request = httpRequest(`${repo.remote}/${service}`, { method: 'POST', headers, agent: false }, (response) => {
      response.on('data', (part: Buffer) => {
        got = Buffer.concat([got, part]);
        for (const waiter of waiters)
          if (['\x01', '\x02'].some((band) => got.toString('latin1').endsWith(`0005${band}`.repeat(waiter.count))))
            waiter.resolve(got);
      });
      response.on('end', () => resolve(got));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
  return { kept: (count) => new Promise((resolve) => waiters.push({ count, resolve })), whole };
}

it('REPO-238: a push of stock git succeeds whose access was checked before its repo was renamed and closed', async () => {
  const repo = await createRepo('before');
  const folder = makeFolder();
  await git(['init', '--quiet', '--initial-branch=main', folder]);
  await git(['commit', '--quiet', '--allow-empty', '-m', 'first'], { cwd: folder });
  const auth = ['-c', `http.extraHeader=Authorization: Bearer ${repo.token}`];
  const { reached, open } = holdAndWatch('commit');
  const pushed = tryGit([...auth, 'push', repo.remote, 'main'], { cwd: folder });
  await reached;
  const updated = await fetch(`${base}/namespaces/default/repos/before`, {
    method: 'PATCH',
    headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'after', read_only: true, default_branch: 'trunk' }),
  });
  expect(updated.status).toBe(200);
  const { result } = (await updated.json()) as { result: Access };
  open();
  expect(await pushed).toMatchObject({ status: 0 });
  const tip = (await git(['rev-parse', 'main'], { cwd: folder })).trim();
  const seen = await git([...auth, 'ls-remote', result.remote, 'refs/heads/main'], { cwd: folder });
  expect(seen).toBe(`${tip}\trefs/heads/main\n`);
  const later = await tryGit([...auth, 'push', result.remote, 'main:more'], { cwd: folder });
  expect([later.status, failures]).toEqual([128, []]);
  removeFolder(folder);
});

describe('LIM-063: silence before a keep-alive', () => {
  it('GIT-113: a push that takes long gets empty packets of band 1, then its report; without side-band just that', async () => {
    const [banded, plain] = [await createRepo('banded'), await createRepo('plain')];
    const commands = [set('refs/heads/main', first)];
    const open = hold('commit');
    const long = postAndWatch(banded, 'git-receive-pack', pushBody(commands, pack(...first.all)), 0);
    const silent = postAndWatch(plain, 'git-receive-pack', pushBody(commands, pack(...first.all), 'report-status'), 0);
    expect((await long.kept(2)).toString('latin1')).toBe('0005\x01'.repeat(2));
    open();
    const report = ['unpack ok', 'ok refs/heads/main'];
    expect(linesOf(await silent.whole)).toEqual([...report, 'flush']);
    const packets = readPackets(await long.whole);
    expect(packets.at(-1)).toBe('flush');
    const inner = packets.flatMap((read) => (typeof read === 'string' ? [] : [read.subarray(1)]));
    expect(linesOf(Buffer.concat(inner))).toEqual([...report, 'flush']);
  });

  it.each([
    ['version 2', 2, fetchBody([heavy.oid], []), ['packfile'], '1:'],
    // GIT-099: band 2.
    ['all bands', 2, fetchBody([heavy.oid], [], ['ofs-delta', 'sideband-all']), ['1:packfile'], '2:'],
    ['version 0', 0, uploadBody([heavy.oid], [], 'side-band-64k ofs-delta'), ['NAK'], '1:'],
    ['version 0 with small packets', 0, uploadBody([heavy.oid], [], 'side-band ofs-delta'), ['NAK'], '1:'],
  ] as const)('GIT-070: a fetch sends keep-alives within its pack, in %s', async (name, version, body, head, alive) => {
    const repo = await createRepo(name.replaceAll(' ', '-'));
    expect((await push(repo, [set('refs/heads/main', heavy)], pack(heavy, root, large)))[0]).toBe('unpack ok');
    const opens = ['framed', 'stream', 'read'].map(hold);
    const { kept, whole } = postAndWatch(repo, 'git-upload-pack', body, version);
    const begun = linesOf(await kept(1));
    expect(begun).toEqual([...head, expect.stringMatching(/^2:./), alive]);
    for (const open of opens) open();
    const sent = readPackets(await whole).flatMap((read) =>
      typeof read !== 'string' && read[0] === 1 ? [read.subarray(1)] : [],
    );
    const bytes = Buffer.concat(sent.filter((part) => part.toString() !== 'packfile\n'));
    expect(bytes.subarray(-20)).toEqual(createHash('sha1').update(bytes.subarray(0, -20)).digest());
    expect(bytes.readUInt32BE(8)).toBe(3);
  });
});

describe('failures of storage', () => {
  it('GIT-032: before the first byte they are a 500 that tells nothing', async () => {
    const repo = await createRepo('failing');
    await push(repo, [set('refs/heads/main', first)], pack(...first.all));
    faults.set('open', new Error('cannot read /var/lib/secret'));
    for (const reply of [
      await discover(repo),
      await post(repo, flush),
      await discover(repo, { service: 'git-receive-pack' }),
    ]) {
      expect([reply.status, reply.body.toString()]).toEqual([500, 'An internal error occurred.']);
      expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(reply.headers.get('cache-control')).toBe('no-cache, max-age=0, must-revalidate');
    }
    expect(failures).toHaveLength(3);
    faults.clear();
    expect((await discover(repo)).status).toBe(200);
  });

  let troubles = 0;
  const failed = (code: string): Error => Object.assign(new Error(`${code}: /var/lib/secret`), { code });

  it.each([
    [new StorageGoneError(), 'storage is gone', 503, 'The storage of the service is not there.', null],
    [failed('ENOSPC'), 'disk full', 507, 'The disk of the service is full.', null],
    [failed('EDQUOT'), 'disk full', 507, 'The disk of the service is full.', null],
    [failed('EMFILE'), 'too many open files', 503, 'The service is overloaded. Please retry.', '10'],
  ])('REPO-175 to REPO-178: reports %s as its own error', async (cause, reason, status, text, retryAfter) => {
    const repo = await createRepo(`trouble-${troubles++}`);
    const fault = new Error('cannot store', { cause });
    faults.set('commit', fault);
    faults.set('open', fault);
    const refused = await discover(repo);
    expect([refused.status, refused.body.toString()]).toEqual([status, text]);
    expect(refused.headers.get('retry-after')).toBe(retryAfter);
    faults.delete('open');
    const attempt = (): Promise<string[]> => push(repo, [set('refs/heads/main', first)], pack(...first.all));
    expect(await attempt()).toEqual([`unpack ${reason}`, `ng refs/heads/main ${reason}`]);
    expect(failures).toHaveLength(2);
    faults.clear();
    expect(await attempt()).toEqual(['unpack ok', 'ok refs/heads/main']);
  });

  it('GIT-071: after the first byte of a fetch they end the reply, and only the operator sees the reason', async () => {
    const repo = await createRepo('breaking');
    await push(repo, [set('refs/heads/main', heavy)], pack(heavy, root, large));
    for (const fault of ['framed', 'stream']) faults.set(fault, new Error('cannot read /var/lib/secret'));
    const { status, body } = await post(repo, fetchBody([heavy.oid], []));
    expect([status, linesOf(body).at(-1)]).toEqual([200, '3:An internal error occurred.']);
    await expect(post(repo, uploadBody([heavy.oid], [], 'ofs-delta'), { version: 0 })).rejects.toThrow();
    // Where a kept connection breaks before any of the reply came, Deno's client sends the request again.
    expect(failures.length).toBeGreaterThanOrEqual(2);
    expect([...new Set(failures.map(String))]).toEqual(['Error: cannot read /var/lib/secret']);
  });

  it('GIT-153: a push whose commit fails changes nothing, reports the failure, and succeeds when sent again', async () => {
    const repo = await createRepo('again');
    const attempt = (): Promise<string[]> => push(repo, [set('refs/heads/main', first)], pack(...first.all));
    faults.set('commit', new Error('disk full at /var/lib/secret'));
    expect(await attempt()).toEqual(['unpack internal error', 'ng refs/heads/main unpacker error']);
    expect(failures).toHaveLength(1);
    faults.clear();
    expect(await listedRefs(repo)).toEqual({ HEAD: 'unborn symref-target:refs/heads/main' });
    expect(linesOf((await post(repo, commandBody('fetch', [`want ${first.oid}`, 'done']))).body)).toEqual([
      `ERR upload-pack: not our ref ${first.oid}`,
    ]);
    expect(await attempt()).toEqual(['unpack ok', 'ok refs/heads/main']);
  });
});

it('GIT-159: a push takes effect although its report to the catalog failed, and a repeated push gets that result', async () => {
  const repo = await createRepo('unheard');
  faults.set('touch', new Error('locked'));
  const head = pushBody([set('refs/heads/main', first)], Buffer.alloc(0), 'report-status');
  const body = Buffer.concat([head, pack(...first.all)]);
  const reply = await post(repo, body, { service: 'git-receive-pack', version: 0 });
  expect(linesOf(reply.body).slice(0, 2)).toEqual(['unpack ok', 'ok refs/heads/main']);
  expect([unheard, failures]).toEqual([['local'], [new Error('locked')]]);
});

it('GIT-117: push options are handed to the push port as they were sent, once', async () => {
  const repo = await createRepo('optional');
  const send = (...given: readonly string[]): Promise<unknown> => {
    const head = pushBody([set('refs/heads/main', first)], Buffer.alloc(0), 'report-status side-band-64k push-options');
    return post(repo, Buffer.concat([head, ...given.map(packet), flush, pack(...first.all)]), {
      service: 'git-receive-pack',
      version: 0,
    });
  };
  await send('ci.skip\n', 'a=b', '\0\x01 ');
  expect(options).toEqual(['optional', 'ci.skip', 'a=b', '\0\x01 ']);
  options.length = 0;
  await send();
  expect(options).toEqual([]);
});
