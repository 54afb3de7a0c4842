/** GIT-150, GIT-156 and GIT-157 of docs/specification/git.md: requests at the same time. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import { fetched } from '../../tools/hosted-objects.ts';
import { change, pack } from '../../tools/made-objects.ts';
import { accepted, repoWith } from '../../tools/repo-with.ts';
import { same } from '../../tools/same.ts';
import { commandBody, discover, linesOf, listedRefs, post, push, set } from '../../tools/wire-client.ts';

const first = change('first');
const second = change('second', first);

export const gitTransactionsRaces: Suite = suite(
  {
    id: 'git/transactions/all-or-none-seen',
    requirements: ['GIT-150', 'GIT-156'],
    level: 'MUST',
    beyond: true,
    explanation: 'Whoever lists the refs while pushes move twenty of them at once sees all of a push or nothing of it.',
    async run(t) {
      const names = Array.from({ length: 20 }, (_, i) => `refs/heads/b${String(i).padStart(2, '0')}`);
      const refs = Object.fromEntries(names.map((name) => [name, first]));
      const repo = await repoWith(t, refs, [...first.all, ...second.all]);
      let pushing = true;
      const seen = new Set<string>();
      const watch = async (list: () => Promise<readonly string[]>): Promise<void> => {
        while (pushing) {
          const values = (await list())
            .filter((line) => line.includes(' refs/heads/'))
            .map((line) => line.slice(0, 40));
          assert.equal(values.length, names.length, 'Every ref is listed.');
          seen.add([...new Set(values)].join(' and '));
        }
      };
      const watching = Promise.all([
        watch(async () => linesOf((await post(repo, commandBody('ls-refs', ['ref-prefix refs/']))).body)),
        watch(async () => (await discover(repo)).lines),
      ]);
      try {
        for (let i = 0; i < 10; i++) {
          const [old, next] = i % 2 === 0 ? [first, second] : [second, first];
          const commands = names.map((name) => set(name, next, old));
          await accepted(repo, commands, pack(...second.all));
        }
      } finally {
        pushing = false;
      }
      await watching;
      const mixed = [...seen].filter((values) => values !== first.oid && values !== second.oid);
      same(mixed, [], 'No list mixes the values of two pushes.');
      assert.ok(seen.size > 0, 'The refs were listed at least once.');
    },
  },
  {
    id: 'git/transactions/race-for-one-ref',
    requirements: ['GIT-157', 'GIT-125'],
    level: 'MUST',
    explanation: 'Of pushes that race for one ref from the same value exactly one is ok, and the others are stale.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/main': first }, first.all);
      const racers = Array.from({ length: 8 }, (_, i) => change(`racer ${i}`, first));
      const reports = await Promise.all(
        racers.map((racer) => push(repo, [set('refs/heads/main', racer, first)], pack(...racer.all))),
      );
      const winner = reports.findIndex((report) => report[1] === 'ok refs/heads/main');
      same(
        reports,
        racers.map((_, i) => ['unpack ok', i === winner ? 'ok refs/heads/main' : 'ng refs/heads/main stale ref']),
        'One push is ok, all others are stale.',
      );
      const main = (await listedRefs(repo))['refs/heads/main'];
      assert.equal(main, racers[winner]?.oid, 'The ref is where the push that was ok put it.');
    },
  },
  {
    id: 'git/transactions/race-for-different-refs',
    requirements: ['GIT-157', 'GIT-155'],
    level: 'MUST',
    explanation: 'Pushes to different refs at the same time all succeed, and what each of them brought can be fetched.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/main': first }, first.all);
      const racers = Array.from({ length: 8 }, (_, i) => change(`racer ${i}`, first));
      await Promise.all(racers.map((racer, i) => accepted(repo, [set(`refs/heads/r${i}`, racer)], pack(...racer.all))));
      const refs = await listedRefs(repo);
      same(
        racers.map((_, i) => refs[`refs/heads/r${i}`]),
        racers.map(({ oid }) => oid),
        'Every ref is there.',
      );
      const { objects } = await fetched(repo, racers);
      same(
        [...objects.keys()].sort(),
        [...first.all, ...racers.flatMap(({ all }) => all)].map(({ oid }) => oid).sort(),
        'Every object is there.',
      );
    },
  },
);
