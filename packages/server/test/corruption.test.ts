/** Sections 9 and 8 of docs/specification/git.md: what a push is refused for, over HTTP, and that nothing changes then. */

import { existsSync, readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deflateSync } from 'node:zlib';
import type { Codec } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { FaultyFileSystem } from '@packhouse/storage/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git } from './support/git.ts';
import {
  blob,
  change,
  commit,
  insertingDelta,
  made,
  noObject,
  pack,
  packEntry,
  packOfEntries,
  tag,
  tree,
  type MadeObject,
} from '@packhouse/conformance/tools/made-objects';
import { noise, openUnderFaults, packsFolder } from './support/repository-under-faults.ts';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from './support/test-server.ts';
import {
  fetchBody,
  linesOf,
  listedRefs,
  post,
  push,
  pushBody,
  set,
  type Command,
} from '@packhouse/conformance/tools/wire-client';

const main = 'refs/heads/main';
const offsetDelta = 6;
const referenceDelta = 7;

let server: TestServer;
let folder: string;
let numbers = 0;

beforeAll(async () => {
  server = await startTestServer();
  folder = makeFolder();
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
  removeFolder(folder);
});

/** A tree with modes and order as told. */
function rawTree(
  ...entries: readonly (readonly [mode: string, name: string, object: Pick<MadeObject, 'oid'>])[]
): MadeObject {
  return made(
    'tree',
    Buffer.concat(
      entries.flatMap(([mode, name, { oid }]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]),
    ),
  );
}

/** All that is kept of a repository: its state, the record's times, and its files. */
async function stateOf(repo: TestRepo): Promise<unknown> {
  const database = new DatabaseSync(join(server.data, 'packhouse.sqlite'), { readOnly: true });
  try {
    const rows = (query: string): unknown => database.prepare(query).all(repo.id);
    const { result } = await server.rest('GET', `/namespaces/default/repos/${repo.name}`);
    return {
      record: result,
      version: rows('SELECT version FROM repos WHERE id = ?'),
      refs: rows('SELECT * FROM refs WHERE repo_id = ? ORDER BY name'),
      packs: rows('SELECT * FROM packs WHERE repo_id = ? ORDER BY position'),
      rows: rows('SELECT pack_id, file FROM pack_files WHERE repo_id = ? ORDER BY pack_id, file'),
      files: filesOf(repo),
      listed: await listedRefs(repo),
    };
  } finally {
    database.close();
  }
}

/** Pushes what must be refused as a whole, and sees that nothing changed. */
async function expectRefused(
  repo: TestRepo,
  commands: readonly Command[],
  bytes: Uint8Array,
  reason: string,
): Promise<void> {
  const before = await stateOf(repo);
  const report = await push(repo, commands, bytes);
  expect(report).toEqual([`unpack ${reason}`, ...commands.map(({ ref }) => `ng ${ref.toString()} unpacker error`)]);
  expect(await stateOf(repo)).toEqual(before);
}

function filesOf(repo: TestRepo): readonly string[] {
  const path = join(server.data, 'packs', 'local', repo.id);
  return existsSync(path) ? readdirSync(path) : [];
}

async function expectCloneSound(repo: TestRepo): Promise<void> {
  const clone = join(folder, `clone-${numbers++}.git`);
  await git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, clone]);
  expect(await git(['fsck', '--full', '--no-dangling'], { cwd: clone })).toBe('');
}

describe('a corrupt pack', () => {
  const base = change('base');
  const large = blob(noise(2_000_000, 1));
  const first = commit('first', tree({ file: base.file, large }), [base]);
  const next = change('next', first);
  const [nextCommit, nextTree, nextFile] = [
    packEntry(1, next.body),
    packEntry(2, next.root.body),
    packEntry(3, next.file.body),
  ];
  const good = packOfEntries([nextCommit, nextTree, nextFile]);
  const commands = [set(main, next, first), set('refs/heads/other', next)];
  let repo: TestRepo;

  /** The good pack with one more entry between, whose offset is answered. */
  const withEntry = (entry: Uint8Array): { bytes: Buffer; offset: number } => ({
    bytes: packOfEntries([nextCommit, entry, nextTree, nextFile]),
    offset: 12 + nextCommit.length,
  });
  const offsetEntry = (distance: readonly number[], delta: Uint8Array): Buffer =>
    packEntry(offsetDelta, delta, Uint8Array.from(distance));
  const idEntry = (id: string, delta: Uint8Array): Buffer => packEntry(referenceDelta, delta, Buffer.from(id, 'hex'));
  const distanceOf = (number: number): number[] => {
    const bytes = [number & 127];
    for (let rest = number >>> 7; rest > 0; rest = rest >>> 7) bytes.unshift(128 | (--rest & 127));
    return bytes;
  };

  beforeAll(async () => {
    repo = await server.createRepo('corrupt');
    // The large one puts the pack into files, so that these are looked at, too.
    const objects = pack(first, tree({ file: base.file, large }), large, ...base.all);
    expect(await push(repo, [set(main, first)], objects)).toEqual(['unpack ok', `ok ${main}`]);
    expect(filesOf(repo)).toHaveLength(3);
  });

  afterAll(async () => {
    // The repository takes the good one after all.
    expect(await push(repo, commands, good)).toEqual(['unpack ok', `ok ${main}`, 'ok refs/heads/other']);
    await expectCloneSound(repo);
  });

  const changed = (at: number, bytes: Uint8Array | string): Buffer => {
    const copy = Buffer.from(good);
    copy.set(Buffer.from(bytes as Uint8Array), at);
    return copy;
  };

  it.each([
    ['signature', changed(0, 'PAKC')],
    ['version 0', changed(7, Buffer.of(0))],
    ['version 1', changed(7, Buffer.of(1))],
    ['version 4', changed(7, Buffer.of(4))],
    ['version 2 in the wrong byte', changed(4, Buffer.of(2, 0, 0, 0))],
    ['no pack at all', Buffer.from('hello, this is no pack whatsoever')],
  ])('GIT-140: %s', async (_, bytes) => {
    await expectRefused(repo, commands, bytes, 'bad pack header');
  });

  it.each([
    ['one object more announced', packOfEntries([nextCommit, nextTree, nextFile], 4)],
    ['many more announced', packOfEntries([nextCommit, nextTree, nextFile], 5_000)],
    ['one object less announced', packOfEntries([nextCommit, nextTree, nextFile], 2)],
    ['none announced', packOfEntries([nextCommit, nextTree, nextFile], 0)],
  ])('GIT-141: %s', async (_, bytes) => {
    await expectRefused(repo, commands, bytes, 'object count mismatch');
  });

  it.each([1, 19, 20, 21, 70_000])('GIT-141: %d bytes after the pack', async (count) => {
    await expectRefused(repo, commands, Buffer.concat([good, Buffer.alloc(count, 7)]), 'garbage after pack');
  });

  it('GIT-141: a second pack after the pack', async () => {
    await expectRefused(repo, commands, Buffer.concat([good, good]), 'garbage after pack');
  });

  it.each([0, 7, 19])('GIT-142: byte %d of the trailer is wrong', async (byte) => {
    const at = good.length - 20 + byte;
    await expectRefused(repo, commands, changed(at, Buffer.of((good[at] as number) ^ 1)), 'pack checksum mismatch');
  });

  it('GIT-142: a header that its trailer does not cover', async () => {
    await expectRefused(repo, commands, changed(7, Buffer.of(3)), 'pack checksum mismatch');
  });

  const content = Buffer.from('some content that takes a few bytes\n');
  const deflated = deflateSync(content);
  it.each([
    ['type 0', packEntry(0, content)],
    ['type 5', packEntry(5, content)],
    ['less inflates than declared', packEntry(3, content, Buffer.alloc(0), content.length + 1)],
    ['more inflates than declared', packEntry(3, content, Buffer.alloc(0), content.length - 1)],
    ['something inflates where nothing is declared', packEntry(3, content, Buffer.alloc(0), 0)],
    [
      'no zlib stream',
      Buffer.concat([Buffer.of(0x33), Buffer.from('not compressed at all, but long enough to be seen')]),
    ],
    [
      'a wrong Adler-32',
      Buffer.concat([packEntry(3, content).subarray(0, -1), Buffer.of((deflated.at(-1) as number) ^ 1)]),
    ],
    [
      'a deflate block of type 3',
      Buffer.concat([packEntry(3, content).subarray(0, 2), Buffer.of(0x78, 0x9c, 0xff), deflated.subarray(3)]),
    ],
  ])('GIT-143: %s', async (_, entry) => {
    const { bytes, offset } = withEntry(entry);
    await expectRefused(repo, commands, bytes, `corrupt object at offset ${offset}`);
  });

  it('GIT-143: the offset is that of the object, wherever it lies', async () => {
    const entries = [packEntry(3, content), packEntry(3, Buffer.from('other')), nextCommit, nextTree];
    const offset = 12 + entries.reduce((sum, { length }) => sum + length, 0);
    await expectRefused(
      repo,
      commands,
      packOfEntries([...entries, packEntry(5, content), nextFile]),
      `corrupt object at offset ${offset}`,
    );
  });

  const target = Buffer.from('a delta makes this');
  const { body: nextBody } = next;
  const delta = (...bytes: readonly number[]): Uint8Array =>
    Uint8Array.from([(nextBody.length & 127) | 128, nextBody.length >>> 7, ...bytes]);
  it.each([
    ['the size of the base is not that of the base', insertingDelta(nextBody.length + 1, target)],
    ['less is made than declared', delta(9, 3, 1, 2, 3)],
    ['more is made than declared', delta(2, 3, 1, 2, 3)],
    ['a copy that begins behind the base', delta(4, 0x93, nextBody.length & 255, nextBody.length >>> 8, 4)],
    ['a copy that ends behind the base', delta(4, 0x91, (nextBody.length - 3) & 255, 4)],
    ['a copy of more than 16 bits', delta(4, 0x98, 255, 4)],
    ['the reserved opcode', delta(1, 0, 1, 7)],
    ['an insert that is cut off', delta(5, 5, 1, 2, 3)],
    ['a copy that is cut off', delta(5, 0x9f, 1)],
    ['sizes that are cut off', Uint8Array.of(0x80 | (nextBody.length & 127))],
    ['nothing at all', Uint8Array.of()],
  ])('GIT-144: %s', async (_, bytes) => {
    const offset = 12 + nextCommit.length;
    const byOffset = withEntry(offsetEntry(distanceOf(nextCommit.length), bytes)).bytes;
    await expectRefused(repo, commands, byOffset, `corrupt delta at offset ${offset}`);
    const byId = withEntry(idEntry(next.oid, bytes)).bytes;
    await expectRefused(repo, commands, byId, `corrupt delta at offset ${offset}`);
  });

  it.each([
    ['in the middle of an entry', distanceOf(nextCommit.length - 1)],
    ['before the first entry', distanceOf(nextCommit.length + 12)],
    ['before the pack', distanceOf(100_000)],
    ['the delta itself', [0]],
  ])('GIT-144: an offset base that is %s', async (_, distance) => {
    const { bytes, offset } = withEntry(offsetEntry(distance, insertingDelta(nextBody.length, target)));
    await expectRefused(repo, commands, bytes, `corrupt delta at offset ${offset}`);
  });

  it('GIT-145: a base that is nowhere, nowhere here, or the delta itself', async () => {
    const elsewhere = await server.createRepo('elsewhere');
    const secret = change('only elsewhere');
    expect(await push(elsewhere, [set(main, secret)], pack(...secret.all))).toContain(`ok ${main}`);
    const itself = blob(target);
    for (const oid of ['1234567890'.repeat(4), secret.file.oid, itself.oid]) {
      await expectRefused(
        repo,
        commands,
        withEntry(idEntry(oid, insertingDelta(10, target))).bytes,
        `missing base ${oid}`,
      );
    }
  });

  it('GIT-145: two deltas that are each other’s base', async () => {
    const [a, b] = [blob('one\n'), blob('two\n')];
    const bytes = packOfEntries([
      nextCommit,
      nextTree,
      nextFile,
      idEntry(b.oid, insertingDelta(4, a.body)),
      idEntry(a.oid, insertingDelta(4, b.body)),
    ]);
    const before = await stateOf(repo);
    const [unpack] = await push(repo, commands, bytes);
    expect([`unpack missing base ${a.oid}`, `unpack missing base ${b.oid}`]).toContain(unpack);
    expect(await stateOf(repo)).toEqual(before);
  });

  const person = 'Ada Example <ada@example.com> 1700000000 +0000';
  it.each<[string, MadeObject]>([
    ['an empty name', rawTree(['100644', '', base.file])],
    ['the name .', rawTree(['100644', '.', base.file])],
    ['the name ..', rawTree(['40000', '..', base.root])],
    ['the name .git', rawTree(['40000', '.git', base.root])],
    ['the name .GiT', rawTree(['100644', '.GiT', base.file])],
    ['a name with a slash', rawTree(['100644', 'a/b', base.file])],
    ['entries that are not sorted', rawTree(['100644', 'b', base.file], ['100644', 'a', base.file])],
    ['entries sorted as if folders were files', rawTree(['40000', 'a', base.root], ['100644', 'a.b', base.file])],
    ['an entry twice', rawTree(['100644', 'a', base.file], ['100644', 'a', base.file])],
    [
      'a file and a folder of one name',
      rawTree(['100644', 'a', base.file], ['100644', 'a.b', base.file], ['40000', 'a', base.root]),
    ],
    ['a tree that is cut off', made('tree', rawTree(['100644', 'a', base.file]).body.subarray(0, -1))],
    ['a mode that is none', rawTree(['10064x', 'a', base.file])],
    ['a commit without a tree', made('commit', `author ${person}\ncommitter ${person}\n\nx\n`)],
    ['a commit without an author', made('commit', `tree ${base.root.oid}\ncommitter ${person}\n\nx\n`)],
    ['a commit without a committer', made('commit', `tree ${base.root.oid}\nauthor ${person}\n\nx\n`)],
    [
      'a parent that is no id',
      made('commit', `tree ${base.root.oid}\nparent main\nauthor ${person}\ncommitter ${person}\n\nx\n`),
    ],
    ['an empty commit', made('commit', '')],
    ['a tag without an object', made('tag', `type commit\ntag x\ntagger ${person}\n\nx\n`)],
    ['a tag of no known type', made('tag', `object ${base.oid}\ntype branch\ntag x\ntagger ${person}\n\nx\n`)],
    ['a tag without a name', made('tag', `object ${base.oid}\ntype commit\ntagger ${person}\n\nx\n`)],
  ])('GIT-146: %s', async (_, object) => {
    const kindNumber = { commit: 1, tree: 2, blob: 3, tag: 4 }[object.kind];
    await expectRefused(
      repo,
      commands,
      withEntry(packEntry(kindNumber, object.body)).bytes,
      `invalid object ${object.oid}`,
    );
    // The same made by a delta of something sound.
    const [sound, soundKind] =
      object.kind === 'tree' ? [next.root, 2] : object.kind === 'commit' ? [next, 1] : [tag('sound', next), 4];
    const entries = [
      packEntry(soundKind, sound.body),
      idEntry(sound.oid, insertingDelta(sound.body.length, object.body)),
    ];
    const unique = [nextCommit, nextTree, nextFile].filter((entry) => !entry.equals(entries[0] as Buffer));
    await expectRefused(repo, commands, packOfEntries([...unique, ...entries]), `invalid object ${object.oid}`);
  });

  it('GIT-148: a pack that ends early, at every tenth byte and near its end', async () => {
    const before = await stateOf(repo);
    for (let length = 1; length < good.length; length += length > good.length - 25 ? 1 : 10) {
      const report = await push(repo, commands, good.subarray(0, length));
      expect(report, `${length} bytes`).toEqual([
        'unpack truncated pack',
        `ng ${main} unpacker error`,
        'ng refs/heads/other unpacker error',
      ]);
    }
    expect(await stateOf(repo)).toEqual(before);
  });

  it('GIT-148: a connection that breaks', async () => {
    const before = await stateOf(repo);
    const body = pushBody(commands, good);
    for (const sent of [0, 30, body.length - good.length, body.length - 30, body.length - 1]) {
      await new Promise<void>((resolve) => {
        const headers = {
          authorization: `Bearer ${repo.token}`,
          'content-type': 'application/x-git-receive-pack-request',
          'content-length': body.length,
        };
        const request = httpRequest(`${repo.remote}/git-receive-pack`, { method: 'POST', headers });
        request.on('error', () => resolve());
        request.write(body.subarray(0, sent), () => request.destroy(new Error('cable cut')));
      });
    }
    // What a broken connection left to do is done once a later request was answered.
    await listedRefs(repo);
    expect(await stateOf(repo)).toEqual(before);
  });
});

interface Hole {
  readonly name: string;
  readonly ref: string;
  readonly value: MadeObject;
  readonly sent: readonly MadeObject[];
  readonly missing: readonly MadeObject[];
}

/** Values that reach something missing, over each kind of link. `unique` keeps their objects apart from all others. */
function holes(unique: string, known: MadeObject): readonly Hole[] {
  const text = (name: string): MadeObject => blob(`${unique} ${name}\n`);
  const [lost, kept] = [text('lost'), text('kept')];
  const inner = tree({ kept, lost });
  const root = tree({ folder: inner, top: kept });
  const over = (top: MadeObject, ...parents: readonly MadeObject[]): MadeObject =>
    commit(`${unique} over`, top, parents);
  const flat = tree({ lost });
  const parent = change(`${unique} parent`, known);
  const middle = change(`${unique} middle`, parent);
  const tip = change(`${unique} tip`, middle);
  const merge = commit(`${unique} merge`, parent.root, [known, parent]);
  const octopus = commit(`${unique} octopus`, parent.root, [known, middle, parent]);
  const same = commit(`${unique} same tree as its parent`, flat, [over(flat, known)]);
  const tagged = tag(`${unique}`, parent);
  const twice = tree({ a: inner, b: inner });
  const branch = 'refs/heads/bad';
  return [
    { name: 'the value itself', ref: branch, value: parent, sent: [], missing: parent.all },
    { name: 'a file', ref: branch, value: over(flat, known), sent: [over(flat, known), flat], missing: [lost] },
    { name: 'a file of a root commit', ref: branch, value: over(flat), sent: [over(flat), flat], missing: [lost] },
    {
      name: 'a file in a folder',
      ref: branch,
      value: over(root, known),
      sent: [over(root, known), root, inner, kept],
      missing: [lost],
    },
    { name: 'a folder', ref: branch, value: over(root), sent: [over(root), root, kept, lost], missing: [inner] },
    {
      name: 'a folder that stands twice',
      ref: branch,
      value: over(twice),
      sent: [over(twice), twice, kept, lost],
      missing: [inner],
    },
    {
      name: 'the tree',
      ref: branch,
      value: over(root, known),
      sent: [over(root, known), inner, kept, lost],
      missing: [root],
    },
    { name: 'the parent', ref: branch, value: middle, sent: middle.all, missing: parent.all },
    {
      name: 'the parent’s tree',
      ref: branch,
      value: middle,
      sent: [...middle.all, parent, parent.file],
      missing: [parent.root],
    },
    {
      name: 'a file of the parent',
      ref: branch,
      value: middle,
      sent: [...middle.all, parent, parent.root],
      missing: [parent.file],
    },
    {
      name: 'a file of a parent with the same tree',
      ref: branch,
      value: same,
      sent: [same, over(flat, known), flat],
      missing: [lost],
    },
    { name: 'the grandparent', ref: branch, value: tip, sent: [...tip.all, ...middle.all], missing: parent.all },
    {
      name: 'the second parent',
      ref: branch,
      value: merge,
      sent: [merge, parent.root, parent.file],
      missing: [parent],
    },
    {
      name: 'the third parent',
      ref: branch,
      value: octopus,
      sent: [octopus, ...middle.all, parent.root, parent.file],
      missing: [parent],
    },
    {
      name: 'what a tag points to',
      ref: 'refs/tags/bad',
      value: tagged,
      sent: [tagged, parent.root, parent.file],
      missing: [parent],
    },
    {
      name: 'a file that a tag reaches',
      ref: 'refs/tags/bad',
      value: tagged,
      sent: [tagged, parent, parent.root],
      missing: [parent.file],
    },
    {
      name: 'the inner one of two tags',
      ref: 'refs/tags/bad',
      value: tag('outer', tagged),
      sent: [tag('outer', tagged), ...parent.all],
      missing: [tagged],
    },
    {
      name: 'what the inner one of two tags points to',
      ref: 'refs/tags/bad',
      value: tag('outer', tagged),
      sent: [tag('outer', tagged), tagged],
      missing: parent.all,
    },
    {
      name: 'a tree that a tag points to',
      ref: 'refs/tags/bad',
      value: tag(unique, root),
      sent: [tag(unique, root), inner, kept, lost],
      missing: [root],
    },
    {
      name: 'a file of a tree that a tag points to',
      ref: 'refs/tags/bad',
      value: tag(unique, root),
      sent: [tag(unique, root), root, inner, kept],
      missing: [lost],
    },
    {
      name: 'a file that a tag points to',
      ref: 'refs/tags/bad',
      value: tag(unique, lost),
      sent: [tag(unique, lost)],
      missing: [lost],
    },
    {
      name: 'a file of a tree that the ref names',
      ref: 'refs/trees/bad',
      value: root,
      sent: [root, inner, kept],
      missing: [lost],
    },
    {
      name: 'a folder of a tree that the ref names',
      ref: 'refs/trees/bad',
      value: root,
      sent: [root, kept, lost],
      missing: [inner],
    },
    { name: 'a blob that the ref names', ref: 'refs/blobs/bad', value: lost, sent: [], missing: [lost] },
  ];
}

/** A value that names something as what it is not, and all objects it could need. */
interface WrongKind {
  readonly name: string;
  readonly ref: string;
  readonly value: MadeObject;
  readonly objects: readonly MadeObject[];
}

const incomplete = 'missing necessary objects';

describe('connectivity', () => {
  const known = change('known');
  const cases = holes('holes', known);

  async function repoWithKnown(name: string): Promise<TestRepo> {
    const repo = await server.createRepo(name);
    expect(await push(repo, [set(main, known)], pack(...known.all))).toEqual(['unpack ok', `ok ${main}`]);
    return repo;
  }

  async function isOurs(repo: TestRepo, oid: string): Promise<boolean> {
    const [line = ''] = linesOf((await post(repo, fetchBody([oid], []))).body);
    return !line.startsWith('ERR upload-pack: not our ref');
  }

  it.each(cases.map((hole, number) => ({ ...hole, number })))(
    'GIT-149, GIT-152: $name is missing',
    async ({ number, ref, value, sent, missing }) => {
      const repo = await repoWithKnown(`hole-${number}`);
      const good = change(`good ${number}`, known);
      const objects = sent.filter(({ oid }) => !missing.some((lost) => lost.oid === oid));
      const both = [set(ref, value), set('refs/heads/good', good)];

      // Alone it changes nothing at all.
      const before = await stateOf(repo);
      expect(await push(repo, [set(ref, value)], pack(...objects))).toEqual(['unpack ok', `ng ${ref} ${incomplete}`]);
      expect(await push(repo, both, pack(...objects, ...good.all), 'atomic')).toEqual([
        'unpack ok',
        `ng ${ref} ${incomplete}`,
        'ng refs/heads/good atomic push failure',
      ]);
      expect(await stateOf(repo)).toEqual(before);

      // Beside a sound command it fails alone; its objects are stored then, but are nobody's.
      expect(await push(repo, both, pack(...objects, ...good.all))).toEqual([
        'unpack ok',
        `ng ${ref} ${incomplete}`,
        'ok refs/heads/good',
      ]);
      expect(await listedRefs(repo)).not.toHaveProperty([ref]);
      for (const { oid } of [value, ...objects]) expect(await isOurs(repo, oid)).toBe(false);

      // What was stored so proves nothing about what it refers to.
      expect(await push(repo, [set(ref, value)], packOfEntries([]))).toEqual(['unpack ok', `ng ${ref} ${incomplete}`]);
      expect(await push(repo, [set(ref, value)], pack(...objects))).toEqual(['unpack ok', `ng ${ref} ${incomplete}`]);
      const above = change(`heir of ${number}`, value);
      const [heir, heirObjects] = ref.startsWith('refs/heads/')
        ? [above, above.all]
        : [tag(`heir of ${number}`, value), [tag(`heir of ${number}`, value)]];
      expect(await push(repo, [set(`${ref}-heir`, heir)], pack(...heirObjects))).toEqual([
        'unpack ok',
        `ng ${ref}-heir ${incomplete}`,
      ]);

      // With what was missing everything is there.
      expect(await push(repo, [set(ref, value), set(`${ref}-heir`, heir)], pack(...missing, ...heirObjects))).toEqual([
        'unpack ok',
        `ok ${ref}`,
        `ok ${ref}-heir`,
      ]);
      await expectCloneSound(repo);
    },
  );

  const stray = change('stray');
  const wrong = (unique: string): readonly WrongKind[] => {
    const file = blob(`${unique}\n`);
    const root = tree({ file });
    const node = commit(unique, root, [known]);
    const sound = [file, root, node];
    const branch = 'refs/heads/bad';
    const of = (name: string, top: MadeObject, ...parents: readonly MadeObject[]): WrongKind => {
      const value = commit(`${unique} ${name}`, top, parents);
      return { name, ref: branch, value, objects: top.kind === 'tree' ? [value, top, ...sound] : [value, ...sound] };
    };
    const lie = (name: string, type: string, target: MadeObject): WrongKind => {
      const value = made(
        'tag',
        `object ${target.oid}\ntype ${type}\ntag ${unique}\ntagger Ada <a@example.com> 1 +0000\n\nx\n`,
      );
      return { name, ref: 'refs/tags/bad', value, objects: [value, ...sound, tag('sound', node)] };
    };
    return [
      of('a file that is a tree', rawTree(['100644', 'x', root]), known),
      of('an executable that is a tree', rawTree(['100755', 'x', root])),
      of('a symbolic link that is a tree', rawTree(['120000', 'x', root]), known),
      of('a file that is a commit', rawTree(['100644', 'x', node]), known),
      of('a folder that is a file', rawTree(['40000', 'x', file]), known),
      of('a folder of odd permissions that is a file', rawTree(['40755', 'x', file]), known),
      of('a folder that is a commit', rawTree(['40000', 'x', node])),
      of('a tree that is a file', file, known),
      of('a tree that is a commit', node),
      of('a parent that is a file', root, file),
      of('a parent that is a tree', root, known, root),
      of('a parent that is a tag', root, tag('sound', node)),
      lie('a tag of a commit that is a tree', 'commit', root),
      lie('a tag of a commit that is a file', 'commit', file),
      lie('a tag of a commit that is a tag', 'commit', tag('sound', node)),
      lie('a tag of a tag that is a commit', 'tag', node),
      lie('a tag of a tree that is a commit', 'tree', node),
      lie('a tag of a tree that is a file', 'tree', file),
      lie('a tag of a file that is a tree', 'blob', root),
      lie('a tag of a file that is a commit', 'blob', node),
    ];
  };

  it('GIT-149: nothing is what it is named as, whether it comes along, was stored before, or is reached by a ref', async () => {
    const repo = await repoWithKnown('wrong-kinds');
    for (const [number, { name, ref, value, objects }] of wrong('kinds').entries()) {
      const expected = ['unpack ok', `ng ${ref} ${incomplete}`];
      const extra = [tag('sound', objects.find(({ kind }) => kind === 'commit') ?? known)];
      expect(await push(repo, [set(ref, value)], pack(...objects, ...extra)), `${name}, sent along`).toEqual(expected);
      // Stored as nobody's objects, beside a command that is sound.
      const good = change(`kinds ${number}`, known);
      const both = [set(ref, value), set(`refs/heads/good-${number}`, good)];
      expect(await push(repo, both, pack(...objects, ...good.all)), name).toEqual([
        ...expected,
        `ok refs/heads/good-${number}`,
      ]);
      expect(await push(repo, [set(ref, value)], packOfEntries([])), `${name}, stored`).toEqual(expected);
    }
    // All parts are reached by refs: verified nodes and objects.
    const node = commit('kinds', tree({ file: blob('kinds\n') }), [known]);
    const parts = [set('refs/heads/node', node), set('refs/tags/sound', tag('sound', node))];
    expect(await push(repo, parts, pack(tag('sound', node)))).toEqual([
      'unpack ok',
      'ok refs/heads/node',
      'ok refs/tags/sound',
    ]);
    for (const { name, ref, value } of wrong('kinds')) {
      expect(await push(repo, [set(ref, value)], packOfEntries([])), `${name}, reached`).toEqual([
        'unpack ok',
        `ng ${ref} ${incomplete}`,
      ]);
    }
    await expectCloneSound(repo);
  });

  it('GIT-123: a branch that is no commit', async () => {
    const repo = await repoWithKnown('no-commit');
    for (const value of [tag('t', known), known.root, known.file]) {
      expect(await push(repo, [set('refs/heads/x', value), set('refs/tags/x', value)], pack(value))).toEqual([
        'unpack ok',
        'ng refs/heads/x not a commit',
        'ok refs/tags/x',
      ]);
      expect(await push(repo, [{ old: value.oid, new: noObject, ref: 'refs/tags/x' }])).toEqual([
        'unpack ok',
        'ok refs/tags/x',
      ]);
    }
  });

  it('GIT-149: a submodule link in the parent does not stand for a file or folder of the same id in the child', async () => {
    const lost = stray.file;
    for (const [mode, missing] of [
      ['100644', [lost]],
      ['40000', [stray.root, lost]],
    ] as const) {
      const [target] = missing;
      const linked = rawTree(['160000', 'x', target]);
      const parent = commit('links', linked, [known]);
      const child = commit('is it', rawTree([mode, 'x', target]), [parent]);
      for (const together of [true, false]) {
        const repo = await repoWithKnown(`link-${mode}-${together}`);
        const sent = [child, rawTree([mode, 'x', target])];
        if (together) {
          const both = [set(main, parent, known), set('refs/heads/bad', child)];
          expect(await push(repo, both, pack(parent, linked, ...sent))).toEqual([
            'unpack ok',
            `ok ${main}`,
            `ng refs/heads/bad ${incomplete}`,
          ]);
        } else {
          // Gitlinks are not followed.
          expect(await push(repo, [set(main, parent, known)], pack(parent, linked))).toEqual([
            'unpack ok',
            `ok ${main}`,
          ]);
          expect(await push(repo, [set('refs/heads/bad', child)], pack(...sent))).toEqual([
            'unpack ok',
            `ng refs/heads/bad ${incomplete}`,
          ]);
        }
        expect(await push(repo, [set('refs/heads/bad', child)], pack(...sent, ...missing))).toEqual([
          'unpack ok',
          'ok refs/heads/bad',
        ]);
        await expectCloneSound(repo);
      }
    }
  });

  it('GIT-149: an entry of an odd mode is a link to a submodule, as for Git, and is not followed', async () => {
    const repo = await repoWithKnown('odd-modes');
    const root = rawTree(['0', 'a', stray], ['20000', 'b', stray], ['140000', 'c', stray], ['160644', 'd', stray]);
    const value = commit('odd', root, [known]);
    expect(await push(repo, [set('refs/heads/odd', value)], pack(value, root))).toEqual([
      'unpack ok',
      'ok refs/heads/odd',
    ]);
    const clone = join(folder, 'odd.git');
    await git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, clone]);
    await git(['rev-list', '--objects', '--all'], { cwd: clone });
  });

  it('GIT-149: a tree with a hole that an earlier push left behind does not help a later one, at any place', async () => {
    const repo = await repoWithKnown('stray-trees');
    const hole = tree({ lost: stray.file, other: known.file });
    const good = change('beside the hole', known);
    const bad = commit('hole', hole, [known]);
    const both = [set('refs/heads/bad', bad), set('refs/heads/good', good)];
    expect(await push(repo, both, pack(bad, hole, ...good.all))).toEqual([
      'unpack ok',
      `ng refs/heads/bad ${incomplete}`,
      'ok refs/heads/good',
    ]);

    const inFolder = tree({ folder: hole });
    const parent = commit('folder', tree({ folder: tree({ other: known.file }) }), [known]);
    const values: readonly (readonly [string, MadeObject, readonly MadeObject[]])[] = [
      ['as the tree', commit('again', hole, [known]), []],
      ['as a folder', commit('in a folder', inFolder, [known]), [inFolder]],
      [
        'as a folder that was sound in the parent',
        commit('in a changed folder', inFolder, [parent]),
        [inFolder, parent, tree({ folder: tree({ other: known.file }) }), tree({ other: known.file })],
      ],
      [
        'as one of two equal folders',
        commit('twice', tree({ a: known.root, b: hole }), [known]),
        [tree({ a: known.root, b: hole })],
      ],
    ];
    for (const [name, value, objects] of values) {
      expect(await push(repo, [set('refs/heads/bad', value)], pack(value, ...objects)), name).toEqual([
        'unpack ok',
        `ng refs/heads/bad ${incomplete}`,
      ]);
    }
    expect(await push(repo, [set('refs/tags/bad', tag('hole', hole))], pack(tag('hole', hole)))).toEqual([
      'unpack ok',
      `ng refs/tags/bad ${incomplete}`,
    ]);
    expect(await push(repo, [set('refs/trees/bad', hole)], packOfEntries([]))).toEqual([
      'unpack ok',
      `ng refs/trees/bad ${incomplete}`,
    ]);
    for (const [name, value, objects] of values) {
      const ref = `refs/heads/${name.replaceAll(' ', '-')}`;
      expect(await push(repo, [set(ref, value)], pack(value, ...objects, stray.file)), name).toEqual([
        'unpack ok',
        `ok ${ref}`,
      ]);
    }
    await expectCloneSound(repo);
  });

  it('GIT-154: what only another repository has is missing', async () => {
    const [here, there] = [await repoWithKnown('here'), await repoWithKnown('there')];
    const value = change('only there', known);
    expect(await push(there, [set('refs/heads/x', value)], pack(...value.all))).toContain('ok refs/heads/x');
    expect(await push(here, [set('refs/heads/x', value)], packOfEntries([]))).toEqual([
      'unpack ok',
      `ng refs/heads/x ${incomplete}`,
    ]);
    expect(await push(here, [set('refs/heads/x', value)], pack(value, value.root))).toEqual([
      'unpack ok',
      `ng refs/heads/x ${incomplete}`,
    ]);
    expect(await push(here, [set('refs/heads/x', value)], pack(...value.all))).toEqual([
      'unpack ok',
      'ok refs/heads/x',
    ]);
  });
});

describe('what hidden refs alone reach', () => {
  it('GIT-129, GIT-145, GIT-149: holds up no push, and comes in like anything new', async () => {
    const hiding = await startTestServer();
    try {
      const repo = await hiding.createRepo('hiding');
      const known = change('known');
      const secret = change('secret', known);
      const secretTag = tag('secret', secret);
      const commands = [set(main, known), set('refs/secret/commit', secret), set('refs/secret/tag', secretTag)];
      const objects = pack(...known.all, ...secret.all, secretTag);
      expect(await push(repo, commands, objects)).toEqual([
        'unpack ok',
        ...commands.map(({ ref }) => `ok ${String(ref)}`),
      ]);
      await hiding.restart({ settings: { hidden_refs: ['refs/secret'] } });
      expect(Object.keys(await listedRefs(repo)).sort()).toEqual(['HEAD', main]);

      const mixed = tree({ known: known.file, secret: secret.file });
      const inFolder = tree({ folder: secret.root });
      const over = (top: MadeObject, ...parents: readonly MadeObject[]): MadeObject => commit('over', top, parents);
      const leaning: readonly (readonly [string, MadeObject, readonly MadeObject[], readonly MadeObject[]])[] = [
        ['refs/heads/taken', secret, [], secret.all],
        ['refs/tags/taken', secretTag, [], [secretTag, ...secret.all]],
        ['refs/trees/taken', secret.root, [], [secret.root, secret.file]],
        ['refs/blobs/taken', secret.file, [], [secret.file]],
        ['refs/heads/parent', over(known.root, secret), [over(known.root, secret)], secret.all],
        ['refs/heads/tree', over(secret.root, known), [over(secret.root, known)], [secret.root, secret.file]],
        ['refs/heads/folder', over(inFolder, known), [over(inFolder, known), inFolder], [secret.root, secret.file]],
        ['refs/heads/file', over(mixed, known), [over(mixed, known), mixed], [secret.file]],
        ['refs/tags/tag', tag('t', secret), [tag('t', secret)], secret.all],
        ['refs/tags/outer', tag('o', secretTag), [tag('o', secretTag)], [secretTag, ...secret.all]],
        ['refs/tags/tree', tag('r', secret.root), [tag('r', secret.root)], [secret.root, secret.file]],
      ];
      for (const [ref, value, sent] of leaning) {
        expect(await push(repo, [set(ref, value)], pack(...sent))).toEqual(['unpack ok', `ng ${ref} ${incomplete}`]);
      }
      const target = blob('made of a secret\n');
      for (const [base, number] of [
        [secret, 1],
        [secret.root, 2],
        [secret.file, 3],
        [secretTag, 4],
      ] as const) {
        const delta = packEntry(
          referenceDelta,
          insertingDelta(base.body.length, target.body),
          Buffer.from(base.oid, 'hex'),
        );
        expect(await push(repo, [set('refs/blobs/delta', target)], packOfEntries([delta])), `${number}`).toEqual([
          `unpack missing base ${base.oid}`,
          'ng refs/blobs/delta unpacker error',
        ]);
      }
      for (const { oid } of [secretTag, ...secret.all]) {
        expect(linesOf((await post(repo, fetchBody([oid], []))).body)).toEqual([`ERR upload-pack: not our ref ${oid}`]);
      }
      // Who has it all may bring it, and one ref after the other then stands on its own.
      for (const [ref, value, sent, all] of leaning) {
        expect(await push(repo, [set(ref, value)], pack(...sent, ...all)), ref).toEqual(['unpack ok', `ok ${ref}`]);
        expect(await push(repo, [{ old: value.oid, new: noObject, ref }]), ref).toEqual(['unpack ok', `ok ${ref}`]);
        expect(linesOf((await post(repo, fetchBody([secret.file.oid], []))).body)).toEqual([
          `ERR upload-pack: not our ref ${secret.file.oid}`,
        ]);
      }
      for (const [ref, value, sent, all] of leaning) {
        expect(await push(repo, [set(ref, value)], pack(...sent, ...all)), ref).toEqual(['unpack ok', `ok ${ref}`]);
      }
      await expectCloneSound(repo);
      expect(hiding.failures).toEqual([]);
    } finally {
      await hiding.close();
    }
  });
});

describe('a collision of object ids', () => {
  // There are two files of one SHA-1, but none is known as a small object of Git: so the digest itself is made weak.
  const [one, two] = [blob('the one\n'), blob('the other one\n')];
  const honest = nodeCodec();
  const weak: Codec = {
    ...honest,
    sha1Of: (...parts) => {
      const isTwo = Buffer.concat(parts).equals(Buffer.from(`blob ${two.body.length}\0${two.body.toString()}`));
      return isTwo ? Buffer.from(one.oid, 'hex') : honest.sha1Of(...parts);
    },
  };
  const filler = blob('something else');
  const root = tree({ file: one });
  const value = commit('collides', root);
  const next = commit('again', root, [value]);

  it.each([
    ['in files', 64, (object: MadeObject) => packEntry(3, object.body)],
    ['in rows', undefined, (object: MadeObject) => packEntry(3, object.body)],
    [
      'in rows, as a delta',
      undefined,
      (object: MadeObject) =>
        packEntry(referenceDelta, insertingDelta(filler.body.length, object.body), Buffer.from(filler.oid, 'hex')),
    ],
  ])('GIT-147: is found by the bytes that are stored %s', async (_, partSize, entryOf) => {
    const dataDir = makeFolder();
    const options = partSize === undefined ? {} : { partSize };
    const fileSystem = new FaultyFileSystem({ folders: [packsFolder(dataDir)] });
    const repository = await openUnderFaults({ dataDir, fileSystem, codec: weak, ...options });
    try {
      expect(await repository.push(pushBody([set(main, value)], pack(value, root, one)))).toEqual([
        'unpack ok',
        `ok ${main}`,
      ]);
      const files = fileSystem.files;
      expect(files).toHaveLength(partSize === undefined ? 0 : 3);
      const again = (entry: Buffer): Buffer =>
        pushBody(
          [set(main, next, value)],
          packOfEntries([packEntry(1, next.body), packEntry(2, root.body), packEntry(3, filler.body), entry]),
        );
      expect(await repository.push(again(entryOf(two)))).toEqual([
        `unpack object collision ${one.oid}`,
        `ng ${main} unpacker error`,
      ]);
      expect(await repository.refs()).toEqual({ [main]: value.oid });
      expect(fileSystem.files).toEqual(files);
      expect(await repository.push(again(entryOf(one)))).toEqual(['unpack ok', `ok ${main}`]);
      expect(await repository.problems()).toEqual([]);
    } finally {
      repository.close();
      removeFolder(dataDir);
    }
  });

  it('GIT-147, GIT-129: is found by the bytes that hidden refs alone reach', async () => {
    const dataDir = makeFolder();
    let hidden: readonly string[] = [];
    const fileSystem = new FaultyFileSystem({ folders: [packsFolder(dataDir)] });
    const repository = await openUnderFaults({ dataDir, fileSystem, codec: weak, hiddenRefs: () => hidden });
    try {
      expect(await repository.push(pushBody([set('refs/secret/x', value)], pack(value, root, one)))).toEqual([
        'unpack ok',
        'ok refs/secret/x',
      ]);
      hidden = ['refs/secret'];
      const again = (object: MadeObject): Buffer =>
        pushBody(
          [set(main, value)],
          packOfEntries([packEntry(1, value.body), packEntry(2, root.body), packEntry(3, object.body)]),
        );
      expect(await repository.push(again(two))).toEqual([
        `unpack object collision ${one.oid}`,
        `ng ${main} unpacker error`,
      ]);
      expect(await repository.push(again(one))).toEqual(['unpack ok', `ok ${main}`]);
      expect(await repository.problems()).toEqual([]);
    } finally {
      repository.close();
      removeFolder(dataDir);
    }
  });

  it('GIT-147: is found within one pack', async () => {
    const dataDir = makeFolder();
    const repository = await openUnderFaults({
      dataDir,
      fileSystem: new FaultyFileSystem({ folders: [packsFolder(dataDir)] }),
      codec: weak,
    });
    try {
      const entries = [packEntry(1, value.body), packEntry(2, root.body), packEntry(3, one.body)];
      const twice = (object: MadeObject): Buffer =>
        pushBody([set(main, value)], packOfEntries([...entries, packEntry(3, object.body)]));
      expect(await repository.push(twice(two))).toEqual([
        `unpack object collision ${one.oid}`,
        `ng ${main} unpacker error`,
      ]);
      expect(await repository.refs()).toEqual({});
      expect(await repository.push(twice(one))).toEqual(['unpack ok', `ok ${main}`]);
      expect(await repository.problems()).toEqual([]);
    } finally {
      repository.close();
      removeFolder(dataDir);
    }
  });
});
