/** Concurrent pushes. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import { expectFetched, expectIntact, refsOf } from '../../tools/hosted-objects.ts';
import { blob, change, commit, pack, tag, tree, type MadeCommit, type MadeObject } from '../../tools/made-objects.ts';
import { noise } from '../../tools/noise.ts';
import { main, sameReport, taken } from '../../tools/push-reports.ts';
import { accepted, repoWith } from '../../steps/repo-with.ts';
import { same } from '../../tools/same.ts';
import { push, remove, set } from '../../tools/wire-client.ts';

const racers = 30;
const base = change('base');

/** Makes children of a commit. A push throws unless the reply is 200. */
function children(of: string, parent: MadeObject): MadeCommit[] {
  return Array.from({ length: racers }, (_, i) => change(`${of}, racer ${i}`, parent));
}

export const gitRaces: Suite = suite(
  {
    id: 'git/races/one-ref',
    requirements: ['GIT-157', 'GIT-125'],
    level: 'MUST',
    explanation: `Of ${racers} pushes that race for one ref from the same value exactly one wins, the others are stale.`,
    async run(t) {
      const repo = await repoWith(t, { [main]: base }, base.all);
      let from: MadeObject = base;
      for (const round of ['first round', 'second round']) {
        const old = from;
        const values = children(round, old);
        const reports = await Promise.all(
          values.map((value) => push(repo, [set(main, value, old)], pack(...value.all))),
        );
        const winners = values.filter((_, i) => reports[i]?.[1] === `ok ${main}`);
        assert.equal(winners.length, 1, `In the ${round} exactly one push wins.`);
        const others = reports.filter((report) => report[1] !== `ok ${main}`);
        const stale = ['unpack ok', `ng ${main} stale ref`];
        for (const report of others) sameReport(repo, report, stale, 'All others are told that their ref is stale.');
        from = winners[0] as MadeObject;
        same(await refsOf(repo), { [main]: from.oid }, 'The ref is at what the winner pushed.');
      }
      await expectIntact(repo);
    },
  },
  {
    id: 'git/races/new-ref',
    requirements: ['GIT-157', 'GIT-125'],
    level: 'MUST',
    explanation: `Of ${racers} pushes that create one ref in an empty repo exactly one wins.`,
    async run(t) {
      const repo = await t.createRepo();
      const values = children('new', base);
      const reports = await Promise.all(
        values.map((value) => push(repo, [set(main, value)], pack(...value.all, ...base.all))),
      );
      const winners = values.filter((_, i) => reports[i]?.[1] === `ok ${main}`);
      assert.equal(winners.length, 1, 'Exactly one push wins.');
      same(await refsOf(repo), { [main]: (winners[0] as MadeObject).oid }, 'The ref is at what the winner pushed.');
      await expectIntact(repo);
    },
  },
  {
    id: 'git/races/different-refs',
    requirements: ['GIT-157', 'GIT-150'],
    level: 'MUST',
    explanation: `All of ${racers} pushes to different refs at the same time win, and everything can be fetched.`,
    async run(t) {
      const repo = await repoWith(t, { [main]: base }, base.all);
      const values = children('branch', base);
      const reports = await Promise.all(
        values.map((value, i) => push(repo, [set(`refs/heads/b${i}`, value)], pack(...value.all))),
      );
      same(
        reports,
        values.map((_, i) => taken(`refs/heads/b${i}`)),
        'Every push wins.',
      );
      const expected = Object.fromEntries(values.map(({ oid }, i) => [`refs/heads/b${i}`, oid]));
      same(await refsOf(repo), { ...expected, [main]: base.oid }, 'Every ref stands.');
      await expectIntact(repo);
    },
  },
  {
    id: 'git/races/many-refs-each',
    requirements: ['GIT-157', 'GIT-150', 'GIT-151', 'GIT-152'],
    level: 'MUST',
    beyond: true,
    explanation: 'Of atomic pushes that race for the same refs exactly one wins, with all of them.',
    async run(t) {
      const repo = await repoWith(t, { [main]: base }, base.all);
      const values = children('atomic', base).slice(0, 10);
      const names = ['refs/heads/a', 'refs/heads/b', 'refs/heads/c'];
      const reports = await Promise.all(
        values.map((value, i) => {
          const order = i % 2 === 0 ? names : [...names].reverse();
          const commands = order.map((ref) => set(ref, value));
          return push(repo, commands, pack(...value.all), 'atomic');
        }),
      );
      const winners = values.filter((_, i) => reports[i]?.every((line) => /^(unpack ok$|ok )/.test(line)));
      assert.equal(winners.length, 1, 'Exactly one push wins.');
      const losers = reports.filter((report) => !report.includes('ok refs/heads/a'));
      assert.equal(losers.length, values.length - 1, 'No other push has any of the refs.');
      for (const report of losers) {
        assert(!report.some((line) => line.startsWith('ok ')), 'A push that lost has lost all its refs.');
      }
      const value = (winners[0] as MadeObject).oid;
      same(
        await refsOf(repo),
        { [main]: base.oid, ...Object.fromEntries(names.map((ref) => [ref, value])) },
        'All refs are at what the winner pushed.',
      );
    },
  },
  {
    id: 'git/races/same-objects',
    requirements: ['GIT-157', 'GIT-066'],
    level: 'MUST',
    explanation: 'Pushes that bring the same objects at the same time all win, and each object is sent once.',
    async run(t) {
      const repo = await repoWith(t, { [main]: base }, base.all);
      const shared = change('shared', base);
      const above = change('above', shared);
      const beside = tree({ other: shared.file });
      const aside = commit('aside', beside, [base]);
      const label = tag('shared', shared);
      const racing: readonly (readonly [ref: string, value: MadeObject, objects: readonly MadeObject[]])[] = [
        ['refs/heads/shared', shared, shared.all],
        ['refs/heads/above', above, [...above.all, ...shared.all]],
        ['refs/heads/aside', aside, [aside, beside, shared.file]],
        ['refs/tags/shared', label, [label, ...shared.all]],
        ['refs/heads/again', above, [...above.all, ...shared.all]],
        ['refs/heads/once-more', shared, shared.all],
      ];
      const reports = await Promise.all(
        racing.map(([ref, value, objects]) => push(repo, [set(ref, value)], pack(...objects))),
      );
      same(
        reports,
        racing.map(([ref]) => taken(ref)),
        'Every push wins.',
      );
      await accepted(repo, [set('refs/heads/late', above)], pack(...above.all, ...shared.all));

      const all = [...base.all, ...shared.all, ...above.all, aside, beside, label];
      await expectFetched(repo, [base, shared, above, aside, label], [], all, 'All of it, each object once.');
      await expectFetched(repo, [above, label], [base], [...shared.all, ...above.all, label], 'What the base lacks.');
      // Git lets a server send again what the client has.
      if (repo.foreign !== true)
        await expectFetched(repo, [aside], [shared], [aside, beside], 'Not the file that another commit has.');
      await expectFetched(repo, [above], [shared], above.all, 'Not what one of several packs has.');
      const root = tree({ file: above.file, other: shared.file });
      const merge = commit('merge', root, [above, aside]);
      await accepted(repo, [set('refs/heads/merge', merge)], pack(merge, root));
      await expectFetched(repo, [merge], [above, aside], [merge, root], 'What is built on them goes on well.');
    },
  },
  {
    id: 'git/races/large-and-small',
    requirements: ['GIT-157'],
    level: 'MUST',
    explanation: 'Pushes of all sizes to different refs at the same time all win.',
    async run(t) {
      const repo = await repoWith(t, { [main]: base }, base.all);
      const values = [1_000, 600_000, 2_200_000, 10, 1_200_000, 50_000].map((size, i) => {
        const file = blob(noise(size, i));
        const root = tree({ file });
        const node = commit(`${size} bytes`, root, [base]);
        return { ref: `refs/heads/b${i}`, node, bytes: pack(node, root, file) };
      });
      const reports = await Promise.all(values.map(({ ref, node, bytes }) => push(repo, [set(ref, node)], bytes)));
      same(
        reports,
        values.map(({ ref }) => taken(ref)),
        'Every push wins.',
      );
      await expectIntact(repo);
    },
  },
  {
    id: 'git/races/deletes',
    requirements: ['GIT-157', 'GIT-125', 'GIT-127'],
    level: 'MUST',
    explanation: 'Of pushes that delete a ref and pushes that move it, all from the same value, exactly one wins.',
    async run(t) {
      const repo = await repoWith(t, { [main]: base, 'refs/heads/other': base }, base.all);
      const values = children('against deletes', base).slice(0, 10);
      const reports = await Promise.all(
        values.map((value, i) =>
          i % 2 === 0 ? push(repo, [remove(main, base)]) : push(repo, [set(main, value, base)], pack(...value.all)),
        ),
      );
      const winners = reports.flatMap((report, i) => (report[1] === `ok ${main}` ? [i] : []));
      assert.equal(winners.length, 1, 'Exactly one push wins.');
      const [winner = 0] = winners;
      const expected = winner % 2 === 0 ? {} : { [main]: (values[winner] as MadeObject).oid };
      same(await refsOf(repo), { ...expected, 'refs/heads/other': base.oid }, 'The ref is as the winner wants it.');
      await expectIntact(repo);
    },
  },
  {
    id: 'git/races/conflicting-names',
    requirements: ['GIT-124', 'GIT-157'],
    level: 'MUST',
    beyond: true,
    explanation: 'Of pushes at the same time that create a ref and refs below it, either the one or the others win.',
    async run(t) {
      const repo = await repoWith(t, { [main]: base }, base.all);
      const above = 'refs/heads/a';
      const names = [above, `${above}/b`, `${above}/c`, `${above}/d/e`];
      const reports = await Promise.all(names.map((ref) => push(repo, [set(ref, base)], pack())));
      const winners = names.filter((ref, i) => reports[i]?.[1] === `ok ${ref}`);
      const below = names.slice(1);
      same(winners, winners.includes(above) ? [above] : below, 'No ref stands below another one.');
      for (const [i, ref] of names.entries()) {
        if (!winners.includes(ref)) {
          const told = new RegExp(`^ng ${ref} ${repo.foreign === true ? '' : 'conflicts with '}`);
          assert.match(reports[i]?.[1] ?? '', told, 'The losers are told why.');
        }
      }
      same(Object.keys(await refsOf(repo)).sort(), [...winners, main].sort(), 'The winners stand.');
    },
  },
);
