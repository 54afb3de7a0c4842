/** `commit` of docs/specification/binding.md. */

import { suite, type Suite } from '../../core/case.ts';
import { change } from '../../tools/made-objects.ts';
import { same } from '../../tools/same.ts';
import { assertRejected, boundRepoWith, failureOf } from './rejections.ts';

const base = change('base');
const wanted = {
  branch: 'main',
  message: 'A change',
  author: { name: 'Ada', email: 'ada@example.com' },
  changes: [{ op: 'put', path: 'docs/plan.md', content: '# Plan\n' }],
};

export const commits: Suite = suite({
  id: 'binding/commits/changes',
  requirements: ['BIND-079', 'REPO-251', 'REPO-252', 'REPO-253', 'REPO-254', 'REPO-255'],
  level: 'MUST',
  beyond: true,
  needs: ['binding'],
  explanation: 'A commit changes files on the head that the caller expects.',
  async run(t) {
    const { repo } = await boundRepoWith(t, t.binding(), { 'refs/heads/main': base }, base.all);
    const made = await repo.commit({ ...wanted, expectedHead: base.oid });
    same(made.ref, { name: 'refs/heads/main', old: base.oid, new: made.commit }, 'The moved branch.');
    same(made.paths, ['docs/plan.md'], 'The paths.');
    const commit = await repo.readCommit(made.commit);
    same([commit?.treeHash, commit?.message], [made.tree, 'A change'], 'The commit.');
    same(commit?.parents, [base.oid], 'Its parent.');
    const empty = await repo.commit({ ...wanted, changes: undefined, allowEmpty: true });
    same(empty.tree, made.tree, 'A commit without changes, where it is allowed.');
    const stale = await failureOf(repo.commit({ ...wanted, expectedHead: base.oid }), 'a stale head');
    same([stale.error.own['code'], stale.error.own['details']], ['STALE_REF', { head: empty.commit }], 'A stale head.');
    await assertRejected(t, repo.commit(wanted), 'REF_REFUSED', 'a commit that changes nothing');
    await assertRejected(t, repo.commit({ ...wanted, branch: 'x', from: 'none' }), 'NOT_FOUND', 'an unknown revision');
    const wrong = [undefined, null, 'main', {}, { ...wanted, author: null }, { ...wanted, changes: [{ op: 'put' }] }];
    for (const one of wrong) {
      await assertRejected(t, repo.commit(one), 'INVALID_INPUT', `commit(${JSON.stringify(one)})`);
    }
  },
});
