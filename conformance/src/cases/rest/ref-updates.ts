/** REPO-241 to REPO-248 of docs/specification/repositories.md: changes of refs. */

import { suite, type Suite } from '../../core/case.ts';
import type { Context, TestRepo } from '../../core/context.ts';
import type { ShownRefChange } from '../../core/shown-content.ts';
import { pathOf } from '../../steps/content.ts';
import { repoWith } from '../../steps/repo-with.ts';
import {
  assertRefused,
  assertSuccess,
  badField,
  failures,
  refusedUpdate,
  staleRef,
  type Failure,
} from '../../steps/replies.ts';
import { assertMembers } from '../../steps/values.ts';
import { change, tag } from '../../tools/made-objects.ts';
import { same } from '../../tools/same.ts';
import { notFound } from './content/failures.ts';
import { walked } from './lists/walks.ts';
import { governedSettings, only } from '../../steps/settings.ts';

const [first, other] = [change('first'), change('other')];
const second = change('second', first);
const note = tag('note', first);
const missing = 'ab'.repeat(20);

const refsOf = (repo: TestRepo): string => `${pathOf(repo)}/refs`;

/** Creates a repo whose branch `main` has two commits, with another root and tags. */
function madeRepo(t: Context): Promise<TestRepo> {
  const refs = {
    'refs/heads/main': second,
    'refs/heads/other': other,
    'refs/tags/note': note,
    'refs/tags/v1': first,
  };
  return repoWith(t, refs, [...first.all, ...second.all, ...other.all, note]);
}

/** Returns the refs with their values. */
async function valuesOf(t: Context, repo: TestRepo): Promise<Readonly<Record<string, string>>> {
  const refs = await walked<{ readonly name: string; readonly hash: string }>(t, `${refsOf(repo)}?limit=1000`);
  return Object.fromEntries(refs.map(({ name, hash }) => [name, hash]));
}

async function put(t: Context, repo: TestRepo, name: string, body: unknown): Promise<ShownRefChange> {
  return assertSuccess(await t.rest('PUT', `${refsOf(repo)}/${name}`, { body }), 200, `PUT refs/${name}`);
}

const noObject: Failure = { status: 404, code: 10200, message: 'Object not found' };

export const refUpdates: Suite = suite(
  {
    id: 'rest/ref-updates/set',
    requirements: ['REPO-241', 'REPO-244', 'REPO-245', 'REPO-246', 'REPO-247', 'REPO-249'],
    level: 'MUST',
    beyond: true,
    explanation: 'PUT creates a ref, and moves it forward; with force anywhere, and only from the value it expects.',
    async run(t) {
      const repo = await madeRepo(t);
      const path = `${refsOf(repo)}/heads/a/b`;
      const made = await put(t, repo, 'heads/a/b', { old: null, new: first.oid });
      same(made, { name: 'refs/heads/a/b', old: null, new: first.oid }, 'A new branch.');
      assertMembers(made, ['name', 'old', 'new'], 'a change');
      await assertRefused(t, ['PUT', path, { old: null, new: second.oid }], staleRef(first.oid));
      await assertRefused(t, ['PUT', path, { old: other.oid, new: second.oid }], staleRef(first.oid));
      await assertRefused(t, ['PUT', `${path}c`, { old: first.oid, new: second.oid }], staleRef(null));
      same((await put(t, repo, 'heads%2Fa/b', { old: first.oid, new: second.oid })).old, first.oid, 'Forward.');
      same((await put(t, repo, 'heads/a/b', { new: second.oid })).old, second.oid, 'To the value that it has.');
      await assertRefused(t, ['PUT', path, { new: first.oid }], refusedUpdate('non-fast-forward'));
      await assertRefused(t, ['PUT', path, { new: other.oid, force: false }], refusedUpdate('non-fast-forward'));
      same((await put(t, repo, 'heads/a/b', { new: other.oid, force: true })).new, other.oid, 'Anywhere, with force.');
      await assertRefused(t, ['PUT', `${refsOf(repo)}/tags/v1`, { new: second.oid }], refusedUpdate('already exists'));
      await put(t, repo, 'tags/v1', { new: second.oid, force: true });
      await put(t, repo, 'tags/new', { new: note.oid });
      const values = await valuesOf(t, repo);
      same(values['refs/heads/a/b'], other.oid, 'The last value.');
      same(values['refs/tags/v1'], second.oid, 'The moved tag.');
      same(values['refs/tags/new'], note.oid, 'A tag may point to a tag object.');
      await assertRefused(t, ['PUT', `${refsOf(repo)}/heads/new`, { new: note.oid }], refusedUpdate('not a commit'));
      await assertRefused(t, ['PUT', `${refsOf(repo)}/heads/new`, { new: missing }], noObject);
      const conflict = refusedUpdate('conflicts with refs/heads/a/b');
      await assertRefused(t, ['PUT', `${refsOf(repo)}/heads/a`, { new: first.oid }], conflict);
      same(await valuesOf(t, repo), values, 'A refused update changes nothing.');
      const moves = [first, second, other, first, second, other].map(({ oid }) => ({ new: oid, force: true }));
      const moved = await Promise.all(moves.map((move) => put(t, repo, 'heads/a/b', move)));
      same(
        moved.map((one) => one.new),
        moves.map((one) => one.new),
        'Those that expect no value all succeed at once.',
      );
    },
  },
  {
    id: 'rest/ref-updates/delete',
    requirements: ['REPO-242', 'REPO-244', 'REPO-245', 'REPO-247'],
    level: 'MUST',
    beyond: true,
    explanation: 'DELETE removes a ref that exists, if it has the expected value.',
    async run(t) {
      const repo = await madeRepo(t);
      const path = `${refsOf(repo)}/heads/other`;
      await assertRefused(t, ['DELETE', `${path}?old=${first.oid}`], staleRef(other.oid));
      const gone = assertSuccess(await t.rest('DELETE', `${path}?old=${other.oid}`), 200, 'DELETE');
      same(gone, { name: 'refs/heads/other', old: other.oid, new: null }, 'The deleted branch.');
      await assertRefused(t, ['DELETE', path], notFound.ref);
      await assertRefused(t, ['DELETE', `${path}?old=${other.oid}`], staleRef(null));
      assertSuccess(await t.rest('DELETE', `${refsOf(repo)}/tags/v1`), 200, 'DELETE of a tag');
      same(Object.keys(await valuesOf(t, repo)), ['refs/heads/main', 'refs/tags/note'], 'The others stay.');
    },
  },
  {
    id: 'rest/ref-updates/policies',
    requirements: ['REPO-245', 'REPO-247'],
    level: 'MUST',
    beyond: true,
    needs: ['settings'],
    settings: only(governedSettings, 'deny_delete_default', 'deny_non_fast_forward', 'hidden_refs'),
    explanation: 'Settings that forbid updates hold even with force, and hidden refs are missing.',
    async run(t) {
      const repo = await madeRepo(t);
      const path = `${refsOf(repo)}/heads`;
      const backwards = { new: first.oid, force: true };
      await assertRefused(t, ['PUT', `${path}/main`, backwards], refusedUpdate('non-fast-forward'));
      const denied = refusedUpdate('deletion of the default branch prohibited');
      await assertRefused(t, ['DELETE', `${path}/main`], denied);
      assertSuccess(await t.rest('DELETE', `${path}/other`), 200, 'DELETE of another branch');
      await assertRefused(t, ['PUT', `${refsOf(repo)}/internal/x`, { new: first.oid }], notFound.ref);
    },
  },
  {
    id: 'rest/ref-updates/all-or-none',
    requirements: ['LIM-025', 'REPO-243', 'REPO-245', 'REPO-246', 'REPO-247'],
    level: 'MUST',
    beyond: true,
    explanation: 'A list of updates happens as a whole, or not at all with an error for each update at fault.',
    async run(t) {
      const repo = await madeRepo(t);
      const path = refsOf(repo);
      const before = await valuesOf(t, repo);
      const updates = [
        { name: 'refs/heads/new', old: null, new: second.oid },
        { name: 'refs/heads/other', old: other.oid, new: null },
        { name: 'refs/tags/v1', new: second.oid, force: true },
      ];
      const wrong = [
        ...updates,
        { name: 'refs/heads/main', old: first.oid, new: second.oid },
        { name: 'refs/heads/none', new: null },
      ];
      const reply = await assertRefused(t, ['POST', path, { updates: wrong }], staleRef(second.oid, '/updates/3'));
      const told = reply.json.errors.map(({ code, source }: { code: number; source: unknown }) => ({ code, source }));
      const expected = [
        { code: 10204, source: { pointer: '/updates/3' } },
        { code: 10200, source: { pointer: '/updates/4' } },
      ];
      same(told, expected, 'The updates at fault.');
      const backwards = { name: 'refs/heads/main', new: first.oid };
      const denied = refusedUpdate('non-fast-forward', '/updates/3');
      await assertRefused(t, ['POST', path, { updates: [...updates, backwards] }], denied);
      same(await valuesOf(t, repo), before, 'Nothing happened.');
      const done = assertSuccess(await t.rest('POST', path, { body: { updates } }), 200, 'POST');
      const changes = [
        { name: 'refs/heads/new', old: null, new: second.oid },
        { name: 'refs/heads/other', old: other.oid, new: null },
        { name: 'refs/tags/v1', old: first.oid, new: second.oid },
      ];
      same(done, changes, 'The changes in the order of the request.');
      const { 'refs/heads/other': _, ...kept } = before;
      const after = { ...kept, 'refs/heads/new': second.oid, 'refs/tags/v1': second.oid };
      same({ ...(await valuesOf(t, repo)) }, after, 'All of it happened.');
      const many = Array.from({ length: 1001 }, (_one, i) => ({ name: `refs/heads/m${i}`, new: first.oid }));
      const tooMany = badField('updates', 'Too big: expected array to have <=1000 items');
      await assertRefused(t, ['POST', path, { updates: many }], tooMany);
      assertSuccess(await t.rest('POST', path, { body: { updates: many.slice(1) } }), 200, '1,000 updates');
    },
  },
  {
    id: 'rest/ref-updates/refused',
    requirements: ['REPO-036', 'REPO-234', 'REPO-247', 'REPO-248'],
    level: 'MUST',
    beyond: true,
    needs: ['read token'],
    explanation: 'Wrong fields, names that no ref can have, read-only repos and missing permission are refused.',
    async run(t) {
      const repo = await madeRepo(t);
      const path = refsOf(repo);
      const hash = 'Invalid SHA-1 hash';
      const received = (what: string): string => `Invalid input: expected string, received ${what}`;
      await assertRefused(t, ['PUT', `${path}/heads/x`, {}], badField('new', received('undefined')));
      await assertRefused(t, ['PUT', `${path}/heads/x`, { new: null }], badField('new', received('null')));
      await assertRefused(t, ['PUT', `${path}/heads/x`, { new: 'main' }], badField('new', hash));
      await assertRefused(t, ['PUT', `${path}/heads/x`, { new: '0'.repeat(40) }], badField('new', hash));
      await assertRefused(t, ['PUT', `${path}/heads/x`, { old: 'x', new: first.oid }], badField('old', hash));
      await assertRefused(t, ['DELETE', `${path}/heads/x?old=x`], badField('old', hash));
      const name = 'Invalid ref name';
      for (const odd of ['heads', 'heads/a..b', 'heads/a%20b', 'heads/%ff']) {
        await assertRefused(t, ['PUT', `${path}/${odd}`, { new: first.oid }], badField('ref_name', name));
        await assertRefused(t, ['DELETE', `${path}/${odd}`], notFound.ref);
      }
      for (const odd of ['main', 'HEAD', 'heads/x', 'refs/heads/a..b']) {
        const updates = [{ name: odd, new: first.oid }];
        await assertRefused(t, ['POST', path, { updates }], badField('updates/0/name', name));
      }
      const few = badField('updates', 'Too small: expected array to have >=1 items');
      await assertRefused(t, ['POST', path, { updates: [] }], few);
      await assertRefused(
        t,
        ['POST', path, {}],
        badField('updates', 'Invalid input: expected array, received undefined'),
      );
      await assertRefused(t, ['POST', path, { updates: [1] }], badField('updates/0', 'Invalid input: expected object'));
      const twice = { name: 'refs/heads/x', new: first.oid };
      const doubled = badField('updates/1/name', 'The list has two updates of this ref');
      await assertRefused(t, ['POST', path, { updates: [twice, twice] }], doubled);

      const none = `/namespaces/${t.namespace}/repos/none/refs`;
      await assertRefused(t, ['PUT', `${none}/heads/x`, { new: first.oid }], failures.noRepo);
      await assertRefused(t, ['DELETE', `${none}/heads/a..b`], failures.noRepo);
      const readOnly = refsOf(await t.createRepo({ body: { read_only: true } }));
      await assertRefused(t, ['PUT', `${readOnly}/heads/x`, { new: first.oid }], failures.readOnly);
      await assertRefused(t, ['POST', readOnly, { updates: [twice] }], failures.readOnly);
      for (const [method, where] of [
        ['PUT', `${path}/heads/main`],
        ['DELETE', `${path}/heads/main`],
        ['POST', path],
      ] as const) {
        const reply = await t.rest(method, where, { token: t.readToken, body: { new: first.oid } });
        same(reply.status, 403, `${method} with the permission to read`);
      }
    },
  },
);
