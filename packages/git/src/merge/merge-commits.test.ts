import { expect, it, vi } from 'vitest';
import { ContentReader } from '../content/content-reader.ts';
import { MaintainedRepository } from '../maintain/maintained-repository.test.util.ts';
import { blob, closure, commit, tree, type MadeObject } from '../maintain/made-history.test.util.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import type { Steps } from '../work/loops.ts';
import { MergeLimits, MergeTooLargeError } from './merge-limits.ts';
import { mergeCommits, mergeWithBase, type MergeSetting } from './merge-commits.ts';

async function viewOf(tips: readonly MadeObject[]): Promise<RepositoryView> {
  const repository = new MaintainedRepository();
  const commands = tips.map((tip, i) => ({ ref: `refs/heads/b${i}`, new: tip }));
  await repository.push(commands, [...closure(tips).values()]);
  const { engine, state } = repository;
  return (await ContentReader.open(engine, repository.repository, state.current, { hiddenRefs: [] })).handOver().view;
}

/** Each argument has the tips of one repository. */
async function settingOf(...repositories: readonly (readonly MadeObject[])[]): Promise<MergeSetting> {
  const views: RepositoryView[] = [];
  for (const tips of repositories) views.push(await viewOf(tips));
  return {
    views: views as [RepositoryView, ...RepositoryView[]],
    hold: () => undefined,
    labels: { ours: 'main', theirs: 'topic' },
  };
}

const idOf = ({ id }: MadeObject): ObjectId => id as ObjectId;
const file = (text: string, name = 'file'): { name: string; object: MadeObject } => ({ name, object: blob(text) });

const root = commit(tree([file('1\n')]), [], 0);
const ours = commit(tree([file('2\n')]), [root], 1);
const theirs = commit(tree([file('1\n'), file('', 'other')]), [root], 2);
const both = tree([file('2\n'), file('', 'other')]);

it('merges a commit that only the second repository has', async () => {
  const setting = await settingOf([ours], [commit(tree([]), [theirs], 3)]);
  const merged = await mergeCommits(setting, idOf(ours), idOf(theirs));
  expect(merged).toMatchObject({ kind: 'merged', tree: both.id, isChanged: true });
  expect(merged).toHaveProperty('objects.length', 1);
});

it('tells commits that need no merge, and those without a common ancestor', async () => {
  const stranger = commit(tree([file('1\n')]), [], 4);
  const setting = await settingOf([ours, stranger], [theirs]);
  const kindOf = async (one: MadeObject, two: MadeObject): Promise<string> =>
    (await mergeCommits(setting, idOf(one), idOf(two))).kind;
  expect(await kindOf(ours, root)).toBe('up to date');
  expect(await kindOf(ours, ours)).toBe('up to date');
  expect(await mergeCommits(setting, idOf(root), idOf(theirs))).toEqual({
    kind: 'fast-forward',
    tree: (theirs.links[0] as MadeObject).id,
    isChanged: true,
  });
  expect(await kindOf(ours, stranger)).toBe('unrelated');
});

it('returns the versions of each path in conflict', async () => {
  const setting = await settingOf([ours], [commit(tree([]), [theirs], 3)]);
  const removed = await mergeCommits(setting, idOf(ours), idOf(commit(tree([]), [theirs], 3)));
  const versionOf = (text: string): object => ({ mode: 0o100644, oid: blob(text).id });
  expect(removed).toEqual({
    kind: 'conflicts',
    conflicts: [{ path: 'file', base: versionOf('1\n'), ours: versionOf('2\n'), theirs: undefined }],
  });
});

it('moves a file out of the way of a folder, to a name that no other file has', async () => {
  const kept = ['a~main', 'b'].map((name) => file('', name));
  const base = commit(tree(kept), [], 0);
  const own = commit(tree([...kept, file('1', 'a')]), [base], 1);
  const other = commit(tree([...kept, { name: 'a', object: tree([file('2')]) }]), [base], 2);
  const setting = await settingOf([own, other]);
  expect(await mergeCommits(setting, idOf(own), idOf(other))).toMatchObject({ conflicts: [{ path: 'a~main_0' }] });
});

it('reads a folder once for any number of added files that follow a renamed folder into it', async () => {
  const readsOf = async (names: readonly string[]): Promise<number> => {
    const kept = { name: 'new', object: tree([file('', 'kept')]) };
    const files = ['x', 'y', 'z'].map((name) => file(`${name}\n`, name));
    const base = commit(tree([kept, { name: 'old', object: tree(files) }]), [], 0);
    const own = commit(tree([{ name: 'new', object: tree([file('', 'kept'), ...files]) }]), [base], 1);
    const added = names.map((name) => file(name, name));
    const other = commit(tree([kept, { name: 'old', object: tree([...added, ...files]) }]), [base], 2);
    const setting = await settingOf([own, other]);
    const read = vi.spyOn(setting.views[0], 'read');
    const conflicts = names.map((name) => ({ path: `new/${name}`, ours: undefined }));
    expect(await mergeCommits(setting, idOf(own), idOf(other))).toMatchObject({ conflicts });
    return read.mock.calls.length;
  };
  expect(await readsOf(['a', 'b', 'c', 'd'])).toBe(await readsOf(['a']));
});

it('merges with a given base: picks and reverts commits, also the first one', async () => {
  const merge = commit(both, [ours, theirs], 3);
  const setting = await settingOf([merge]);
  const [head, first] = [idOf(merge), idOf(root)];
  const picked = await mergeWithBase(setting, { base: first, ours: idOf(ours), theirs: idOf(theirs) });
  expect(picked).toMatchObject({ tree: both.id, isChanged: true });
  const reverted = await mergeWithBase(setting, { base: idOf(ours), ours: head, theirs: first });
  expect(reverted).toMatchObject({ tree: theirs.links[0]?.id });
  expect(await mergeWithBase(setting, { base: null, ours: first, theirs: first })).toMatchObject({ isChanged: false });
  expect(await mergeWithBase(setting, { base: first, ours: first, theirs: null })).toMatchObject({ tree: tree([]).id });
});

it('refuses a merge of too many entries or compared lines (LIM-034)', () => {
  const limits = new MergeLimits();
  for (let i = 0; i < 2_000_000; i++) limits.count();
  expect(() => limits.count()).toThrow(MergeTooLargeError);
  const compared = limits.counting([1_000_000_000, 1].values() as unknown as Steps<void>);
  compared.next();
  expect(() => compared.next()).toThrow(MergeTooLargeError);
});

it('refuses a merge of too many visited commits or merged bases', () => {
  const limits = new MergeLimits();
  for (let i = 0; i < 100; i++) limits.countBase();
  expect(() => limits.countBase()).toThrow(MergeTooLargeError);
  const visited = limits.visiting([16 * 20_000_000, 1].values() as unknown as Steps<void>);
  visited.next();
  expect(() => visited.next()).toThrow(MergeTooLargeError);
});

it('stops a merge that needs more memory than there is (LIM-034)', async () => {
  const hold = (): never => {
    throw new RangeError('full');
  };
  const merged = mergeCommits({ ...(await settingOf([ours], [theirs])), hold }, idOf(ours), idOf(theirs));
  await expect(merged).rejects.toThrow('full');
});
