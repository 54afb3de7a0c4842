import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createGitEngine } from '../engine/engine.ts';
import { NotEnoughMemoryError } from '../work/memory-error.ts';
import { blob, closure, commit, tree, type MadeObject } from './made-history.test.util.ts';
import { MaintainedRepository } from './maintained-repository.test.util.ts';
import type { PackRecord } from '../ports/repo-state.ts';

const main = 'refs/heads/main';
const side = 'refs/heads/side';

const secret = blob('a secret\n'.repeat(20));
const folder = tree([{ name: 'secret', object: secret }]);
const wanted = commit(tree([{ name: 'file', object: blob('a file\n') }]), [], 1);
const unwanted = commit(tree([{ name: 'folder', object: folder }]), [wanted], 2);

/** A repository that `side` was deleted from longer ago than the grace. */
async function withDeadBranch(): Promise<MaintainedRepository> {
  const repository = new MaintainedRepository();
  await push(repository, main, wanted);
  await push(repository, side, unwanted);
  await repository.push([{ ref: side, new: null }], []);
  repository.pass(repository.grace + 1);
  return repository;
}

/** Brings just what no ref reaches. */
async function push(repository: MaintainedRepository, ref: string, value: MadeObject): Promise<void> {
  const pack = [...closure([value], closure(repository.refs.values())).values()];
  expect(await repository.push([{ ref, new: value }], pack)).toEqual([`ok ${ref}`]);
}

/** Brings the commit and its own tree alone: the rest is stored, though nothing reaches it. */
async function pushLeaning(repository: MaintainedRepository, second: number): Promise<MadeObject> {
  const root = tree([{ name: `folder ${second}`, object: folder }]);
  const value = commit(root, [wanted], second);
  const ref = `refs/heads/leaning-${second}`;
  expect(await repository.push([{ ref, new: value }], [value, root])).toEqual([`ok ${ref}`]);
  return value;
}

describe('collection while pushes come in', () => {
  it('GIT-127: drops what nothing reaches, from the pack and from the graph', async () => {
    const repository = await withDeadBranch();
    const report = await repository.maintain();
    expect([report.collectedObjects, report.madePacks]).toEqual([4, 1]);
    expect(await repository.stored()).toEqual(new Set(closure([wanted]).keys()));
    expect([...(await repository.nodes()).keys()]).toEqual([wanted.id]);
    await repository.check();
  });

  it.each([
    ['by pack', () => 0],
    [
      'beside a merge',
      (packs: readonly { readonly packSize: number }[]) => (packs[0]?.packSize ?? 0) + (packs[1]?.packSize ?? 0),
    ],
  ])('drops what is newer first, so that no node is ever without its parents: %s', async (_, mergeMaxOf) => {
    const repository = new MaintainedRepository();
    await push(repository, main, wanted);
    await push(repository, side, unwanted);
    const mergeMax = mergeMaxOf(repository.state.packs);
    const large = blob(randomBytes(5_000).toString('base64'));
    await push(repository, side, commit(tree([{ name: 'large', object: large }]), [unwanted], 5));
    await repository.push([{ ref: side, new: null }], []);
    repository.pass(repository.grace + 1);
    let left = 0;
    repository.state.beforeReplace = async () => {
      if (left++ > 0) await repository.check();
    };
    await repository.maintain({ mergeMax });
    expect(left).toBe(2);
    await repository.check();
    expect(await repository.stored()).toEqual(new Set(closure([wanted]).keys()));
  });

  it('LIM-064: drops nothing before its time, and says when that is', async () => {
    const repository = await withDeadBranch();
    repository.clock -= 2;
    const early = await repository.maintain();
    expect([early.collectedObjects, await repository.stored()]).toEqual([0, new Set(closure([unwanted]).keys())]);
    expect(early.nextAt).toBe(repository.clock + 1);
    repository.clock = early.nextAt as number;
    expect((await repository.maintain()).collectedObjects).toBe(4);
  });

  it.each([
    ['merged', Infinity],
    ['written anew', 0],
  ])(
    'keeps what a push names that came in while it was being dropped, though it was dead before: %s',
    async (_, mergeMax) => {
      const repository = await withDeadBranch();
      let pushes = 0;
      repository.state.beforeReplace = async () => {
        if (pushes++ === 0) await pushLeaning(repository, 10);
      };
      await repository.maintain({ mergeMax });
      expect(repository.state.outcomes[0]).toBe('version changed');
      await repository.check();
      await repository.checkByGit();
      const needed = new Set(closure(repository.refs.values()).keys());
      expect(await repository.stored()).toEqual(needed);
      expect(await repository.clone(repository.state.current)).toEqual(needed);
    },
  );

  it('keeps what nodes reach that came in with a command that lost its race', async () => {
    const repository = await withDeadBranch();
    const snapshot = repository.state.current;
    // Its parent is stored, though no ref reaches that.
    const lost = commit(unwanted.links[0] as MadeObject, [unwanted], 20);
    const next = commit(wanted.links[0] as MadeObject, [wanted], 21);
    await push(repository, side, wanted);
    const commands = [
      { ref: main, new: next },
      { ref: side, new: lost },
    ];
    const results = await repository.push(commands, [next, lost], snapshot);
    expect(results).toEqual([`ok ${main}`, `ng ${side} stale ref`]);
    await repository.maintain();
    await repository.check();
    expect([...(await repository.nodes()).keys()].sort()).toEqual(
      [wanted, unwanted, lost, next].map(({ id }) => id).sort(),
    );
    repository.pass(repository.grace + 1);
    await repository.maintain();
    await repository.check();
    expect([...(await repository.nodes()).keys()].sort()).toEqual([wanted, next].map(({ id }) => id).sort());
  });

  it('GIT-157: takes nothing for dead that two packs have, and folds it when they are merged', async () => {
    const repository = new MaintainedRepository();
    const snapshot = repository.state.current;
    const next = commit(wanted.links[0] as MadeObject, [wanted], 30);
    const objects = [...closure([wanted]).values()];
    expect(await repository.push([{ ref: main, new: wanted }], objects, snapshot)).toEqual([`ok ${main}`]);
    expect(await repository.push([{ ref: side, new: next }], [...objects, next], snapshot)).toEqual([`ok ${side}`]);
    repository.pass(repository.grace + 1);
    const apart = await repository.maintain({ mergeMax: 0 });
    expect([apart.mergedPacks, repository.state.packs.map((pack) => pack.objects)]).toEqual([0, [3, 4]]);
    const together = await repository.maintain();
    expect([together.collectedObjects, repository.state.packs.map((pack) => pack.objects)]).toEqual([0, [4]]);
    await repository.check();
    expect((await repository.nodes()).size).toBe(2);
  });

  it.each([0, Infinity])(
    'LIM-064: keeps a dead object that a young pack brought, which no node names (up to %d bytes)',
    async (mergeMax) => {
      const repository = await withDeadBranch();
      const next = commit(wanted.links[0] as MadeObject, [wanted], 21);
      expect(await repository.push([{ ref: main, new: next }], [next, secret])).toEqual([`ok ${main}`]);
      await repository.maintain({ mergeMax });
      await repository.check();
      expect(await repository.stored()).toEqual(new Set([...closure([next]).keys(), secret.id]));
      repository.pass(repository.grace + 1);
      await repository.maintain({ mergeMax });
      expect(await repository.stored()).toEqual(new Set(closure([next]).keys()));
    },
  );

  it('LIM-064: keeps what a young pack brought once more, though it was dead long before', async () => {
    const repository = new MaintainedRepository();
    await push(repository, main, wanted);
    const snapshot = repository.state.current;
    await push(repository, side, unwanted);
    await repository.push([{ ref: side, new: null }], []);
    repository.pass(repository.grace + 1);
    await push(repository, side, wanted);
    // One that began before all that brings the same, and a command that came too late.
    const next = commit(wanted.links[0] as MadeObject, [wanted], 21);
    const commands = [
      { ref: main, new: next },
      { ref: side, new: unwanted },
    ];
    const pack = [next, unwanted, secret, folder, unwanted.links[0] as MadeObject];
    expect(await repository.push(commands, pack, snapshot)).toEqual([`ok ${main}`, `ng ${side} stale ref`]);
    await repository.maintain();
    await repository.check();
    expect([...(await repository.nodes()).keys()].sort()).toEqual([wanted, unwanted, next].map(({ id }) => id).sort());
    repository.pass(repository.grace + 1);
    await repository.maintain();
    expect(await repository.stored()).toEqual(new Set(closure(repository.refs.values()).keys()));
  });

  it('drops what is dead although pushes keep coming, without writing anything twice', async () => {
    const repository = await withDeadBranch();
    let pushes = 0;
    let last = wanted;
    repository.state.beforeReplace = async () => {
      if (pushes++ < 5)
        await push(repository, main, (last = commit(last.links[0] as MadeObject, [last], 100 + pushes)));
    };
    const report = await repository.maintain({ retireGrace: 0 });
    expect(repository.state.outcomes.slice(0, 6)).toEqual([...Array<string>(5).fill('version changed'), 'done']);
    expect(report.collectedObjects).toBe(4);
    await repository.check();
    expect((await repository.stored()).has(secret.id)).toBe(false);
  });

  it('leaves the rest for another time where the packs keep changing under it', async () => {
    const repository = await withDeadBranch();
    let isOther = false;
    let value = wanted;
    repository.state.beforeReplace = async () => {
      if (isOther) return;
      isOther = true;
      await push(repository, main, (value = commit(value.links[0] as MadeObject, [value], value.body.length)));
      await repository.maintain({ mode: 'full', now: 0 });
      isOther = false;
    };
    const report = await repository.maintain({ mode: 'full' });
    expect(repository.state.outcomes.filter((outcome) => outcome === 'packs changed').length).toBe(5);
    expect([report.madePacks, report.nextAt]).toEqual([0, repository.clock + 60_000]);
    await repository.check();
    expect([...repository.store.files.keys()].filter((key) => !knows(repository, key))).toEqual([]);
  });

  it('begins again where the packs in front were merged meanwhile', async () => {
    const repository = new MaintainedRepository();
    await push(repository, main, wanted);
    await push(repository, main, commit(wanted.links[0] as MadeObject, [wanted], 3));
    const mergeMax = repository.state.packs.reduce((sum, { packSize }) => sum + packSize, 0);
    const large = blob(randomBytes(mergeMax).toString('base64'));
    await push(repository, side, commit(tree([{ name: 'large', object: large }]), [wanted], 4));
    await repository.push([{ ref: side, new: null }], []);
    repository.pass(repository.grace + 1);
    repository.state.beforeReplace = async () => {
      repository.state.beforeReplace = async () => {};
      await repository.maintain({ mode: 'full', mergeMax, grace: 1e9 });
      expect(repository.state.packs.length).toBe(2);
    };
    const report = await repository.maintain({ mergeMax: 0 });
    expect(repository.state.outcomes).toEqual(['done', 'version changed', 'done']);
    expect([report.collectedObjects, report.madePacks, repository.state.packs.length]).toEqual([3, 0, 1]);
    expect(await repository.stored()).toEqual(new Set(closure(repository.refs.values()).keys()));
    await repository.check();
  });

  it('keeps a dead node that is referenced again, although its object is in another pack', async () => {
    const repository = new MaintainedRepository();
    const next = commit(wanted.links[0] as MadeObject, [wanted], 40);
    // It comes in unnamed; what names it brings a node, and no object.
    const pack = [...closure([next]).values()];
    expect(await repository.push([{ ref: main, new: wanted }], pack)).toEqual([`ok ${main}`]);
    const name = (): Promise<string[]> => repository.push([{ ref: side, new: next }], []);
    expect(await name()).toEqual([`ok ${side}`]);
    expect(repository.state.packs.map(({ objects }) => objects)).toEqual([4, 0]);
    await repository.push([{ ref: side, new: null }], []);
    repository.pass(repository.grace + 1);
    repository.state.beforeReplace = async () => {
      repository.state.beforeReplace = async () => {};
      expect(await name()).toEqual([`ok ${side}`]);
    };
    await repository.maintain({ mergeMax: 0 });
    expect(repository.state.outcomes[0]).toBe('version changed');
    await repository.check();
    expect(await repository.clone(repository.state.current)).toEqual(new Set(closure([next]).keys()));
  });

  it('sets exact only by the state that it is true of', async () => {
    const repository = new MaintainedRepository();
    await push(repository, main, wanted);
    await push(repository, side, unwanted);
    repository.state.beforeReplace = async () => {
      repository.state.beforeReplace = async () => {};
      await repository.push([{ ref: side, new: null }], []);
    };
    await repository.maintain({ mode: 'full' });
    expect(repository.state.packs.map(({ exact }) => exact)).toEqual([false]);
    expect(await repository.clone(repository.state.current)).toEqual(new Set(closure([wanted]).keys()));
    await push(repository, side, unwanted);
    await repository.maintain({ mode: 'full' });
    expect(repository.state.packs.map(({ exact }) => exact)).toEqual([true]);
    expect(await repository.clone(repository.state.current)).toEqual(new Set(closure([unwanted]).keys()));
  });
});

describe('LIM-059: the memory of a maintenance', () => {
  it('is taken from what all requests may hold, and given back', async () => {
    const repository = await withDeadBranch();
    const options = { codec: repository.engine.codec, pageCache: 0, cache: 0, wait: async () => {} };
    repository.engine = createGitEngine({ ...options, memory: 1_000_000 });
    await expect(repository.maintain()).rejects.toBeInstanceOf(NotEnoughMemoryError);
    expect(repository.engine.admission.reserved).toBe(0);
    await repository.check();
    repository.engine = createGitEngine({ ...options, memory: 64 * 1024 * 1024 });
    expect((await repository.maintain()).collectedObjects).toBe(4);
    const { reserved, reservedMost } = repository.engine.admission;
    expect([reserved, reservedMost > 1_000_000]).toEqual([0, true]);
  });

  it('counts what a small object is made of that loses its large base', async () => {
    const repository = new MaintainedRepository(1_000_000);
    const base = blob('a'.repeat(9_900_000));
    const small = blob('a'.repeat(100_000));
    const root = tree([{ name: 'small', object: small }]);
    const value = commit(root, [], 1);
    const pack = [base, { ...small, base, by: 'id' as const }, root, value];
    expect(await repository.push([{ ref: main, new: value }], pack)).toEqual([`ok ${main}`]);
    repository.pass(repository.grace + 1);
    const options = { codec: repository.engine.codec, pageCache: 0, cache: 0, wait: async () => {} };
    repository.engine = createGitEngine({ ...options, memory: 10_000_000 });
    await expect(repository.maintain()).rejects.toBeInstanceOf(NotEnoughMemoryError);
    expect(repository.engine.admission.reserved).toBe(0);
    repository.engine = createGitEngine({ ...options, memory: 64_000_000 });
    expect((await repository.maintain()).collectedObjects).toBe(1);
    expect(repository.engine.admission.reservedMost).toBeGreaterThan(10_000_000);
    await repository.check();
  });
});

describe('packs that a running push leans on', () => {
  /** Pushes, with something that happens before its first commit. Answers what became of each. */
  async function pushBeside(repository: MaintainedRepository, meanwhile: () => Promise<void>): Promise<string[]> {
    const { state } = repository;
    const commitNow = state.commit.bind(state);
    const outcomes: string[] = [];
    let isFirst = true;
    state.commit = async (change) => {
      if (isFirst) {
        isFirst = false;
        await meanwhile();
      }
      const outcome = await commitNow(change);
      if (change.updates[0]?.name === side) outcomes.push(outcome.kind);
      return outcome;
    };
    await push(repository, side, commit(wanted.links[0] as MadeObject, [wanted], 99));
    await repository.check();
    expect(await repository.clone(state.current)).toEqual(new Set(closure(repository.refs.values()).keys()));
    return outcomes;
  }

  it('GIT-157: are merged meanwhile, and the push is prepared once', async () => {
    const repository = new MaintainedRepository();
    let value = wanted;
    await push(repository, main, value);
    let made = 0;
    const outcomes = await pushBeside(repository, async () => {
      for (let merges = 12; merges > 0; merges--) {
        value = commit(wanted.links[0] as MadeObject, [value], merges);
        await push(repository, main, value);
        made += (await repository.maintain({ mode: merges % 2 === 0 ? 'full' : 'usual' })).madePacks;
      }
    });
    expect(outcomes).toEqual(['done']);
    expect(made).toBeGreaterThan(5);
    await repository.maintain({ mode: 'full' });
    await repository.check();
  });

  it('GIT-157: are checked again if anything was left out of them, regardless of later changes', async () => {
    const repository = await withDeadBranch();
    const outcomes = await pushBeside(repository, async () => {
      expect((await repository.maintain()).collectedObjects).toBe(4);
      await push(repository, main, commit(wanted.links[0] as MadeObject, [wanted], 98));
      expect((await repository.maintain({ mode: 'full' })).madePacks).toBe(1);
    });
    expect(outcomes).toEqual(['packs changed', 'done']);
  });
});

describe('packs that were replaced', () => {
  it('are readable for earlier requests, and removed after their time when unused', async () => {
    const repository = new MaintainedRepository();
    await push(repository, main, wanted);
    await push(repository, side, unwanted);
    const before = repository.state.current;
    await repository.maintain({ mode: 'full' });
    const lease = repository.engine.leases.take(before.packs.slice(0, 1));
    const again = async (inUse = false): Promise<(number | undefined)[]> => {
      repository.clock += 10_000_000;
      const { removedPacks, nextAt } = await repository.maintain({ retireGrace: 15_000_000, inUse: () => inUse });
      return [removedPacks, nextAt === undefined ? undefined : nextAt - repository.clock];
    };
    const [none, soon] = await again();
    expect([none, (soon as number) >= 5_000_000 && (soon as number) < 9_000_000]).toEqual([0, true]);
    expect(await repository.clone(before)).toEqual(new Set(closure([unwanted]).keys()));
    expect(await again(true)).toEqual([0, 60_000]);
    expect(await again()).toEqual([1, 60_000]);
    expect(repository.state.retired.map(({ pack }) => pack.id)).toEqual([before.packs[0]?.id]);
    lease.release();
    expect(await again()).toEqual([1, undefined]);
    expect([repository.state.retired, repository.state.files]).toEqual([[], []]);
  });

  it('are held by a fetch from its first byte to its last', async () => {
    const repository = new MaintainedRepository();
    await push(repository, main, wanted);
    const [pack] = repository.state.packs;
    const id = pack?.id as NonNullable<typeof pack>['id'];
    expect(repository.engine.leases.has(id)).toBe(false);
    const held: boolean[] = [];
    const read = repository.state.rowFiles.bind(repository.state);
    repository.state.rowFiles = async (ids, names) => {
      held.push(repository.engine.leases.has(id));
      return read(ids, names);
    };
    await repository.clone(repository.state.current);
    expect([held.length > 0, held.every(Boolean), repository.engine.leases.has(id)]).toEqual([true, true, false]);
    held.length = 0;
    repository.engine.graphs.delete(id);
    repository.engine.sets.delete(pack as PackRecord);
    await push(repository, side, unwanted);
    expect([held.length > 0, held.every(Boolean), repository.engine.leases.has(id)]).toEqual([true, true, false]);
  });
});

function knows({ state }: MaintainedRepository, key: string): boolean {
  return [...state.packs, ...state.retired.map(({ pack }) => pack)].some(({ id }) => key.startsWith(id));
}
