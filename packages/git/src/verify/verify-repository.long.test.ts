import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import { parseGraphFile, writeGraphFile } from '../graph/graph-file.ts';
import type { PackGraph } from '../graph/pack-graph.ts';
import { blobKind, commitKind, tagKind, treeKind, type GitObject } from '../object/kind.ts';
import type { ObjectId } from '../object/object-id.ts';
import { idOf, madePack } from '../pack/made-pack.test.util.ts';
import { MemoryStore } from '../pack/memory-store.test.util.ts';
import { parsePackIndexFile } from '../pack/pack-index-file.ts';
import type { PackFile } from '../ports/pack-store.ts';
import type { NewPack, PackRecord, RepoSnapshot, RepoState } from '../ports/repo-state.ts';
import type { RefRecord } from '../refs/ref-record.ts';
import { receivePack } from '../receive-pack/receive-pack.ts';
import { packed } from '../refs/made-refs.test.util.ts';
import type { RefName } from '../refs/ref-name.ts';
import { createGitEngine } from '../engine/engine.ts';
import type { Problem } from './problem.ts';
import { Scheduler } from '../work/scheduler.ts';
import { verifyRepository } from './verify-repository.ts';

const codec = nodeCodec();
const work = new Scheduler().begin();
const none = '0'.repeat(40);
const person = 'Ada Example <ada@example.com> 1700000000 +0000';

function object(kind: GitObject['kind'], body: string | Uint8Array): GitObject {
  return { kind, body: new Uint8Array(Buffer.from(body as Uint8Array)) };
}

function treeOf(mode: string, name: string, of: GitObject): GitObject {
  return object(treeKind, Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(idOf(of), 'hex')]));
}

function commitOf(message: string, tree: GitObject, ...parents: readonly GitObject[]): GitObject {
  const links = [`tree ${idOf(tree)}`, ...parents.map((parent) => `parent ${idOf(parent)}`)];
  return object(commitKind, `${[...links, `author ${person}`, `committer ${person}`].join('\n')}\n\n${message}\n`);
}

const file = object(blobKind, 'a file');
const root = treeOf('100644', 'file', file);
const first = commitOf('first', root);
const tag = object(tagKind, `object ${idOf(first)}\ntype commit\ntag v1\ntagger ${person}\n\nv1\n`);
const main = 'refs/heads/main';

/** Not reached by any ref unless a test says so: a commit over a hole, and one that takes a tree for a file. */
const lost = object(blobKind, 'lost');
const hole = treeOf('100644', 'lost', lost);
const overHole = commitOf('over a hole', hole);
const wrong = treeOf('100644', 'file', root);
const overWrong = commitOf('over a wrong kind', wrong);
const beyond = commitOf('beyond', root, commitOf('nowhere', root));

/** A repository of one pack in the store, whose files and refs a test may change. */
let store: MemoryStore;
let record: PackRecord;
let refs: RefRecord[];

beforeEach(async () => {
  store = new MemoryStore(64);
  const engine = createGitEngine({ codec });
  let committed: NewPack | undefined;
  const state: Pick<RepoState, 'snapshot' | 'commit' | 'outcome' | 'rowFiles'> = {
    snapshot: async () => undefined,
    commit: async (change) => {
      committed = change.addPacks[0];
      refs = change.updates.map(({ name, new: target }) => ({ name, ...(target as NonNullable<typeof target>) }));
      return { kind: 'done', version: 2, updates: change.updates.map(() => ({ kind: 'ok' })) };
    },
    outcome: async () => undefined,
    rowFiles: async () => [],
  };
  const line = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;
  const { bytes } = madePack([first, root, file, tag, hole, overHole, wrong, overWrong, beyond]);
  const commands = [line(`${none} ${idOf(first)} ${main}\0 report-status`), line(`${none} ${idOf(tag)} refs/tags/v1`)];
  const body = Buffer.concat([Buffer.from(`${commands.join('')}0000`), bytes]);
  const empty: RepoSnapshot = {
    version: 1,
    refs: packed([]),
    packs: [],
    shallow: [],
    defaultBranch: 'main',
    retiredTips: [],
  };
  const reply = await receivePack(engine, { state: state as RepoState, packs: store }, empty, once(body), options);
  expect(await new Response(reply as BodyInit).text()).toContain('ok refs/tags/v1');
  record = { ...(committed as NewPack), position: 1, at: 1 };
  expect(record.where).toBe('store');
});

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}

const options: Parameters<typeof receivePack>[4] = {
  hiddenRefs: [],
  denyDeleteDefault: false,
  denyNonFastForward: false,
  strictObjects: true,
  blobMax: 1e6,
  objectMax: 1e6,
  memoryMax: 67_108_864,
  chainDepthMax: 50,
  chainMax: 2 ** 31,
  commitMax: 1 << 20,
  commitParentsMax: 1024,
  inflatedMax: 2 ** 32,
  graphMax: 1 << 24,
  repoStorageMax: 1e9,
  accountStorageLeft: async () => 1e9,
  pushId: 'push',
  now: () => 1,
  bodyMax: 1e9,
  commandsMax: 10,
  keepAlive: 60_000,
  committed: async () => undefined,
  failed: () => undefined,
};

/** Returns the problems that a process without caches finds. */
function problems(shallow: readonly ObjectId[] = []): Promise<readonly Problem[]> {
  const snapshot: RepoSnapshot = {
    version: 2,
    refs: packed(refs),
    packs: [record],
    shallow,
    defaultBranch: 'main',
    retiredTips: [],
  };
  const state = { rowFiles: async () => [] } as unknown as RepoState;
  return verifyRepository(createGitEngine({ codec }), { state, packs: store }, snapshot);
}

/** One entry for each problem: what it is about, and what it says. */
async function told(): Promise<string[]> {
  return (await problems()).map(({ about, what }) => `${about}: ${what}`);
}

function bytesOf(name: PackFile): Buffer {
  return Buffer.from(store.files.get(`${record.id}.${name}`) as Uint8Array);
}

function put(name: PackFile, bytes: Uint8Array): void {
  store.files.set(`${record.id}.${name}`, new Uint8Array(bytes));
  record = { ...record, [`${name}Size`]: bytes.length };
}

/** Puts a checksum right: over all but the last 20 bytes. */
function sealed(bytes: Buffer): Buffer {
  createHash('sha1')
    .update(bytes.subarray(0, -20))
    .digest()
    .copy(bytes, bytes.length - 20);
  return bytes;
}

async function changeGraph(change: (graph: PackGraph) => Partial<PackGraph>): Promise<void> {
  const graph = await parseGraphFile(bytesOf('graph'), codec, work);
  put('graph', await writeGraphFile({ ...graph, ...change(graph) }, codec, work));
}

function ordinalOf(wanted: GitObject): number {
  const idx = bytesOf('idx');
  const count = idx.readUInt32BE(1028);
  const ranks = Array.from({ length: count }, (_, rank) => rank);
  const offsetOf = (rank: number): number => idx.readUInt32BE(1032 + count * 24 + rank * 4);
  const id = Buffer.from(idOf(wanted), 'hex');
  const own = ranks.find((rank) => idx.compare(id, 0, 20, 1032 + rank * 20, 1052 + rank * 20) === 0) as number;
  return ranks.filter((rank) => offsetOf(rank) < offsetOf(own)).length;
}

/** Lets the graph say that a commit was verified, and a ref point to it. */
async function believe(commit: GitObject, tree: GitObject, introduced: readonly GitObject[]): Promise<void> {
  await changeGraph((graph) => {
    expect(graph.nodeCount).toBe(2);
    const lists = [tree, ...introduced].map(ordinalOf).sort((a, b) => a - b);
    const nodes = [...graph.nodeObjects, ordinalOf(commit)];
    const ids = Buffer.concat([...graph.nodesById].map((_, rank) => graph.nodeIds.subarray(rank * 20, rank * 20 + 20)));
    const entries = [...graph.nodesById].map((node, rank) => ({ node, id: ids.subarray(rank * 20, rank * 20 + 20) }));
    entries.push({ node: 2, id: Buffer.from(idOf(commit), 'hex') });
    entries.sort((a, b) => Buffer.compare(a.id, b.id));
    expect(ordinalOf(commit)).toBeGreaterThan(Math.max(...graph.nodeObjects));
    return {
      nodeCount: 3,
      nodeObjects: Uint32Array.from(nodes),
      nodeTrees: Uint32Array.from([...graph.nodeTrees, ordinalOf(tree)]),
      dates: Uint32Array.from([...graph.dates, 0]),
      parentStarts: Uint32Array.from([...graph.parentStarts, graph.parents.length]),
      listStarts: Uint32Array.from([...graph.listStarts, graph.lists.length + lists.length]),
      lists: Uint32Array.from([...graph.lists, ...lists]),
      nodeIds: new Uint8Array(Buffer.concat(entries.map(({ id }) => id))),
      nodesById: Uint32Array.from(entries.map(({ node }) => node)),
    };
  });
  refs.push({ name: 'refs/heads/believed' as RefName, oid: idOf(commit) as ObjectId, kind: 'commit', peeled: null });
}

describe('verifyRepository', () => {
  it('finds nothing wrong with what a push stored', async () => {
    expect(await problems()).toEqual([]);
  });

  it.each(['pack', 'idx', 'graph'] as const)(
    'notices each byte of the %s that is changed, and each one that is missing',
    async (name) => {
      const bytes = bytesOf(name);
      for (let at = 0; at < bytes.length; at += name === 'idx' && at > 8 && at < 1000 ? 97 : 1) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] as number) ^ 1;
        put(name, changed);
        expect(await problems(), `byte ${at}`).not.toEqual([]);
      }
      store.files.set(`${record.id}.${name}`, new Uint8Array(bytes.subarray(0, -1)));
      expect(await problems()).not.toEqual([]);
      store.files.delete(`${record.id}.${name}`);
      expect(await told()).toContainEqual(expect.stringMatching(`^${name}: it is missing`));
    },
  );

  it('tells a wrong checksum of the pack, and of the idx', async () => {
    const idx = bytesOf('idx');
    idx[idx.length - 1] = (idx.at(-1) as number) ^ 1;
    put('idx', idx);
    expect(await told()).toEqual(['idx: its checksum is wrong']);
    put('idx', sealed(idx));
    expect(await told()).toEqual([]);
    const pack = bytesOf('pack');
    pack[pack.length - 1] = (pack.at(-1) as number) ^ 1;
    put('pack', pack);
    expect(await told()).toEqual([
      'pack: its checksum is wrong',
      'idx: it belongs to another pack',
      'graph: it belongs to another pack',
    ]);
  });

  it('tells a wrong CRC-32 of any entry', async () => {
    const { index } = await parsePackIndexFile(bytesOf('idx'), record.packSize, work);
    const crcsAt = 8 + 1024 + index.count * 20;
    for (let rank = 0; rank < index.count; rank++) {
      const idx = bytesOf('idx');
      const at = crcsAt + rank * 4;
      idx.writeUInt32BE((idx.readUInt32BE(at) ^ 1) >>> 0, at);
      put('idx', sealed(Buffer.from(idx)));
      expect(await told()).toEqual(['pack: 1 entries have a wrong CRC-32']);
      idx.writeUInt32BE((idx.readUInt32BE(at) ^ 1) >>> 0, at);
      put('idx', sealed(idx));
    }
    expect(await told()).toEqual([]);
  });

  it('reports an object with other content, even if everything else fits', async () => {
    // Another name of the same length in place of `file`, with every checksum made right again.
    const other = object(blobKind, 'a Fxle');
    const { bytes } = madePack([first, root, other, tag, hole, overHole, wrong, overWrong, beyond]);
    const { index } = await parsePackIndexFile(bytesOf('idx'), record.packSize, work);
    expect(bytes.length).toBe(record.packSize);
    const idx = bytesOf('idx');
    bytes.copy(idx, idx.length - 40, bytes.length - 20);
    const { count, offsets } = index;
    for (let rank = 0; rank < count; rank++) {
      const ordinal = index.findId(idx.toString('hex', 1032 + rank * 20, 1052 + rank * 20) as ObjectId);
      const crc = crc32(bytes.subarray(offsets[ordinal], offsets[ordinal + 1] as number));
      idx.writeUInt32BE(crc, 1032 + count * 20 + rank * 4);
    }
    put('pack', bytes);
    put('idx', sealed(idx));
    await changeGraph(() => ({ packChecksum: new Uint8Array(bytes.subarray(-20)) }));
    expect(await told()).toEqual([`object: ${idOf(file)} has other content`]);
  });

  it('tells a manifest that counts otherwise', async () => {
    record = { ...record, objects: record.objects + 1 };
    expect(await told()).toEqual([`idx: it holds ${record.objects - 1} objects, the manifest says ${record.objects}`]);
  });

  it('tells a graph with other offsets, kinds or sizes than the pack', async () => {
    const good = bytesOf('graph');
    await changeGraph(({ offsets }) => ({ offsets: offsets.map((offset, i) => (i === 3 ? offset + 1 : offset)) }));
    expect(await told()).toContain('graph: its offsets are not those of the idx');
    put('graph', good);
    await changeGraph(({ kinds }) => ({
      kinds: kinds.map((kind, i) => (i === ordinalOf(lostless) ? kind ^ 1 : kind)),
    }));
    expect(await told()).toEqual([`graph: kind or size of ${idOf(lostless)} is wrong`]);
    put('graph', good);
    await changeGraph(({ sizes }) => ({ sizes: sizes.map((size, i) => (i === ordinalOf(file) ? size + 1 : size)) }));
    expect(await told()).toEqual([`graph: kind or size of ${idOf(file)} is wrong`]);
    put('graph', good);
    await changeGraph((graph) => ({
      count: graph.count - 1,
      kinds: graph.kinds.slice(1),
      sizes: graph.sizes.slice(1),
      bases: graph.bases.slice(1),
      offsets: graph.offsets.slice(1),
    }));
    expect(await told()).not.toEqual([]);
  });

  it('tells a list of the graph that is too short or too long', async () => {
    const good = bytesOf('graph');
    await changeGraph(({ lists, listStarts }) => {
      expect([...lists]).toEqual([ordinalOf(root), ordinalOf(file)].sort((a, b) => a - b));
      return { lists: lists.slice(0, 1), listStarts: listStarts.map((start) => Math.min(start, 1)) };
    });
    expect(await told()).toEqual([`graph: ${idOf(file)} is reached by a ref but not listed by the graph`]);
    put('graph', good);
    await changeGraph(({ lists, listStarts }) => ({
      lists: Uint32Array.from([...lists, ordinalOf(hole)]),
      listStarts: listStarts.map((start) => (start === lists.length ? start + 1 : start)),
    }));
    expect(await told()).toEqual([`graph: ${idOf(hole)} is listed by the graph but reached by no ref`]);
  });

  it('tells a ref to nothing, of another kind, or that peels to something else', async () => {
    const [branch, tagged] = refs as [RefRecord, RefRecord];
    refs = [{ ...branch, oid: '1234567890'.repeat(4) as ObjectId }, tagged];
    expect(await told()).toEqual(['ref: its value is not in the graph']);
    refs = [{ ...branch, oid: idOf(file) as ObjectId }];
    expect(await told()).toEqual(['ref: its value is not in the graph']);
    refs = [{ ...branch, peeled: idOf(root) as ObjectId }, tagged];
    expect(await told()).toEqual(['ref: it is no tag but recorded to peel to something']);
    refs = [{ ...branch, kind: 'tag' }, tagged];
    expect(await told()).toEqual(['ref: its value is not of the kind recorded']);
    refs = [branch, { ...tagged, peeled: idOf(root) as ObjectId }];
    expect(await told()).toEqual(['ref: it peels to something else than recorded']);
    refs = [branch, { ...tagged, peeled: null }];
    expect(await told()).toEqual(['ref: it peels to something else than recorded']);
    refs = [branch, tagged];
    expect(await told()).toEqual([]);
  });

  it('reports a missing object that a ref reaches, although the graph claims that nothing is missing', async () => {
    await believe(overHole, hole, []);
    expect(await problems()).toEqual([
      { about: 'ref', where: 'refs/heads/believed', what: `${idOf(lost)} is missing` },
    ]);
  });

  it('tells an object that is not of the kind it is named as', async () => {
    await believe(overWrong, wrong, []);
    expect(await told()).toEqual([`ref: ${idOf(root)} is not a blob`]);
  });

  it('GIT-075: tells a missing parent, unless the commit stands on the boundary', async () => {
    await believe(beyond, root, [file]);
    expect(await told()).toEqual([`ref: ${idOf(commitOf('nowhere', root))} is missing`]);
    expect(await problems([idOf(beyond) as ObjectId])).toEqual([]);
  });
});

/** One that no node lists, so that its kind decides nothing but this. */
const lostless = hole;
