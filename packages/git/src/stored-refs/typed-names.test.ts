import { expect, it } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { RepoSnapshot, RepoState } from '../ports/repo-state.ts';
import type { RefRecord } from '../refs/ref-record.ts';
import { createGitEngine } from '../engine/engine.ts';
import { resolveWantRefs } from '../upload-pack/serve-command.ts';
import { cost, sliceUnits } from '../work/costs.ts';
import { RefVersions } from '../refs/made-refs.test.util.ts';
import type { RefName } from '../refs/ref-name.ts';
import { RepoRefs } from './repo-refs.ts';
import { typedValues } from './typed-names.ts';
import { VisibleRefs } from './visible-refs.ts';

const main: RefRecord = {
  name: 'refs/heads/main' as RefName,
  oid: '1'.repeat(40) as ObjectId,
  kind: 'commit',
  peeled: null,
};
const versions = new RefVersions();
versions.note(1, [main]);
let queries = 0;
const state = {
  refs: async (version, query) => {
    queries++;
    return versions.read(version, query);
  },
} as RepoState;

function visible(): {
  readonly refs: VisibleRefs;
  readonly scheduler: ReturnType<typeof createGitEngine>['scheduler'];
} {
  queries = 0;
  const snapshot: RepoSnapshot = {
    version: 1,
    refs: undefined,
    packs: [],
    shallow: [],
    defaultBranch: 'main',
    retiredTips: [],
  };
  const engine = createGitEngine({ codec: nodeCodec() });
  const refs = new RepoRefs(engine, { id: 'a', state, packs: {} as never }, snapshot, engine.scheduler.begin());
  return { refs: new VisibleRefs(refs, snapshot, []), scheduler: engine.scheduler };
}

const many = Array.from({ length: 20_000 }, (_, i) => `none/${i}`);

it('GIT-073: names are looked up in parts, and each look-up is counted', async () => {
  const { refs, scheduler } = visible();
  const found: unknown[] = [];
  for await (const oid of typedValues(refs, ['main', ...many, 'HEAD', 'heads/main'])) found.push(oid);
  expect(found).toEqual([main.oid, ...many.map(() => undefined), main.oid, main.oid]);
  // A name without `refs/` in front is not looked up as a full ref name.
  expect(scheduler.totals[cost.rows]).toBeGreaterThan(3 * many.length);
  expect(scheduler.longestStretch).toBeLessThan(2 * sliceUnits);
});

it('GIT-098: the first `want-ref` that no ref has ends the search', async () => {
  const { refs } = visible();
  await expect(resolveWantRefs(refs, [main.name, ...many])).rejects.toThrow('unknown ref none/0');
  expect(queries).toBe(1);
});
