/**
 * Packs that are merged or collected while a push is checked: the push ends as one that came after, and is checked
 * again only if something was collected. Maintenance is made to come right before the commit, which takes a way into
 * the engine.
 */

import { join } from 'node:path';
import { createGitEngine, maintainRepository, uploadPack, type RepoChange, type RepoSnapshot } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import type { HostedRepoState } from '@packhouse/hosting';
import { wholeState } from '@packhouse/git/contract';
import { FaultyFileSystem } from '@packhouse/storage/testing';
import { blob, change, commit, pack, tree, type MadeObject } from '@packhouse/conformance/tools/made-objects';
import { fetchBody, packOf, pushBody, remove, set, type Command } from '@packhouse/conformance/tools/wire-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { git } from '../support/git.ts';
import { noise, openUnderFaults, packsFolder, type RepositoryUnderFaults } from '../support/repository-under-faults.ts';
import { makeFolder, removeFolder } from '../support/test-server.ts';

const none = '0'.repeat(40);
const main = 'refs/heads/main';
const base = change('base');
const second = change('second', base);

let folder: string;
let repository: RepositoryUnderFaults;
/** Actions to run before the next commits, one for each commit. */
let meanwhile: (() => Promise<unknown>)[];
/** The changes that were tried. */
let tried: RepoChange[];

beforeEach(async () => {
  folder = makeFolder();
  meanwhile = [];
  tried = [];
  repository = await openUnderFaults({
    dataDir: folder,
    fileSystem: new FaultyFileSystem({ folders: [packsFolder(folder)] }),
    around: interrupted,
    partSize: 1_000_000,
  });
  await push([set(main, base)], base.all);
  await push([set(main, second, base)], second.all);
  tried = [];
});

afterEach(() => {
  repository.close();
  removeFolder(folder);
});

function interrupted(state: HostedRepoState): HostedRepoState {
  const interruptedCommit = async (made: RepoChange): ReturnType<HostedRepoState['commit']> => {
    await meanwhile.shift()?.();
    tried.push(made);
    return state.commit(made);
  };
  return new Proxy(state, {
    get(target, name) {
      if (name === 'commit') return interruptedCommit;
      const method = Reflect.get(target, name) as unknown;
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
}

async function push(commands: readonly Command[], objects: readonly MadeObject[]): Promise<void> {
  expect(await report(commands, objects)).toEqual(['unpack ok', ...commands.map(({ ref }) => `ok ${String(ref)}`)]);
}

/** Pushes, and returns the report. A push of only deletions has no pack. */
function report(commands: readonly Command[], objects: readonly MadeObject[]): Promise<string[] | undefined> {
  const needsPack = commands.some((command) => command.new !== none);
  return repository.push(pushBody(commands, needsPack ? pack(...objects) : Buffer.alloc(0)));
}

async function snapshot(): Promise<RepoSnapshot> {
  const found = await repository.repo.state.snapshot();
  if (found === undefined) throw new Error('no snapshot');
  return found;
}

/** Merges all packs into one, and leaves out what no ref reaches, as if the time of grace was over. */
async function maintain(): Promise<void> {
  await maintainRepository(createGitEngine({ codec: nodeCodec() }), repository.repo, {
    now: Date.now() + 1_000_000_000,
    grace: 0,
    retireGrace: 0,
    mode: 'full',
    mergeMax: 1_000_000_000,
    rowsMax: 1_000_000,
    inUse: () => true,
    newId: () => crypto.randomUUID(),
  });
}

/** Merges all packs, of which there are several, and leaves nothing out. */
async function merge(): Promise<void> {
  const extra = change(`extra ${Math.random()}`);
  await aside([set(`refs/extra/${extra.oid}`, extra)], extra.all);
  await maintain();
}

/** Merges all packs, and leaves out what a branch had that is deleted. */
async function collect(): Promise<void> {
  const extra = change(`extra ${Math.random()}`);
  const ref = `refs/extra/${extra.oid}`;
  await aside([set(ref, extra)], extra.all);
  await aside([remove(ref, extra)], []);
  await maintain();
}

/** A push that nothing comes between. */
async function aside(commands: readonly Command[], objects: readonly MadeObject[]): Promise<void> {
  const left = meanwhile.splice(0);
  await push(commands, objects);
  meanwhile = left;
}

/** Expects these objects in a clone of all refs. Stock git rejects a pack with duplicate or missing objects. */
async function expectClone(...expected: readonly MadeObject[]): Promise<void> {
  expect(await repository.problems()).toEqual([]);
  const now = await snapshot();
  const { refs } = await wholeState(repository.repo.state);
  async function* body(): AsyncGenerator<Uint8Array, void, undefined> {
    yield fetchBody([...new Set(refs.map(({ oid }) => oid))], []);
  }
  const reply = await uploadPack(createGitEngine({ codec: nodeCodec() }), repository.repo, now, body(), {
    version: 2,
    hiddenRefs: [],
    bodyMax: 1_000_000,
    keepAlive: 60_000,
    failed: (error) => expect.unreachable(String(error)),
  });
  const sent = packOf(Buffer.from(await new Response(reply.body as BodyInit).arrayBuffer()));
  const client = join(folder, `client-${Math.random()}.git`);
  await git(['init', '--quiet', '--bare', client]);
  await git(['index-pack', '--stdin', '--strict'], { cwd: client, input: sent });
  const found = await git(['cat-file', '--batch-check=%(objectname)', '--batch-all-objects'], { cwd: client });
  for (const { oid } of expected) expect(found).toContain(oid);
  for (const { oid } of refs) await git(['rev-list', '--objects', oid], { cwd: client });
}

/** A commit with a file, which may be too large for rows. */
function commitOf(
  name: string,
  size: number,
  ...parents: readonly MadeObject[]
): { tip: MadeObject; all: MadeObject[] } {
  const file = blob(size === 0 ? name : noise(size, name.length));
  const root = tree({ file });
  const tip = commit(name, root, parents);
  return { tip, all: [tip, root, file] };
}

/** Each pack is stored in rows, or is too large for rows and goes to the store in parts while it arrives. */
describe.each([
  ['in rows', 0],
  ['in the store', 2_000_000],
  ['in the store part by part', 5_000_000],
])('GIT-150: packs that change while a push is checked whose pack lies %s', (_, size) => {
  it('GIT-157: it is checked once, even if the packs are merged several times', async () => {
    const next = commitOf('next', size, second);
    const { version } = await snapshot();
    meanwhile = [
      async () => {
        for (let merges = 12; merges > 0; merges--) await merge();
      },
    ];
    await push([set(main, next.tip, second)], next.all);
    expect(tried.filter(({ updates }) => updates[0]?.name === main)).toHaveLength(1);
    const after = await snapshot();
    expect([after.packs.length, after.version - version]).toEqual([2, 25]);
    await expectClone(...base.all, ...second.all, ...next.all);
    await maintain();
    await expectClone(...base.all, ...second.all, ...next.all);
    expect(await repository.sweep()).toEqual([]);
  });

  it.each([1, 2, 4])('GIT-150: it is checked again when something is left out of them, %i times', async (times) => {
    const next = commitOf('next', size, second);
    meanwhile = Array.from({ length: times }, () => collect);
    await push([set(main, next.tip, second)], next.all);
    expect(tried.filter(({ updates }) => updates[0]?.name === main)).toHaveLength(times + 1);
    const { packs, refs } = await wholeState(repository.repo.state);
    expect(packs).toHaveLength(2);
    // It knows of the merged pack before it, so nothing is looked for twice.
    expect(packs[1]?.after).toBe(packs[0]?.position);
    expect(refs.find(({ name }) => name === main)?.oid).toBe(next.tip.oid);
    await expectClone(...base.all, ...second.all, ...next.all);
    // What was made for the first attempt is what lies there.
    const ids = tried.filter(({ updates }) => updates[0]?.name === main).map(({ addPacks }) => addPacks[0]?.id);
    expect(new Set(ids).size).toBe(1);
    expect(await repository.sweep()).toEqual([]);
  });

  it('GIT-157: it fits when another push brought the same, and all was merged', async () => {
    const next = commitOf('next', size, second);
    const above = commitOf('above', 0, next.tip);
    meanwhile = [
      async () => {
        await push([set('refs/heads/other', next.tip)], next.all);
        await maintain();
      },
    ];
    await push([set(main, above.tip, second)], [...next.all, ...above.all]);
    await expectClone(...base.all, ...second.all, ...next.all, ...above.all);
    // All of it once more, all of it in one pack, and on top.
    await maintain();
    await expectClone(...base.all, ...second.all, ...next.all, ...above.all);
    const top = change('top', above.tip);
    await push([set(main, top, above.tip)], top.all);
    await expectClone(...top.all);
    // Of the attempt that came to nothing no file is left behind.
    expect(await repository.sweep()).toEqual([]);
  });

  it('GIT-153: it brings what was collected, and names nothing that is gone', async () => {
    // A branch that is deleted leaves a commit, which the push brings once more beside its own.
    const gone = change('gone', second);
    await push([set('refs/heads/gone', gone)], gone.all);
    await push([remove('refs/heads/gone', gone)], []);
    const next = commitOf('next', size, gone);
    meanwhile = [maintain];
    await push([set(main, next.tip, second)], [...gone.all, ...next.all]);
    await expectClone(...base.all, ...second.all, ...gone.all, ...next.all);
    await maintain();
    await expectClone(...base.all, ...second.all, ...gone.all, ...next.all);
    expect(await repository.sweep()).toEqual([]);
  });

  it('GIT-149: a command that leaned on what was collected is refused, and the others are not', async () => {
    const gone = change('gone', second);
    await push([set('refs/heads/gone', gone)], gone.all);
    await push([remove('refs/heads/gone', gone)], []);
    const over = commitOf('over', 0, gone);
    const next = commitOf('next', size, second);
    meanwhile = [maintain];
    const commands = [set('refs/heads/over', over.tip), set(main, next.tip, second)];
    expect(await report(commands, [...over.all, ...next.all])).toEqual([
      'unpack ok',
      'ng refs/heads/over missing necessary objects',
      `ok ${main}`,
    ]);
    await expectClone(...base.all, ...second.all, ...next.all);
    const again = [set('refs/heads/over', over.tip)];
    expect(await report(again, [])).toEqual(['unpack ok', 'ng refs/heads/over missing necessary objects']);
    await push(again, gone.all);
    await expectClone(...gone.all, ...over.all);
    expect(await repository.sweep()).toEqual([]);
  });

  it('GIT-153: one for which they never stay changes nothing, leaves nothing, and can be sent again', async () => {
    const next = commitOf('next', size, second);
    meanwhile = Array.from({ length: 20 }, () => collect);
    expect(await report([set(main, next.tip, second)], next.all)).toEqual([
      'unpack internal error',
      `ng ${main} unpacker error`,
    ]);
    meanwhile = [];
    expect((await wholeState(repository.repo.state)).refs.find(({ name }) => name === main)?.oid).toBe(second.oid);
    expect(await repository.sweep()).toEqual([]);
    await push([set(main, next.tip, second)], next.all);
    await expectClone(...next.all);
  });
});

it('GIT-150: a large pack whose graph comes out otherwise can be read for as long as it is checked again', async () => {
  // More trees than the page cache of a push holds. Each fills its own page, and is too large for the other caches.
  const files = Array.from({ length: 30 }, (_, i) => blob(noise(1_100_000, i)));
  const names = Array.from({ length: 1_000 }, (_, i) => `${10_000 + i} ${'long '.repeat(50)}name`);
  const folders = files.map((file) => tree(Object.fromEntries(names.map((name) => [name, file]))));
  const root = tree(Object.fromEntries(folders.map((one, i) => [`folder ${10 + i}`, one])));
  const next = change('next', second);
  const large = commit('large', root, [next]);
  const all = [...next.all, ...files.flatMap((file, i) => [folders[i] as MadeObject, file]), root, large];
  meanwhile = [
    async () => {
      await aside([set('refs/heads/other', next)], next.all);
      await collect();
    },
    collect,
    collect,
  ];
  await push([set(main, large, second)], all);
  const ids = tried.filter(({ updates }) => updates[0]?.name === main).map(({ addPacks }) => addPacks[0]?.id);
  expect(ids.map((id) => ids.indexOf(id))).toEqual([0, 1, 1, 1]);
  expect(await repository.problems()).toEqual([]);
  // Of the first attempt no file is left behind.
  expect(await repository.sweep()).toEqual([]);
});

it('GIT-150: a push without a pack is also checked again', async () => {
  meanwhile = [collect];
  await push([remove(main, second), set('refs/heads/kept', base)], []);
  await expectClone(...base.all);
  expect((await wholeState(repository.repo.state)).refs.map(({ name }) => name)).not.toContain(main);
});
