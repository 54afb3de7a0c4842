/** REPO-118 and REPO-123 of docs/specification/repositories.md: parent and fork do not affect each other. */

import { suite, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { pathOf } from '../../../steps/content.ts';
import { expectAbsent, expectReadable, expectUncommon, forkOf, forkOfAll } from '../../../steps/forked.ts';
import { expectIntact, fetched, idsOf, refsOf } from '../../../tools/hosted-objects.ts';
import {
  blob,
  change,
  commit,
  insertingDelta,
  pack,
  packEntry,
  packOfEntries,
  tree,
  type MadeCommit,
  type MadeObject,
} from '../../../tools/made-objects.ts';
import { noise } from '../../../tools/noise.ts';
import { accepted, repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { untilCollected } from '../../../steps/until-collected.ts';
import { push, remove, set } from '../../../tools/wire-client.ts';
import { assertSuccess } from '../../../steps/replies.ts';
import { only, soonCollected } from '../../../steps/settings.ts';

const main = 'refs/heads/main';
const side = 'refs/heads/side';

/** Expects these refs, and that a clone brings exactly what they reach. */
async function expectAsBefore(
  repo: TestRepo,
  refs: Readonly<Record<string, MadeObject>>,
  objects: readonly MadeObject[],
): Promise<void> {
  same(
    await refsOf(repo),
    Object.fromEntries(Object.entries(refs).map(([name, { oid }]) => [name, oid])),
    `The refs of ${repo.name} are as before.`,
  );
  const brought = (await fetched(repo, Object.values(refs))).objects;
  same([...brought.keys()].sort(), idsOf(objects), `So is what a clone of ${repo.name} brings.`);
}

/** Makes all kinds of pushes to `one`, and expects that the other shows no trace of them. */
async function expectNoTrace(
  t: Context,
  one: TestRepo,
  other: TestRepo,
  { base, top, work }: Readonly<Record<'base' | 'top' | 'work', MadeCommit>>,
): Promise<void> {
  const objects = [base, top, work].flatMap(({ all }) => all);
  const mark = one.name;
  const added = change(`added ${mark}`, top);
  const forced = change(`forced ${mark}`);
  const failed = change(`failed ${mark}`);
  await accepted(one, [set(main, added, top), set('refs/tags/new', added)], pack(...added.all));
  await accepted(one, [set(main, forced, added), remove(side, work)], pack(...forced.all));
  await push(one, [set(main, failed, base)], pack(...failed.all));
  await expectAsBefore(other, { [main]: top, [side]: work }, objects);
  const foreign = [...added.all, ...forced.all, ...failed.all];
  await expectAbsent(t, other, foreign);
  await expectUncommon(other, top, [added, forced, failed]);
  for (const commitOfOther of [base, top, work]) await expectReadable(t, other, commitOfOther);
  // An object that only the other repo has is not a delta base here, and completes no history.
  const child = change(`on ${mark}`, added);
  const report = await push(other, [set('refs/heads/stolen', child)], pack(...child.all));
  same(
    report,
    ['unpack ok', 'ng refs/heads/stolen missing necessary objects'],
    'A push on a commit that only the other has is refused.',
  );
  const delta = insertingDelta(added.file.body.length, child.file.body);
  const thin = packOfEntries([packEntry(7, delta, Buffer.from(added.file.oid, 'hex'))]);
  same(
    await push(other, [set('refs/heads/stolen', child)], thin),
    [`unpack missing base ${added.file.oid}`, 'ng refs/heads/stolen unpacker error'],
    'A push of a delta of its file is, too.',
  );
  const byId = await push(other, [set('refs/heads/stolen', added)], pack());
  same(byId.at(-1), 'ng refs/heads/stolen missing necessary objects', 'So is one that names it.');
}

export const forkIndependence: Suite = suite(
  {
    id: 'rest/fork/pushes-apart',
    requirements: ['GIT-145', 'GIT-149', 'GIT-154', 'REPO-123', 'REPO-142'],
    level: 'MUST',
    beyond: true,
    explanation: 'What is pushed, forced or deleted in a fork or its parent shows in no way in the other.',
    async run(t) {
      const base = change('base');
      const history = { base, top: change('top', base), work: change('work', base) };
      const objects = Object.values(history).flatMap(({ all }) => all);
      const parent = await repoWith(t, { [main]: history.top, [side]: history.work }, objects);
      await expectNoTrace(t, await forkOfAll(t, parent), parent, history);
      const fork = await forkOfAll(t, parent);
      await expectNoTrace(t, parent, fork, history);
      await expectNoTrace(t, fork, await forkOfAll(t, fork), history);
    },
  },
  {
    id: 'rest/fork/deleted-apart',
    requirements: ['REPO-116', 'REPO-118', 'REPO-123'],
    level: 'MUST',
    beyond: true,
    explanation: 'A fork survives its parent, a parent its forks, and forks of a deleted fork survive that.',
    async run(t) {
      const [small, large] = [blob('small\n'), blob(noise(3_000_000, t.seed))];
      const root = tree({ large, small });
      const first = commit('first', root);
      const objects = [first, root, small, large];
      const parent = await repoWith(t, { [main]: first }, objects);
      const [left, right] = [await forkOf(t, parent), await forkOf(t, parent)];
      const grandchild = await forkOf(t, left);
      const living = [parent, left, right, grandchild];
      for (const gone of [left, parent, right]) {
        assertSuccess(await t.rest('DELETE', pathOf(gone)), 202, `DELETE of ${gone.name}`);
        living.splice(living.indexOf(gone), 1);
        for (const repo of living) await expectAsBefore(repo, { [main]: first }, objects);
      }
      const next = change('next', first);
      await accepted(grandchild, [set(main, next, first)], pack(...next.all));
      await expectAsBefore(grandchild, { [main]: next }, [...objects, ...next.all]);
    },
  },
  {
    id: 'rest/fork/many-pushes-apart',
    requirements: ['GIT-154', 'REPO-123'],
    level: 'MUST',
    explanation: 'A fork of one branch takes many pushes, merges with what it shares, and stays whole.',
    async run(t) {
      const base = change('base');
      const other = change('other', base);
      const parent = await repoWith(t, { [main]: base, [side]: other }, [...base.all, ...other.all]);
      const fork = await forkOf(t, parent);
      let tip: MadeCommit = base;
      const objects = [...base.all];
      for (let i = 0; i < 40; i++) {
        const next = change(`${i}`, tip);
        await accepted(fork, [set(main, next, tip)], pack(...next.all));
        objects.push(...next.all);
        tip = next;
      }
      await expectAsBefore(fork, { [main]: tip }, objects);
      await expectAbsent(t, fork, other.all);
      // Objects that only the parent had can be pushed here like any others.
      const merged = change('merged', tip, other);
      await accepted(fork, [set(main, merged, tip)], pack(...merged.all, ...other.all));
      await expectAsBefore(fork, { [main]: merged }, [...objects, ...merged.all, ...other.all]);
      await expectReadable(t, fork, other);
      await expectIntact(parent);
    },
  },
  {
    id: 'rest/fork/collected-apart',
    requirements: ['GIT-127', 'REPO-123'],
    level: 'MUST',
    needs: ['settings', 'maintenance'],
    settings: only(soonCollected, 'gc_grace', 'stale_want_grace'),
    explanation: 'What a parent collects stays with its fork; what a fork gives up stays with its parent.',
    async run(t) {
      const base = change('base');
      const work = change('work', base);
      const objects = [...base.all, ...work.all];
      const parent = await repoWith(t, { [main]: base, [side]: work }, objects);
      const [fork, leaving] = [await forkOfAll(t, parent), await forkOfAll(t, parent)];
      await accepted(leaving, [remove(side, work)]);
      await accepted(parent, [remove(side, work)]);
      await untilCollected(parent, base, [work]);
      await expectAsBefore(fork, { [main]: base, [side]: work }, objects);
      await expectReadable(t, fork, work);
      for (const repo of [parent, leaving]) {
        await expectAsBefore(repo, { [main]: base }, base.all);
        await expectAbsent(t, repo, work.all);
      }
      const again = await forkOfAll(t, leaving);
      await expectAsBefore(again, { [main]: base }, base.all);
      await expectAbsent(t, again, work.all);
      await expectUncommon(again, base, [work]);
    },
  },
);
