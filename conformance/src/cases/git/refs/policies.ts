/** GIT-126 of docs/specification/git.md: updates that settings forbid. */

import { suite, type Suite } from '../../../core/case.ts';
import { change, pack } from '../../../tools/made-objects.ts';
import { accepted, repoWith } from '../../../steps/repo-with.ts';
import { sameReport } from '../../../tools/push-reports.ts';
import { same } from '../../../tools/same.ts';
import { listedRefs, push, remove, set } from '../../../tools/wire-client.ts';
import { governedSettings, only } from '../../../steps/settings.ts';

const first = change('first');
const second = change('second', first);
const third = change('third', second);
const fork = change('fork', first);
const everything = [first, second, third, fork].flatMap(({ all }) => all);

const governed = { needs: ['settings'], beyond: true, level: 'MUST' } as const;

export const gitRefsPolicies: Suite = suite(
  {
    ...governed,
    id: 'git/refs/deny-non-fast-forward',
    settings: only(governedSettings, 'deny_non_fast_forward'),
    requirements: ['GIT-126'],
    explanation: 'With deny_non_fast_forward branches only go forward, also with new objects; tags go anywhere.',
    async run(t) {
      const names = ['refs/heads/main', 'refs/heads/side', 'refs/tags/t'];
      const refs = { ...Object.fromEntries(names.map((name) => [name, second])), 'refs/keep/fork': fork };
      const repo = await repoWith(t, refs, everything);
      for (const back of [first, fork]) {
        const commands = names.map((ref) => set(ref, back, second));
        sameReport(
          repo,
          await push(repo, commands, pack()),
          ['unpack ok', 'ng refs/heads/main non-fast-forward', 'ng refs/heads/side non-fast-forward', 'ok refs/tags/t'],
          'Branches do not go back or aside.',
        );
        await accepted(repo, [set('refs/tags/t', second, back)], pack());
      }
      const forward = names.map((ref) => set(ref, third, second));
      await accepted(repo, forward, pack(...third.all));
      const [fourth, aside] = [change('fourth', third), change('aside', fork)];
      sameReport(
        repo,
        await push(
          repo,
          [set('refs/heads/main', fourth, third), set('refs/heads/side', aside, third)],
          pack(...fourth.all, ...aside.all),
        ),
        ['unpack ok', 'ok refs/heads/main', 'ng refs/heads/side non-fast-forward'],
        'What comes with the push may go forward or not.',
      );
    },
  },
  {
    ...governed,
    id: 'git/refs/deny-delete-default',
    settings: only(governedSettings, 'deny_delete_default'),
    requirements: ['GIT-126'],
    explanation: 'With deny_delete_default the default branch stays; other branches and tags are deleted.',
    async run(t) {
      const names = ['refs/heads/main', 'refs/heads/side', 'refs/tags/t'];
      const repo = await repoWith(t, Object.fromEntries(names.map((name) => [name, first])), first.all);
      sameReport(
        repo,
        await push(
          repo,
          names.map((name) => remove(name, first)),
        ),
        [
          'unpack ok',
          'ng refs/heads/main deletion of the default branch prohibited',
          'ok refs/heads/side',
          'ok refs/tags/t',
        ],
        'The default branch alone is not deleted.',
      );
      same(Object.keys(await listedRefs(repo)), ['HEAD', 'refs/heads/main'], 'It is there still.');
    },
  },
);
