import fc from 'fast-check';
import { runs } from '@packhouse/fixtures';
import { expect, it } from 'vitest';
import type { GitEngine } from '../engine/engine.ts';
import { MaintainedRepository } from '../maintain/maintained-repository.test.util.ts';
import { blob, closure, commit, tree, type MadeObject } from '../maintain/made-history.test.util.ts';
import { Comparison, type ComparisonSummary } from './comparison.ts';
import { ContentReader } from './content-reader.ts';

async function repositoryWith(
  refs: Readonly<Record<string, MadeObject>>,
  engine?: GitEngine,
): Promise<MaintainedRepository> {
  const repository = new MaintainedRepository();
  if (engine !== undefined) repository.engine = engine;
  const commands = Object.entries(refs).map(([name, value]) => ({ ref: `refs/heads/${name}`, new: value }));
  await repository.push(commands, [...closure(Object.values(refs)).values()]);
  return repository;
}

async function compare(
  refs: Readonly<Record<string, MadeObject>>,
  base: string,
  head: string,
): Promise<ComparisonSummary | undefined> {
  return compareIn([await repositoryWith(refs)], base, head);
}

/** Compares revisions of one repository, or of two with the same engine. */
async function compareIn(
  repositories: readonly [MaintainedRepository, MaintainedRepository?],
  base: string,
  head: string,
): Promise<ComparisonSummary | undefined> {
  const [{ engine }] = repositories;
  const places = repositories
    .flatMap((one) => one ?? [])
    .map(({ repository, state }) => {
      return { repository, snapshot: state.current };
    });
  const readers = await ContentReader.openAll(engine, places, { hiddenRefs: [] });
  const [first, last] = [readers[0], readers.at(-1)] as [ContentReader, ContentReader];
  const found = await Comparison.open({ reader: first, revision: base }, { reader: last, revision: head });
  const summary = typeof found === 'string' ? undefined : await found.summary();
  // The pages stay counted until their memory is needed.
  expect([0, 24 * 1024 * 1024]).toContain(engine.admission.reserved);
  return summary;
}

const file = (text: string): MadeObject => tree([{ name: 'file', object: blob(text) }]);

it('LIM-030, LIM-032: a comparison lists the first files and the newest commits', async () => {
  const root = commit(file('root'), [], 0);
  const many = Array.from({ length: 3001 }, (_, i) => ({ name: `f${1000 + i}`, object: blob('equal') }));
  let main = root;
  for (let i = 1; i <= 251; i++) main = commit(i === 251 ? tree(many) : file('root'), [main], i);
  const shown = await compare({ main, root }, 'root', 'main');
  expect([shown?.ahead, shown?.behind, shown?.merge_base, shown?.truncated]).toEqual([251, 0, root.id, true]);
  expect([shown?.commits.length, shown?.commits[0]?.hash]).toEqual([250, main.id]);
  expect([shown?.files.length, shown?.files[0]?.path]).toEqual([3000, 'f1000']);
});

it('LIM-031: a file of too many lines counts as binary', async () => {
  const [from, to] = ['', '\n'].map((more, i) => commit(file('\n'.repeat(600_000) + more), [], i));
  const shown = await compare({ from: from as MadeObject, to: to as MadeObject }, 'from', 'to');
  expect(shown?.files).toMatchObject([{ status: 'added', binary: false, additions: 600_001 }]);
  const next = commit(file('\n'.repeat(600_001)), [from as MadeObject], 2);
  const edited = await compare({ from: from as MadeObject, next }, 'from', 'next');
  expect(edited?.files).toMatchObject([{ status: 'modified', binary: true, additions: 0 }]);
});

it('REPO-271: of several best common ancestors, the newest is the merge base', async () => {
  const root = commit(file('root'), [], 0);
  const [a, b] = [commit(file('a'), [root], 1), commit(file('b'), [root], 2)];
  const [x, y] = [commit(file('x'), [a, b], 3), commit(file('y'), [b, a], 4)];
  expect(await compare({ x, y }, 'x', 'y')).toMatchObject({ merge_base: b.id, ahead: 1, behind: 1 });
  expect(await compare({ x, y }, 'x', 'x')).toMatchObject({ merge_base: x.id, ahead: 0, files: [], commits: [] });
  expect(await compare({ x, y }, 'x', 'none')).toBeUndefined();
});

/** Returns a commit and all that it reaches over parents. */
function ancestors(from: MadeObject): Set<MadeObject> {
  const found = new Set([from]);
  for (const { links } of found) for (const parent of links.slice(1)) found.add(parent);
  return found;
}

/** The parents of each commit, as distances to earlier ones, and the text of its file. */
const history = fc.array(fc.tuple(fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 2 }), fc.nat(3)), {
  minLength: 1,
  maxLength: 14,
});

it('REPO-276: two repositories are compared as one that has the commits of both', async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.nat(13), fc.nat(13), async (steps, from, to) => {
      const commits: MadeObject[] = [];
      for (const [distances, text] of steps) {
        const parents = distances.flatMap((distance) => commits.at(-distance) ?? []);
        commits.push(commit(file(`${text}`), [...new Set(parents)], commits.length));
      }
      const base = commits[from % commits.length] as MadeObject;
      const head = commits[to % commits.length] as MadeObject;
      const one = await repositoryWith({ base });
      const other = await repositoryWith({ head }, one.engine);
      const shown = await compareIn([one, other], 'base', 'head');
      expect(shown).toEqual(await compare({ base, head }, 'base', 'head'));
      const [ofBase, ofHead] = [ancestors(base), ancestors(head)];
      const common = commits.filter((each) => ofBase.has(each) && ofHead.has(each));
      expect(shown).toMatchObject({
        // Dates grow, so no later commit is an ancestor of the last one.
        merge_base: common.at(-1)?.id ?? null,
        ahead: ofHead.size - common.length,
        behind: ofBase.size - common.length,
        commits: commits
          .filter((each) => ofHead.has(each) && !ofBase.has(each))
          .toReversed()
          .map(({ id }) => ({ hash: id })),
      });
      // A revision is looked for in one repository alone.
      expect(await compareIn([one, other], 'base', 'base')).toBeUndefined();
    }),
    { numRuns: runs(30) },
  );
});
