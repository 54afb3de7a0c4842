/** Section 12 of docs/specification/git.md: limits and how a client learns of them. */

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tryGit } from '../support/git.ts';
import {
  blob,
  change,
  commit,
  insertingDelta,
  made,
  pack,
  packEntry,
  packOfEntries,
  tree,
  type MadeObject,
} from '@packhouse/conformance/tools/made-objects';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';
import {
  commandBody,
  fetchBody,
  flush,
  linesOf,
  listedRefs,
  packet,
  post,
  push,
  pushBody,
  readPackets,
  remove,
  reportOf,
  set,
} from '@packhouse/conformance/tools/wire-client';

const first = change('first');
const main = 'refs/heads/main';

let server: TestServer;
let repo: TestRepo;
let count = 0;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await server.close();
});

beforeEach(async () => {
  repo = await server.createRepo(`repo-${count++}`);
});

afterEach(async () => {
  expect(server.failures).toEqual([]);
});

function noise(bytes: number, seed = ''): Buffer {
  const parts = Array.from({ length: Math.ceil(bytes / 20) }, (_, i) =>
    createHash('sha1').update(`${seed}${i}`).digest(),
  );
  return Buffer.concat(parts).subarray(0, bytes);
}

function withFile(content: Uint8Array): { node: MadeObject; file: MadeObject; all: MadeObject[] } {
  const file = blob(content);
  const root = tree({ file });
  const node = commit('with a file', root);
  return { node, file, all: [node, root, file] };
}

/** A body in pieces whose size no header tells. */
async function chunked(
  body: Uint8Array,
  service: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < body.length; at += 5000) controller.enqueue(body.subarray(at, at + 5000));
      controller.close();
    },
  });
  const init = {
    method: 'POST',
    headers: {
      authorization: `Bearer ${repo.token}`,
      'content-type': `application/x-${service}-request`,
      'git-protocol': 'version=2',
      ...headers,
    },
    body: stream,
    duplex: 'half',
  };
  const response = await fetch(`${repo.remote}/${service}`, init as RequestInit);
  return { status: response.status, text: await response.text() };
}

describe('GIT-164: bodies', () => {
  const limit = 20_000;

  beforeAll(async () => {
    await server.restart({ settings: { push_body_max: limit, fetch_body_max: limit } });
  });

  it('LIM-052, GIT-008: a push that is larger is 413, by its Content-Length, chunked, and gzipped, and nothing changes', async () => {
    const large = withFile(noise(limit));
    const body = pushBody([set(main, large.node)], pack(...large.all));
    const refused = { status: 413, text: `Push is too large: limit ${limit} bytes` };
    const plain = await post(repo, body, { service: 'git-receive-pack', version: 0 });
    expect({ status: plain.status, text: plain.body.toString() }).toEqual(refused);
    expect(plain.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await chunked(body, 'git-receive-pack')).toEqual(refused);
    // After decoding it is too large, before it is not.
    const dense = withFile(Buffer.alloc(10));
    const padded = Buffer.concat([pushBody([set(main, dense.node)], pack(...dense.all)), Buffer.alloc(limit)]);
    const zipped = gzipSync(padded);
    expect(zipped.length).toBeLessThan(1000);
    const gzipped = await post(repo, zipped, {
      service: 'git-receive-pack',
      version: 0,
      headers: { 'content-encoding': 'gzip' },
    });
    expect({ status: gzipped.status, text: gzipped.body.toString() }).toEqual(refused);
    expect(await chunked(zipped, 'git-receive-pack', { 'content-encoding': 'gzip' })).toEqual(refused);
    expect(await listedRefs(repo)).toEqual({ HEAD: `unborn symref-target:${main}` });
  });

  it('LIM-052: one of just the limit is taken, and the limit counts bytes after decoding', async () => {
    const measure = (size: number): Buffer => {
      const { node, all } = withFile(noise(size));
      return pushBody([set(main, node)], pack(...all));
    };
    let size = limit - 1000;
    while (measure(size).length < limit) size += Math.max(1, limit - measure(size).length - 20);
    while (measure(size).length > limit) size--;
    const body = measure(size);
    expect(body.length).toBe(limit);
    expect(reportOf((await post(repo, body, { service: 'git-receive-pack', version: 0 })).body)).toEqual([
      'unpack ok',
      `ok ${main}`,
    ]);
    const { node } = withFile(noise(size));
    const deletion = (length: number): Buffer =>
      Buffer.concat([pushBody([remove(main, node)], Buffer.alloc(0)), Buffer.alloc(length)]).subarray(0, length);
    const gzipped = async (length: number): Promise<number> =>
      (
        await post(repo, gzipSync(deletion(length)), {
          service: 'git-receive-pack',
          version: 0,
          headers: { 'content-encoding': 'gzip' },
        })
      ).status;
    expect([await gzipped(limit + 1), await gzipped(limit)]).toEqual([413, 200]);
    expect(await listedRefs(repo)).toEqual({ HEAD: `unborn symref-target:${main}` });
  });

  it('LIM-052: deletes with too much behind them are no exception', async () => {
    await push(repo, [set(main, first)], pack(...first.all));
    const body = pushBody([remove(main, first)], Buffer.alloc(limit));
    expect((await chunked(body, 'git-receive-pack')).status).toBe(413);
  });

  it('LIM-052: stock git shows it to its user', async () => {
    const folder = makeFolder();
    await tryGit(['init', '--quiet', folder]);
    await tryGit(['fast-import', '--quiet'], {
      cwd: folder,
      input: Buffer.concat([
        Buffer.from(`commit ${main}\ncommitter A <a@x> 0 +0000\ndata 0\nM 644 inline f\ndata ${2 * limit}\n`),
        noise(2 * limit),
        Buffer.from('\n'),
      ]),
    });
    const { status, stderr } = await tryGit([...repo.auth, 'push', repo.remote, main], { cwd: folder });
    expect([status, stderr]).toEqual([1, expect.stringContaining('413')]);
    removeFolder(folder);
  });

  it('LIM-057: a request for a fetch that is larger is 413 in each form', async () => {
    const haves = Array.from({ length: 500 }, (_, i) => createHash('sha1').update(String(i)).digest('hex'));
    const body = fetchBody([first.oid], haves);
    expect(body.length).toBeGreaterThan(limit);
    const refused = { status: 413, text: `Request is too large: limit ${limit} bytes` };
    const plain = await post(repo, body);
    expect({ status: plain.status, text: plain.body.toString() }).toEqual(refused);
    expect(await chunked(body, 'git-upload-pack')).toEqual(refused);
    const repeated = commandBody('fetch', Array<string>(500).fill(`have ${first.oid}`));
    const zipped = gzipSync(repeated);
    expect(zipped.length).toBeLessThan(limit);
    const gzipped = await post(repo, zipped, { headers: { 'content-encoding': 'gzip' } });
    expect({ status: gzipped.status, text: gzipped.body.toString() }).toEqual(refused);
    expect(
      (
        await post(
          repo,
          commandBody(
            'fetch',
            haves.slice(0, 300).map((have) => `have ${have}`),
          ),
        )
      ).status,
    ).toBe(200);
  });
});

describe('GIT-165: what is found while reading a pack', () => {
  beforeAll(async () => {
    await server.restart({
      settings: {
        blob_max: 2000,
        object_max: 3000,
        push_commands_max: 3,
        delta_depth_max: 3,
        push_options_max: 2,
        push_option_bytes_max: 10,
      },
    });
  });

  /** The report in band 1, and whether band 2 told more. */
  const attempt = async (body: Buffer): Promise<{ report: string[]; told: string }> => {
    const { status, body: reply } = await post(repo, body, { service: 'git-receive-pack', version: 0 });
    expect(status).toBe(200);
    const told = readPackets(reply).flatMap((read) =>
      typeof read !== 'string' && read[0] === 2 ? [read.subarray(1).toString()] : [],
    );
    expect(readPackets(reply).some((read) => typeof read !== 'string' && read[0] === 3)).toBe(false);
    return { report: reportOf(reply), told: told.join('') };
  };

  const refuses = async (objects: Buffer, node: MadeObject, unpack: string, reason: string): Promise<void> => {
    const commands = [set(main, node), set('refs/heads/other', node)];
    const { report, told } = await attempt(pushBody(commands, objects));
    expect(report).toEqual([`unpack ${unpack}`, `ng ${main} ${reason}`, `ng refs/heads/other ${reason}`]);
    expect(told).toContain(reason);
    const quiet = await attempt(pushBody(commands, objects, 'report-status side-band-64k quiet'));
    expect(quiet).toEqual({ report, told: '' });
    expect(await listedRefs(repo)).toEqual({ HEAD: `unborn symref-target:${main}` });
  };

  it('LIM-051: a blob that is too large, as a whole and as a delta, with its id, size and the limit', async () => {
    const { node, file, all } = withFile(noise(2001));
    await refuses(pack(...all), node, `file too large: ${file.oid} (2001 bytes, limit 2000)`, 'file too large');
    const fits = withFile(noise(2000));
    expect(await push(repo, [set(main, fits.node)], pack(...fits.all))).toEqual(['unpack ok', `ok ${main}`]);
    const asDelta = packOfEntries([
      packEntry(7, insertingDelta(2000, file.body), Buffer.from(fits.file.oid, 'hex')),
      ...all.slice(0, 2).map(({ kind, body }) => packEntry(kind === 'commit' ? 1 : 2, body)),
    ]);
    const { report } = await attempt(pushBody([set('refs/heads/delta', node)], asDelta));
    expect(report).toEqual([expect.stringMatching(/^unpack file too large/), 'ng refs/heads/delta file too large']);
  });

  it('LIM-056: a commit, tree or tag that is too large', async () => {
    const long = commit('x'.repeat(3000), first.root);
    await refuses(pack(long, first.root, first.file), long, 'object too large', 'object too large');
    const wide = tree(
      Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`f${String(i).padStart(3, '0')}`, first.file])),
    );
    const top = commit('wide', wide);
    const { report } = await attempt(pushBody([set(main, top)], pack(top, wide, first.file)));
    expect(report).toEqual([expect.stringMatching(/^unpack object too large/), `ng ${main} object too large`]);
    const label = made(
      'tag',
      `object ${first.oid}\ntype commit\ntag t\ntagger A <a@x> 0 +0000\n\n${'x'.repeat(3000)}\n`,
    );
    const tagged = await attempt(pushBody([set('refs/tags/t', label)], pack(label, ...first.all)));
    expect(tagged.report).toEqual([
      expect.stringMatching(/^unpack object too large/),
      'ng refs/tags/t object too large',
    ]);
  });

  it('LIM-062: chains of deltas up to the limit are taken, a longer one is not', async () => {
    const chain = (length: number, seed: string): { node: MadeObject; bytes: Buffer } => {
      const versions = Array.from({ length: length + 1 }, (_, i) => blob(`${seed} ${i}`));
      const root = tree(Object.fromEntries(versions.map((version, i) => [`v${i}`, version])));
      const node = commit(seed, root);
      const entries = versions.map((version, i) => {
        const base = versions[i - 1];
        if (base === undefined) return packEntry(3, version.body);
        return packEntry(7, insertingDelta(base.body.length, version.body), Buffer.from(base.oid, 'hex'));
      });
      return { node, bytes: packOfEntries([...entries, packEntry(2, root.body), packEntry(1, node.body)]) };
    };
    const deep = chain(4, 'deep');
    const { report } = await attempt(pushBody([set(main, deep.node)], deep.bytes));
    expect(report).toEqual([expect.stringMatching(/^unpack delta chain too deep/), `ng ${main} delta chain too deep`]);
    const fine = chain(3, 'fine');
    expect(await push(repo, [set(main, fine.node)], fine.bytes)).toEqual(['unpack ok', `ok ${main}`]);
  });

  it('LIM-054: more commands than allowed, all of them refused', async () => {
    const commands = (number: number) => Array.from({ length: number }, (_, i) => set(`refs/heads/b${i}`, first));
    expect(await push(repo, commands(4), pack(...first.all))).toEqual([
      'unpack too many ref updates',
      ...commands(4).map(({ ref }) => `ng ${ref as string} too many ref updates`),
    ]);
    expect(Object.keys(await listedRefs(repo))).toEqual(['HEAD']);
    expect((await push(repo, commands(3), pack(...first.all)))[0]).toBe('unpack ok');
  });

  it('LIM-058: settings bound the push options', async () => {
    const attemptOptions = async (...options: readonly string[]): Promise<string | undefined> => {
      const head = pushBody([set(main, first)], Buffer.alloc(0), 'report-status side-band-64k push-options');
      const { report } = await attempt(Buffer.concat([head, ...options.map(packet), flush, pack(...first.all)]));
      return report[0];
    };
    expect(await attemptOptions('1', '2', '3')).toBe('unpack too many push options');
    expect(await attemptOptions('12345678901')).toBe('unpack too many push options');
    expect(await attemptOptions('1234567890', '2')).toBe('unpack ok');
  });
});

describe('GIT-166: storage', () => {
  it('LIM-050: a push that makes the repo larger than allowed is refused before the commit, deletes are not', async () => {
    const size = (objects: readonly MadeObject[]): number => pack(...objects).length;
    const one = withFile(noise(3000, 'one'));
    const two = withFile(noise(3000, 'two'));
    await server.restart({ settings: { repo_storage_max: size(one.all) + 100 } });
    expect(await push(repo, [set(main, one.node)], pack(...one.all))).toEqual(['unpack ok', `ok ${main}`]);
    expect(await push(repo, [set('refs/heads/two', two.node)], pack(...two.all))).toEqual([
      'unpack storage limit exceeded',
      'ng refs/heads/two storage limit exceeded',
    ]);
    expect(await listedRefs(repo)).toEqual({ HEAD: `${one.node.oid} symref-target:${main}`, [main]: one.node.oid });
    // What is there already is not counted again.
    expect(await push(repo, [set('refs/heads/two', one.node)], pack())).toEqual(['unpack ok', 'ok refs/heads/two']);
    expect(await push(repo, [remove('refs/heads/two', one.node)])).toEqual(['unpack ok', 'ok refs/heads/two']);
    // Another repo has room of its own.
    const other = await server.createRepo('other');
    expect((await push(other, [set(main, two.node)], pack(...two.all)))[0]).toBe('unpack ok');
  });

  it('LIM-012: the account as a whole is told by the same words', async () => {
    await server.restart({ settings: { account_storage_max: 1 } });
    expect(await push(repo, [set(main, first)], pack(...first.all))).toEqual([
      'unpack storage limit exceeded',
      `ng ${main} storage limit exceeded`,
    ]);
    expect(await listedRefs(repo)).toEqual({ HEAD: `unborn symref-target:${main}` });
  });
});

it('LIM-059: a push that would need more memory than a request may is refused, and others go on', async () => {
  await server.restart({ settings: { request_memory_max: 20_000 } });
  const files = Array.from({ length: 3000 }, (_, i) => blob(`${i}`));
  const root = tree(Object.fromEntries(files.map((file, i) => [String(i).padStart(4, '0'), file])));
  const node = commit('many', root);
  expect(await push(repo, [set(main, node)], pack(node, root, ...files))).toEqual([
    'unpack not enough memory',
    `ng ${main} not enough memory`,
  ]);
  expect((await push(repo, [set(main, first)], pack(...first.all)))[0]).toBe('unpack ok');
  expect(linesOf((await post(repo, commandBody('ls-refs'))).body)).toContain(`${first.oid} ${main}`);
});
