import { describe, expect, it } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import { blob, closure, commit, tag, tree, type MadeObject } from '../maintain/made-history.test.util.ts';
import { MaintainedRepository } from '../maintain/maintained-repository.test.util.ts';
import type { MadeEntry } from '../pack/made-pack.test.util.ts';
import type { Codec } from '../ports/codec.ts';
import { createGitEngine } from '../engine/engine.ts';
import { wireText } from '../wire/packets.test.util.ts';
import { ask, forkOf, isCommon, isRead, isServed, isTold } from './forked-repository.test.util.ts';

const main = 'refs/heads/main';
const side = 'refs/heads/side';

const shared = blob('shared by all\n'.repeat(5));
const secret = blob('only in the parent\n'.repeat(5));
const folder = tree([{ name: 'secret', object: secret }]);
const root = commit(tree([{ name: 'shared', object: shared }]), [], 1);
/** Stored as a delta of what the fork does not have. */
const delta = blob(`${'only in the parent\n'.repeat(5)}no more\n`);
const tip = commit(tree([{ name: 'newer', object: delta }]), [root], 2);
const hers = commit(tree([{ name: 'folder', object: folder }]), [root], 3);
const tagged = tag(hers, 4);
const foreign = [secret, folder, hers, tagged];

/** A parent with one pack of everything, and a fork of its default branch alone. */
async function parentAndFork(): Promise<{ parent: MaintainedRepository; fork: MaintainedRepository }> {
  const parent = new MaintainedRepository();
  const others = closure([tip, hers]);
  others.delete(delta.id);
  const commands = [
    { ref: main, new: tip },
    { ref: side, new: hers },
  ];
  const pack = [...others.values(), { ...delta, base: secret, by: 'offset' } as const];
  expect(await parent.push(commands, pack)).toEqual([`ok ${main}`, `ok ${side}`]);
  await push(parent, 'refs/tags/t', tagged);
  await parent.maintain({ mode: 'full' });
  const { plan, repository: fork } = await forkOf(parent, { defaultBranchOnly: true });
  expect(plan.packs).toMatchObject([{ borrowed: 'part' }]);
  return { parent, fork };
}

async function push(repository: MaintainedRepository, ref: string, value: MadeObject): Promise<void> {
  const pack = [...closure([value], closure(repository.refs.values())).values()];
  expect(await repository.push([{ ref, new: value }], pack)).toEqual([`ok ${ref}`]);
}

describe('GIT-154: what of a shared pack is not the fork’s own', () => {
  it('is neither served, reported, read, nor common in the fork, but all of these in the parent', async () => {
    const { parent, fork } = await parentAndFork();
    for (const { id } of foreign) {
      const asked = (one: MaintainedRepository): Promise<boolean[]> =>
        Promise.all([isServed(one, id), isTold(one, id), isRead(one, id)]);
      expect([id, await asked(parent)]).toEqual([id, [true, true, true]]);
      expect([id, await asked(fork)]).toEqual([id, [false, false, false]]);
    }
    for (const [one, known] of [
      [parent, true],
      [fork, false],
    ] as const)
      expect([await isCommon(one, root.id), await isCommon(one, hers.id)]).toEqual([true, known]);
  });

  it.each<[string, MadeObject, readonly MadeObject[]]>([
    ['a blob', secret, [tree([{ name: 'x', object: secret }])]],
    ['a tree', folder, []],
    ['a tree below another', folder, [tree([{ name: 'y', object: folder }])]],
  ])('cannot be taken over by a push that names %s without bringing it', async (_, named, own) => {
    const { parent, fork } = await parentAndFork();
    const value = commit(own[0] ?? named, [tip], 9);
    const command = { ref: main, new: value };
    expect(await fork.push([command], [value, ...own])).toEqual([`ng ${main} missing necessary objects`]);
    expect(await parent.push([command], [value, ...own])).toEqual([`ok ${main}`]);
  });

  it('cannot be taken over as a parent, as what a tag names, or as the value of a ref', async () => {
    const { fork } = await parentAndFork();
    const child = commit(tree([{ name: 'z', object: shared }]), [hers], 9);
    const named = tag(hers, 10);
    for (const [ref, value, pack] of [
      [main, child, [child, ...child.links.slice(0, 1)]],
      ['refs/tags/new', named, [named]],
      ['refs/tags/blob', secret, []],
      ['refs/tags/tag', tagged, []],
      ['refs/heads/hers', hers, []],
    ] as const)
      expect(await fork.push([{ ref, new: value }], pack)).toEqual([`ng ${ref} missing necessary objects`]);
    expect([...fork.refs.keys()]).toEqual([main]);
  });

  it('GIT-145: is no base of a delta', async () => {
    const { parent, fork } = await parentAndFork();
    const edited = blob(`${'only in the parent\n'.repeat(5)}and more\n`);
    const folders = tree([{ name: 'edited', object: edited }]);
    const value = commit(folders, [tip], 9);
    const pack: MadeEntry[] = [value, folders, { ...edited, base: secret, by: 'id' }];
    expect(await fork.report([{ ref: main, new: value }], pack)).toContain(`missing base ${secret.id}`);
    expect(await parent.push([{ ref: main, new: value }], pack)).toEqual([`ok ${main}`]);
  });

  it('GIT-078: is no base of what the fork sends, which is sent whole', async () => {
    const { parent, fork } = await parentAndFork();
    const { set } = await fork.freshView();
    expect(set.packs[0]?.graph.bases.filter((base) => base >= 0)).toHaveLength(1);
    expect([...(await fork.clone(fork.state.current))].sort()).toEqual([...closure([tip]).keys()].sort());
    expect([await isServed(fork, delta.id), await isRead(fork, delta.id)]).toEqual([true, true]);
    expect((await parent.clone(parent.state.current)).size).toBe(closure([tagged, tip]).size);
  });

  it('GIT-083: gives a filter no patterns, and GIT-074: a depth no limit', async () => {
    const { parent, fork } = await parentAndFork();
    const sparse = ['command=fetch', 'delim', `want ${tip.id}`, `filter sparse:oid=${secret.id}`, 'done', 'flush'];
    const deep = ['command=fetch', 'delim', `want ${tip.id}`, 'deepen-not side', 'done', 'flush'];
    for (const lines of [sparse, deep]) {
      expect(await ask(parent, 2, wireText(...lines))).toContain('PACK');
      expect(await ask(fork, 2, wireText(...lines))).not.toContain('PACK');
    }
  });

  it('GIT-147: is compared with what is pushed under its id', async () => {
    const { fork } = await parentAndFork();
    const value = commit(tree([{ name: 'x', object: secret }]), [tip], 9);
    const others = [...closure([value], closure([tip])).values()].filter((object) => object !== secret);
    const forged = { kind: secret.kind, body: new Uint8Array(secret.body).reverse() };
    const honest = nodeCodec();
    // No two such objects are known, so the digest is made weak.
    const weak: Codec = {
      ...honest,
      sha1Of: (...parts) => {
        const whole = Buffer.concat([Buffer.from(`blob ${forged.body.length}\0`), forged.body]);
        const isFalse = Buffer.compare(Buffer.concat(parts), whole) === 0;
        return isFalse ? Buffer.from(secret.id, 'hex') : honest.sha1Of(...parts);
      },
    };
    fork.engine = createGitEngine({ codec: weak });
    const command = { ref: main, new: value };
    expect(await fork.report([command], [...others, forged])).toContain(`object collision ${secret.id}`);
    expect(await fork.push([command], [...others, secret])).toEqual([`ok ${main}`]);
  });

  it('becomes its own when it is pushed there, as a copy that the fork keeps', async () => {
    const { fork } = await parentAndFork();
    await push(fork, side, hers);
    expect(fork.state.packs.at(-1)).toMatchObject({ borrowed: 'no', objects: closure([hers], closure([tip])).size });
    expect([...(await fork.clone(fork.state.current))].sort()).toEqual([...closure([tip, hers]).keys()].sort());
    expect([await isServed(fork, secret.id), await isServed(fork, tagged.id)]).toEqual([true, false]);
    await fork.check();
    await fork.checkByGit();
    // What was its own for a while and is needed no more is another's again.
    await fork.push([{ ref: side, new: null }], []);
    fork.pass(4_000_000);
    await fork.maintain();
    const value = commit(folder, [tip], 9);
    expect(await fork.push([{ ref: side, new: value }], [value])).toEqual([`ng ${side} missing necessary objects`]);
  });

  it('GIT-064: what a ref of the fork has left lately is still its own', async () => {
    const { fork } = await parentAndFork();
    await fork.push([{ ref: main, new: root }], []);
    expect([await isServed(fork, tip.id), await isCommon(fork, tip.id)]).toEqual([false, true]);
    fork.pass(4_000_000);
    await fork.maintain();
    expect([await isServed(fork, tip.id), await isCommon(fork, tip.id)]).toEqual([false, false]);
    await fork.check();
  });

  it('is not seen by what the engine remembers of the parent, nor the other way round', async () => {
    const { parent, fork } = await parentAndFork();
    // Push a tag, so that reads cannot use the cached exactness of the pack.
    await parent.push([{ ref: 'refs/tags/t', new: null }], []);
    expect(parent.state.packs).toMatchObject([{ exact: false }]);
    // The same packs and, by chance, the same version.
    fork.state.version = parent.state.version;
    expect([await isRead(parent, folder.id), await isRead(fork, folder.id)]).toEqual([true, false]);
    fork.engine = parent.engine = createGitEngine({ codec: nodeCodec() });
    expect([await isRead(fork, folder.id), await isRead(parent, folder.id)]).toEqual([false, true]);
  });
});

describe('packs that a fork shares', () => {
  it('GIT-157: stand in other places than in the parent, by which what came in together is found', async () => {
    const parent = new MaintainedRepository();
    for (let i = 0; i < 5; i++) await push(parent, main, commit(tree([{ name: 'n', object: blob(`${i}\n`) }]), [], i));
    await parent.maintain({ mode: 'full' });
    const before = parent.state.current;
    expect(before.packs).toMatchObject([{ position: 5 }]);
    await push(parent, side, hers);
    const { repository: fork } = await forkOf(parent);
    fork.engine = parent.engine = createGitEngine({ codec: nodeCodec() });
    await fork.clone(fork.state.current);
    await parent.clone(parent.state.current);
    // A push that began before the other one brings the same objects once more.
    const ref = 'refs/heads/late';
    const child = commit(folder, [hers], 8);
    await parent.push([{ ref, new: child }], [...closure([child]).values()], before);
    const all = [...closure(parent.refs.values()).keys()].sort();
    expect([...(await parent.clone(parent.state.current))].sort()).toEqual(all);
  });

  it('REPO-124: stay shared through maintenance while the fork itself is small', async () => {
    const { fork } = await parentAndFork();
    const [borrowed] = fork.state.packs;
    const untouched = await fork.maintain({ mode: 'full' });
    expect(untouched).toMatchObject({ madePacks: 0, mergedPacks: 0, nextAt: undefined });
    await push(fork, main, commit(tree([{ name: 'a', object: blob('a\n') }]), [tip], 10));
    await push(fork, main, commit(tree([{ name: 'b', object: blob('b\n') }]), [tip], 11));
    for (const mode of ['usual', 'full', 'usual'] as const) {
      await fork.maintain({ mode });
      fork.pass(4_000_000);
      expect(fork.state.packs[0]).toEqual(borrowed);
    }
    expect(fork.state.packs).toHaveLength(2);
    await fork.check();
  });

  it.each([0, 5_000])('are taken in once much more is pushed, without what is another’s: after %i ms', async (time) => {
    const { fork } = await parentAndFork();
    fork.pass(time);
    for (let i = 0; i < 10; i++)
      await push(fork, main, commit(tree([{ name: 'n', object: blob(`${i}\n`) }]), [tip], 20 + i));
    await fork.maintain();
    expect(fork.state.packs).toMatchObject([{ borrowed: 'no' }]);
    const stored = await fork.stored();
    expect(foreign.filter(({ id }) => stored.has(id))).toEqual([]);
    expect(await isServed(fork, root.id)).toBe(true);
    await fork.check();
    await fork.checkByGit();
  });
});
