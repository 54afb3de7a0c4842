/** REPO-194 to REPO-196 of docs/specification/repositories.md, on random histories: stock git is the oracle. */

import fc from 'fast-check';
import { suite, type Suite } from '../../core/case.ts';
import type { Context, TestRepo } from '../../core/context.ts';
import { commitOf } from '../../steps/content.ts';
import { EventLog } from '../../steps/events.ts';
import { holds } from '../../steps/holds.ts';
import { change, commit, noObject, pack, type MadeObject } from '../../tools/made-objects.ts';
import { buildHistory, historySteps } from '../../tools/random-history.ts';
import { accepted } from '../../steps/repo-with.ts';
import { same } from '../../tools/same.ts';
import { remove, set } from '../../tools/wire-client.ts';

/** Returns the commits that the event of a push must list, according to stock git. */
async function expectedCommits(t: Context, repo: TestRepo, cwd: string, before: string, after: string) {
  const without = before === noObject ? [] : [`^${before}`];
  const walk = await t.git(['rev-list', '--first-parent', '--max-count=21', after, ...without], { cwd });
  const ids = walk.split('\n').filter(Boolean);
  const commits = await Promise.all(
    ids.slice(0, 20).map(async (id) => {
      const { message, author, committer, parents, committedAt } = await commitOf(t, repo, id);
      const timestamp = new Date(committedAt * 1000).toISOString();
      const shown = [...message].slice(0, 4_096).join('');
      return { id, message: shown, messageTruncated: shown !== message, timestamp, author, committer, parents };
    }),
  );
  return { commits, totalCommitsCount: ids.length, commitsTruncated: ids.length > 20 };
}

/** Sets a branch to these commits in successive pushes, and expects the event of each. */
async function moveAround(t: Context, values: readonly MadeObject[], objects: readonly MadeObject[]): Promise<void> {
  const cwd = await t.folder();
  await t.git(['init', '--quiet', '--bare'], { cwd });
  await t.git(['unpack-objects', '-q'], { cwd, input: pack(...objects) });
  const namespace = t.name('ns');
  const log = new EventLog(t, { namespace });
  const repo = await t.createRepo({ namespace });
  await log.next(2, 'a new repo');
  const ref = 'refs/heads/topic';
  let old: MadeObject | undefined;
  for (const value of [...values, undefined]) {
    if (value === undefined) await accepted(repo, old === undefined ? [] : [remove(ref, old)]);
    else await accepted(repo, [set(ref, value, old)], pack(...objects));
    const [before, after] = [old?.oid ?? noObject, value?.oid ?? noObject];
    if (before === after) continue;
    const [delivery] = await log.next(1, `${ref} from ${before} to ${after}`);
    const none = { commits: [], totalCommitsCount: 0, commitsTruncated: false };
    // Abandoned commits may be collected, so wait for the event before the next push.
    const told = value === undefined ? none : await expectedCommits(t, repo, cwd, before, after);
    same(delivery?.event.payload, { ref, before, after, ...told }, `What is told of ${before}..${after}.`);
    old = value;
  }
}

export const eventsOfPushes: Suite = suite(
  {
    id: 'rest/events/pushed-commits',
    requirements: ['REPO-194', 'REPO-195', 'REPO-196'],
    level: 'MUST',
    beyond: true,
    needs: ['event sink', 'git'],
    explanation: 'A push tells what a branch gained over first parents, as stock git walks; whatever it was moved to.',
    async run(t) {
      const property = fc.asyncProperty(
        historySteps({ isOdd: false, most: 14 }),
        fc.array(fc.nat(), { minLength: 3, maxLength: 6 }),
        async (steps, moves) => {
          const { objects } = buildHistory(steps);
          const all = [...objects.values()];
          const commits = all.filter(({ kind }) => kind === 'commit');
          const values = moves.map((move) => commits[move % commits.length] as MadeObject);
          await moveAround(t, values, all);
        },
      );
      await holds(t, 3, property);
    },
  },
  {
    id: 'rest/events/long-pushes',
    requirements: ['REPO-195', 'REPO-196'],
    level: 'MUST',
    beyond: true,
    needs: ['event sink', 'git'],
    explanation: 'Of many commits 20 are told and 21 counted; of a long message, the first 4,096 characters.',
    async run(t) {
      const first = change('first');
      const texts = ['x'.repeat(4_096), 'y'.repeat(4_097), '😀'.repeat(4_100), `a\n${'ü'.repeat(9_000)}`];
      const line: MadeObject[] = [first];
      for (let i = 0; i < 30; i++)
        line.push(commit(texts[i % 10] ?? `change ${i}`, first.root, [line[i] as MadeObject]));
      const values = [0, 20, 30, 9, 29].map((i) => line[i] as MadeObject);
      await moveAround(t, values, [...first.all, ...line]);
    },
  },
);
