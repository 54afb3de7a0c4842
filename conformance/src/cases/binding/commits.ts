/** `commit` of docs/specification/binding.md. */

import { suite, type Suite } from '../../core/case.ts';
import { blob, change } from '../../tools/made-objects.ts';
import { same } from '../../tools/same.ts';
import { assertRejected, boundRepoWith, failureOf } from './rejections.ts';

const base = change('base');
const wanted = {
  branch: 'main',
  message: 'A change',
  author: { name: 'Ada', email: 'ada@example.com' },
  changes: [{ op: 'put', path: 'docs/plan.md', content: '# Plan\n' }],
};

export const commits: Suite = suite(
  {
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
      same(made.truncated, false, 'All paths.');
      const empty = await repo.commit({ ...wanted, changes: undefined, allowEmpty: true });
      same(empty.tree, made.tree, 'A commit without changes, where it is allowed.');
      const stale = await failureOf(repo.commit({ ...wanted, expectedHead: base.oid }), 'a stale head');
      same(
        [stale.error.own['code'], stale.error.own['details']],
        ['STALE_REF', { head: empty.commit }],
        'A stale head.',
      );
      await assertRejected(t, repo.commit(wanted), 'REF_REFUSED', 'a commit that changes nothing');
      await assertRejected(
        t,
        repo.commit({ ...wanted, branch: 'x', from: 'none' }),
        'NOT_FOUND',
        'an unknown revision',
      );
      const wrong = [undefined, null, 'main', {}, { ...wanted, author: null }, { ...wanted, changes: [{ op: 'put' }] }];
      for (const one of wrong) {
        await assertRejected(t, repo.commit(one), 'INVALID_INPUT', `commit(${JSON.stringify(one)})`);
      }
    },
  },
  {
    id: 'binding/commits/keys',
    requirements: ['BIND-117', 'REPO-259'],
    level: 'MUST',
    beyond: true,
    needs: ['binding'],
    explanation: 'A call with a key that made a commit before returns its result.',
    async run(t) {
      const { repo } = await boundRepoWith(t, t.binding(), { 'refs/heads/main': base }, base.all);
      const keyed = { ...wanted, idempotencyKey: 'one' };
      const bytes = [{ op: 'put', path: 'x', content: new Uint8Array([0, 255]) }];
      const made = await repo.commit({ ...keyed, changes: bytes });
      same(await repo.commit({ ...keyed, changes: bytes }), made, 'The first result.');
      await assertRejected(t, repo.commit(keyed), 'REF_REFUSED', 'other options with the key');
      for (const idempotencyKey of ['', 'a b', 'x'.repeat(256), 1]) {
        await assertRejected(t, repo.commit({ ...wanted, idempotencyKey }), 'INVALID_INPUT', `a key ${idempotencyKey}`);
      }
    },
  },
  {
    id: 'binding/commits/blobs',
    requirements: ['BIND-079', 'BIND-115', 'BIND-116', 'REPO-248', 'REPO-257', 'REPO-258'],
    level: 'MUST',
    beyond: true,
    needs: ['binding'],
    explanation: 'A blob is stored for a later commit, and cannot be read before.',
    async run(t) {
      const { repo } = await boundRepoWith(t, t.binding(), { 'refs/heads/main': base }, base.all);
      const content = blob('a large file\n');
      same(await repo.writeBlob(content.body), { hash: content.oid, size: 13 }, 'The blob.');
      same(await repo.readBlob(content.oid), null, 'It cannot be read.');
      const changes = [{ op: 'put', path: 'large', hash: content.oid }];
      same((await repo.commit({ ...wanted, changes })).paths, ['large'], 'A commit with it.');
      same((await repo.readBlob(content.oid))?.size, 13, 'It can be read.');
      for (const [form, text] of [
        [new Blob(['as a blob\n']), 'as a blob\n'],
        [new Response('as a stream\n').body, 'as a stream\n'],
      ] as const) {
        same(await repo.writeBlob(form), { hash: blob(text).oid, size: text.length }, 'Another form of content.');
      }
      for (const wrong of [undefined, null, 'text', 5, {}]) {
        await assertRejected(t, repo.writeBlob(wrong), 'INVALID_INPUT', `writeBlob(${String(wrong)})`);
      }
      await repo.update({ readOnly: true });
      await assertRejected(t, repo.writeBlob(content.body), 'READ_ONLY', 'writeBlob to a read-only repo');
      await assertRejected(t, repo.commit(wanted), 'READ_ONLY', 'commit to a read-only repo');
    },
  },
);
