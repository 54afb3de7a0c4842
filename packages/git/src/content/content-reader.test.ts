import { test } from '@fast-check/vitest';
import { runs } from '@packhouse/fixtures';
import { describe, expect, it } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import { blob, closure, commit, tag, tree, type MadeObject } from '../maintain/made-history.test.util.ts';
import { MaintainedRepository } from '../maintain/maintained-repository.test.util.ts';
import { RandomHistory, someSteps } from '../maintain/random-history.test.util.ts';
import { blobKind, commitKind, treeKind } from '../object/kind.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { PackRecord } from '../ports/repo-state.ts';
import { NotEnoughMemoryError } from '../work/memory-error.ts';
import { createGitEngine, type GitEngine } from '../engine/engine.ts';
import { WorkAbortedError, type RequestWork } from '../work/scheduler.ts';
import { ContentReader, type ContentOptions } from './content-reader.ts';
import { treePieces } from './tree-entries.ts';

const all: ContentOptions = { hiddenRefs: [] };
const path = (text: string): Uint8Array => Buffer.from(text);
const idOf = ({ id }: MadeObject): ObjectId => id as ObjectId;

async function reading<T>(
  repository: MaintainedRepository,
  read: (reader: ContentReader) => Promise<T>,
  options: ContentOptions = all,
  engine: GitEngine = repository.engine,
): Promise<T> {
  const reader = await ContentReader.open(engine, repository.repository, repository.state.current, options);
  try {
    return await read(reader);
  } finally {
    reader.release();
    // The pages stay counted until their memory is needed.
    expect([0, 24 * 1024 * 1024]).toContain(engine.admission.reserved);
    expect(repository.state.packs.some(({ id }: PackRecord) => engine.leases.has(id))).toBe(false);
  }
}

/** Bytes of a blob; undefined if it is not there. */
async function bytesOf(reader: ContentReader, id: ObjectId): Promise<string | undefined> {
  const found = await reader.blob(id);
  const body = await found?.body((error) => {
    throw error;
  });
  return body === undefined ? undefined : Buffer.from(await new Response(body as BodyInit).arrayBuffer()).toString();
}

async function expectSame(reader: ContentReader, object: MadeObject): Promise<void> {
  const id = idOf(object);
  expect(await reader.kindOf(id)).toBeDefined();
  if (object.kind === blobKind) expect(await bytesOf(reader, id)).toBe(Buffer.from(object.body).toString());
  if (object.kind === treeKind) {
    const entries = [...treePieces(object.body)].flatMap((piece) => piece.entries);
    expect(await (await reader.tree(id))?.entries()).toEqual(entries);
  }
  if (object.kind === commitKind) {
    const shown = await reader.commit(id);
    const [root, ...parents] = object.links.map(idOf);
    expect([shown?.treeHash, shown?.parents]).toEqual([root, parents]);
  }
}

it('LIM-080: a read whose client has left does not wait for memory', async () => {
  const repository = new MaintainedRepository();
  const mebibyte = 1024 * 1024;
  const engine = createGitEngine({ codec: nodeCodec(), memory: 64 * mebibyte, wait: async () => undefined });
  await engine.admission.reserve(63 * mebibyte, false);
  const file = blob('x');
  await repository.push([{ ref: 'refs/heads/main', new: file }], [file]);
  const left = AbortSignal.abort();
  const reading = reader(repository, engine, engine.scheduler.begin({ signal: left }));
  await expect(reading).rejects.toThrow(WorkAbortedError);
});

function reader(repository: MaintainedRepository, engine: GitEngine, work: RequestWork): Promise<ContentReader> {
  return ContentReader.open(engine, repository.repository, repository.state.current, { hiddenRefs: [], work });
}

describe('content of repositories', () => {
  test.prop([someSteps], { numRuns: runs(16) })(
    'REPO-142: is exactly what refs reach, for any pushes, deletions, merges and collections',
    async (steps) => {
      const repository = new MaintainedRepository();
      const history = new RandomHistory(repository);
      for (const step of steps) await history.run(step);
      const reached = closure(repository.refs.values());
      const stored = await repository.stored();
      const fresh = createGitEngine({ codec: nodeCodec() });
      for (const object of reached.values())
        await reading(repository, (reader) => expectSame(reader, object), all, fresh);
      const unreached = [...stored].filter((id) => !reached.has(id));
      await reading(repository, async (reader) => {
        for (const id of unreached) expect([id, await reader.kindOf(id as ObjectId)]).toEqual([id, undefined]);
      });
    },
  );

  /** A line of commits with one file each, oldest first. */
  const line = (length: number): MadeObject[] => {
    const commits: MadeObject[] = [];
    for (let i = 0; i < length; i++)
      commits.push(commit(tree([{ name: 'file', object: blob(`${i}`) }]), commits.slice(-1), i));
    return commits;
  };

  /** A repository with these refs, all in one pack of the store. */
  async function stored(refs: Readonly<Record<string, MadeObject>>): Promise<MaintainedRepository> {
    const repository = new MaintainedRepository();
    // One pack alone would stay where it is.
    const filler = commit(tree([]), [], 99);
    await repository.push([{ ref: 'refs/filler/x', new: filler }], [...closure([filler]).values()]);
    const commands = Object.entries(refs).map(([ref, value]) => ({ ref, new: value }));
    await repository.push(commands, [...closure(Object.values(refs)).values()]);
    await repository.maintain({ mode: 'full' });
    expect(repository.state.packs.map(({ where }) => where)).toEqual(['store']);
    return repository;
  }

  it('REPO-143: an offset opens no commit that it passes over', async () => {
    const commits = line(40);
    const repository = await stored({ 'refs/heads/main': commits.at(-1) as MadeObject });
    const [pack] = repository.state.packs;
    const bytes = repository.store.files.get(`${pack?.id}.pack`) as Uint8Array;
    const { set } = await repository.freshView();
    const ordinalOf = (object: MadeObject): number => set.nodeObjects[set.findNodeById(idOf(object))] as number;
    const offsets = set.packs[0]?.graph.offsets ?? [];
    for (const passed of commits.slice(20)) {
      const ordinal = ordinalOf(passed);
      bytes.fill(0xff, offsets[ordinal], offsets[ordinal + 1]);
    }
    const log = await reading(repository, (reader) => reader.log('main', { offset: 20, limit: 3 }));
    expect(log?.map(({ hash }) => hash)).toEqual(commits.slice(17, 20).toReversed().map(idOf));
    expect(await reading(repository, (reader) => reader.log('main', { offset: 40, limit: 1 }))).toEqual([]);
    await expect(reading(repository, (reader) => reader.log('main', { offset: 19, limit: 1 }))).rejects.toThrow();
  });

  it('REPO-141, REPO-142, GIT-129: what only hidden refs reach is not there, though its pack holds nothing unreached', async () => {
    const shared = blob('shared');
    const secret = blob('secret');
    const base = commit(tree([{ name: 'a', object: shared }]), [], 1);
    const hiddenTree = tree([
      { name: 'a', object: shared },
      { name: 'b', object: secret },
    ]);
    const hidden = commit(hiddenTree, [base], 2);
    const named = tag(hidden, 3);
    const refs = { 'refs/heads/main': base, 'refs/internal/x': hidden, 'refs/tags/t': named };
    const repository = await stored(refs);
    expect(repository.state.packs[0]?.exact).toBe(true);
    const hiddenRefs = ['refs/internal', 'refs/tags/t'];
    const seen = async (options: ContentOptions): Promise<unknown> =>
      reading(
        repository,
        async (reader) => [
          await Promise.all([base, shared, hidden, hiddenTree, secret, named].map((one) => reader.kindOf(idOf(one)))),
          await Promise.all(
            ['refs/internal/x', 't', 'tags/t', hidden.id, named.id].map(async (revision) => {
              const log = await reader.log(revision, { offset: 0, limit: 1 });
              return log?.length;
            }),
          ),
        ],
        options,
      );
    expect(await seen(all)).toEqual([
      ['commit', 'blob', 'commit', 'tree', 'blob', 'tag'],
      [1, 1, 1, 1, 1],
    ]);
    expect(await seen({ hiddenRefs })).toEqual([
      ['commit', 'blob', undefined, undefined, undefined, undefined],
      [undefined, undefined, undefined, undefined, undefined],
    ]);
  });

  it('REPO-142: what a ref has left is there within its time of grace, as it may be wanted', async () => {
    const [first, second] = [line(1)[0] as MadeObject, commit(tree([]), [], 9)];
    const repository = new MaintainedRepository();
    await repository.push([{ ref: 'refs/heads/main', new: first }], [...closure([first]).values()]);
    await repository.push([{ ref: 'refs/heads/main', new: second }], [...closure([second]).values()]);
    const kinds = (options: ContentOptions): Promise<unknown> =>
      reading(
        repository,
        (reader) => Promise.all([...closure([first]).keys()].map((id) => reader.kindOf(id as ObjectId))),
        options,
      );
    const { clock } = repository;
    expect(await kinds(all)).toEqual([undefined, undefined, undefined]);
    expect(await kinds({ ...all, staleTips: { now: clock + 5, grace: 10 } })).toEqual(['commit', 'tree', 'blob']);
    expect(await kinds({ ...all, staleTips: { now: clock + 11, grace: 10 } })).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const hiddenRefs = ['refs/heads/main'];
    expect(await kinds({ hiddenRefs, staleTips: { now: clock, grace: 10 } })).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('REPO-142: what is remembered of one state, or with other hidden refs, says nothing of another', async () => {
    const [a, b] = [commit(tree([{ name: 'a', object: blob('a') }]), [], 1), commit(tree([]), [], 2)];
    const repository = new MaintainedRepository();
    for (const [ref, value] of [
      ['refs/heads/a', a],
      ['refs/heads/b', b],
    ] as const)
      await repository.push([{ ref, new: value }], [...closure([value]).values()]);
    const seen = (options: ContentOptions = all): Promise<unknown> =>
      reading(
        repository,
        (reader) => Promise.all([...closure([a]).keys()].map((id) => reader.kindOf(id as ObjectId))),
        options,
      );
    const known = ['commit', 'tree', 'blob'];
    const unknown = [undefined, undefined, undefined];
    for (let round = 0; round < 2; round++) {
      expect(await seen()).toEqual(known);
      expect(await seen({ hiddenRefs: ['refs/heads/a'] })).toEqual(unknown);
    }
    await repository.push([{ ref: 'refs/heads/a', new: null }], []);
    expect(await seen()).toEqual(unknown);
    await repository.push([{ ref: 'refs/heads/c', new: a }], []);
    expect(await seen()).toEqual(known);
    await repository.maintain({ mode: 'full' });
    expect(await seen()).toEqual(known);
  });

  it('REPO-142: a file or folder that a ref has left is there as long as a commit holds it', async () => {
    const file = blob('file');
    const folder = tree([{ name: 'file', object: file }]);
    const [first, second] = [1, 2].map((time) => commit(tree([{ name: 'folder', object: folder }]), [], time)) as [
      MadeObject,
      MadeObject,
    ];
    const repository = new MaintainedRepository();
    const push = (ref: string, value: MadeObject | null): Promise<string[]> =>
      repository.push([{ ref, new: value }], value === null ? [] : [...closure([value]).values()]);
    await push('refs/heads/main', first);
    for (const ref of ['refs/odd/file', 'refs/odd/folder']) await push(ref, ref.endsWith('file') ? file : folder);
    for (const ref of ['refs/odd/file', 'refs/odd/folder']) await push(ref, null);
    const kinds = (): Promise<unknown> =>
      reading(repository, (reader) => Promise.all([file, folder].map((one) => reader.kindOf(idOf(one)))));
    expect(await kinds()).toEqual(['blob', 'tree']);
    await push('refs/heads/main', second);
    expect(await kinds()).toEqual(['blob', 'tree']);
    await push('refs/heads/main', null);
    expect(await kinds()).toEqual([undefined, undefined]);
  });

  it('REPO-144: an object of another kind does not count', async () => {
    const [node] = line(1) as [MadeObject];
    const [root] = node.links as readonly [MadeObject];
    const [file] = root.links as readonly [MadeObject];
    const repository = await stored({ 'refs/heads/main': node });
    await reading(repository, async (reader) => {
      for (const one of [root, file]) expect(await reader.commit(idOf(one))).toBeUndefined();
      for (const one of [node, file]) expect(await reader.tree(idOf(one))).toBeUndefined();
      for (const one of [node, root]) expect(await reader.blob(idOf(one))).toBeUndefined();
      expect(await reader.kindOf('0'.repeat(40) as ObjectId)).toBeUndefined();
    });
  });

  it('REPO-147: a file is found at its path, and nothing else is', async () => {
    const [a, b] = [blob('a'), blob('b')];
    const inner = tree([{ name: 'b', object: b }]);
    const root = tree([
      { name: 'a', object: a },
      { name: 'dir', object: inner },
      { name: 'sub', link: '12'.repeat(20) },
    ]);
    const repository = await stored({ 'refs/heads/main': commit(root, [], 1) });
    const at = async (revision: string, where: string): Promise<string | undefined> =>
      reading(repository, async (reader) => {
        const found = await reader.file(revision, path(where));
        const hash = found?.hash;
        await found?.release();
        return hash;
      });
    expect(await at('main', 'a')).toBe(a.id);
    expect(await at('HEAD', '/dir//./b')).toBe(b.id);
    for (const where of ['dir', 'sub', 'sub/x', 'a/b', 'none', 'dir/none', '', '..', 'dir/../a'])
      expect([where, await at('main', where)]).toEqual([where, undefined]);
    for (const revision of ['none', '', root.id, 'refs/heads'])
      expect([revision, await at(revision, 'a')]).toEqual([revision, undefined]);
  });

  it('LIM-059: a log whose commits need too much is refused, but one large commit is not', async () => {
    const commits = line(5);
    const repository = await stored({ 'refs/heads/main': commits.at(-1) as MadeObject });
    const log = (limit: number, options: ContentOptions): Promise<number | undefined> =>
      reading(repository, async (reader) => (await reader.log('main', { offset: 0, limit }))?.length, options);
    expect(await log(5, all)).toBe(5);
    expect(await log(1, { ...all, memoryMax: 1 })).toBe(1);
    await expect(log(2, { ...all, memoryMax: 1 })).rejects.toThrow(NotEnoughMemoryError);
    const memory = 2_000_000;
    const tight = createGitEngine({ codec: nodeCodec(), memory, pageCache: 1, wait: async () => {} });
    await expect(ContentReader.open(tight, repository.repository, repository.state.current, all)).rejects.toThrow(
      NotEnoughMemoryError,
    );
    expect([tight.admission.reserved, tight.leases.has((repository.state.packs[0] as PackRecord).id)]).toEqual([
      0,
      false,
    ]);
  });
});
