/**
 * Many concurrent clients of one engine with little memory. No client may see bytes of another, and all memory must be
 * released. `SEEDS=1,2 ROUNDS=5` runs other and longer random loads than the default.
 */

import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createGitEngine,
  StorageError,
  verifyRepository,
  type FramedPack,
  type GitEngine,
  type PackStore,
} from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { createHosting, neutral, type HostedRepo } from '@packhouse/hosting';
import { createService, gitFace } from '@packhouse/router';
import { memoryCatalogs, memoryPackStore, memoryRepos } from '@packhouse/storage';
import { afterEach, describe, expect, it } from 'vitest';
import { createListener } from '../../src/node-http/listener.ts';
import { fetchBody, pushBody } from '@packhouse/conformance/tools/wire-client';
import { git, tryGit } from '../support/git.ts';

const mebibyte = 1024 * 1024;
/** Just above the smallest part that is gathered in a lent buffer. */
const partSize = 66 * 65_515;
/** Pieces of a stream that may wait, and fail. With all of them, a pack in small pieces would take minutes. */
const waitingPieces = 500;

/** Integers from 0 to `below`, exclusive. */
type Random = (below: number) => number;

function random(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

interface Weather {
  readonly next: Random;
  /** One operation of so many fails; 0: none does. */
  faults: number;
}

async function pause({ next, faults }: Weather, what: string): Promise<void> {
  if (next(3) === 0) await new Promise((resolve) => setTimeout(resolve, next(12)));
  if (faults > 0 && next(faults) === 0) throw new StorageError(`injected: ${what}`);
}

/** Lends its chunks: what is not copied in time is garbage afterwards. Takes its time, and fails at times. */
function stormy(store: PackStore, weather: Weather): PackStore {
  async function* lent(chunks: AsyncIterable<Uint8Array>, step: number): AsyncGenerator<Uint8Array, void, undefined> {
    const buffer = new Uint8Array(step);
    let pieces = 0;
    try {
      for await (const chunk of chunks) {
        for (let at = 0; at < chunk.length; at += step) {
          const piece = chunk.subarray(at, at + step);
          if (pieces++ < waitingPieces) await pause(weather, 'read');
          buffer.set(piece);
          yield buffer.subarray(0, piece.length);
          buffer.fill(0xee);
        }
      }
    } finally {
      buffer.fill(0xee);
    }
  }
  return {
    partSize: store.partSize,
    reserve: async () => {
      await pause(weather, 'reserve');
      return store.reserve();
    },
    async put(id, file, chunks) {
      await pause(weather, 'put');
      const before = Buffer.concat(chunks);
      await new Promise((resolve) => setTimeout(resolve, weather.next(20)));
      expect(Buffer.concat(chunks).equals(before), 'a buffer changed while it was stored').toBe(true);
      await store.put(id, file, chunks);
      await pause(weather, 'put');
    },
    async upload(id) {
      await pause(weather, 'upload');
      const upload = await store.upload(id);
      return {
        async write(index, part) {
          const before = Buffer.from(part);
          await new Promise((resolve) => setTimeout(resolve, weather.next(40)));
          expect(before.equals(part), 'a buffer changed while it was uploaded').toBe(true);
          await pause(weather, 'write');
          await upload.write(index, part);
        },
        async complete(size) {
          await pause(weather, 'complete');
          await upload.complete(size);
        },
        abort: () => upload.abort(),
      };
    },
    async read(id, file, ranges) {
      await pause(weather, 'read');
      return store.read(id, file, ranges);
    },
    stream: (id, start, end) => lent(store.stream(id, start, end), 1 + weather.next(300_000)),
    framed(id): FramedPack {
      const chunks = (): AsyncGenerator<Uint8Array, void, undefined> => lent(store.framed(id), 100_000);
      return {
        [Symbol.asyncIterator]: chunks,
        async pipeTo(writable) {
          const writer = writable.getWriter();
          try {
            for await (const chunk of chunks()) await writer.write(chunk);
          } finally {
            writer.releaseLock();
          }
        },
      };
    },
    remove: (id) => store.remove(id),
    leftovers: (before) => store.leftovers(before),
  };
}

/** An identity stream as on Workers: a write resolves when the reader has taken its bytes. */
class Identity {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;

  constructor() {
    const pair = new TransformStream<Uint8Array, Uint8Array>(
      { transform: (chunk, controller) => controller.enqueue(chunk.slice()) },
      { highWaterMark: 1 },
      { highWaterMark: 0 },
    );
    this.readable = pair.readable;
    this.writable = pair.writable;
  }
}

/** Records buffers that are lent twice or given back twice. Overwrites each returned buffer with garbage. */
function watchBuffers({ buffers }: GitEngine): { readonly wrong: string[] } {
  const wrong: string[] = [];
  const lent = new Set<ArrayBufferLike>();
  const [take, give] = [buffers.take.bind(buffers), buffers.give.bind(buffers)];
  buffers.take = (size) => {
    const taken = take(size);
    if (lent.has(taken.buffer)) wrong.push('lent twice');
    lent.add(taken.buffer);
    return taken;
  };
  buffers.give = (buffer) => {
    if (buffer.buffer.byteLength === 8 * mebibyte) {
      if (!lent.delete(buffer.buffer)) wrong.push('given twice');
      new Uint8Array(buffer.buffer).fill(0xdd);
    }
    give(buffer);
  };
  return { wrong };
}

interface Service {
  readonly engine: GitEngine;
  readonly repos: ReadonlyMap<string, HostedRepo>;
  readonly failures: unknown[];
  readonly wrong: readonly string[];
  create(name: string): Promise<{ remote: string; token: string }>;
  close(): void;
}

async function openService(weather: Weather, memory: number): Promise<Service> {
  const storage = memoryRepos();
  const catalogs = memoryCatalogs();
  const repos = new Map<string, HostedRepo>();
  const failures: unknown[] = [];
  const http: Server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => http.once('listening', resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const engine = createGitEngine({
    codec: nodeCodec(),
    cache: 64 * 1024,
    pageCache: 2 * mebibyte,
    memory,
    reads: { windowMax: 128 * 1024, inFlight: 3 },
  });
  const hosting = createHosting({
    engine,
    dialect: neutral,
    catalog: catalogs,
    storage: {
      repo(account, id, jurisdiction) {
        let repo = repos.get(id);
        if (repo === undefined) {
          const { state } = storage.repo(account, id, jurisdiction);
          repo = { id, state, packs: stormy(memoryPackStore({ partSize }), weather) };
          repos.set(id, repo);
        }
        return repo;
      },
      sharePacks: async () => false,
    },
    authorizer: { authorize: async () => [{ account: 'local', permission: neutral.permissions.edit }] },
    settings: { public_url: origin, keep_alive: 1, request_memory_max: 48 * mebibyte },
    report: (error) => failures.push(error),
  });
  const { wrong } = watchBuffers(engine);
  const listener = createListener({
    handler: createService({ hosting, git: gitFace({ hosting, engine, report: (error) => failures.push(error) }) }),
    fallbackHost: '127.0.0.1',
  });
  http.on('request', (incoming, outgoing) => listener.serve(incoming, outgoing));
  return {
    engine,
    repos,
    failures,
    wrong,
    async create(name) {
      const response = await fetch(`${origin}/v4/accounts/local/repos/namespaces/default/repos`, {
        method: 'POST',
        headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      });
      const text = await response.text();
      if (response.status !== 201) throw new Error(text + failures.map((e) => (e as Error).stack).join());
      return (JSON.parse(text) as { result: { remote: string; token: string } }).result;
    },
    close() {
      http.close();
      http.closeAllConnections();
    },
  };
}

/** Posts, and leaves at some point: while it sends if `sends` is less than all, or else after `reads` bytes. */
async function leave(
  { remote, token }: { remote: string; token: string },
  service: string,
  body: Uint8Array,
  sends: number,
  reads: number,
): Promise<void> {
  await new Promise<void>((resolve) => {
    const outgoing = httpRequest(`${remote}/${service}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': `application/x-${service}-request`,
        'content-length': body.length,
        'git-protocol': 'version=2',
      },
    });
    const end = (): void => {
      outgoing.destroy();
      resolve();
    };
    outgoing.on('error', end);
    outgoing.on('response', (response) => {
      let read = 0;
      response.on('data', (chunk: Buffer) => {
        read += chunk.length;
        if (read >= reads) end();
      });
      response.on('end', end).on('error', end);
    });
    outgoing.write(body.subarray(0, sends));
    if (sends < body.length) setTimeout(end, 30);
    else outgoing.end();
  });
}

const ended: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

const seeds = (process.env['SEEDS'] ?? `${Date.now() % 1_000_000}`).split(',').map(Number);
const rounds = Number(process.env['ROUNDS'] ?? 1);

describe.each(seeds)('seed %i', (seed) => {
  it.each([
    ['pulled', false, 0],
    ['piped', true, 0],
    ['pulled, with faults', false, 60],
    ['piped, with faults', true, 60],
  ])('replies that are %s', { timeout: 280_000 }, async (_, piped, faults) => {
    const next = random(seed);
    const weather = { next, faults: 0 };
    if (piped) (globalThis as { IdentityTransformStream?: unknown }).IdentityTransformStream = Identity;
    ended.push(() => {
      delete (globalThis as { IdentityTransformStream?: unknown }).IdentityTransformStream;
    });
    const service = await openService(weather, 96 * mebibyte);
    ended.push(() => service.close());
    const folder = await mkdtemp(join(tmpdir(), 'packhouse-lent-'));
    ended.push(() => rm(folder, { recursive: true, force: true }));
    const repos = await Promise.all(['one', 'two'].map((name) => service.create(name)));
    const problems: string[] = [];
    /** The final value of each branch, according to the replies to its client. */
    const pushed = new Map<string, { repo: number; ref: string; oid: string }>();
    const checked = ['-c', 'transfer.fsckObjects=true', '-c', 'protocol.version=2', '-c', 'gc.auto=0'];
    /** In the environment, since everybody can read arguments. */
    const access = (repo: number): { env: Record<string, string> } => ({
      env: {
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'http.extraHeader',
        GIT_CONFIG_VALUE_0: `authorization: Bearer ${repos[repo]?.token}`,
      },
    });

    // Where no branch is the default one, HEAD comes and goes with the number of branches, and a clone asks for it by
    // name.
    const start = join(folder, 'start');
    await git(['init', '-q', '-b', 'main', start]);
    await git(['commit', '-q', '--allow-empty', '-m', 'start'], { cwd: start });
    for (const [i, { remote }] of repos.entries())
      await git(['push', '-q', remote, 'main'], { cwd: start, ...access(i) });
    weather.faults = faults;

    const client = async (number: number): Promise<void> => {
      const repo = number % repos.length;
      const { remote } = repos[repo] as { remote: string };
      const work = join(folder, `work${number}`);
      await git(['init', '-q', '-b', `w${number}`, work]);
      const base = randomBytes(60_000);
      for (let round = 0; round < rounds; round++) {
        await mkdir(join(work, `d${round % 3}`), { recursive: true });
        const large = next(4) === 0;
        await writeFile(join(work, 'noise'), randomBytes(large ? 15_000_000 : 20_000 + next(2_000_000)));
        const changed = next(base.length);
        base[changed] = (base[changed] as number) ^ 1;
        await writeFile(join(work, `base`), base);
        for (let i = 0; i < 30; i++)
          await writeFile(join(work, `d${round % 3}`, `f${next(60)}`), `${next(9e6)}\n`.repeat(50));
        await git(['add', '-A'], { cwd: work });
        await git(['commit', '-q', '-m', `${number} ${round}`], { cwd: work });
        const oid = (await git(['rev-parse', 'HEAD'], { cwd: work })).trim();
        const ref = `refs/heads/w${number}`;
        const push = await tryGit(
          [...checked, '-c', `http.postBuffer=${next(2) === 0 ? 1e8 : 1e6}`, 'push', '-q', remote, `HEAD:${ref}`],
          { cwd: work, ...access(repo) },
        );
        if (push.status === 0) {
          pushed.set(`${repo} ${ref}`, { repo, ref, oid });
        } else if (faults === 0) problems.push(`push: ${push.stderr}`);

        const kind = next(4);
        const copy = join(folder, `copy${number}-${round}`);
        const other = repos[(repo + next(2)) % 2] as { remote: string; token: string };
        const tip = [...pushed.values()].find((one) => repos[one.repo] === other)?.oid;
        if (kind === 0 && tip !== undefined) {
          const body = fetchBody([tip], []);
          const length = Buffer.from(body).length;
          await leave(other, 'git-upload-pack', Buffer.from(body), length, 1 + next(3_000_000));
        } else if (kind === 1) {
          const pack = await tryGit(['pack-objects', '--revs', '--stdout', '-q'], { cwd: work, input: 'HEAD\n' });
          const body = pushBody(
            [{ old: '0'.repeat(40), new: oid, ref: `refs/heads/never${number}-${round}` }],
            pack.stdout,
          );
          await leave(repos[repo] as typeof other, 'git-receive-pack', body, next(body.length), 1);
        } else {
          const from = repos.indexOf(other);
          const cloned = await tryGit([...checked, 'clone', '-q', '--mirror', other.remote, copy], access(from));
          if (cloned.status === 0) await git(['fsck', '--strict', '--no-dangling'], { cwd: copy });
          else if (faults === 0) problems.push(`clone: ${cloned.stderr}`);
          await rm(copy, { recursive: true, force: true });
        }
        if (next(2) === 0) {
          const fetched = await tryGit([...checked, 'fetch', '-q', remote, '+refs/heads/*:refs/remotes/o/*'], {
            cwd: work,
            ...access(repo),
          });
          if (fetched.status === 0) await git(['fsck', '--strict', '--no-dangling'], { cwd: work });
          else if (faults === 0) problems.push(`fetch: ${fetched.stderr}`);
        }
      }
    };
    await Promise.all(Array.from({ length: 5 }, (_unused, i) => client(i)));
    weather.faults = 0;
    for (let wait = 0; wait < 100 && service.engine.admission.reserved > 2 * mebibyte; wait++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    for (const [i, { remote }] of repos.entries()) {
      const copy = join(folder, `last${i}`);
      await git([...checked, 'clone', '-q', '--mirror', remote, copy], access(i));
      await git(['fsck', '--strict', '--no-dangling'], { cwd: copy });
      for (const { ref, oid } of [...pushed.values()].filter((one) => one.repo === i))
        expect((await git(['rev-parse', ref], { cwd: copy })).trim()).toBe(oid);
    }
    for (const { state, packs } of service.repos.values()) {
      const snapshot = await state.snapshot();
      if (snapshot === undefined) throw new Error('no snapshot');
      expect(await verifyRepository(createGitEngine({ codec: nodeCodec() }), { state, packs }, snapshot)).toEqual([]);
    }
    expect(service.wrong).toEqual([]);
    expect(problems).toEqual([]);
    expect(service.failures.map(String).filter((text) => !text.includes('injected'))).toEqual([]);
    // The shared pages stay counted until their room is needed.
    expect([0, 2 * mebibyte]).toContain(service.engine.admission.reserved);
  });
});
