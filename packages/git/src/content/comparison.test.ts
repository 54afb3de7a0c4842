import { expect, it } from 'vitest';
import { MaintainedRepository } from '../maintain/maintained-repository.test.util.ts';
import { blob, closure, commit, tree, type MadeObject } from '../maintain/made-history.test.util.ts';
import { Comparison, type ComparisonSummary } from './comparison.ts';
import { ContentReader } from './content-reader.ts';

async function compare(
  refs: Readonly<Record<string, MadeObject>>,
  base: string,
  head: string,
): Promise<ComparisonSummary | undefined> {
  const repository = new MaintainedRepository();
  const commands = Object.entries(refs).map(([name, value]) => ({ ref: `refs/heads/${name}`, new: value }));
  await repository.push(commands, [...closure(Object.values(refs)).values()]);
  const { engine } = repository;
  const reader = await ContentReader.open(engine, repository.repository, repository.state.current, { hiddenRefs: [] });
  const found = await Comparison.open(reader, base, head);
  const summary = await found?.summary();
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
