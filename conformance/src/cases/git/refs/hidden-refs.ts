/**
 * GIT-129 of docs/specification/git.md: hidden refs. A client cannot create one, so the cases check from outside that
 * none is created.
 */

import { suite, type Suite } from '../../../core/case.ts';
import { fetchFeatures } from '../../../tools/advertised.ts';
import { askFor, versions } from '../../../tools/fetch-request.ts';
import { change, pack } from '../../../tools/made-objects.ts';
import { accepted, repoWith } from '../../../steps/repo-with.ts';
import { sameReport } from '../../../tools/push-reports.ts';
import { same } from '../../../tools/same.ts';
import { commandBody, linesOf, listedRefs, post, push, remove, set } from '../../../tools/wire-client.ts';
import { governedSettings, only } from '../../../steps/settings.ts';

const first = change('first');

const governed = {
  needs: ['settings'],
  settings: only(governedSettings, 'hidden_refs'),
  beyond: true,
  level: 'MUST',
} as const;

export const gitHiddenRefs: Suite = suite(
  {
    ...governed,
    id: 'git/hidden-refs/not-pushed-to',
    requirements: ['GIT-129'],
    explanation: 'A hidden ref is not created, moved or deleted, and the rest of the push goes on.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/main': first }, first.all);
      const denied = ['refs/internal/new', 'refs/internal/a/b', 'refs/heads/private/x'];
      sameReport(
        repo,
        await push(
          repo,
          [...denied, 'refs/heads/beside'].map((ref) => set(ref, first)),
          pack(),
        ),
        ['unpack ok', ...denied.map((ref) => `ng ${ref} deny updating a hidden ref`), 'ok refs/heads/beside'],
        'Hidden refs are not created.',
      );
      for (const command of [set('refs/internal/new', first, first), remove('refs/internal/new', first)]) {
        sameReport(
          repo,
          await push(repo, [command], pack()),
          ['unpack ok', 'ng refs/internal/new deny updating a hidden ref'],
          'Nor moved or deleted: whether they exist is not told.',
        );
      }
      same(
        Object.keys(await listedRefs(repo)),
        ['HEAD', 'refs/heads/beside', 'refs/heads/main'],
        'None of them is listed.',
      );
    },
  },
  {
    ...governed,
    id: 'git/hidden-refs/component-borders',
    requirements: ['GIT-129'],
    explanation: 'The prefixes of hidden refs end at the borders of components.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/main': first }, first.all);
      const open = ['refs/heads/private-not', 'refs/heads/privates/x', 'refs/internals/open', 'refs/x/internal/y'];
      await accepted(
        repo,
        open.map((ref) => set(ref, first)),
        pack(),
      );
      same(
        Object.keys(await listedRefs(repo)),
        ['HEAD', 'refs/heads/main', ...open],
        'They are listed like any other.',
      );
    },
  },
  {
    ...governed,
    id: 'git/hidden-refs/not-named',
    requirements: ['GIT-129', 'GIT-073', 'GIT-083', 'GIT-098'],
    explanation:
      'A fetch that names a hidden ref is answered as if there were none: to want, to exclude, to filter by.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/main': first }, first.all);
      const features = await fetchFeatures(repo);
      for (const ref of ['refs/internal/x', 'refs/heads/private/x', 'refs/none/x']) {
        if (features.includes('ref-in-want')) {
          const { body } = await post(repo, commandBody('fetch', [`want-ref ${ref}`, 'done']));
          same(linesOf(body), [`ERR unknown ref ${ref}`], `${ref} cannot be wanted.`);
        }
        for (const version of versions) {
          const wants = [first.oid];
          if (features.includes('shallow')) {
            const { error } = await askFor(repo, version, { wants, depth: [`deepen-not ${ref}`] });
            same(error, 'no commits selected for shallow requests', `${ref} excludes nothing.`);
          }
          if (features.includes('filter')) {
            const filter = `sparse:oid=${ref}:file`;
            const { error } = await askFor(repo, version, { wants, filter });
            same(error, `invalid filter-spec '${filter}'`, `${ref} gives no patterns.`);
          }
        }
      }
    },
  },
);
