/** `merge`, `cherryPick` and `revert` of docs/specification/binding.md. */

import { suite, type Suite } from '../../core/case.ts';
import { commit, change, tree } from '../../tools/made-objects.ts';
import { same } from '../../tools/same.ts';
import { assertRejected, boundRepoWith, failureOf } from './rejections.ts';

const base = change('base');
const [ours, theirs] = [change('ours', base), change('theirs', base)];
const other = tree({ file: base.file, other: ours.file });
const added = commit('Add other', other, [base]);
const author = { name: 'Ada', email: 'ada@example.com' };
const wanted = { into: 'main', from: 'next', author };

export const merges: Suite = suite({
  id: 'binding/merges/branches',
  requirements: [
    'BIND-109',
    'BIND-110',
    'BIND-111',
    'BIND-116',
    'REPO-280',
    'REPO-281',
    'REPO-282',
    'REPO-284',
    'REPO-285',
  ],
  level: 'MUST',
  beyond: true,
  needs: ['binding'],
  explanation: 'Merges, cherry-picks and reverts move a branch, or tell the conflicts.',
  async run(t) {
    const refs = { 'refs/heads/main': ours, 'refs/heads/next': added, 'refs/heads/torn': theirs };
    const binding = t.binding();
    const objects = [...base.all, ...ours.all, ...theirs.all, other, added];
    const { made, repo } = await boundRepoWith(t, binding, refs, objects);
    const merged = await repo.merge({ ...wanted, expectedHead: ours.oid, expectedFrom: added.oid });
    same(merged.ref, { name: 'refs/heads/main', old: ours.oid, new: merged.commit }, 'The moved branch.');
    same((await repo.readCommit(merged.commit))?.parents, [ours.oid, added.oid], 'Its parents.');
    same((await repo.merge(wanted)).commit, null, 'Nothing to merge.');
    const reverted = await repo.revert({ into: 'main', commit: 'main', mainline: 1, author });
    same((await repo.readCommit(reverted.commit))?.treeHash, ours.root.oid, 'The tree before.');
    const picked = await repo.cherryPick({ into: 'main', commit: 'next', committer: author });
    same((await repo.readCommit(picked.commit))?.message, 'Add other', 'The message of the commit.');

    const fork = await repo.fork(t.name('fork'));
    const body = { branch: 'main', message: 'In the fork', author, allowEmpty: true };
    const { commit: tip } = await (await binding.get(fork.name)).commit(body);
    const back = await repo.merge({ ...wanted, strategy: 'ff-only', from: { repo: fork.name } });
    same([back.commit, back.ref.new], [null, tip], 'The branch follows the fork.');

    const torn = await failureOf(repo.merge({ ...wanted, from: 'torn' }), 'a merge with conflicts');
    const stage = (hash: string): object => ({ mode: '100644', hash });
    const conflict = {
      path: 'file',
      base: stage(base.file.oid),
      ours: stage(ours.file.oid),
      theirs: stage(theirs.file.oid),
    };
    const { own } = torn.error;
    same([own['code'], own['details']], ['MERGE_CONFLICT', { conflicts: [conflict], truncated: false }], 'A conflict.');
    await assertRejected(t, repo.merge({ ...wanted, from: 'torn' }), 'MERGE_CONFLICT', 'a merge with conflicts');
    await assertRejected(t, repo.merge({ ...wanted, expectedHead: base.oid }), 'STALE_REF', 'a stale head');
    await assertRejected(t, repo.merge({ ...wanted, from: 'torn', strategy: 'ff-only' }), 'REF_REFUSED', 'no move');
    await assertRejected(t, repo.merge({ ...wanted, from: 'none' }), 'NOT_FOUND', 'an unknown revision');
    const elsewhere = { namespace: `${binding.namespace}x`, repo: fork.name };
    for (const from of [{ repo: t.name('none') }, elsewhere]) {
      await assertRejected(t, repo.merge({ ...wanted, from }), 'NOT_FOUND', 'another repository');
    }
    same((await repo.info()).name, made.name, 'The repository itself is there.');
    const wrong = [undefined, null, 'main', {}, { ...wanted, author: null }, { ...wanted, from: null }];
    for (const one of wrong) {
      await assertRejected(t, repo.merge(one), 'INVALID_INPUT', `merge(${JSON.stringify(one)})`);
    }
    const pick = { into: 'main', commit: 'next', committer: author, mainline: '1' };
    await assertRejected(t, repo.cherryPick(pick), 'INVALID_INPUT', 'a mainline that is a text');
    await assertRejected(t, repo.revert({ into: 'main', commit: 'next' }), 'INVALID_INPUT', 'no author');
    await repo.update({ readOnly: true });
    await assertRejected(t, repo.merge({ ...wanted, from: 'torn' }), 'READ_ONLY', 'a merge in a read-only repo');
    const undo = { into: 'main', commit: 'next', author };
    await assertRejected(t, repo.revert(undo), 'READ_ONLY', 'a revert in a read-only repo');
  },
});
