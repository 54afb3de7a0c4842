import { fc } from '@fast-check/vitest';
import type { NewPack, PackId, PackReplacement, RepoChange } from '@packhouse/git';
import { describe, expect, it } from 'vitest';
import type { OpenState } from './repo-state.ts';
import { RepoStateModel } from './model.ts';
import { SlowReader } from './slow-reader.ts';
import { wholeState } from '@packhouse/git/contract';
import {
  change,
  oid,
  replacement,
  sampleHead,
  samplePack,
  samplePackId,
  sampleRepoId,
  sampleToken,
  update,
} from './samples.ts';

/** Names that conflict, and similar ones that do not. */
const names = [
  'a',
  'a/b',
  'a/b/c',
  'a/b-',
  'a-b',
  'a.',
  'a0',
  'b',
  'b/\ue000',
  'b/\u{1d4b3}',
  'b/\u{1d4b3}/x',
  'B',
].map((name) => `refs/heads/${name}`);

interface Commit {
  readonly does: 'commit';
  readonly at: number;
  readonly updates: readonly {
    readonly name: string;
    readonly old: 'right' | 'none' | 'wrong';
    readonly next: number | null;
    readonly forward: boolean;
  }[];
  readonly atomic: boolean;
  readonly packs: readonly Made[];
  readonly leans: 'no' | 'all' | 'lost' | 'retired';
  readonly shallow: readonly number[];
  readonly again: boolean;
}

interface Made {
  readonly exact: boolean;
  readonly inRows: boolean;
}

interface Replace {
  readonly does: 'replace';
  readonly at: number;
  /** Index and number of the packs, both modulo their total. */
  readonly from: number;
  readonly count: number;
  readonly add: (Made & { readonly at: number }) | null;
  readonly leavesOut: boolean;
  readonly version: 'none' | 'right' | 'wrong';
  readonly lost: boolean;
  readonly again: boolean;
}

type Step =
  | Commit
  | Replace
  | { readonly does: 'forget packs'; readonly count: number }
  | { readonly does: 'forget tips'; readonly before: number }
  | { readonly does: 'settle'; readonly which: number };

/** Times that sometimes go back, too close for anything to expire. */
const time = fc.integer({ min: 1_000, max: 1_050 });
const made = { exact: fc.boolean(), inRows: fc.boolean() };

const commit: fc.Arbitrary<Commit> = fc.record({
  does: fc.constant('commit'),
  at: time,
  updates: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom(...names),
      old: fc.constantFrom('right' as const, 'right' as const, 'right' as const, 'none' as const, 'wrong' as const),
      next: fc.option(fc.integer({ min: 1, max: 4 }), { freq: 3 }),
      forward: fc.boolean(),
    }),
    { maxLength: 6, selector: ({ name }) => name },
  ),
  atomic: fc.boolean(),
  packs: fc.array(fc.record(made), { maxLength: 2 }),
  leans: fc.constantFrom('no' as const, 'no' as const, 'all' as const, 'lost' as const, 'retired' as const),
  shallow: fc.array(fc.nat(5), { maxLength: 2 }),
  again: fc.boolean(),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: commit },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('replace' as const),
      at: time,
      from: fc.nat(),
      count: fc.nat(),
      add: fc.option(fc.record({ ...made, at: time }), { freq: 4 }),
      leavesOut: fc.nat(3).map((n) => n === 0),
      version: fc.constantFrom('none' as const, 'right' as const, 'wrong' as const),
      lost: fc.nat(5).map((n) => n === 0),
      again: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('forget packs' as const), count: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('forget tips' as const), before: time }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('settle' as const), which: fc.nat() }) },
);

/** Moves a pack from rows to the store, if the adapter can. */
type Settle = (id: string, pack: PackId) => Promise<boolean> | undefined;

export function testRandomSteps(open: OpenState, settle: Settle): void {
  describe('any sequence of changes', () => {
    it('GIT-124, GIT-125, GIT-150, GIT-151, GIT-156: acts as the model does', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 16 }), fc.integer({ min: 1, max: 3 }), async (steps, limit) => {
          const id = sampleRepoId();
          const model = new RepoStateModel();
          const rows = new Set<PackId>();
          await open(id).begin(sampleHead(id), sampleToken('t1'));
          const reader = new SlowReader(open, id, model, limit);
          for (const each of steps) {
            await take({ open, settle }, id, each, model);
            expect(await wholeState(open(id))).toEqual(model.snapshot());
            expect(await open(id).retiredPacks()).toEqual(model.retiredPacks());
            expect(await open(id).retiredTips()).toEqual(model.retiredTips());
            await reader.step();
            // Rows exist while a pack is in rows, even after it was replaced.
            const all = [...model.packs, ...model.retired.map(({ pack }) => pack)];
            for (const pack of all) if (pack.where === 'rows') rows.add(pack.id);
            const inRows = all.filter(({ where }) => where === 'rows').map((pack) => pack.id);
            const found = await open(id).rowFiles([...rows], ['pack']);
            expect(found.map((file) => file.id).sort()).toEqual(inRows.sort());
          }
        }),
        { numRuns: 80 },
      );
    });
  });
}

/** Performs a step and checks its result. */
async function take(
  { open, settle }: { readonly open: OpenState; readonly settle: Settle },
  id: string,
  given: Step,
  model: RepoStateModel,
): Promise<void> {
  const all = [...model.packs, ...model.retiredPacks().map(({ pack }) => pack)].map((pack) => pack.id);
  if (given.does === 'commit') {
    const next = changeOf(given, model);
    const outcome = await open(id).commit(next);
    model.commit(next, outcome);
    // A repeated push id changes nothing. `packs changed` is not remembered.
    if (given.again) expect(await open(id).commit(next)).toEqual(outcome);
  } else if (given.does === 'replace') {
    const next = replacementOf(given, model);
    if (next === undefined) return;
    const expected = model.replace(next);
    expect(await open(id).replacePacks(next)).toBe(expected);
    if (given.again) expect(await open(id).replacePacks(next)).toBe(expected);
  } else if (given.does === 'forget packs') {
    const some = [...all.slice(-given.count), samplePackId()];
    model.forgetPacks(some);
    await open(id).forgetPacks(some);
  } else if (given.does === 'forget tips') {
    model.forgetTips(given.before);
    await open(id).forgetTips(given.before);
  } else {
    const pack = all[given.which % (all.length + 1)] ?? samplePackId();
    const moved = settle(id, pack);
    if (moved !== undefined) expect(await moved).toBe(model.settle(pack));
  }
}

function changeOf(given: Commit, model: RepoStateModel): RepoChange {
  const held = model.packs.map((pack) => pack.id);
  const leansOn: Readonly<Record<Commit['leans'], readonly PackId[]>> = {
    no: [],
    all: held,
    lost: [...held, samplePackId()],
    retired: [...held, ...model.retired.map(({ pack }) => pack.id)],
  };
  const updates = given.updates.map(({ name, old, next, forward }) => {
    const one = update(name, old === 'wrong' ? 9 : null, next, forward);
    return old === 'right' ? { ...one, old: model.refs.get(name)?.oid ?? null } : one;
  });
  return change(updates, {
    at: given.at,
    atomic: given.atomic,
    addPacks: given.packs.map((pack) => packOf(pack, model)),
    leansOn: leansOn[given.leans],
    addShallow: given.shallow.map(oid),
  });
}

/** Returns undefined if there is nothing to replace. */
function replacementOf(given: Replace, model: RepoStateModel): PackReplacement | undefined {
  const { packs, version } = model;
  if (packs.length === 0) return undefined;
  const from = given.from % packs.length;
  const remove = packs.slice(from, from + 1 + (given.count % (packs.length - from))).map((pack) => pack.id);
  const leavesOut = given.add === null || given.leavesOut;
  const isKept = !leavesOut && given.add?.exact !== true;
  return replacement(given.lost ? [...remove, samplePackId()] : remove, undefined, {
    at: given.at,
    add: given.add === null ? undefined : { ...packOf(given.add, model), at: given.add.at },
    leavesOut,
    ifVersion: given.version === 'none' && isKept ? undefined : given.version === 'wrong' ? version + 1 : version,
  });
}

function packOf({ exact, inRows }: Made, { lastPosition }: RepoStateModel): NewPack {
  const files = { pack: Uint8Array.of(1), idx: Uint8Array.of(2), graph: Uint8Array.of(3) };
  return samplePack({ exact, after: lastPosition, ...(inRows ? { where: 'rows', files } : {}) });
}
