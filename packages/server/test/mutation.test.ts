/** Valid requests changed at random: never a crash, a hang, a 500, or a ref that no valid push moved. */

import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fc, test } from '@fast-check/vitest';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { git, gitBytes } from './support/git.ts';
import { noise } from './support/repository-under-faults.ts';
import { checksumFits, putPack, takePack, type TakenEntry } from '@packhouse/conformance/tools/taken-pack';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from './support/test-server.ts';
import {
  commandBody,
  fetchBody,
  listedRefs,
  packOf,
  post,
  push,
  pushBody,
  readPackets,
  uploadBody,
  type Command,
} from '@packhouse/conformance/tools/wire-client';

const none = '0'.repeat(40);
const main = 'refs/heads/main';

interface Push {
  readonly commands: readonly Command[];
  readonly pack: Buffer;
  readonly capabilities: string;
}

let server: TestServer;
let folder: string;
let work: string;
let repo: TestRepo;
let pushes: readonly Push[];
let pushBodies: readonly Buffer[];
let fetches: readonly { readonly version: 0 | 1 | 2; readonly body: Buffer }[];
/** What the repository lists before each run. */
let refs: Record<string, string>;
let clones = 0;

beforeAll(async () => {
  // What is shown here is not how many requests are let through.
  server = await startTestServer({ settings: { rate_git: { requests: 1_000_000, seconds: 1 } } });
  folder = makeFolder();
  work = join(folder, 'work.git');
  await git(['init', '--quiet', '--bare', '--initial-branch=main', work]);
  await git(['fast-import', '--quiet'], { cwd: work, input: history(120) });
  const id = async (name: string): Promise<string> => (await git(['rev-parse', name], { cwd: work })).trim();
  const packed = (revisions: string, ...options: readonly string[]): Promise<Buffer> =>
    gitBytes(['pack-objects', '--revs', '--stdout', '--quiet', '--window=50', '--depth=50', ...options], {
      cwd: work,
      input: revisions,
    });
  const [tip, old, side, tag] = [await id('main'), await id('main~40'), await id('side'), await id('v1')];

  repo = await server.createRepo('mutated');
  const base = await packed(`${old}\n`, '--delta-base-offset');
  expect(await push(repo, [{ old: none, new: old, ref: main }], base)).toEqual(['unpack ok', `ok ${main}`]);
  const forward = { old, new: tip, ref: main };
  const others = [
    { old: none, new: side, ref: 'refs/heads/side' },
    { old: none, new: tag, ref: 'refs/tags/v1' },
  ];
  pushes = [
    { commands: [forward], pack: await packed(`${tip}\n^${old}`, '--thin', '--delta-base-offset'), capabilities: '' },
    { commands: [forward], pack: await packed(`${tip}\n^${old}`, '--thin'), capabilities: 'ofs-delta' },
    {
      commands: [forward, ...others],
      pack: await packed(`${tip}\n${side}\n${tag}`, '--delta-base-offset'),
      capabilities: 'atomic',
    },
    { commands: others, pack: await packed(`${side}\n${tag}\n^${old}`), capabilities: 'report-status-v2 delete-refs' },
    {
      commands: [...others, { old, new: none, ref: main }],
      pack: await packed(`${side}\n${tag}\n^${old}`, '--thin'),
      capabilities: 'delete-refs quiet',
    },
  ];
  // Deltas of deltas, bases outside, hundreds of objects: not only toys.
  const entries = pushes.map(({ pack }) => takePack(pack));
  expect(Math.max(...entries.map((list) => list.length))).toBeGreaterThan(300);
  expect(entries.flat().some(({ base: first }) => first?.base?.base !== undefined)).toBe(true);
  expect(entries[1]?.some(({ baseId }) => baseId !== undefined)).toBe(true);
  pushBodies = pushes.map((one) => bodyOf(one));
  const history40 = (await git(['rev-list', old], { cwd: work })).trim().split('\n');
  const capabilities = 'multi_ack_detailed thin-pack side-band-64k ofs-delta include-tag';
  fetches = [
    { version: 2, body: fetchBody([old], []) },
    { version: 2, body: fetchBody([old], history40.slice(9, 20), ['thin-pack', 'ofs-delta', 'include-tag']) },
    { version: 2, body: commandBody('ls-refs', ['peel', 'symrefs', 'ref-prefix refs/heads/'], ['object-format=sha1']) },
    { version: 0, body: uploadBody([old], history40.slice(3, 30), capabilities) },
    { version: 1, body: uploadBody([old], history40.slice(1, 4), capabilities, 'flush') },
    { version: 0, body: uploadBody([old], [], '') },
  ];
  refs = await listedRefs(repo);
});

afterEach(() => expect(server.failures).toEqual([]));

afterAll(async () => {
  await server.close();
  removeFolder(folder);
});

function bodyOf({ commands, pack, capabilities }: Push, mutated = pack): Buffer {
  return pushBody(commands, mutated, `report-status side-band-64k object-format=sha1 ${capabilities}`);
}

/** A stream for fast-import: texts that grow, so that each version is a delta of the next, a branch, a tag. */
function history(commits: number): Buffer {
  const parts: (string | Buffer)[] = [];
  const lines =
    noise(40_000, 7)
      .toString('base64')
      .match(/.{1,60}/g) ?? [];
  for (let i = 0; i < commits; i++) {
    const branch = i % 10 === 9 ? 'side' : 'main';
    parts.push(
      `commit refs/heads/${branch}\ncommitter Ada <ada@example.com> ${1_700_000_000 + i} +0000\ndata 5\nstep\n`,
    );
    if (branch === 'side' && i === 9) parts.push('from refs/heads/main\n');
    if (branch === 'main' && i % 20 === 15) parts.push('merge refs/heads/side\n');
    for (const file of [`text-${i % 3}`, `folder/sub-${i % 5}/text-${i % 7}`]) {
      const text = Buffer.from(
        [...lines.slice(0, 60 + (i % 40)), `change ${i}`, ...lines.slice(60 + (i % 40), 120 + i)].join('\n'),
      );
      parts.push(`M 100644 inline ${file}\ndata ${text.length}\n`, text, '\n');
    }
    if (i % 15 === 4) {
      const bytes = noise(400, i);
      parts.push(`M 100755 inline binary-${i}\ndata ${bytes.length}\n`, bytes, '\n');
    }
  }
  parts.push('tag v1\nfrom refs/heads/side\ntagger Ada <ada@example.com> 1700000000 +0000\ndata 3\nv1\n', 'done\n');
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

type Change = (bytes: Buffer, others: readonly Buffer[]) => Buffer;

/** A place in bytes of any length; the first ones are likely, since there the framing is. */
const place = fc.oneof(fc.nat(300), fc.nat(1_000_000));
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(place, fc.nat(7)).map(([at, bit]) =>
    named(`flip bit ${bit} at ${at}`, (bytes: Buffer) => {
      const copy = Buffer.from(bytes);
      if (copy.length > 0) copy[at % copy.length] = (copy[at % copy.length] as number) ^ (1 << bit);
      return copy;
    }),
  ),
  fc
    .oneof(place, fc.integer({ min: -40, max: -1 }))
    .map((at) => named(`cut at ${at}`, (bytes: Buffer) => bytes.subarray(0, at < 0 ? at : at % (bytes.length + 1)))),
  fc
    .tuple(
      place,
      fc.oneof(
        fc.uint8Array({ minLength: 1, maxLength: 50 }),
        fc.constantFrom('0000', '0001', '0002', '0004', '0005a', 'ffff', '000dfff0').map((text) => Buffer.from(text)),
      ),
    )
    .map(([at, added]) =>
      named(`insert ${Buffer.from(added).toString('hex')} at ${at}`, (bytes: Buffer) => {
        const from = at % (bytes.length + 1);
        return Buffer.concat([bytes.subarray(0, from), added, bytes.subarray(from)]);
      }),
    ),
  fc.tuple(place, fc.nat(400), place).map(([from, length, to]) =>
    named(`copy ${length} from ${from} to ${to}`, (bytes: Buffer) => {
      const start = from % (bytes.length + 1);
      const target = to % (bytes.length + 1);
      return Buffer.concat([bytes.subarray(0, target), bytes.subarray(start, start + length), bytes.subarray(target)]);
    }),
  ),
  fc.tuple(place, fc.integer({ min: 1, max: 200 })).map(([at, length]) =>
    named(`drop ${length} at ${at}`, (bytes: Buffer) => {
      const from = at % (bytes.length + 1);
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)]);
    }),
  ),
  fc.tuple(fc.nat(), place, place).map(([other, at, from]) =>
    named(`go on at ${at} with request ${other} from ${from}`, (bytes: Buffer, others: readonly Buffer[]) => {
      const rest = others[other % others.length] as Buffer;
      return Buffer.concat([bytes.subarray(0, at % (bytes.length + 1)), rest.subarray(from % (rest.length + 1))]);
    }),
  ),
);

/** Shows in a report what a function does. */
function named<T extends object>(text: string, value: T): T {
  return Object.assign(value, { [fc.toStringMethod]: () => text });
}

const changes = fc.array(change, { minLength: 1, maxLength: 3 });

function changed(bytes: Buffer, steps: readonly Change[], others: readonly Buffer[]): Buffer {
  return steps.reduce((current, step) => step(current, others), bytes);
}

/** Refs may only have moved as the body says, and then everything they reach is sound; afterwards they are put back. */
async function expectRefsAsToldBy(body: Buffer): Promise<void> {
  const found = await listedRefs(repo);
  delete found['HEAD'];
  const { HEAD: _, ...before } = refs;
  const moved = [...new Set([...Object.keys(before), ...Object.keys(found)])].filter(
    (ref) => found[ref] !== before[ref],
  );
  if (moved.length === 0) return;
  const oidOf = (value: string | undefined): string => value?.slice(0, 40) ?? none;
  for (const ref of moved) {
    expect(body.includes(`${oidOf(before[ref])} ${oidOf(found[ref])} ${ref}`), `${ref} moved as no command says`).toBe(
      true,
    );
  }
  const clone = join(folder, `clone-${clones++}.git`);
  await git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, clone]);
  await git(['fsck', '--full', '--strict'], { cwd: clone });
  removeFolder(clone);
  const back = moved.map((ref) => ({ old: oidOf(found[ref]), new: oidOf(before[ref]), ref }));
  const pack = await gitBytes(['pack-objects', '--stdout', '--quiet'], { cwd: work });
  expect(await push(repo, back, pack)).toEqual(['unpack ok', ...moved.map((ref) => `ok ${ref}`)]);
  expect(await listedRefs(repo)).toEqual(refs);
}

const pushStatuses = [200, 400, 413];

/** Posts a push and looks at what became of it; whether a ref was moved. */
async function expectSoundPush(body: Buffer): Promise<void> {
  const reply = await post(repo, body, { service: 'git-receive-pack', version: 0 });
  expect(pushStatuses).toContain(reply.status);
  // A report, if the client asked for any, in whatever form; framed or it would not be one.
  if (reply.status === 200) readPackets(reply.body);
  await expectRefsAsToldBy(body);
}

/** Changes inside a pack, whose sizes, distances and checksum are then right again. */
type PackChange = (entries: TakenEntry[]) => void;

const packChange: fc.Arbitrary<PackChange> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.nat(), change).map(([number, inner]) =>
      named(`entry ${number}: ${fc.stringify(inner)}`, (entries: TakenEntry[]) => {
        const [index, entry] = entryAt(entries, number);
        replace(entries, index, {
          ...entry,
          data: inner(
            entry.data,
            entries.map(({ data }) => data),
          ),
        });
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.nat(), fc.nat(40), fc.integer({ min: 1, max: 255 })).map(([number, at, mask]) =>
      named(`entry ${number}: byte ${at} with ${mask}`, (entries: TakenEntry[]) => {
        const [index, entry] = entryAt(entries, number);
        const data = Buffer.from(entry.data);
        if (data.length > 0) data[at % data.length] = (data[at % data.length] as number) ^ mask;
        replace(entries, index, { ...entry, data });
      }),
    ),
  },
  fc.tuple(fc.nat(), fc.nat(7)).map(([number, type]) =>
    named(`entry ${number}: type ${type}`, (entries: TakenEntry[]) => {
      const [index, entry] = entryAt(entries, number);
      const base = entries[Math.max(0, index - 1)] as TakenEntry;
      replace(entries, index, {
        ...entry,
        type,
        base: entry.base ?? base,
        baseId: entry.baseId ?? Buffer.alloc(20, number),
      });
    }),
  ),
  fc.tuple(fc.nat(), fc.nat()).map(([number, other]) =>
    named(`entry ${number}: on ${other}`, (entries: TakenEntry[]) => {
      const [index, entry] = entryAt(entries, number);
      const { baseId } = entryAt(entries, other)[1];
      replace(entries, index, {
        ...entry,
        base: entryAt(entries, other)[1],
        ...(baseId === undefined ? {} : { baseId }),
      });
    }),
  ),
  fc.tuple(fc.nat(), fc.integer({ min: -3, max: 100_000 })).map(([number, more]) =>
    named(`entry ${number}: ${more} more told`, (entries: TakenEntry[]) => {
      const [index, entry] = entryAt(entries, number);
      replace(entries, index, { ...entry, told: Math.max(0, entry.data.length + more) });
    }),
  ),
  fc
    .nat()
    .map((number) =>
      named(`entry ${number}: dropped`, (entries: TakenEntry[]) => void entries.splice(entryAt(entries, number)[0], 1)),
    ),
  fc.tuple(fc.nat(), fc.nat()).map(([number, to]) =>
    named(`entry ${number}: again before ${to}`, (entries: TakenEntry[]) => {
      entries.splice(entryAt(entries, to)[0], 0, { ...entryAt(entries, number)[1] });
    }),
  ),
  fc.tuple(fc.nat(), fc.nat()).map(([one, two]) =>
    named(`entries ${one} and ${two}: swapped`, (entries: TakenEntry[]) => {
      const [i, first] = entryAt(entries, one);
      const [j, second] = entryAt(entries, two);
      entries[i] = second;
      entries[j] = first;
    }),
  ),
);

function entryAt(entries: readonly TakenEntry[], number: number): [number, TakenEntry] {
  const index = number % Math.max(1, entries.length);
  return [index, entries[index] ?? { type: 3, data: Buffer.alloc(0) }];
}

/** Puts another entry in its place, also for those that lean on it. */
function replace(entries: TakenEntry[], index: number, entry: TakenEntry): void {
  const old = entries[index];
  entries[index] = entry;
  entries.forEach((other, i) => {
    if (other.base === old && old !== undefined && i !== index) entries[i] = { ...other, base: entry };
  });
}

describe('a push that is changed at random', () => {
  test.prop([fc.nat(), changes], { numRuns: 300 })(
    'in any of its bytes moves no ref but by a valid push',
    async (number, steps) => {
      await expectSoundPush(changed(pushBodies[number % pushBodies.length] as Buffer, steps, pushBodies));
    },
  );

  test.prop([fc.nat(), fc.array(packChange, { minLength: 1, maxLength: 3 }), fc.constantFrom(0, 0, 0, 1, -1)], {
    numRuns: 400,
  })('inside its pack, whose checksum is right, moves no ref but by a valid push', async (number, steps, more) => {
    const chosen = pushes[number % pushes.length] as Push;
    const entries = takePack(chosen.pack);
    for (const step of steps) step(entries);
    await expectSoundPush(bodyOf(chosen, putPack(entries, entries.length + more)));
  });

  test.prop([fc.nat(), changes], { numRuns: 100 })(
    'in its commands alone moves refs to what these say',
    async (number, steps) => {
      const { pack, ...rest } = pushes[number % pushes.length] as Push;
      const commands = bodyOf({ ...rest, pack }, Buffer.alloc(0));
      const all = pushes.map((one) => bodyOf(one, Buffer.alloc(0)));
      await expectSoundPush(Buffer.concat([changed(commands, steps, all), pack]));
    },
  );

  test.prop([fc.nat()], { numRuns: 10 })(
    'or in nothing is taken, so that the others are not refused for something else',
    async (number) => {
      const chosen = pushes[number % pushes.length] as Push;
      const taken = putPack(takePack(chosen.pack));
      const report = await push(repo, chosen.commands, taken, chosen.capabilities);
      expect(report).toEqual(['unpack ok', ...chosen.commands.map(({ ref }) => `ok ${String(ref)}`)]);
      await expectRefsAsToldBy(bodyOf(chosen));
    },
  );
});

describe('a fetch that is changed at random', () => {
  test.prop([fc.nat(), fc.constantFrom(undefined, 0, 1, 2), changes], { numRuns: 400 })(
    'gets a pack that is whole, or a refusal',
    async (number, other, steps) => {
      const { version, body } = fetches[number % fetches.length] as (typeof fetches)[number];
      const reply = await post(
        repo,
        changed(
          body,
          steps,
          fetches.map((one) => one.body),
        ),
        { version: other ?? version },
      );
      expect([200, 400, 413]).toContain(reply.status);
      if (reply.status !== 200) return;
      // Without side-band the pack comes bare, behind the acknowledgments.
      const bare = reply.body.indexOf('PACK');
      const framed = bare > 4 && reply.body[bare - 1] === 1;
      if (!framed && bare >= 0) expect(checksumFits(reply.body.subarray(bare))).toBe(true);
      else readPackets(reply.body);
      if (reply.body.includes('packfile\n')) expect(checksumFits(packOf(reply.body))).toBe(true);
      expect(await listedRefs(repo)).toEqual(refs);
    },
  );
});

const encodings = ['gzip', 'x-gzip', 'GZIP', 'identity', 'deflate', 'br', 'gzip, gzip', ''];
const httpStatuses = [200, 400, 411, 413, 415];

/** Posts with any headers, in pieces; the status, or undefined if the server closed the connection. */
function postPieces(
  service: string,
  headers: Record<string, string>,
  pieces: readonly Buffer[],
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const sent = httpRequest(`${repo.remote}/${service}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${repo.token}`, ...headers },
    });
    sent.on('error', () => resolve(undefined));
    sent.on('response', (response) => {
      response.on('error', () => resolve(undefined));
      response.resume().on('end', () => resolve(response.statusCode));
    });
    for (const piece of pieces) sent.write(piece);
    sent.end();
  });
}

/** Writes bytes to a connection and ends it; everything that came back. */
function exchangeRaw(bytes: Buffer): Promise<string> {
  const { port, hostname } = new URL(repo.remote);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.on('error', () => {});
    socket.on('close', () => resolve(Buffer.concat(parts).toString('latin1')));
    socket.end(bytes);
  });
}

describe('a request whose HTTP is changed at random', () => {
  const service = fc.constantFrom('git-receive-pack', 'git-upload-pack');
  const requestOf = (name: string, number: number): Buffer =>
    name === 'git-receive-pack'
      ? (pushBodies[number % pushBodies.length] as Buffer)
      : (fetches[number % fetches.length] as { body: Buffer }).body;

  test.prop(
    [
      service,
      fc.nat(),
      fc.constantFrom(...encodings),
      fc.boolean(),
      fc.option(changes, { nil: [] }),
      fc.array(fc.integer({ min: 1, max: 20_000 }), { maxLength: 5 }),
      fc.constantFrom('', '; charset=utf-8', 'x'),
    ],
    { numRuns: 150 },
  )(
    'in its encoding, media type and pieces is answered, and moves no ref but by a valid push',
    async (name, number, encoding, isCompressed, steps, sizes, suffix) => {
      const plain = requestOf(name, number);
      const body = changed(isCompressed ? gzipSync(plain) : plain, steps, [gzipSync(plain), plain]);
      const pieces: Buffer[] = [];
      let at = 0;
      for (const size of sizes) {
        pieces.push(body.subarray(at, at + size));
        at += size;
      }
      pieces.push(body.subarray(at));
      const headers = {
        'content-type': `application/x-${name}-request${suffix}`,
        ...(encoding === '' ? {} : { 'content-encoding': encoding }),
      };
      expect(httpStatuses).toContain(await postPieces(name, headers, pieces));
      await expectRefsAsToldBy(plain);
    },
  );

  test.prop([service, fc.nat(), fc.boolean(), changes], { numRuns: 150 })(
    'in its head and its chunks does not hurt the server',
    async (name, number, isChunked, steps) => {
      const plain = requestOf(name, number);
      const head = [
        `POST ${new URL(repo.remote).pathname}/${name} HTTP/1.1`,
        `host: ${new URL(repo.remote).host}`,
        `authorization: Bearer ${repo.token}`,
        `content-type: application/x-${name}-request`,
        isChunked ? 'transfer-encoding: chunked' : `content-length: ${plain.length}`,
        'connection: close',
      ].join('\r\n');
      const half = plain.length >> 1;
      const chunk = (bytes: Buffer): Buffer =>
        Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
      const rest = isChunked
        ? Buffer.concat([chunk(plain.subarray(0, half)), chunk(plain.subarray(half)), Buffer.from('0\r\n\r\n')])
        : plain;
      const whole = Buffer.concat([Buffer.from(`${head}\r\n\r\n`), rest]);
      const reply = await exchangeRaw(changed(whole, steps, [whole]));
      for (const [, status] of reply.matchAll(/HTTP\/1\.1 (\d{3})/g)) expect(Number(status)).toBeLessThan(500);
      await expectRefsAsToldBy(plain);
    },
  );
});
