import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { GraphSet } from '../graph/graph-set.ts';
import { idOfName, madeSet, type MadeNode } from '../graph/made-graph.test.util.ts';
import { nodeCodec } from '../codec/node.ts';
import type { RepoSnapshot, RepoState, RetiredTip } from '../ports/repo-state.ts';
import type { RefRecord } from '../refs/ref-record.ts';
import { byName, packed, RefVersions } from '../refs/made-refs.test.util.ts';
import type { RefName } from '../refs/ref-name.ts';
import { RepoRefs } from '../stored-refs/repo-refs.ts';
import { createGitEngine } from '../engine/engine.ts';
import { Visibility, type RememberedColours } from './visibility.ts';

const hour = 3_600_000;
const now = 1_700_000_000_000;

interface Tip {
  readonly ref: string;
  readonly node: string;
  /** Milliseconds since the ref has left it; undefined: it is there. */
  readonly left?: number | undefined;
}

/** A state with these tips, as a request sees it: a part at a time, or all at once. */
function viewOf(tips: readonly Tip[], set: GraphSet, few: boolean): ConstructorParameters<typeof Visibility>[0] {
  const refs = tips.filter(({ left }) => left === undefined);
  const retired = tips.filter(({ left }) => left !== undefined);
  const records = refs
    .map(({ ref, node }): RefRecord => ({ name: ref as RefName, oid: idOfName(node), kind: 'commit', peeled: null }))
    .sort(byName);
  const versions = new RefVersions();
  versions.note(1, records);
  const snapshot: RepoSnapshot = {
    version: 1,
    refs: few ? packed(records) : undefined,
    retiredTips: retired.map(({ ref, node, left }): RetiredTip => ({
      name: ref as RefName,
      oid: idOfName(node),
      at: now - (left as number),
    })),
    packs: [],
    shallow: [],
    defaultBranch: 'main',
  };
  const state = { refs: async (version, query) => versions.read(version, query) } as RepoState;
  const engine = createGitEngine({ codec: nodeCodec() });
  const repository = { id: 'a', state, packs: {} as never };
  const work = engine.scheduler.begin();
  return { snapshot, set, refs: new RepoRefs(engine, repository, snapshot, work), work };
}

/** A line of commits, each of which introduces one object. */
async function lineOf(length: number): Promise<GraphSet> {
  const node = (i: number): MadeNode => ({ name: String(i), parents: i === 0 ? [] : [String(i - 1)] });
  return madeSet(Array.from({ length }, (_, i) => node(i)));
}

async function wantable(set: GraphSet, names: readonly string[], visibility: Visibility): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of names) {
    if (await visibility.mayWant(set.findNodeById(idOfName(name)), idOfName(name))) found.push(name);
  }
  return found;
}

const parents = fc.array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 1, maxLength: 30 });
const tips = fc.array(
  fc.record({
    hidden: fc.boolean(),
    node: fc.nat(),
    left: fc.option(fc.integer({ min: 0, max: 3 * hour }), { nil: undefined }),
  }),
  { maxLength: 12 },
);

describe('GIT-061: what refs have left', () => {
  test.prop([parents, tips, fc.constantFrom(0, 1, hour, 2 * hour), fc.boolean()])(
    'may be wanted with all it reaches for the time of grace, and changes nothing else',
    async (lists, made, grace, few) => {
      const nodes = lists.map((list, i) => ({
        name: String(i),
        parents: i === 0 ? [] : [...new Set(list.map((parent) => String(parent % i)))],
      }));
      const names = nodes.map(({ name }) => name);
      const set = await madeSet(nodes);
      const placed = made.map(({ hidden, node, left }, i) => ({
        ref: `refs/${hidden ? 'secret' : 'heads'}/${i}`,
        node: String(node % nodes.length),
        hidden,
        left,
      }));
      const closure = (from: readonly string[]): readonly string[] => {
        const found = new Set(from);
        for (const name of found) for (const parent of nodes[Number(name)]?.parents ?? []) found.add(parent);
        return names.filter((name) => found.has(name));
      };
      const open = placed.filter(({ hidden }) => !hidden);
      const counts = open.filter(({ left }) => left === undefined || (grace > 0 && left <= grace));
      const there = open.filter(({ left }) => left === undefined);
      const view = viewOf(placed, set, few);
      const stale = new Visibility(view, ['refs/secret'], { stale: { now, grace } });
      const plain = new Visibility(view, ['refs/secret']);
      await stale.lookForTips(names.map(idOfName));
      expect(await wantable(set, names, stale)).toEqual(closure(counts.map(({ node }) => node)));
      expect(await wantable(set, names, plain)).toEqual(closure(there.map(({ node }) => node)));
      expect([...(await stale.visibleNodes())]).toEqual([...(await plain.visibleNodes())]);
      const [one, other] = [await stale.leaning(), await plain.leaning()];
      expect(names.map((_, node) => one.mayLeanOn(node))).toEqual(names.map((_, node) => other.mayLeanOn(node)));
    },
  );

  it.each([
    ['at the end of the grace', hour, hour, [], true],
    ['a moment later', hour + 1, hour, [], false],
    ['without any grace', 0, 0, [], false],
    ['when the ref is hidden by now', 1, hour, ['refs/heads/gone'], false],
    ['when another ref is hidden', 1, hour, ['refs/heads/go'], true],
  ])('%s', async (_, left, grace, hidden, may) => {
    const set = await lineOf(3);
    const tips = [
      { ref: 'refs/heads/main', node: '0' },
      { ref: 'refs/heads/gone', node: '2', left },
    ];
    const visibility = new Visibility(viewOf(tips, set, true), hidden, { stale: { now, grace } });
    expect(await wantable(set, ['0', '1', '2'], visibility)).toEqual(may ? ['0', '1', '2'] : ['0']);
  });

  it('that were collected meanwhile count for nothing', async () => {
    const set = await lineOf(2);
    const view = viewOf([{ ref: 'refs/heads/gone', node: 'collected', left: 1 }], set, true);
    const visibility = new Visibility(view, [], { stale: { now, grace: hour } });
    expect(await wantable(set, ['0', '1'], visibility)).toEqual([]);
  });
});

describe('REPO-142: colours that are remembered', () => {
  it('are painted once, and taken from then on', async () => {
    const set = await lineOf(5);
    const view = viewOf([{ ref: 'refs/heads/main', node: '2' }], set, false);
    let kept: Uint8Array | undefined;
    const calls: string[] = [];
    const remembered: RememberedColours = {
      get: () => {
        calls.push('get');
        return kept;
      },
      set: (_, colours) => {
        calls.push('set');
        kept = colours;
      },
    };
    for (let round = 0; round < 2; round++) {
      const visibility = new Visibility(view, [], { remembered });
      expect(await wantable(set, ['0', '2', '4'], visibility)).toEqual(['0', '2']);
      expect([...(await visibility.visibleNodes())]).toEqual([1, 1, 1, 0, 0]);
    }
    expect(calls).toEqual(['get', 'set', 'get']);
  });
});
