/** Section 4 of docs/specification/git.md: upload-pack in version 0 and 1. */

import { createCipheriv, createHash } from 'node:crypto';
import { readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git, gitBytes, tryGit } from '../support/git.ts';
import { blob, change, commit, pack, tag, tree, type MadeCommit } from '@packhouse/conformance/tools/made-objects';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';
import {
  fetchBody,
  linesOf,
  packOf,
  post,
  push,
  readPackets,
  set,
  uploadBody,
} from '@packhouse/conformance/tools/wire-client';

const history: MadeCommit[] = [change('0')];
for (let i = 1; i < 6; i++) history.push(change(String(i), history[i - 1] as MadeCommit));
const at = (i: number): MadeCommit => history[i] as MadeCommit;
const tip = at(5);
const apart = change('apart');
const inner = tag('inner', at(2));
const outer = tag('outer', inner);
const early = tag('early', at(0));
const treeTag = tag('tree', at(3).root);
const elsewhere = tag('elsewhere', tip);
const unknown = '1'.repeat(40);

let server: TestServer;
let repo: TestRepo;
let folder: string;

beforeAll(async () => {
  server = await startTestServer();
  folder = makeFolder();
  repo = await server.createRepo('repo');
  const refs = {
    'refs/heads/main': tip,
    'refs/heads/apart': apart,
    'refs/tags/outer': outer,
    'refs/tags/early': early,
    'refs/tags/tree': treeTag,
    'refs/other/elsewhere': elsewhere,
  };
  const report = await push(
    repo,
    Object.entries(refs).map(([ref, value]) => set(ref, value)),
    pack(...history.flatMap(({ all }) => all), ...apart.all, inner, outer, early, treeTag, elsewhere),
  );
  expect(report[0]).toBe('unpack ok');
});

afterAll(async () => {
  await server.close();
  removeFolder(folder);
});

async function ask(
  wants: readonly string[],
  haves: readonly string[],
  words: string,
  end: 'done' | 'flush' | 'wants' = 'done',
  version: 0 | 1 = 0,
): Promise<Buffer> {
  const { status, body } = await post(repo, uploadBody(wants, haves, words, end), { version });
  expect(status).toBe(200);
  return body;
}

/** A reply without side-band: its packets, and the pack behind them. */
function taken(reply: Buffer): { lines: string[]; pack: Buffer } {
  const start = reply.indexOf('PACK');
  const end = start < 0 ? reply.length : start;
  return { lines: linesOf(reply.subarray(0, end)), pack: reply.subarray(end) };
}

/** The objects that a pack holds, for a client that has `held`. */
async function objectsOf(bytes: Buffer, ...held: readonly MadeCommit[]): Promise<string[]> {
  removeFolder(folder);
  await git(['init', '--quiet', '--bare', folder]);
  if (held.length > 0)
    await git(['unpack-objects', '-q'], { cwd: folder, input: pack(...held.flatMap(({ all }) => all)) });
  const before = new Set(held.flatMap(({ all }) => ids(...all)));
  await git(['index-pack', '--stdin', '--fix-thin'], { cwd: folder, input: bytes });
  const listed = await git(['cat-file', '--batch-all-objects', '--batch-check=%(objectname)'], { cwd: folder });
  return listed
    .trim()
    .split('\n')
    .filter((id) => !before.has(id));
}

function ids(...objects: readonly { readonly oid: string }[]): string[] {
  return objects.map(({ oid }) => oid).sort();
}

describe('wants', () => {
  it('GIT-060: any object that a visible ref reaches may be wanted, also a tree, a blob or an old commit', async () => {
    for (const [want, expected] of [
      [at(0), at(0).all],
      [at(1), [...at(0).all, ...at(1).all]],
      [at(1).root, [at(1).root, at(1).file]],
      [at(4).file, [at(4).file]],
      [inner, [inner, ...at(0).all, ...at(1).all, ...at(2).all]],
      [treeTag, [treeTag, at(3).root, at(3).file]],
    ] as const) {
      const { lines, pack: sent } = taken(await ask([want.oid], [], 'ofs-delta'));
      expect(lines).toEqual(['NAK']);
      expect(await objectsOf(sent)).toEqual(ids(...expected));
    }
  });

  it('GIT-060: any other is refused', async () => {
    for (const version of [0, 1] as const) {
      for (const wants of [[unknown], [tip.oid, unknown]]) {
        expect(linesOf(await ask(wants, [], '', 'done', version))).toEqual([`ERR upload-pack: not our ref ${unknown}`]);
      }
    }
  });

  it('GIT-013, GIT-063: a body that ends after the wants gets an empty reply', async () => {
    for (const words of ['', 'multi_ack', 'multi_ack_detailed no-done side-band-64k']) {
      expect(await ask([tip.oid], [], words, 'wants')).toHaveLength(0);
    }
  });
});

describe('GIT-062, GIT-063: the four modes of the negotiation', () => {
  const haves = [unknown, at(1).oid, at(3).oid];
  const detailed = 'multi_ack_detailed';

  it.each([
    ['no capability', '', [`ACK ${at(1).oid}`], [`ACK ${at(1).oid}`]],
    [
      'multi_ack',
      'multi_ack',
      [`ACK ${at(1).oid} continue`, `ACK ${at(3).oid} continue`, 'NAK'],
      [`ACK ${at(1).oid} continue`, `ACK ${at(3).oid} continue`, `ACK ${at(3).oid}`],
    ],
    [
      detailed,
      `multi_ack ${detailed}`,
      [`ACK ${at(1).oid} common`, `ACK ${at(3).oid} common`, `ACK ${at(3).oid} ready`, 'NAK'],
      [`ACK ${at(1).oid} common`, `ACK ${at(3).oid} common`, `ACK ${at(3).oid}`],
    ],
  ])('with %s', async (_, words, flushed, done) => {
    expect(taken(await ask([tip.oid], haves, words, 'flush'))).toEqual({ lines: flushed, pack: Buffer.alloc(0) });
    expect(taken(await ask([tip.oid], [unknown], words, 'flush'))).toEqual({ lines: ['NAK'], pack: Buffer.alloc(0) });
    const reply = taken(await ask([tip.oid], haves, words, 'done'));
    expect(reply.lines).toEqual(done);
    expect(await objectsOf(reply.pack, at(3))).toEqual(ids(...at(4).all, ...at(5).all));
    expect(taken(await ask([tip.oid], [unknown], words, 'done')).lines).toEqual(['NAK']);
  });

  it('with no-done the pack follows ready in the same reply, and not before', async () => {
    const words = `${detailed} no-done`;
    const ready = taken(await ask([tip.oid], haves, words, 'flush'));
    expect(ready.lines).toEqual([
      `ACK ${at(1).oid} common`,
      `ACK ${at(3).oid} common`,
      `ACK ${at(3).oid} ready`,
      'NAK',
      `ACK ${at(3).oid}`,
    ]);
    expect(await objectsOf(ready.pack, at(3))).toEqual(ids(...at(4).all, ...at(5).all));
    const waiting = taken(await ask([tip.oid, apart.oid], haves, words, 'flush'));
    expect(waiting).toEqual({
      lines: [`ACK ${at(1).oid} common`, `ACK ${at(3).oid} common`, 'NAK'],
      pack: Buffer.alloc(0),
    });
  });

  it.each(['0', '1', '2'])(
    'GIT-062, GIT-064: stock git finds what it shares, with protocol.version %s',
    async (version) => {
      const work = join(makeFolder(), 'work');
      await git(['init', '--quiet', work]);
      await git([...repo.auth, 'fetch', '--quiet', '--no-tags', repo.remote, at(3).oid], { cwd: work });
      await git(['reset', '--quiet', '--hard', 'FETCH_HEAD'], { cwd: work });
      await git(['commit', '--quiet', '--allow-empty', '-m', 'own'], { cwd: work });
      const { status, stderr } = await tryGit(
        ['-c', `protocol.version=${version}`, ...repo.auth, 'fetch', repo.remote, 'main'],
        {
          cwd: work,
          env: { GIT_TRACE_PACKET: '1' },
        },
      );
      expect(status).toBe(0);
      expect(stderr).toMatch(new RegExp(`< ACK ${at(3).oid}`));
      expect((await git(['rev-parse', 'FETCH_HEAD'], { cwd: work })).trim()).toBe(tip.oid);
      await git(['fsck', '--full', '--strict'], { cwd: work });
      removeFolder(join(work, '..'));
    },
  );
});

describe('what the pack holds', () => {
  it('GIT-065, GIT-066: what the wants reach and the haves do not', async () => {
    for (const [want, have] of [
      [5, 4],
      [5, 0],
      [3, 1],
    ] as const) {
      const { pack: sent } = taken(await ask([at(want).oid], [at(have).oid], 'thin-pack ofs-delta'));
      expect(await objectsOf(sent, at(have))).toEqual(
        ids(...history.slice(have + 1, want + 1).flatMap(({ all }) => all)),
      );
    }
  });

  it('GIT-068: with include-tag come the tags of what is sent, with each tag in between; others stay away', async () => {
    const sent = async (want: MadeCommit, have: MadeCommit | undefined, words: string): Promise<string[]> =>
      objectsOf(
        taken(await ask([want.oid], have === undefined ? [] : [have.oid], words)).pack,
        ...(have === undefined ? [] : [have]),
      );
    const between = (from: number, to: number): MadeCommit['all'] =>
      history.slice(from, to + 1).flatMap(({ all }) => all);
    expect(await sent(at(4), at(1), 'include-tag')).toEqual(ids(...between(2, 4), inner, outer, treeTag));
    expect(await sent(at(4), at(3), 'include-tag')).toEqual(ids(...at(4).all));
    expect(await sent(at(1), undefined, 'include-tag')).toEqual(ids(...between(0, 1), early));
    expect(await sent(tip, at(1), '')).toEqual(ids(...between(2, 5)));
    const words = ['include-tag', 'no-progress'];
    const { body } = await post(repo, fetchBody([at(4).oid], [at(1).oid], words));
    expect(await objectsOf(packOf(body), at(1))).toEqual(ids(...between(2, 4), inner, outer, treeTag));
  });

  it('GIT-067: deltas against what the client has come only with thin-pack, offsets only with ofs-delta', async () => {
    const lines = Array.from(
      { length: 400 },
      (_, i) => `line ${i} ${createHash('sha1').update(String(i)).digest('hex')}`,
    );
    const files = [0, 1, 2].map((i) => blob([...lines, `version ${i}`].join('\n')));
    const commits: MadeCommit[] = [];
    for (const [i, file] of files.entries()) {
      const root = tree({ file });
      const node = commit(`version ${i}`, root, commits.slice(-1));
      commits.push({ ...node, root, file, all: [node, root, file] });
    }
    const deltas = await server.createRepo('deltas');
    const made = join(makeFolder(), 'made.git');
    await git(['init', '--quiet', '--bare', made]);
    await git(['unpack-objects', '-q'], { cwd: made, input: pack(...commits.flatMap(({ all }) => all)) });
    await git(['update-ref', 'refs/heads/main', commits[2]?.oid as string], { cwd: made });
    await git(['repack', '-a', '-d', '-f', '-q'], { cwd: made });
    await git([...deltas.auth, 'push', '--quiet', '--mirror', deltas.remote], { cwd: made });

    const kinds = async (
      words: string,
      have?: MadeCommit,
    ): Promise<{ types: Set<number>; alone: boolean; bytes: Buffer }> => {
      const haves = have === undefined ? [] : [have.oid];
      const { body } = await post(deltas, uploadBody([commits[2]?.oid as string], haves, words), { version: 0 });
      const bytes = taken(body).pack;
      removeFolder(folder);
      await git(['init', '--quiet', '--bare', folder]);
      const alone = (await tryGit(['index-pack', '--stdin'], { cwd: folder, input: bytes })).status === 0;
      return { types: await entryTypes(bytes), alone, bytes };
    };
    const full = await kinds('');
    expect([full.alone, full.types.has(6), full.types.has(7)]).toEqual([true, false, true]);
    const offsets = await kinds('ofs-delta');
    expect([offsets.alone, offsets.types.has(6), offsets.types.has(7)]).toEqual([true, true, false]);
    for (const { bytes } of [full, offsets]) {
      expect([bytes.readUInt32BE(4), bytes.readUInt32BE(8)]).toEqual([2, 9]);
      expect(bytes.subarray(-20)).toEqual(createHash('sha1').update(bytes.subarray(0, -20)).digest());
    }
    for (const have of commits.slice(0, 2)) {
      const words = 'ofs-delta';
      expect((await kinds(words, have)).alone).toBe(true);
      const thin = await kinds(`thin-pack ${words}`, have);
      expect(await objectsOf(thin.bytes, ...commits.slice(0, commits.indexOf(have) + 1))).toEqual(
        ids(...commits.slice(commits.indexOf(have) + 1).flatMap(({ all }) => all)),
      );
    }
    // The newest version is stored whole and the older ones lean on it, or the other way round: one of the two is thin.
    const older = await post(deltas, uploadBody([commits[0]?.oid as string], [], 'thin-pack ofs-delta'), {
      version: 0,
    });
    expect(await objectsOf(taken(older.body).pack)).toEqual(ids(...(commits[0]?.all ?? [])));
    removeFolder(join(made, '..'));
  });
});

/** The types of the entries of a pack, found by stock git. */
async function entryTypes(bytes: Buffer): Promise<Set<number>> {
  removeFolder(folder);
  await git(['init', '--quiet', '--bare', folder]);
  const name = (await git(['index-pack', '--stdin', '--fix-thin'], { cwd: folder, input: bytes }).catch(() => ''))
    .trim()
    .split('\t')[1];
  if (name === undefined) return new Set();
  const index = join(folder, `objects/pack/pack-${name}.idx`);
  const listed = await gitBytes(['show-index'], {
    cwd: folder,
    input: await gitBytes(
      ['cat-file', 'blob', await git(['hash-object', '-w', index], { cwd: folder }).then((id) => id.trim())],
      { cwd: folder },
    ),
  });
  return new Set(
    listed
      .toString()
      .trim()
      .split('\n')
      .map((line) => ((bytes[Number(line.split(' ')[0])] as number) >> 4) & 7),
  );
}

describe('multiplexing', () => {
  const large = change(
    Array.from({ length: 20_000 }, (_, i) => createHash('sha1').update(String(i)).digest('base64')).join('\n'),
  );
  let big: TestRepo;

  beforeAll(async () => {
    big = await server.createRepo('big');
    await push(big, [set('refs/heads/main', large)], pack(...large.all));
  });

  const reply = async (words: string): Promise<Buffer> =>
    (await post(big, uploadBody([large.oid], [], words), { version: 0 })).body;

  it.each([
    ['side-band-64k', 65_520],
    ['side-band', 1000],
  ])('GIT-069: %s packets have at most %i bytes, a flush ends the stream', async (words, most) => {
    for (const more of ['', ' ofs-delta']) {
      const packets = readPackets(await reply(`${words} no-progress${more}`));
      expect(packets[0]?.toString()).toBe('NAK\n');
      expect(packets.at(-1)).toBe('flush');
      const bands = packets.slice(1, -1) as Buffer[];
      expect(new Set(bands.map((band) => band[0]))).toEqual(new Set([1]));
      expect(Math.max(...bands.map((band) => band.length + 4))).toBe(most);
      expect(await objectsOf(Buffer.concat(bands.map((band) => band.subarray(1))))).toEqual(ids(...large.all));
    }
  });

  it('GIT-069: without side-band the pack follows raw, with nothing behind its trailer', async () => {
    const { lines, pack: sent } = taken(await reply('no-progress'));
    expect(lines).toEqual(['NAK']);
    expect(sent.subarray(-20)).toEqual(createHash('sha1').update(sent.subarray(0, -20)).digest());
    expect(await objectsOf(sent)).toEqual(ids(...large.all));
  });

  it('GIT-069: both forms at once are refused', async () => {
    expect(linesOf(await reply('side-band side-band-64k'))).toEqual(['ERR side-band and side-band-64k are exclusive']);
  });

  it('GIT-070: progress goes to band 2 unless no-progress is asked for', async () => {
    const bands = async (words: string): Promise<Set<number | undefined>> => {
      const [, ...packets] = readPackets(await reply(words));
      return new Set(packets.flatMap((read) => (typeof read === 'string' ? [] : [read[0]])));
    };
    for (const form of ['side-band', 'side-band-64k']) {
      expect(await bands(form)).toEqual(new Set([1, 2]));
      expect(await bands(`${form} no-progress`)).toEqual(new Set([1]));
    }
    expect(taken(await reply('')).lines).toEqual(['NAK']);
  });

  it('GIT-071, GIT-032: what breaks while the pack is sent is told in band 3, or the reply broken off; before that it is a 500', async () => {
    const broken = await server.createRepo('broken');
    // Too large for a row, so that it lies in a file.
    const filler = Array.from({ length: 60_000 }, (_, i) => createHash('sha1').update(`x${i}`).digest('base64')).join(
      '',
    );
    const heavy = change(filler);
    const light = change('light', heavy);
    await push(broken, [set('refs/heads/main', heavy)], pack(...heavy.all));
    await push(broken, [set('refs/heads/main', light, heavy)], pack(...light.all));
    const [file, ...others] = readdirSync(server.data, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.pack'),
    );
    expect([file, others]).toEqual([expect.any(String), []]);
    const path = join(server.data, file as string);
    await server.restart();
    truncateSync(path, Math.floor(statSync(path).size / 2));

    const words = 'ofs-delta no-progress';
    const banded = (await post(broken, uploadBody([light.oid], [], `side-band-64k ${words}`), { version: 0 })).body;
    const last = readPackets(banded).at(-1) as Buffer;
    expect([last[0], last.subarray(1).toString()]).toEqual([3, 'An internal error occurred.\n']);
    await expect(post(broken, uploadBody([light.oid], [], words), { version: 0 })).rejects.toThrow(
      /^(terminated|fetch failed)$/,
    );
    const clone = await tryGit([...broken.auth, 'clone', broken.remote, join(folder, 'broken')]);
    expect(clone.status).toBe(128);
    expect(clone.stderr).toContain('An internal error occurred.');

    await server.restart();
    for (const name of readdirSync(join(path, '..'))) if (name !== 'pack') truncateSync(join(path, '..', name), 100);
    const { status, body } = await post(broken, uploadBody([light.oid], [], words), { version: 0 });
    expect([status, body.toString()]).toEqual([500, 'An internal error occurred.']);
  });
});

describe('packs that were pushed as version 3', () => {
  // The larger one lies in the store and is sent as it lies there.
  it.each([10, 2_000_000])('GIT-067: are sent as version 2 (%i bytes)', async (size) => {
    const noise = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(size));
    const file = blob(noise);
    const root = tree({ file });
    const head = commit('of version 3', root);
    const sent = pack(head, root, file);
    sent.writeUInt32BE(3, 4);
    createHash('sha1')
      .update(sent.subarray(0, -20))
      .digest()
      .copy(sent, sent.length - 20);
    const own = await server.createRepo(`version-3-${size}`);
    expect(await push(own, [set('refs/heads/main', head)], sent)).toEqual(['unpack ok', 'ok refs/heads/main']);
    for (const words of [['ofs-delta'], []]) {
      const got = packOf((await post(own, fetchBody([head.oid], [], words))).body);
      expect(got.readUInt32BE(4)).toBe(2);
      expect(await objectsOf(got)).toEqual(ids(head, root, file));
    }
  });
});
