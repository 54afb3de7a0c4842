/** `create` of docs/specification/binding.md. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import { assertMembers, assertApart, idForm } from '../../steps/values.ts';
import { assertSuccess } from '../../steps/replies.ts';
import { assertRejected, messages } from './rejections.ts';

export const createdMembers: readonly string[] = ['id', 'name', 'description', 'defaultBranch', 'remote', 'token'];

export const creates: Suite = suite(
  {
    id: 'binding/create/options',
    requirements: ['BIND-030', 'BIND-014', 'BIND-016', 'REPO-113'],
    level: 'MUST',
    needs: ['binding'],
    explanation: 'A repo is made with what the options say, or the defaults, and one token that may write.',
    async run(t) {
      const binding = t.binding();
      const [name, plain] = [t.name('Full'), t.name('plain')];
      const full = await binding.create(name, {
        readOnly: true,
        description: 'Ünd 😀',
        setDefaultBranch: 'trunk/x',
        x: 1,
      });
      assertMembers(full, createdMembers, 'a created repo');
      assert.match(full.id, idForm, 'expected an id of 16 characters');
      const seen = [full.name, full.description, full.defaultBranch];
      assert.deepEqual(seen, [name, 'Ünd 😀', 'trunk/x'], 'expected what was given');
      assert.match(full.token, new RegExp(`^${t.dialect.tokenPrefix}[0-9a-f]{40}\\?expires=\\d+$`), 'expected a token');
      assert.equal((await (await binding.get(name)).info()).readOnly, true, 'expected it to be read-only');

      const nothing = { readOnly: undefined, description: undefined, setDefaultBranch: undefined };
      const made = await binding.create(plain, nothing);
      assert.deepEqual([made.description, made.defaultBranch], [null, 'main'], 'expected the defaults');
      const repo = await binding.get(plain);
      assert.equal((await repo.info()).readOnly, false, 'expected it not to be read-only');
      const { tokens, total } = await repo.listTokens();
      assert.deepEqual([tokens.length, total], [1, 1], 'expected one token');
      assert.deepEqual([tokens[0]?.scope, tokens[0]?.state], ['write', 'active'], 'expected one that may write');
      assertApart(String(tokens[0]?.createdAt), String(tokens[0]?.expiresAt), 86_400, 'the lifetime of the token');
      await binding.create(t.name('bare'));
    },
  },
  {
    id: 'binding/create/refused',
    requirements: ['BIND-031', 'BIND-080', 'BIND-083', 'BIND-084', 'BIND-085', 'BIND-086', 'BIND-091', 'REPO-025'],
    level: 'MUST',
    needs: ['binding'],
    explanation: 'A bad name is refused before all else, then bad options, then a name that is taken.',
    async run(t) {
      const binding = t.binding();
      const name = t.name('Taken');
      await binding.create(name);
      for (const one of [undefined, null, '', 7, {}, [], '-x', '.x', 'a b', 'ä', 'a/b', 'x'.repeat(513)]) {
        const shown = JSON.stringify(one)?.slice(0, 20) ?? 'undefined';
        await assertRejected(t, binding.create(one, { readOnly: 'yes' }), 'INVALID_REPO_NAME', `create(${shown})`);
      }
      const bad: readonly Readonly<Record<string, unknown>>[] = [
        { readOnly: 'yes' },
        { readOnly: 1 },
        { description: 7 },
        { description: 'x'.repeat(1025) },
        { setDefaultBranch: 7 },
        { setDefaultBranch: '' },
        { setDefaultBranch: 'a..b' },
        { setDefaultBranch: 'HEAD' },
        { setDefaultBranch: '-x' },
        { setDefaultBranch: 'x'.repeat(257) },
      ];
      for (const options of bad) {
        const what = `create(name, ${JSON.stringify(options).slice(0, 40)})`;
        await assertRejected(t, binding.create(name, options), 'INVALID_INPUT', what);
      }
      for (const one of [name, name.toUpperCase(), name.toLowerCase()]) {
        await assertRejected(t, binding.create(one), 'ALREADY_EXISTS', `create(${one})`, messages.taken(one));
      }
      await assertRejected(t, binding.create('-'), 'INVALID_REPO_NAME', 'create("-")');
    },
  },
  {
    id: 'binding/create/namespace',
    requirements: ['BIND-003', 'BIND-032', 'BIND-047', 'REPO-102'],
    level: 'MUST',
    beyond: true,
    needs: ['binding'],
    explanation: 'A namespace that does not exist reads as empty, and the first repo makes it.',
    async run(t) {
      const binding = t.binding();
      const path = `/namespaces/${binding.namespace}`;
      const { status } = await t.rest('DELETE', path);
      if (status === 409) t.skip('the namespace of the binding holds what the suite did not make');
      assert.deepEqual(await binding.list(), { repos: [], total: 0 }, 'expected an empty list');
      const name = t.name();
      await assertRejected(t, binding.get(name), 'NOT_FOUND', 'get', messages.noRepo(name));
      assert.equal(await binding.delete(name), false, 'expected nothing to be deleted');
      await binding.create(name);
      const namespace = assertSuccess(await t.rest('GET', path), 200, 'GET of the namespace');
      assert.deepEqual(
        [namespace.repo_count, namespace.jurisdiction],
        [1, 'unrestricted'],
        'expected it with one repo',
      );
    },
  },
);
