/** `update` of docs/specification/binding.md. */

import { suite, type Suite } from '../../core/case.ts';
import { change } from '../../tools/made-objects.ts';
import { same } from '../../tools/same.ts';
import { assertRejected, boundRepoWith, messages } from './rejections.ts';

export const updates: Suite = suite({
  id: 'binding/updates/members',
  requirements: ['BIND-077', 'BIND-038', 'BIND-083', 'REPO-237', 'REPO-238', 'REPO-239'],
  level: 'MUST',
  beyond: true,
  needs: ['binding'],
  explanation: 'A handle changes its repo and stays valid under the new name; bad members are refused.',
  async run(t) {
    const binding = t.binding();
    const main = change('main');
    const { made, repo } = await boundRepoWith(t, binding, { 'refs/heads/main': main }, main.all);
    const before = await repo.info();
    same([before.refCount, before.objectCount, before.size > 0], [1, main.all.length, true], 'The numbers.');
    const name = t.name('renamed');
    const after = await repo.update({ name, description: 'new', defaultBranch: 'trunk', readOnly: true });
    const { remote, updatedAt } = after;
    const changed = { name, description: 'new', defaultBranch: 'trunk', readOnly: true, remote, updatedAt };
    same(after, { ...before, ...changed }, 'The result.');
    same(await repo.info(), after, 'What info then shows.');
    await assertRejected(t, binding.get(made.name), 'NOT_FOUND', 'get of the old name', messages.noRepo(made.name));
    same((await (await binding.get(name)).info()).id, made.id, 'The id under the new name.');
    const other = await binding.create(made.name);
    same((await repo.update({ description: null })).description, null, 'No description.');
    for (const fields of [{}, undefined, null, 7, { description: 7 }, { defaultBranch: null }, { readOnly: 'yes' }]) {
      await assertRejected(t, repo.update(fields), 'INVALID_INPUT', `update(${JSON.stringify(fields)})`);
    }
    for (const bad of ['-', '', 7, null]) {
      await assertRejected(t, repo.update({ name: bad }), 'INVALID_REPO_NAME', `update to the name ${bad}`);
    }
    await assertRejected(t, repo.update({ name: other.name }), 'ALREADY_EXISTS', 'a name that is taken');
    await binding.delete(name);
    await assertRejected(t, repo.update({ description: 'late' }), 'NOT_FOUND', 'update of a deleted repo');
  },
});
