/** REPO-121 and REPO-122 of docs/specification/repositories.md: what a fork takes from its parent. */

import fc from 'fast-check';
import { suite, type Suite } from '../../../core/case.ts';
import { logOf } from '../../../steps/content.ts';
import { expectAbsent, expectReadable, expectUncommon, forkOf, forkOfAll, type Forked } from '../../../steps/forked.ts';
import { holds } from '../../../steps/holds.ts';
import { expectIntact, fetched, idsOf, refsOf } from '../../../tools/hosted-objects.ts';
import { blob, change, commit, pack, tag, tree, type MadeObject } from '../../../tools/made-objects.ts';
import { noise } from '../../../tools/noise.ts';
import { pushedHistory, accepted, repoWith } from '../../../steps/repo-with.ts';
import { buildHistory, historySteps } from '../../../tools/random-history.ts';
import { reached } from '../../../tools/reached-objects.ts';
import { same } from '../../../tools/same.ts';
import { discover, listedRefs, remove, set } from '../../../tools/wire-client.ts';
import { contentsOf } from '../../../steps/work-tree.ts';

/** Expects exactly these refs, exactly the objects that they reach, and the right count. */
async function expectHolds(
  fork: Forked,
  refs: Readonly<Record<string, Pick<MadeObject, 'oid'>>>,
  objects: readonly MadeObject[],
): Promise<void> {
  const values = Object.fromEntries(Object.entries(refs).map(([name, { oid }]) => [name, oid]));
  same(await refsOf(fork), values, 'The refs of the fork.');
  same(fork.objects, new Set(objects.map(({ oid }) => oid)).size, 'How many objects it is said to hold.');
  if (Object.keys(refs).length === 0) return;
  same([...(await fetched(fork, Object.values(refs))).objects.keys()].sort(), idsOf(objects), 'What a clone brings.');
}

export const forkContent: Suite = suite(
  {
    id: 'rest/fork/default-branch-only',
    requirements: ['GIT-130', 'GIT-154', 'REPO-121'],
    level: 'MUST',
    beyond: true,
    explanation:
      'Unless told otherwise a fork has the branch that HEAD resolves to and nothing else; nothing else of the parent is there.',
    async run(t) {
      const [base, side] = [change('base'), change('side')];
      const [top, next, tagged] = [change('top', base), change('next', base), change('tagged', base)];
      const named = tag('v1', tagged);
      const parent = await repoWith(
        t,
        { 'refs/heads/main': top, 'refs/heads/next': next, 'refs/heads/side': side, 'refs/tags/v1': named },
        [base, top, next, side, tagged].flatMap(({ all }) => all).concat(named),
      );
      const own = [...base.all, ...top.all];
      for (const body of [{}, { default_branch_only: true }, { default_branch_only: null }]) {
        const fork = await forkOf(t, parent, body);
        await expectHolds(fork, { 'refs/heads/main': top }, own);
        same((await listedRefs(fork))['HEAD'], `${top.oid} symref-target:refs/heads/main`, 'HEAD names the branch.');
        for (const one of [base, top]) await expectReadable(t, fork, one);
        await expectAbsent(t, fork, [...next.all, ...side.all, ...tagged.all, named]);
        await expectUncommon(fork, top, [next, side, tagged]);
      }
    },
  },
  {
    id: 'rest/fork/all-refs',
    requirements: ['REPO-121', 'REPO-122'],
    level: 'MUST',
    explanation: 'With default_branch_only false a fork has every ref, of whatever kind, with all that it reaches.',
    async run(t) {
      const [base, side] = [change('base'), change('side')];
      const top = change('top', base, side);
      const named = tag('v2', tag('v1', side));
      const inner = tag('v1', side);
      const [file, root] = [blob('lone\n'), tree({ lone: blob('lone\n') })];
      const refs = {
        'refs/heads/feature/x': side,
        'refs/heads/main': top,
        'refs/notes/commits': base,
        'refs/odd/blob': file,
        'refs/odd/tree': root,
        'refs/tags/light': base,
        'refs/tags/v2': named,
      };
      const objects = [base, side, top].flatMap(({ all }) => all).concat(named, inner, file, root);
      const parent = await repoWith(t, refs, objects);
      const fork = await forkOfAll(t, parent);
      await expectHolds(fork, refs, objects);
      same(
        await listedRefs(fork),
        await listedRefs(parent),
        'Refs, HEAD and what tags peel to are those of the parent.',
      );
      for (const one of [base, side, top]) await expectReadable(t, fork, one);
      same((await logOf(t, fork)).length, 2, 'Its log is that of the parent.');
    },
  },
  {
    id: 'rest/fork/only-what-refs-reach',
    requirements: ['GIT-154', 'REPO-121', 'REPO-123'],
    level: 'MUST',
    beyond: true,
    explanation:
      'What no ref of the parent reaches, of a branch that was deleted or moved, or brought along by a push, is not in a fork.',
    async run(t) {
      const [base, stray, lost, forced] = [change('base'), change('stray'), change('lost'), change('forced')];
      const top = change('top', base);
      const parent = await repoWith(
        t,
        { 'refs/heads/main': top, 'refs/heads/work': lost },
        [base, top, lost, stray].flatMap(({ all }) => all),
      );
      const commands = [set('refs/heads/main', forced, top), remove('refs/heads/work', lost)];
      await accepted(parent, commands, pack(...forced.all));
      for (const fork of [await forkOfAll(t, parent), await forkOf(t, parent)]) {
        await expectHolds(fork, { 'refs/heads/main': forced }, forced.all);
        await expectAbsent(
          t,
          fork,
          [base, top, lost, stray].flatMap(({ all }) => all),
        );
        await expectUncommon(fork, forced, [base, top, lost, stray]);
      }
    },
  },
  {
    id: 'rest/fork/head',
    requirements: ['GIT-130', 'REPO-121', 'REPO-122'],
    level: 'MUST',
    beyond: true,
    explanation:
      'The branch of a fork is the one that HEAD names by GIT-130: the default branch, else the only one, else none; the default branch stays that of the parent.',
    async run(t) {
      const [one, two] = [change('one'), change('two')];
      const only = await repoWith(t, { 'refs/heads/dev': one, 'refs/tags/main': two }, [...one.all, ...two.all]);
      const ofOnly = await forkOf(t, only);
      await expectHolds(ofOnly, { 'refs/heads/dev': one }, one.all);
      same((await listedRefs(ofOnly))['HEAD'], `${one.oid} symref-target:refs/heads/dev`, 'HEAD of the fork.');
      const several = await repoWith(t, { 'refs/heads/a': one, 'refs/heads/b': two }, [...one.all, ...two.all]);
      const ofSeveral = await forkOf(t, several);
      await expectHolds(ofSeveral, {}, []);
      same((await listedRefs(ofSeveral))['HEAD'], 'unborn symref-target:refs/heads/main', 'HEAD is unborn.');
      await expectAbsent(t, ofSeveral, [...one.all, ...two.all]);
      await expectHolds(await forkOfAll(t, several), { 'refs/heads/a': one, 'refs/heads/b': two }, [
        ...one.all,
        ...two.all,
      ]);
      await accepted(ofSeveral, [set('refs/heads/main', two)], pack(...two.all));
      same((await listedRefs(ofSeveral))['HEAD'], `${two.oid} symref-target:refs/heads/main`, 'After the first push.');
    },
  },
  {
    id: 'rest/fork/empty',
    requirements: ['REPO-122', 'REPO-143'],
    level: 'MUST',
    explanation: 'An empty parent gives an empty fork with 0 objects, which takes a first push like any new repo.',
    async run(t) {
      const first = change('first');
      const parent = await t.createRepo({ body: { default_branch: 'trunk' } });
      for (const body of [{}, { default_branch_only: false }]) {
        const fork = await forkOf(t, parent, body);
        await expectHolds(fork, {}, []);
        same(await logOf(t, fork), [], 'Its log is empty.');
        await accepted(fork, [set('refs/heads/trunk', first)], pack(...first.all));
        await expectIntact(fork);
        await expectReadable(t, fork, first);
      }
      same(await refsOf(parent), {}, 'The parent is as empty as before.');
      await expectAbsent(t, parent, first.all);
    },
  },
  {
    id: 'rest/fork/read-only',
    requirements: ['REPO-120', 'REPO-122', 'REPO-183'],
    level: 'MUST',
    beyond: true,
    explanation: 'A read-only repo can be forked, to a repo that takes pushes or to one that does not.',
    async run(t) {
      const first = change('first');
      const writable = await repoWith(t, { 'refs/heads/main': first }, first.all);
      const kept = await forkOf(t, writable, { read_only: true });
      const fork = await forkOf(t, kept);
      await expectHolds(fork, { 'refs/heads/main': first }, first.all);
      same((await discover(kept, { service: 'git-receive-pack' })).status, 403, 'The read-only one takes no push.');
      const next = change('next', first);
      await accepted(fork, [set('refs/heads/main', next, first)], pack(...next.all));
      await expectIntact(fork);
      same(await refsOf(kept), { 'refs/heads/main': first.oid }, 'The read-only one is as it was.');
    },
  },
  {
    id: 'rest/fork/stored-packs',
    requirements: ['REPO-121', 'REPO-123'],
    level: 'MUST',
    explanation:
      'Forks of a repo whose packs are large, small and many are whole, and so are forks of these, also when those before are deleted.',
    async run(t) {
      const large = blob(Buffer.from(Array.from({ length: 2_500_000 }, (_, i) => (i * i * 31 + i) % 251)));
      const noisy = blob(noise(2_500_000, t.seed));
      const root = tree({ large, noisy });
      const first = commit('first', root);
      const parent = await repoWith(t, { 'refs/heads/main': first }, [first, root, large, noisy]);
      const objects: MadeObject[] = [first, root, large, noisy];
      let tip: MadeObject = first;
      for (let i = 0; i < 6; i++) {
        const next = change(`${i}`, tip);
        await accepted(parent, [set('refs/heads/main', next, tip)], pack(...next.all));
        objects.push(...next.all);
        tip = next;
      }
      const child = await forkOf(t, parent);
      const refs = { 'refs/heads/main': tip };
      await expectHolds(child, refs, objects);
      const grandchild = await forkOfAll(t, child);
      const removed = async (repo: { readonly namespace: string; readonly name: string }): Promise<void> => {
        same((await t.rest('DELETE', `/namespaces/${repo.namespace}/repos/${repo.name}`)).status, 202, 'DELETE');
      };
      await removed(parent);
      await expectHolds(grandchild, refs, objects);
      await removed(child);
      await expectHolds(grandchild, refs, objects);
      await expectHolds(await forkOf(t, grandchild), refs, objects);
    },
  },
  {
    id: 'rest/fork/random-histories',
    requirements: ['GIT-154', 'REPO-053', 'REPO-121', 'REPO-123'],
    level: 'MUST',
    beyond: true,
    explanation:
      'Of any history, pushed in parts, a fork holds what its refs reach, as many objects as it says, and nothing else.',
    async run(t) {
      const property = fc.asyncProperty(
        historySteps({ isOdd: true, most: 12 }),
        fc.integer({ min: 1, max: 4 }),
        async (steps, pushes) => {
          const history = buildHistory(steps);
          const parent = await pushedHistory(t, history, pushes);
          const main = history.refs.get('refs/heads/main') as MadeObject;
          for (const [body, refs] of [
            [{}, { 'refs/heads/main': main }],
            [{ default_branch_only: false }, Object.fromEntries(history.refs)],
          ] as const) {
            const fork = await forkOf(t, parent, body);
            const ids = reached(
              Object.values(refs).map(({ oid }) => oid),
              history.objects,
            );
            const own = [...ids].map((oid) => history.objects.get(oid) as MadeObject);
            await expectHolds(fork, refs, own);
            const others = [...history.objects.values()].filter(({ oid }) => !ids.has(oid));
            await expectAbsent(t, fork, others.slice(0, 12));
            await expectUncommon(
              fork,
              main,
              others.filter(({ kind }) => kind === 'commit'),
            );
          }
        },
      );
      await holds(t, 4, property);
    },
  },
  {
    id: 'rest/fork/stock-git',
    requirements: ['REPO-053', 'REPO-121', 'REPO-123'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'Stock git finds every clone of a fork sound, with as many objects as the fork says it holds.',
    async run(t) {
      const history = buildHistory(
        fc.sample(historySteps({ isOdd: false, most: 20 }), { seed: t.seed, numRuns: 1 })[0] ?? [],
      );
      const parent = await pushedHistory(t, history, 3);
      for (const body of [{}, { default_branch_only: false }]) {
        const fork = await forkOf(t, parent, body);
        const clone = await t.folder();
        await t.git([...fork.auth, 'clone', '--quiet', '--mirror', fork.remote, clone]);
        await t.git(['fsck', '--strict', '--full'], { cwd: clone });
        const { objects } = await contentsOf(t, clone);
        same(objects.length, fork.objects, 'As many objects as git rev-list --objects lists.');
        await t.git([...fork.auth, 'clone', '--quiet', fork.remote, `${clone}-work`]);
      }
    },
  },
);
