/** REPO-236 to REPO-240 of docs/specification/repositories.md: updates and new names of repos. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import type { Context } from '../../core/context.ts';
import { pathOf } from '../../steps/content.ts';
import { EventLog, repoPayload } from '../../steps/events.ts';
import { forkOf } from '../../steps/forked.ts';
import { accepted, repoWith } from '../../steps/repo-with.ts';
import { assertRefused, assertSuccess, badField, failures, repoExists } from '../../steps/replies.ts';
import { blob, change, pack } from '../../tools/made-objects.ts';
import { noise } from '../../tools/noise.ts';
import { same } from '../../tools/same.ts';
import { commandBody, discover, listedRefs, post, set } from '../../tools/wire-client.ts';

// A case knows which shape it asked for, and asserts it.
// oxlint-disable-next-line typescript/no-explicit-any
async function updated(t: Context, path: string, body: Readonly<Record<string, unknown>>): Promise<any> {
  return assertSuccess(await t.rest('PATCH', path, { body }), 200, `PATCH with ${JSON.stringify(body)}`);
}

const noMember = 'Invalid input: expected at least one of "name"|"description"|"default_branch"|"read_only"';

export const updates: Suite = suite(
  {
    id: 'rest/updates/members',
    requirements: ['REPO-236', 'REPO-237', 'REPO-239', 'REPO-057', 'REPO-183'],
    level: 'MUST',
    beyond: true,
    explanation: 'An update changes the members that are sent; HEAD follows, and read_only holds for pushes.',
    async run(t) {
      const [main, side] = [change('main'), change('side')];
      const refs = { 'refs/heads/main': main, 'refs/heads/side': side };
      const repo = await repoWith(t, refs, [...main.all, ...side.all]);
      const path = pathOf(repo);
      const before = assertSuccess(await t.rest('GET', path), 200, 'GET before');
      same([before.ref_count, before.object_count], [2, main.all.length + side.all.length], 'The numbers of the repo.');
      assert.ok(before.size > 0, 'expected a size');
      same(Object.keys(before).slice(-4), ['remote', 'size', 'object_count', 'ref_count'], 'The last members.');
      // Times have milliseconds, so two changes within one would look simultaneous.
      await new Promise((resolve) => setTimeout(resolve, 5));
      const first = await updated(t, path, { description: 'new', default_branch: 'side', unknown: 1 });
      const { updated_at } = first;
      same(first, { ...before, description: 'new', default_branch: 'side', updated_at }, 'The reply.');
      assert.ok(updated_at > before.updated_at, 'expected a later updated_at');
      same(assertSuccess(await t.rest('GET', path), 200, 'GET after'), first, 'What GET then shows.');
      same((await listedRefs(repo))['HEAD'], `${side.oid} symref-target:refs/heads/side`, 'HEAD.');
      await updated(t, path, { default_branch: 'unborn' });
      const { body } = await post(repo, commandBody('ls-refs', ['symrefs', 'unborn']));
      assert.match(body.toString(), /unborn HEAD symref-target:refs\/heads\/unborn/, 'expected an unborn HEAD');

      const last = await updated(t, path, { description: null, read_only: true });
      same([last.description, last.read_only], [null, true], 'Without a description, read-only.');
      same((await updated(t, path, { read_only: true })).updated_at, last.updated_at, 'No change, no new time.');
      const service = 'git-receive-pack';
      same((await discover(repo, { service })).status, 403, 'A push to a read-only repo.');
      await updated(t, path, { read_only: false });
      const more = blob(noise(2_000, t.seed));
      await accepted(repo, [set('refs/tags/more', more)], pack(more));
      const grown = assertSuccess(await t.rest('GET', path), 200, 'GET after a push');
      same([grown.ref_count, grown.object_count], [3, before.object_count + 1], 'The numbers after it.');
      assert.ok(grown.size >= before.size + 2_000, 'expected the size to grow by what cannot be compressed');
    },
  },
  {
    id: 'rest/updates/at-once',
    requirements: ['REPO-237'],
    level: 'MUST',
    beyond: true,
    explanation: 'Updates of different members that arrive together all hold.',
    async run(t) {
      const repo = await t.createRepo();
      const path = pathOf(repo);
      for (const round of [1, 2, 3]) {
        const members = { description: `d${round}`, default_branch: `b${round}`, read_only: round !== 2 };
        const one = Object.entries(members).map(([name, value]) => updated(t, path, { [name]: value }));
        await Promise.all(one);
        const shown = assertSuccess(await t.rest('GET', path), 200, 'GET');
        const names = Object.keys(members);
        same(
          names.map((name) => shown[name]),
          Object.values(members),
          `Round ${round}: each member has its update.`,
        );
      }
    },
  },
  {
    id: 'rest/updates/refused',
    requirements: ['LIM-007', 'REPO-237', 'REPO-238', 'REPO-036', 'REPO-089'],
    level: 'MUST',
    beyond: true,
    explanation: 'A bad member, none at all, a taken name or a missing repo: refused, and nothing changes.',
    async run(t) {
      const repo = await t.createRepo({ body: { description: 'd' } });
      await t.createRepo({ name: 'Taken' });
      const path = pathOf(repo);
      const before = assertSuccess(await t.rest('GET', path), 200, 'GET before');
      const nothing = { status: 400, code: 10100, message: noMember };
      await assertRefused(t, ['PATCH', path, {}], nothing);
      await assertRefused(t, ['PATCH', path, { name: null, owner: 'x' }], nothing);
      await assertRefused(t, ['PATCH', path, { name: '-', description: 'x' }], failures.repoName);
      await assertRefused(t, ['PATCH', path, { description: 'x', default_branch: '-x' }], failures.branchName);
      const bad = badField('read_only', 'Invalid input: expected boolean, received number');
      await assertRefused(t, ['PATCH', path, { description: 'x', read_only: 1 }], bad);
      const long = badField('description', 'Too big: expected string to have <=1024 characters');
      await assertRefused(t, ['PATCH', path, { description: 'x'.repeat(1025), read_only: true }], long);
      await assertRefused(t, ['PATCH', path, { description: 'x', name: 'tAKEN' }], repoExists('tAKEN'));
      await assertRefused(t, ['PATCH', `${path}-none`, { description: 'x' }], failures.noRepo);
      same(assertSuccess(await t.rest('GET', path), 200, 'GET after'), before, 'The repo.');
    },
  },
  {
    id: 'rest/updates/rename',
    requirements: ['REPO-238', 'REPO-058', 'TOKEN-005'],
    level: 'MUST',
    beyond: true,
    explanation: 'A new name holds at once and everywhere, and the old one is free; the id, tokens and forks stay.',
    async run(t) {
      const main = change('main');
      const repo = await repoWith(t, { 'refs/heads/main': main }, main.all);
      const fork = await forkOf(t, repo);
      const name = t.name('New');
      // Fills the caches of names.
      same((await discover(repo)).status, 200, 'The old remote, before.');
      assertSuccess(await t.rest('GET', `${pathOf(repo)}/log`), 200, 'The old log, before');
      const info = await updated(t, pathOf(repo), { name });
      same([info.id, info.name], [repo.id, name], 'The id and the name.');
      const renamed = { ...repo, name, remote: info.remote as string };
      same((await discover(repo)).status, 403, 'The old remote.');
      for (const path of ['', '/log', '/refs', '/tokens']) {
        await assertRefused(t, ['GET', `${pathOf(repo)}${path}`], failures.noRepo);
        assertSuccess(await t.rest('GET', `${pathOf(renamed)}${path}`), 200, `GET of ${path} under the new name`);
      }
      same((await discover(renamed)).status, 200, 'The new remote.');
      const { source } = assertSuccess(await t.rest('GET', pathOf(fork)), 200, 'GET of the fork');
      assert.ok(
        source.endsWith(`${repo.namespace}/${name}`),
        `expected the source of the fork to follow, got ${source}`,
      );

      const other = await t.createRepo({ name: repo.name, namespace: repo.namespace });
      assert.notEqual(other.id, repo.id, 'expected another repo under the old name');
      same((await discover({ ...other, token: repo.token })).status, 403, 'The old token, for another repo.');
      same((await discover(other)).status, 200, 'The token of the other repo.');
      await accepted(renamed, [set('refs/heads/more', main)], pack());
      same((await updated(t, pathOf(renamed), { name: name.toUpperCase() })).name, name.toUpperCase(), 'The spelling.');
      // Here REST is asked first, and above Git: one may clear the cache of the other.
      assertSuccess(await t.rest('GET', `${pathOf(renamed)}/log`), 200, 'The log, in another spelling');
      await updated(t, pathOf(renamed), { name: t.name('newer') });
      await assertRefused(t, ['GET', `${pathOf(renamed)}/log`], failures.noRepo);
      same((await discover(renamed)).status, 403, 'The remote of the second name.');
    },
  },
  {
    id: 'rest/updates/events',
    requirements: ['REPO-240', 'REPO-190'],
    level: 'MUST',
    beyond: true,
    needs: ['event sink'],
    explanation:
      'An update and a new name send one event each, under the new name; an update that changes nothing sends none.',
    async run(t) {
      const log = new EventLog(t);
      const repo = await t.createRepo();
      await log.next(2, 'a new repo');
      await updated(t, pathOf(repo), { description: 'new' });
      await updated(t, pathOf(repo), { description: 'new', read_only: false });
      await log.expect('an update', { name: 'updated', repo, payload: await repoPayload(t, repo) });
      const renamed = { ...repo, name: t.name('new') };
      await updated(t, pathOf(repo), { name: renamed.name, default_branch: 'trunk' });
      const payload = await repoPayload(t, renamed);
      await log.expect(
        'both',
        { name: 'renamed', repo: renamed, payload: { ...payload, previousRepoName: repo.name } },
        { name: 'updated', repo: renamed, payload },
      );
      const respelt = { ...repo, name: renamed.name.toUpperCase() };
      await updated(t, pathOf(renamed), { name: respelt.name });
      const after = { ...(await repoPayload(t, respelt)), previousRepoName: renamed.name };
      await log.expect('another spelling', { name: 'renamed', repo: respelt, payload: after });
    },
  },
);
