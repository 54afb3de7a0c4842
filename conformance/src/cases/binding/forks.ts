/** `fork` of docs/specification/binding.md. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import { change } from '../../tools/made-objects.ts';
import { listedRefs } from '../../tools/wire-client.ts';
import { assertMembers } from '../../steps/values.ts';
import { createdMembers } from './create.ts';
import { assertRejected, boundRepoWith, messages, remoteOf } from './rejections.ts';

const first = change('first');
const side = change('side', first);
const all = [...side.all, ...first.all];
const refs = { 'refs/heads/main': first, 'refs/heads/side': side };

export const forks: Suite = suite(
  {
    id: 'binding/fork/refs',
    requirements: ['BIND-073', 'BIND-016', 'REPO-058', 'REPO-120', 'REPO-122', 'REPO-123'],
    level: 'MUST',
    needs: ['binding'],
    explanation: 'A fork is a repo of its own, with what the options say and nothing of the parent but its content.',
    async run(t) {
      const binding = t.binding();
      const { made: parent, repo } = await boundRepoWith(t, binding, refs, all);
      const options = { description: 'a copy', readOnly: true, defaultBranchOnly: false, unknown: 1 };
      const fork = await repo.fork(t.name('Fork'), options);
      assertMembers(fork, createdMembers, 'a fork');
      assert.deepEqual([fork.description, fork.defaultBranch], ['a copy', 'main'], 'expected what was asked');
      const handle = await binding.get(fork.name);
      const info = await handle.info();
      const source = `${t.dialect.forkPrefix}${binding.namespace}/${parent.name}`;
      assert.deepEqual([info.source, info.readOnly], [source, true], 'expected where it is from');
      const expected = { 'refs/heads/main': first.oid, 'refs/heads/side': side.oid };
      const listed = await listedRefs(remoteOf(t, fork));
      for (const [ref, oid] of Object.entries(expected)) assert.equal(listed[ref], oid, `expected ${ref} in the fork`);
      assert.equal(await binding.delete(parent.name), true, 'expected the parent to be deleted');
      assert.equal((await handle.readCommit(side.oid))?.hash, side.oid, 'expected the fork to outlive it');
    },
  },
  {
    id: 'binding/fork/default-branch',
    requirements: ['BIND-073', 'REPO-121'],
    level: 'MUST',
    beyond: true,
    needs: ['binding'],
    explanation: 'Unless told otherwise a fork has the default branch alone, and no object of another.',
    async run(t) {
      const binding = t.binding();
      const { repo } = await boundRepoWith(t, binding, refs, all);
      for (const options of [undefined, {}, { defaultBranchOnly: undefined }, { defaultBranchOnly: true }]) {
        const fork = await repo.fork(t.name('fork'), options);
        assert.equal(fork.description, null, 'expected no description');
        const listed = await listedRefs(remoteOf(t, fork));
        assert.equal(listed['refs/heads/main'], first.oid, 'expected the default branch');
        assert.equal(listed['refs/heads/side'], undefined, 'expected no other branch');
        const handle = await binding.get(fork.name);
        assert.equal(await handle.readCommit(side.oid), null, 'expected no object of the other branch');
        assert.equal((await handle.readCommit(first.oid))?.hash, first.oid, 'expected those of its own');
      }
      const empty = await binding.get((await binding.create(t.name('empty'))).name);
      const nothing = await empty.fork(t.name('nothing'));
      assert.deepEqual(await (await binding.get(nothing.name)).log(), [], 'expected an empty fork of an empty repo');
    },
  },
  {
    id: 'binding/fork/refused',
    requirements: ['BIND-073', 'BIND-080', 'BIND-084', 'BIND-085', 'BIND-086', 'BIND-091'],
    level: 'MUST',
    needs: ['binding'],
    explanation: 'A bad name of a fork is refused first, then bad options, then a name that is taken.',
    async run(t) {
      const binding = t.binding();
      const { made, repo } = await boundRepoWith(t, binding, refs, all);
      for (const name of ['', '-x', 'a b', undefined, null, 7, 'x'.repeat(513)]) {
        const what = `fork(${JSON.stringify(name)?.slice(0, 12) ?? 'undefined'})`;
        await assertRejected(t, repo.fork(name, { readOnly: 7 }), 'INVALID_REPO_NAME', what);
      }
      for (const options of [{ readOnly: 7 }, { description: 7 }, { defaultBranchOnly: 'no' }]) {
        const what = `fork(name, ${JSON.stringify(options)})`;
        await assertRejected(t, repo.fork(made.name, options), 'INVALID_INPUT', what);
      }
      for (const name of [made.name, made.name.toUpperCase()]) {
        await assertRejected(t, repo.fork(name), 'ALREADY_EXISTS', `fork(${name})`, messages.taken(name));
      }
    },
  },
);
